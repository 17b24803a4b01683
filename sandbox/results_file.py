"""Append results to a file as they are computed, so that a stopped run can be continued."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from sandbox.processes import play_in_processes


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of a results file in order; none if the file does not exist."""
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        yield json.loads(line)


def append_line(path: Path, line: dict[str, Any]) -> None:
    """Append a line and close the file, so that the line survives if the run is stopped."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


class Row(Protocol):
    """A group of games that are counted together."""

    @property
    def key(self) -> str:
        """Return a key that identifies the row in the file."""
        ...


SomeRow = TypeVar("SomeRow", bound=Row)
Result = TypeVar("Result")


class StoredChunks(Generic[Result]):
    """Results of many rows, computed and stored in chunks of ``size`` games.

    ``found``: each chunk's result, by the row's key and the number of the chunk's first game. ``row`` and
    ``result`` are the names of these fields in a line of the file. Other lines are ignored.
    """

    def __init__(self, path: Path, row: str, result: str, size: int) -> None:
        self._path, self._names, self.size = path, (row, result), size
        self.found: dict[str, dict[int, Result]] = {}
        for line in read_lines(path):
            if row in line:
                self.found.setdefault(line[row], {})[line["first"]] = line[result]

    def play(
        self, rows: Sequence[SomeRow], games: int, play: Callable[[tuple[SomeRow, int]], Result], jobs: int
    ) -> None:
        """Compute and store the missing chunks. ``play`` gets a row and a chunk's first game."""
        row_name, result_name = self._names
        tasks = list(self.missing(rows, games))
        for (one, first), result in play_in_processes(
            tasks, play, jobs, lambda task: (task[0].key, self.size)
        ):
            append_line(self._path, {row_name: one.key, "first": first, result_name: result})
            self.found.setdefault(one.key, {})[first] = result

    def missing(self, rows: Sequence[SomeRow], games: int) -> Iterator[tuple[SomeRow, int]]:
        """Yield the missing chunks, one per row in turn, so that a stopped run has equally many of each."""
        for first in range(0, games, self.size):
            for row in rows:
                if first not in self.found.get(row.key, {}):
                    yield row, first

    def whole(self, row: str) -> Iterator[Result]:
        """Yield the results of a row from game 0 up to the first missing chunk."""
        chunks, first = self.found.get(row, {}), 0
        while first in chunks:
            yield chunks[first]
            first += self.size
