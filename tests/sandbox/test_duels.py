"""Duels: cells, what is kept of them, and the tables."""

import argparse
import doctest
import json
from pathlib import Path

import pytest

from engine import Setup
from sandbox import duels, shares
from sandbox.duels import cells, speed
from sandbox.duels.report import MARK, report
from sandbox.minds import NOVICE, SEASONED


def test_differences_are_those_of_the_same_deals() -> None:
    assert doctest.testmod(shares).failed == 0
    assert shares.difference([True] * 4, [True] * 4).value == 0


def test_every_cell_has_a_key_of_its_own_and_the_same_deals() -> None:
    every = cells.every_cell()
    assert len({cell.key for cell in every}) == len(every) == 18 + 12
    cell = cells.Cell(5, NOVICE, NOVICE)
    assert cell.play(1) == cell.play(1)
    assert set("".join(cell.play(number) for number in range(8))) <= set(cells.ENDINGS.values())


def test_a_seat_wins_with_its_side() -> None:
    assert cells.Cell(7, NOVICE, NOVICE).won("lkef") == [True, True, False, False]
    hitler = cells.Cell(7, NOVICE, NOVICE, "hitler", SEASONED)
    assert hitler.won("lkef") == [False, False, True, True]
    assert hitler.play(0) in "lkef"


def test_a_run_goes_on_where_it_was_and_writes_below_the_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duels, "CHUNK", 2)
    page, kept = tmp_path / "page.md", tmp_path / "kept.jsonl"
    page.write_text(f"# Words\n\n{MARK}\nold\n", encoding="utf-8")
    key = cells.Cell(5, NOVICE, NOVICE).key
    kept.write_text(json.dumps({"cell": key, "first": 0, "endings": "lk"}) + "\n", encoding="utf-8")
    args = argparse.Namespace(games=2, jobs=1, players=[5], kept=kept, page=page)
    duels.run(args)
    played = duels.kept_in(kept).found
    assert played[key] == {0: "lk"}, "played before, and not again"
    assert {len(chunks[0]) for chunks in played.values()} == {2}
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Words\n\n" + MARK)
    assert "old" not in text
    assert "| 5 | 100.0 % (34.2–100.0) |" in text


def test_the_page_says_what_is_reached_and_what_is_not() -> None:
    letters = {
        cells.Cell(7, NOVICE, NOVICE).key: "e" * 70 + "l" * 30,
        cells.Cell(7, SEASONED, NOVICE).key: "e" * 30 + "l" * 70,
        cells.Cell(7, SEASONED, SEASONED).key: "l" * 42 + "e" * 35 + "f" * 16 + "k" * 7,
    }
    text = report(MARK, letters, [speed.Speed(Setup("classic@1", 10), 12, 10.0, 12.0)])
    assert "+40.0" in text
    assert "To reach: 45.5–52.3 %: yes" in text
    assert text.count("| yes |") >= 4
    assert "1.20 | ≤ 1.5: yes" in text
    without = report(MARK, {}, [])
    assert "yes" not in without
