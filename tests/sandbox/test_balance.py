"""The balance page: counted games of computers, with intervals."""

import argparse
import json
from pathlib import Path

import pytest

from engine import OFFERED, ruleset
from sandbox.research import balance
from sandbox.research.balance_report import report
from sandbox.research.fair import verdict
from sandbox.research.rows import Row, Style
from sandbox.setups import option_sets
from sandbox.shares import share


def test_a_share_has_wilsons_interval() -> None:
    assert str(share(50, 100)) == "50.0 % (40.4–59.6)"
    assert str(share(0, 2000)) == "0.0 % (0.0–0.2)"
    assert str(share(2000, 2000)) == "100.0 % (99.8–100.0)"


def test_the_same_row_always_plays_the_same_games() -> None:
    row = Row("red-dawn@1", 6, "none", {}, Style.NOVICE)
    assert balance.play((row, 0)) == balance.play((row, 0))
    assert sum(balance.play((row, 0)).values()) == balance.CHUNK


@pytest.mark.parametrize(
    ("winners", "expected"),
    [
        ({"liberal": 500, "fascist": 500}, "fair"),
        ({"liberal": 900, "fascist": 100}, "unfair"),
        ({"liberal": 6, "fascist": 4}, "rather fair"),
        ({"liberal": 7, "fascist": 3}, "rather unfair"),
    ],
)
def test_a_verdict_is_sure_only_where_the_whole_interval_is(winners: dict[str, int], expected: str) -> None:
    assert verdict(Row("classic@1", 7, "none", {}, Style.SEASONED, winners)) == expected


def test_three_parties_have_bounds_of_their_own() -> None:
    winners = {"liberal": 450, "fascist": 350, "communist": 200}
    assert verdict(Row("xl@1", 8, "none", {}, Style.SEASONED, winners)) == "fair"
    assert verdict(Row("xl@1", 8, "none", {}, Style.SEASONED, {"liberal": 99, "communist": 1})) == "unfair"


def test_every_setup_has_a_row_for_each_way_of_playing() -> None:
    rows = list(balance.wanted([rules.name for rules in OFFERED], list(Style)))
    setups = {(row.ruleset, row.players, row.named) for row in rows}
    assert setups == {
        (rules.id, players, name)
        for rules in OFFERED
        for players in rules.players
        for name in option_sets(rules, players)
    }
    assert len(rows) == len(Style) * len(setups) == len({row.key for row in rows})


def test_a_run_goes_on_where_it_was_and_writes_the_page(tmp_path: Path) -> None:
    progress, page = tmp_path / "progress.jsonl", tmp_path / "balance.md"
    rows = list(balance.wanted(["online"], [Style.SEASONED, Style.NOVICE]))
    before = [
        *({"row": row.key, "first": 0, "winners": {"liberal": 10}} for row in rows[6:]),
        {"row": "online@1/5/none/seasoned", "first": 0, "winners": {"liberal": 10}},
        {"row": "online@1/5/none/novice", "first": 0, "winners": {"liberal": 9, "fascist": 1}},
        {"row": "online@1/5/none/novice", "first": 10, "winners": {"liberal": 10}},
        {"row": "online@1/6/none/novice", "first": 10, "winners": {"liberal": 10}},
    ]
    progress.write_text("".join(json.dumps(chunk) + "\n" for chunk in before), encoding="utf-8")
    args = argparse.Namespace(
        games=10,
        jobs=1,
        ruleset=["online"],
        level=["novice", "seasoned"],
        progress=progress,
        output=page,
        verdicts=tmp_path / "verdicts.json",
        shares=tmp_path / "shares.json",
    )
    balance.run(args)
    chunks = balance.chunks_in(progress)
    winners = {row.key: balance.sum_winners(chunks.whole(row.key)) for row in rows}
    assert all(won.total() >= 10 for won in winners.values())
    assert chunks.found["online@1/5/none/seasoned"] == {0: {"liberal": 10}}, "played before, and not again"
    assert winners["online@1/5/none/novice"] == {"liberal": 19, "fascist": 1}, "more do no harm"
    assert winners["online@1/6/none/novice"].total() == 20, "what was missing is played"
    text = page.read_text(encoding="utf-8")
    assert "rows of 10 to 20 games each" in text
    assert "| 5 | none | seasoned | 10 | 100.0 % (72.2–100.0) | 0.0 % (0.0–27.8) | – | unfair |" in text
    verdicts = json.loads(args.verdicts.read_text(encoding="utf-8"))
    assert verdicts["online@1"]["5"]["none"] == "unfair"
    shares = json.loads(args.shares.read_text(encoding="utf-8"))
    assert shares["online@1"]["5"]["none"] == {"liberal": 1.0, "fascist": 0.0}
    noted = progress.read_text(encoding="utf-8")
    balance.run(args)
    assert progress.read_text(encoding="utf-8") == noted


def test_only_uncertain_and_default_rows_get_more_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(balance, "FIRST_GAMES", 10)
    rows = list(balance.wanted(["xl"], [Style.SEASONED]))
    certain, uncertain = {"liberal": 10}, {"liberal": 4, "fascist": 3, "communist": 3}
    named = [row for row in rows if row.named != "none"]
    other, open_ = named[:-1], named[-1]
    first = {row.key: certain for row in rows} | {open_.key: uncertain}
    lines = [{"row": key, "first": 0, "winners": winners} for key, winners in first.items()]
    # Later games make this row certain, but a stopped run must end like any other.
    lines.append({"row": open_.key, "first": 10, "winners": {"liberal": 500}})
    progress = tmp_path / "progress.jsonl"
    progress.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    played: list[tuple[str, int]] = []

    def play_chunk(task: balance.Task) -> dict[str, int]:
        played.append((task[0].key, task[1]))
        return {"liberal": 10}

    monkeypatch.setattr(balance, "play", play_chunk)
    monkeypatch.setattr(
        "sandbox.results_file.play_in_processes",
        lambda tasks, play, jobs, describe: ((task, play(task)) for task in tasks),
    )
    args = argparse.Namespace(
        games=30,
        jobs=1,
        ruleset=["xl"],
        level=["seasoned"],
        progress=progress,
        output=tmp_path / "page.md",
        verdicts=tmp_path / "verdicts.json",
        shares=tmp_path / "shares.json",
    )
    balance.run(args)
    default = [row.key for row in rows if row.named == "none"]
    assert sorted(played) == sorted(
        [*((key, first) for key in default for first in (10, 20)), (open_.key, 20)]
    )
    assert not {row.key for row in other} & {key for key, _ in played}


def test_the_page_shows_red_dawns_decks_side_by_side() -> None:
    rules = ruleset("red-dawn@1")
    rows = [
        Row(rules.id, 7, name, options, style, {"liberal": 1, "fascist": 2, "communist": 1})
        for name, options in option_sets(rules, 7).items()
        for style in (Style.NOVICE, Style.SEASONED)
    ]
    text = report(rows)
    section = text[text.index("## Red Dawn") : text.index("## `red-dawn@1`")]
    lines = [line for line in section.splitlines() if line.startswith("| 7")]
    assert [line.split(" | ")[1:3] for line in lines] == [
        ["novice", "balanced"],
        ["novice", "printed"],
        ["seasoned", "balanced"],
        ["seasoned", "printed"],
    ]


def test_parties_that_win_together_are_both_counted() -> None:
    row = Row("xl@1", 8, "none", {}, Style.SEASONED, {"liberal+communist": 3, "fascist": 1})
    assert (row.wins("liberal"), row.wins("communist"), row.wins("fascist")) == (3, 3, 1)


def test_some_rows_are_played_by_novices_and_by_lot_too() -> None:
    assert {Style.SEASONED, Style.NOVICE, Style.RANDOM} == set(Style)
    every = {(row.ruleset.partition("@")[0], row.named) for row in balance.wanted(["red-dawn", "xl"])}
    assert every >= balance.COMPARED
    won = balance.play((next(balance.wanted(["online"], [Style.RANDOM])), 0))
    assert sum(won.values()) == balance.CHUNK
