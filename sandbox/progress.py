"""Store results in a file as they come, so that a stopped run can continue."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from sandbox.chunks import played


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of such a file in order; none if there is no file."""
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        yield json.loads(line)


def append_line(path: Path, line: dict[str, Any]) -> None:
    """Add a line. It is on disk even if the run is stopped next."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


class Row(Protocol):
    """Games that belong together."""

    @property
    def key(self) -> str:
        """Return a key that identifies these games."""
        ...


SomeRow = TypeVar("SomeRow", bound=Row)
Came = TypeVar("Came")


class Chunks(Generic[Came]):
    """Games of many rows, played and stored in chunks of ``size``. ``found``: results by row and first game.

    ``row`` and ``came`` are a line's names for the row and the chunk's result. Other lines are ignored.
    """

    def __init__(self, path: Path, row: str, came: str, size: int) -> None:
        self._path, self._names, self.size = path, (row, came), size
        self.found: dict[str, dict[int, Came]] = {}
        for line in read_lines(path):
            if row in line:
                self.found.setdefault(line[row], {})[line["first"]] = line[came]

    def play(
        self, rows: Sequence[SomeRow], games: int, play: Callable[[tuple[SomeRow, int]], Came], jobs: int
    ) -> None:
        """Play the missing games of each row; ``play`` takes a row and the first game of a chunk."""
        row, came = self._names
        tasks = list(self.missing(rows, games))
        for (one, first), result in played(tasks, play, jobs, lambda task: (task[0].key, self.size)):
            append_line(self._path, {row: one.key, "first": first, came: result})
            self.found.setdefault(one.key, {})[first] = result

    def missing(self, rows: Sequence[SomeRow], games: int) -> Iterator[tuple[SomeRow, int]]:
        """Yield the missing chunks, rows in turn, so that a stopped run has about as many of each."""
        for first in range(0, games, self.size):
            for row in rows:
                if first not in self.found.get(row.key, {}):
                    yield row, first

    def whole(self, row: str) -> Iterator[Came]:
        """Yield a row's results, chunk by chunk from game 0, up to the first missing one."""
        chunks, first = self.found.get(row, {}), 0
        while first in chunks:
            yield chunks[first]
            first += self.size
