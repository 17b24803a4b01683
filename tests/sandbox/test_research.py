"""Computers' games: cells, what is stored and counted, and both pages."""

import argparse
import doctest
from pathlib import Path
from types import SimpleNamespace

import pytest

import ai
from engine import OFFERED
from engine.setups import option_sets
from sandbox import measurements
from sandbox.computer_games import NOVICE, RANDOM, SEASONED
from sandbox.measurements import MARK
from sandbox.research import balance, cells, duels
from sandbox.research.balance import Row
from sandbox.research.cells import Cell, PlayedGames, play_chunk
from sandbox.research.counts import Election, auc, ballots_alone


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Store two games at a time, which are played in this process."""
    monkeypatch.setattr(cells, "CHUNK", 2)
    monkeypatch.setattr(
        cells, "play_in_processes", lambda tasks, play, *_: ((task, play(task)) for task in tasks)
    )


def asked(command: object, *arguments: object) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)  # type: ignore[attr-defined]
    return parser.parse_args([str(one) for one in arguments])


def test_shares_and_differences_have_intervals() -> None:
    assert str(measurements.share(50, 100)) == "50.0 % (40.4–59.6)"
    assert str(measurements.share(0, 2000)) == "0.0 % (0.0–0.2)"
    assert doctest.testmod(measurements).failed == 0
    assert measurements.difference([True] * 4, [True] * 4).value == 0


def test_every_cell_has_a_key_of_its_own_and_the_same_deals() -> None:
    every = duels.every_cell()
    assert len({cell.key for cell in every}) == len(every) == 18 + 12 + 2
    assert play_chunk((Cell(5, NOVICE, NOVICE), 0)) == play_chunk((Cell(5, NOVICE, NOVICE), 0))
    hitler = Cell(7, NOVICE, NOVICE, "hitler", SEASONED)
    games = [{"winners": "liberal"}, {"winners": "fascist"}]
    assert duels.won(hitler, games) == [False, True]
    assert duels.won(Cell(7), games) == [True, False]


def test_only_missing_games_are_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[tuple[str, int]] = []

    def play(task: tuple[Cell, int]) -> list[cells.Played]:
        played.append((task[0].liberals, task[1]))
        return [{}]

    monkeypatch.setattr(cells, "play_chunk", play)
    one, other = Cell(5, NOVICE), Cell(5, SEASONED)
    path = tmp_path / "cache" / "progress.jsonl"
    PlayedGames(path).play([one], 1, 1)
    PlayedGames(path).play([one, other], 3, 1)
    assert played == [("novice", 0), ("seasoned", 0), ("novice", 2), ("seasoned", 2)]
    games = PlayedGames(path)
    assert games.of(one) == [{}, {}]
    games.play([one], 3, 1)
    assert len(played) == 4


@pytest.mark.parametrize(("winners", "expected"), [
    ({"liberal": 500, "fascist": 500}, "fair"), ({"liberal": 900, "fascist": 100}, "unfair"),
    ({"liberal": 6, "fascist": 4}, "rather fair"), ({"liberal": 7, "fascist": 3}, "rather unfair"),
])  # fmt: skip
def test_a_verdict_is_sure_only_where_the_whole_interval_is(winners: dict[str, int], expected: str) -> None:
    assert Row(Cell(7), winners).verdict == expected


def test_three_parties_have_bounds_of_their_own_and_win_together() -> None:
    cell = Cell(8, ruleset="xl@1")
    assert Row(cell, {"liberal": 450, "fascist": 350, "communist": 200}).verdict == "fair"
    assert Row(cell, {"liberal": 99, "communist": 1}).verdict == "unfair"
    together = Row(cell, {"liberal+communist": 3, "fascist": 1}).shares
    assert [share.value for share in together.values()] == [0.75, 0.25, 0.75]


def test_every_setup_has_a_row_for_each_way_of_playing() -> None:
    rows = list(balance.wanted([rules.name for rules in OFFERED], (SEASONED, NOVICE, RANDOM)))
    setups = {(row.ruleset, row.players, row.named) for row in rows}
    sizes = [(rules, players) for rules in OFFERED for players in rules.players]
    assert setups == {(rules.id, size, name) for rules, size in sizes for name in option_sets(rules, size)}
    assert len(rows) == 3 * len(setups) == len({row.key for row in rows})


def test_uncertain_and_default_rows_get_more_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def play(task: tuple[Cell, int]) -> list[cells.Played]:
        even = task[0].named == "veto=sealed"
        return [{"winners": "fascist"}, {"winners": "liberal" if even else "fascist"}]

    monkeypatch.setattr(balance, "FIRST_GAMES", 20)
    monkeypatch.setattr(balance, "games_mark", lambda: "games `1a2b3c4d`")
    monkeypatch.setattr(cells, "play_chunk", play)
    files = {name: tmp_path / name for name in ("PROGRESS", "REPORT", "VERDICTS", "SHARES")}
    for name, path in files.items():
        monkeypatch.setattr(balance, name, path)
    files["REPORT"].write_text(f"# Words\n\n{MARK}python -->\nold\n", encoding="utf-8")
    balance.run(asked(balance, "--games", 22, "--ruleset", "red-dawn"))
    page = files["REPORT"].read_text(encoding="utf-8")
    assert "rows of 20 to 22 games each" in page
    assert "| 5 | none | seasoned | 22 | 0.0 % (0.0–14.9) | 100.0 % (85.1–100.0) | – | unfair |" in page
    assert "| 6 | none | random | 22 |" in page
    assert "| 5 | veto=sealed | seasoned | 22 |" in page
    assert "| 5 | all | seasoned | 20 |" in page, "its verdict is sure"
    assert '"all": "unfair"' in files["VERDICTS"].read_text()
    assert '"fascist": 1.0' in files["SHARES"].read_text()


def test_duels_write_below_the_mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play two games in the cells with seven players, and copy them into the others."""
    honest, copied = cells.play_chunk, dict[str, list[cells.Played]]()

    def play(task: tuple[Cell, int]) -> list[cells.Played]:
        kind = "counted" if task[0].counted else "plain"
        if kind not in copied:
            copied[kind] = honest(task)
        return copied[kind]

    monkeypatch.setattr(cells, "play_chunk", play)
    decisions = {10: 12.0, 16: 70.0}
    monkeypatch.setattr(duels, "measure_speed", lambda setup: (12, 10.0, decisions[setup.players]))
    monkeypatch.setattr(duels, "games_mark", lambda: "games `1a2b3c4d`")
    page = tmp_path / "page.md"
    page.write_text(f"# Words\n\n{MARK}`make duels`. -->\nold\n", encoding="utf-8")
    monkeypatch.setattr(duels, "PAGE", page)
    monkeypatch.setattr(duels, "PROGRESS", tmp_path / "progress.jsonl")
    duels.run(asked(duels, "--games", 2))
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# Words\n\n{MARK}`make duels`. -->\n\n*Measured with games `1a2b3c4d`")
    assert "old" not in text
    for says, *_ in duels.FIGURES:
        assert f"| {says} |" in text
    assert "| 10 | " in text
    assert "2 games of seven seasoned seats" in text
    assert "1.20 | ≤ 1.5: yes" in text
    assert "5.8 times as long as at the first (goal: at most 5; **no**)" in text


def test_a_reader_of_ballots_tells_sides_that_vote_apart() -> None:
    own = [0, 0, 0, 1, 1]
    split: Election = ((0, 1), 0, [(0, 1), (1, 1), (2, 1), (3, 0), (4, 0)])
    ((*seats,),) = ballots_alone([{"own": own, "votes": [split] * 6}])
    assert auc(seats) == 1
    assert auc([(0.5, one) for one in own]) == 0.5


def test_seats_that_accuse_do_so_after_every_fascist_policy() -> None:
    game = Cell(7, accusers=3).play(3)
    parties = game.game.table.parties
    told = [claim for claim in game.claims if claim.kind == "president" and parties[claim.seat] == "fascist"]
    assert told
    assert all("liberal" in claim.said for claim in told)


def test_other_claims_and_answers_change_the_games_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "OFFERED", [SimpleNamespace(id="classic@1", players=[5])])
    monkeypatch.setattr(cells, "option_sets", lambda rules, players: {"none": {}})
    mark = cells.games_mark()
    assert cells.games_mark() == mark
    monkeypatch.setattr(ai, "say", lambda *_: [])
    silent = cells.games_mark()
    monkeypatch.setattr(ai, "choose", lambda *_: 0)
    assert len({mark, silent, cells.games_mark()}) == 3
