"""Duels: cells, their stored results, and the tables."""

import argparse
import doctest
import json
from pathlib import Path

import pytest

from engine import Setup
from sandbox import shares
from sandbox.computer_games import NOVICE, SEASONED
from sandbox.research import cells, duels, game_counts, human_comparison, speed
from sandbox.research.duels_report import MARK, report


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
    monkeypatch.setattr(human_comparison, "CHUNK", 2)
    page, progress = tmp_path / "page.md", tmp_path / "progress.jsonl"
    page.write_text(f"# Words\n\n{MARK}\nold\n", encoding="utf-8")
    key = cells.Cell(5, NOVICE, NOVICE).key
    progress.write_text(json.dumps({"cell": key, "first": 0, "endings": "lk"}) + "\n", encoding="utf-8")
    args = argparse.Namespace(games=2, jobs=1, players=[5], progress=progress, page=page)
    duels.run(args)
    played = duels.chunks_in(progress).found
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
    text = report(MARK, letters, {}, [speed.Speed(Setup("classic@1", 10), 12, 10.0, 12.0)])
    assert "+40.0" in text
    assert "49.0 % (39.4–58.7) yes" in text
    assert "1.20 | ≤ 1.5: yes" in text
    without = report(MARK, {}, {}, [])
    assert "yes" not in without


def test_games_are_counted_and_compared_with_people(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(human_comparison, "CHUNK", 2)
    chunks = {
        table.key: [json.loads(json.dumps(human_comparison.play((table, 0))))]
        for table in human_comparison.TABLES
    }
    text = "\n".join(human_comparison.comparison_lines(chunks))
    assert "2 games of seven seasoned seats" in text
    for row in human_comparison.ROWS:
        assert f"| {row.says} |" in text
    assert "Novices among themselves" in text
    assert list(human_comparison.comparison_lines({})) == ["## Compared with people", ""]


def test_a_reader_of_ballots_tells_sides_that_vote_apart() -> None:
    own = [0, 0, 0, 1, 1]
    split: game_counts.Election = ({0: 1, 1: 1, 2: 1, 3: 0, 4: 0}, (0, 1), 0)
    ((*seats,),) = game_counts.ballots_alone([(own, [split] * 6)])
    assert game_counts.auc(seats) == 1
    assert game_counts.auc([(0.5, one) for one in own]) == 0.5


def test_seats_that_accuse_do_so_after_every_fascist_policy() -> None:
    game = game_counts.play_game(3, 3)
    parties = game.game.table.parties
    told = [claim for claim in game.claims if claim.kind == "president" and parties[claim.seat] == "fascist"]
    assert told
    assert all("liberal" in claim.said for claim in told)
