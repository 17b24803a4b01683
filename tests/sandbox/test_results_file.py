"""Played games are stored, and missing ones are played."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.computer_games import NOVICE, SEASONED
from sandbox.research.cells import Cell
from sandbox.results_file import StoredChunks, append_line, read_lines

ONE, OTHER = Cell(5, NOVICE, NOVICE), Cell(5, SEASONED, NOVICE)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file in a folder that does not exist yet."""
    return tmp_path / "cache" / "progress.jsonl"


def chunks(path: Path) -> StoredChunks[str]:
    return StoredChunks(path, "cell", "endings", 2)


def the_first(task: tuple[Cell, int]) -> str:
    """Return the result of a chunk, in a separate process."""
    cell, first = task
    return f"{cell.liberals[0]}{first}"


def test_missing_games_are_played_and_stored_row_by_row(path: Path) -> None:
    append_line(path, {"cell": ONE.key, "first": 0, "endings": "lk"})
    stored = chunks(path)
    assert [*stored.missing([ONE, OTHER], 3)] == [(OTHER, 0), (ONE, 2), (OTHER, 2)]
    stored.play([ONE, OTHER], 3, the_first, 1)
    assert [*stored.missing([ONE, OTHER], 4)] == []
    assert chunks(path).found == stored.found == {ONE.key: {0: "lk", 2: "n2"}, OTHER.key: {0: "s0", 2: "s2"}}


def test_games_after_a_gap_are_not_counted(path: Path) -> None:
    for first in (0, 4):
        append_line(path, {"cell": ONE.key, "first": first, "endings": "ll"})
    assert [*chunks(path).whole(ONE.key)] == ["ll"]
    assert [*chunks(path).whole(OTHER.key)] == []


def test_lines_of_another_shape_are_passed_over(path: Path) -> None:
    append_line(path, {"first": 0, "endings": "ll"})
    assert chunks(path).found == {}
    assert len([*read_lines(path)]) == 1
