"""Played games are stored, and missing ones are played."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.duels.cells import Cell
from sandbox.kept import Chunks, note, noted
from sandbox.minds import NOVICE, SEASONED

ONE, OTHER = Cell(5, NOVICE, NOVICE), Cell(5, SEASONED, NOVICE)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file in a folder that does not exist yet."""
    return tmp_path / "cache" / "kept.jsonl"


def chunks(path: Path) -> Chunks[str]:
    return Chunks(path, "cell", "endings", 2)


def the_first(task: tuple[Cell, int]) -> str:
    """Return the result of a chunk, in a separate process."""
    cell, first = task
    return f"{cell.liberals[0]}{first}"


def test_what_is_missing_is_played_row_by_row_in_turn_and_kept(path: Path) -> None:
    note(path, {"cell": ONE.key, "first": 0, "endings": "lk"})
    kept = chunks(path)
    assert [*kept.missing([ONE, OTHER], 3)] == [(OTHER, 0), (ONE, 2), (OTHER, 2)]
    kept.play([ONE, OTHER], 3, the_first, 1)
    assert [*kept.missing([ONE, OTHER], 4)] == []
    assert chunks(path).found == kept.found == {ONE.key: {0: "lk", 2: "n2"}, OTHER.key: {0: "s0", 2: "s2"}}


def test_what_lies_behind_a_gap_is_not_counted(path: Path) -> None:
    for first in (0, 4):
        note(path, {"cell": ONE.key, "first": first, "endings": "ll"})
    assert [*chunks(path).whole(ONE.key)] == ["ll"]
    assert [*chunks(path).whole(OTHER.key)] == []


def test_lines_of_another_shape_are_passed_over(path: Path) -> None:
    note(path, {"first": 0, "endings": "ll"})
    assert chunks(path).found == {}
    assert len([*noted(path)]) == 1
