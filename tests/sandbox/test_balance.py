"""The balance page: games by simple rules, counted with their intervals."""

import argparse
import json
import random
from pathlib import Path

import pytest

from engine import RULESETS, Board, Ruleset, Setup, board_of, ruleset, view
from engine.table import Table
from sandbox import balance
from sandbox.balance import simple_play
from sandbox.balance.policy import Mind, choose
from sandbox.balance.report import report
from sandbox.balance.rows import Row, Style, share
from sandbox.balance.simple_play import Seats, simple_game
from sandbox.setups import option_sets


def test_a_share_has_wilsons_interval() -> None:
    assert str(share(50, 100)) == "50.0 % (40.4–59.6)"
    assert str(share(0, 2000)) == "0.0 % (0.0–0.2)"
    assert str(share(2000, 2000)) == "100.0 % (99.8–100.0)"


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.name)
def test_simple_play_ends_every_game_and_a_seat_knows_exactly_its_view(
    rules: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[Seats] = []
    made = simple_play.Seats

    def remembered(setup: Setup, rng: random.Random) -> Seats:
        kept.append(made(setup, rng))
        return kept[-1]

    monkeypatch.setattr(simple_play, "Seats", remembered)
    for players in (min(rules.players), max(rules.players)):
        options = option_sets(rules, players)
        for name in ("none", "all" if "all" in options else "none"):
            game, events, _ = simple_game(Setup(rules.id, players, options[name]), random.Random(7))
            assert game.table.winners
            for mind in kept[-1].minds:
                # The last event shows everything; up to there a seat's table is its view's, and no more.
                before = view(events[:-1], mind.seat).table
                assert mind.table.parties == before.parties
                assert mind.table.roles == before.roles
                assert mind.table.discards == before.discards
                assert mind.table.pile == before.pile


def mind(party: str, board: Board | None = None, **table: object) -> Mind:
    """A seat 0 of this party at a table of five."""
    parties = (party, None, None, None, None)
    fields = {"parties": parties, "roles": (None,) * 5, "alive": (True,) * 5, **table}
    laid = Table(seats=5, **fields)  # type: ignore[arg-type]
    return Mind(0, laid, board or board_of(Setup("classic@1", 5)), random.Random(1), [0.0] * 5)


def test_everybody_plays_their_own_tiles() -> None:
    hand = ["liberal", "fascist"]
    assert choose(mind("liberal"), "enact", hand) == "liberal"
    assert choose(mind("fascist"), "enact", hand) == "fascist"
    assert choose(mind("liberal"), "discard", [*hand, "liberal"]) == "fascist"
    assert choose(mind("fascist"), "discard", ["fascist", *hand]) == "liberal"


def test_in_the_zone_fascists_nominate_and_elect_the_hitler_whom_they_know() -> None:
    known = {
        "parties": ("fascist", None, "fascist", None, None),
        "roles": ("fascist", None, "hitler", None, None),
        "tracks": {"fascist": ("fascist",) * 3},
    }
    assert choose(mind("fascist", **known), "nominate", [1, 2, 3, 4]) == 2  # type: ignore[arg-type]
    elected = mind("fascist", president=1, chancellor=2, **known)  # type: ignore[arg-type]
    assert choose(elected, "ballot", ["ja", "nein"]) == "ja"


def test_liberals_vote_down_whose_record_speaks_against_them_but_not_into_chaos() -> None:
    voter = mind("liberal", president=1, chancellor=2)
    assert choose(voter, "ballot", ["ja", "nein"]) == "ja"
    voter.record[2] = 1.0
    assert choose(voter, "ballot", ["ja", "nein"]) == "nein"
    voter.table.tracker = 2
    assert choose(voter, "ballot", ["ja", "nein"]) == "ja"


def test_liberals_shoot_whom_they_know_to_be_against_them() -> None:
    parties = ("liberal", None, None, "fascist", None)
    assert choose(mind("liberal", parties=parties), "kill", [1, 2, 3, 4]) == 3


def test_what_lies_face_down_is_chosen_by_lot() -> None:
    chosen = {choose(mind("liberal"), "enact", ["card/0", "card/1"]) for _ in range(3)}
    several = {
        choose(Mind(0, mind("liberal").table, board_of(Setup("classic@1", 5)), random.Random(n)), "enact", c)
        for n in range(20)
        for c in [["card/0", "card/1"]]
    }
    assert chosen <= several == {"card/0", "card/1"}


def test_with_simple_rules_liberals_of_classic_win_more_often_than_at_random() -> None:
    row = Row("classic@1", 7, "none", {}, Style.RANDOM)
    at_random = balance.played(row, 300).share("liberal")
    simple = balance.played(Row("classic@1", 7, "none", {}, Style.SIMPLE), 300).share("liberal")
    assert at_random.low < 0.235 < at_random.high
    assert simple.low > at_random.high


def test_every_setup_has_a_row_for_both_ways_of_playing() -> None:
    rows = list(balance.wanted([rules.name for rules in RULESETS]))
    setups = {(row.ruleset, row.players, row.named) for row in rows}
    assert setups == {
        (rules.id, players, name)
        for rules in RULESETS
        for players in rules.players
        for name in option_sets(rules, players)
    }
    assert len(rows) == 2 * len(setups) == len({row.key for row in rows})


def test_a_run_goes_on_where_it_was_and_writes_the_page(tmp_path: Path) -> None:
    kept, page = tmp_path / "kept.jsonl", tmp_path / "balance.md"
    first = Row("online@1", 5, "none", {}, Style.RANDOM, {"liberal": 2})
    more = Row("online@1", 5, "none", {}, Style.SIMPLE, {"liberal": 9})
    fewer = Row("online@1", 6, "none", {}, Style.SIMPLE, {"liberal": 1})
    kept.write_text(
        "".join(json.dumps(row.as_dict()) + "\n" for row in (more, first, fewer)), encoding="utf-8"
    )
    args = argparse.Namespace(games=2, ruleset=["online"], kept=kept, output=page)
    balance.run(args)
    rows = balance.read(kept, 2)
    assert rows[first.key] == first, "counted before, and not again"
    assert rows[more.key] == more, "more games than wanted are as good"
    assert rows[fewer.key].games == 2, "too few games are counted anew"
    assert len(rows) == len(list(balance.wanted(["online"])))
    text = page.read_text(encoding="utf-8")
    assert "rows of 2 to 9 games each" in text
    assert "| 5 | none | random | 100.0 % (34.2–100.0) | 0.0 % (0.0–65.8) | – |" in text
    before = kept.read_text(encoding="utf-8")
    balance.run(args)
    assert kept.read_text(encoding="utf-8") == before


def test_the_page_shows_red_dawns_decks_side_by_side() -> None:
    rules = ruleset("red-dawn@1")
    rows = [
        Row(rules.id, 7, name, options, style, {"liberal": 1, "fascist": 2, "communist": 1})
        for name, options in option_sets(rules, 7).items()
        for style in Style
    ]
    text = report(rows)
    section = text[text.index("## Red Dawn") : text.index("## `red-dawn@1`")]
    lines = [line for line in section.splitlines() if line.startswith("| 7")]
    assert [line.split(" | ")[1:3] for line in lines] == [
        ["random", "printed"],
        ["random", "balanced"],
        ["simple", "printed"],
        ["simple", "balanced"],
    ]


def test_parties_that_win_together_are_both_counted() -> None:
    row = Row("xl@1", 8, "none", {}, Style.RANDOM, {"liberal+communist": 3, "fascist": 1})
    assert (row.wins("liberal"), row.wins("communist"), row.wins("fascist")) == (3, 3, 1)
