"""Print tables or JSON, and ask before anything changes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

T = TypeVar("T")


@dataclass
class Output:
    """Print results, and ask before changes, in the form that the operator chose."""

    #: Print one JSON value on the standard output instead of tables.
    as_json: bool = False
    #: Do not ask before changes.
    sure: bool = False
    console: Console = field(default_factory=Console)

    def say(self, value: Any, text: str) -> None:
        """Print a result: the value as JSON, or the text."""
        if self.as_json:
            click.echo(json.dumps(value, ensure_ascii=False, default=str))
        else:
            self.console.print(text, markup=False, highlight=False)

    def rows(self, rows: Sequence[Mapping[str, Any]], none: str) -> None:
        """Print rows with equal columns, as JSON or as a table. Instead of an empty table, print ``none``."""
        if self.as_json:
            self.say(list(rows), "")
            return
        if not rows:
            self.console.print(none, markup=False)
            return
        first, *others = rows[0]
        shown = Table(show_edge=False)
        # The operator copies the first column into the next command. So it is cut only if it is wider than
        # the terminal. The other columns get the space that is left.
        shown.add_column(first, min_width=max(len(str(row[first])) for row in rows), no_wrap=True)
        for name in others:
            shown.add_column(name)
        for row in rows:
            shown.add_row(*("" if value is None else str(value) for value in row.values()))
        self.console.print(shown)

    def confirm(self, what: str) -> None:
        """Say what is about to change, and ask if that is intended. Raises click's Abort if not."""
        click.echo(f"About to: {what}", err=True)
        if not self.sure:
            click.confirm("Do it?", abort=True, err=True)

    def over(self, things: Sequence[T], what: str) -> Iterable[T]:
        """Yield one thing after another. Meanwhile show a progress bar on the standard error."""
        return track(things, what, console=Console(stderr=True), transient=True)


def moment(seconds: float | None) -> str | None:
    """Return a time (seconds since 1970) in readable form, in UTC."""
    return None if seconds is None else f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}Z"


def counted(number: int, thing: str) -> str:
    """Return a number with its noun in the singular or plural."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
