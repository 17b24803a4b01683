"""Once a tile has come off a track, the tiles on it, those laid and the slots covered are three numbers.

Sources for which rule uses which: XL handbook, "Anti-policies" and "Emergency powers"; docs/rules.md.
"""

from dataclasses import replace
from typing import Any

import pytest

from engine import Seat
from engine.facts import ConfirmedNotHitler, Killed, Peeked, PowerLapsed, VetoUnlocked
from engine.rulesets.xl.anti_policies import TileRemoved
from engine.rulesets.xl.marks import Marked
from tests.engine.builders import Play
from tests.engine.rulesets import test_anti_policies as anti
from tests.engine.rulesets import test_marks as marks
from tests.engine.rulesets.games import xl

ANTI_C, ANTI_F, SOCIAL = anti.ANTI_C, anti.ANTI_F, anti.SOCIAL
QUIET = (None,) * 6


def one_taken_off(more: str = "", **board: Any) -> Play:
    """Return a game with one Fascist tile on the track: a second one was laid, and came off again."""
    play = anti.game(f"fll fll {ANTI_F} ll {more}", **{"fascist": QUIET, **board})
    play.govern("f").govern("f").govern(ANTI_F)
    table = play.table
    assert (play.track("fascist"), table.laid("fascist"), table.covered("fascist")) == (1, 2, 2)
    return play


@pytest.mark.rule("R5.29", "R5.17")
def test_a_mark_is_due_with_the_third_tile_laid() -> None:
    play = marks.game(f"fll anti-fascist ll {marks.MARK} ll fll fll fll")
    play.govern("f").govern("anti-fascist").govern(marks.MARK).target(5)
    assert play.track("fascist") == 0
    assert play.told(Marked) == [Marked(Seat(2), Seat(5), 4)], "of the game the fourth, from now on the third"
    for _ in range(2):
        play.govern("f")
        assert play.table.alive[5]
    play.govern("f")
    assert play.told(Killed) == [Killed(Seat(5), None, "mark")]


@pytest.mark.rule("R5.29")
def test_a_mark_counts_tiles_and_not_slots() -> None:
    play = marks.game(f"fll anti-fascist ll fll {marks.MARK} ll")
    play.govern("f").govern("anti-fascist").govern("f").govern(marks.MARK).target(5)
    assert (play.table.laid("fascist"), play.table.covered("fascist")) == (2, 1)
    assert play.told(Marked) == [Marked(Seat(3), Seat(5), 5)]


@pytest.mark.rule("R5.29", "R5.17")
def test_a_second_mark_counts_from_its_own_moment() -> None:
    deck = f"fll {marks.MARK} ll fll anti-fascist ll {marks.AGAIN} ll ffl ffl ffl"
    play = marks.game(deck).govern("f").govern(marks.MARK).target(5).govern("f").govern("anti-fascist")
    play.govern(marks.AGAIN)
    play.target(next(seat for seat in play.choices if seat not in (*play.asked, 5, marks.HITLER)))
    assert play.told(Marked)[0].due == 5
    assert play.govern("f").told(Killed) == []
    assert [fact.seat for fact in play.govern("f").told(Killed)] == [5]
    assert len(play.govern("f").told(Killed)) == 1


@pytest.mark.rule("R5.18")
def test_a_fascist_slot_gives_its_power_only_once() -> None:
    play = one_taken_off("fll fll", fascist=(None, "peek", "special", None, None, None)).govern("f")
    assert not play.told(Peeked)
    assert play.track("fascist") == 2
    assert play.step == "nominate", "covered for the second time"
    play.govern("f")
    assert play.step == "special", "three lie; by what was laid it would be the fourth"


@pytest.mark.rule("R5.21", "R5.17", "R1.15")
def test_the_zone_is_what_lies_and_not_what_was_laid_or_covered() -> None:
    play = one_taken_off("fll fll fll").govern("f")
    assert (play.track("fascist"), play.table.laid("fascist")) == (2, 3)
    play.elect(6)
    assert play.table.winners is None, "Hitler is Chancellor, and two tiles lie"
    assert not play.all(ConfirmedNotHitler)
    play.session("f").elect(3)
    assert play.told(ConfirmedNotHitler) == [ConfirmedNotHitler(Seat(3))], "now three lie"


@pytest.mark.rule("R5.21", "R5.17", "R1.38")
def test_the_veto_is_unlocked_by_what_lies() -> None:
    play = one_taken_off("fll fll", veto=3).govern("f")
    assert (play.track("fascist"), play.table.laid("fascist")) == (2, 3)
    assert not play.table.veto
    assert play.govern("f").told(VetoUnlocked)


@pytest.mark.rule("R5.17", "R1.26")
def test_a_track_is_full_by_what_lies() -> None:
    play = one_taken_off("fll fll", fascist=(None, None, None)).govern("f")
    assert (play.track("fascist"), play.table.laid("fascist")) == (2, 3)
    assert play.table.winners is None, "as many were laid as there are slots, but they do not lie there"
    play.govern("f")
    assert play.table.winners == ("fascist",)


@pytest.mark.rule("R5.19")
def test_a_track_that_was_emptied_again_has_nothing_to_take_off() -> None:
    play = anti.game(f"cll {ANTI_C} ll {SOCIAL} ff", fascist=QUIET).govern("c").govern(ANTI_C)
    assert (play.track("communist"), play.table.laid("communist")) == (0, 1)
    play.govern(SOCIAL)
    assert play.step == "nominate", "only the Fascist track has a tile: nothing is asked"
    assert play.told(TileRemoved) == [TileRemoved("fascist", ANTI_C, True)]


@pytest.mark.rule("R5.19")
def test_an_anti_policy_against_an_empty_track_does_nothing() -> None:
    play = anti.game(f"fll {ANTI_F} ll {SOCIAL} ff {ANTI_C} ll", fascist=QUIET)
    play.govern("f").govern(ANTI_F).govern(SOCIAL)
    assert play.told(TileRemoved) == [TileRemoved("communist", ANTI_F, True)]
    assert (play.track("communist"), play.table.laid("communist")) == (0, 1)
    play.govern(ANTI_C)
    assert play.told(PowerLapsed) == [PowerLapsed(ANTI_C)]
    assert not play.told(TileRemoved)


@pytest.mark.rule("R5.18")
def test_a_shortened_track_remembers_its_covered_slots() -> None:
    powers = (None, "peek", "peek", "kill", None, None)
    play = anti.game(f"fll fll fll {ANTI_F} ll {SOCIAL} ff fll fll fll", fascist=powers)
    play.govern("f").govern("f").govern("f").govern(ANTI_F).govern(SOCIAL).say("fascist")
    table = play.table
    assert (play.track("fascist"), table.laid("fascist"), table.covered("fascist")) == (1, 3, 3)
    assert play.govern("f").step == "nominate"
    assert play.govern("f").step == "nominate"
    assert play.govern("f").step == "kill"


@pytest.mark.rule("R5.17", "R6.2")
def test_thresholds_of_a_board_of_one_s_own_are_of_what_lies() -> None:
    base = anti.game("").setup.board
    assert base is not None
    own = replace(base, zone=2, veto=2, tracks={**base.tracks, "fascist": QUIET})
    play = xl(8, f"fll {ANTI_F} ll fll fll fll", board=own, options=anti.OPTIONS)
    play.govern("f").govern(ANTI_F).govern("f")
    assert (play.track("fascist"), play.table.laid("fascist")) == (1, 2)
    assert not play.table.veto
    play.elect(6)
    assert play.table.winners is None
    play.session("f")
    assert play.table.veto
    play.govern("f", 5).elect(6)
    assert play.table.winners == ("fascist",)
