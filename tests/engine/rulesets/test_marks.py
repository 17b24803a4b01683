"""Marked for execution, and the pardon. XL handbook, "Emergency powers"."""

from typing import Any

import pytest

from engine import Seat
from engine.facts import CandidacyPassed, Killed, PowerLapsed
from engine.rulesets.xl.anti_policies import TileRemoved
from engine.rulesets.xl.marks import MARKED, Marked, Pardoned
from tests.engine.builders import Play
from tests.engine.rulesets.games import board, xl

ON = {"emergency-powers": "more"}
HITLER = 11
MARK, PARDON, AGAIN = "article-48:mark", "article-48:pardon", "enabling-act:mark"
TILES = {
    "liberal": 14, "fascist": 12, "communist": 9, "anti-fascist": 1, "article-48:?": 3,
    "enabling-act:?": 3,
}  # fmt: skip


def game(deck: str, **more: Any) -> Play:
    """Sixteen players, Hitler 11; no slot has a power."""
    quiet = board("xl@1", 16, ON, tracks={"fascist": (None,) * 6, "communist": (None,) * 6}, deck=TILES)
    return xl(16, deck, board=quiet, options=ON, **more)


def marked(deck: str = "fll fll fll", target: int = 5, **more: Any) -> Play:
    """President 0 marked somebody; the deck is what comes next."""
    return game(f"{MARK} ll {deck}", **more).govern(MARK, 1).target(target)


@pytest.mark.rule("R5.29")
def test_the_holder_marks_another_player_in_public() -> None:
    play = game(f"{MARK} ll").govern(MARK, 1)
    assert (play.step, play.asked) == ("mark", (0,))
    assert set(play.choices) == set(range(1, 16))
    play.target(5)
    assert play.event(Marked).fact == Marked(Seat(0), Seat(5), 3)
    assert play.event(Marked).to is None
    assert play.view(None).table.tagged(MARKED) == {5: 3}
    again = marked(f"{AGAIN} ll").govern(AGAIN, 2)
    assert again.asked == (2,)
    assert not {2, 5} & set(again.choices)


@pytest.mark.rule("R5.29", "R5.12")
def test_the_third_tile_on_the_fascist_track_kills_the_marked() -> None:
    play = marked().govern("f").govern("f")
    assert not play.told(Killed)
    play.govern("f")
    assert play.told(Killed) == [Killed(Seat(5), None, "mark")]
    assert not play.table.alive[5]


@pytest.mark.rule("R5.29")
def test_tiles_laid_before_the_mark_do_not_count_and_chaos_does() -> None:
    play = game(f"fll {MARK} ll fll f fll").govern("f").govern(MARK, 3).target(5)
    assert play.told(Marked)[0].due == 4
    play.govern("f").chaos()
    assert not play.told(Killed)
    play.govern("f")
    assert play.told(Killed) == [Killed(Seat(5), None, "mark")]
    last = marked("fll fll f").govern("f").govern("f").chaos()
    assert last.told(Killed) == [Killed(Seat(5), None, "mark")]


@pytest.mark.rule("R5.29", "R5.17")
def test_tiles_that_come_off_are_not_counted_back() -> None:
    play = marked("fll fll anti-fascist ll fll").govern("f").govern("f").govern("anti-fascist")
    assert play.told(TileRemoved)
    assert play.track("fascist") == 1
    play.govern("f")
    assert play.track("fascist") == 2
    assert play.told(Killed) == [Killed(Seat(5), None, "mark")]


@pytest.mark.rule("R5.29", "R5.9")
def test_a_marked_hitler_s_death_wins() -> None:
    play = marked(target=HITLER).govern("f").govern("f").govern("f")
    assert play.table.winners == ("liberal", "communist")
    assert play.table.reason == "hitler-killed"


@pytest.mark.rule("R5.29")
def test_two_marks_may_fall_due_at_once() -> None:
    play = marked(f"{AGAIN} ll fll fll fll").govern(AGAIN, 2).target(4).govern("f").govern("f").govern("f")
    assert [fact.seat for fact in play.told(Killed)] == [4, 5]
    dead = marked().doctored(alive=(True,) * 5 + (False,) + (True,) * 10)
    dead.govern("f").govern("f").govern("f")
    assert not dead.told(Killed)


@pytest.mark.rule("R5.30")
def test_a_pardon_takes_any_mark_off_one_s_own_too() -> None:
    play = marked(f"{PARDON} ll fll fll fll", target=1).govern(PARDON, 3)
    assert (play.step, play.asked, play.choices) == ("pardon", (1,), (1,))
    play.target(1)
    assert play.told(Pardoned) == [Pardoned(Seat(1), Seat(1))]
    assert play.view(None).table.tagged(MARKED) == {}
    play.govern("f").govern("f").govern("f")
    assert not play.told(Killed)


@pytest.mark.rule("R5.30", "R1.28")
def test_without_a_living_marked_player_the_pardon_lapses() -> None:
    assert game(f"{PARDON} ll").govern(PARDON, 1).told(PowerLapsed) == [PowerLapsed("pardon")]
    play = marked(f"{PARDON} ll").doctored(alive=(True,) * 5 + (False,) + (True,) * 10).govern(PARDON)
    assert play.told(PowerLapsed) == [PowerLapsed("pardon")]


@pytest.mark.rule("R5.29", "R1.28")
def test_with_everybody_else_marked_the_mark_lapses() -> None:
    play = game(f"{MARK} ll").doctored(tags={MARKED: dict.fromkeys(range(1, 16), 9)}).govern(MARK, 1)
    assert play.told(PowerLapsed) == [PowerLapsed("mark")]


@pytest.mark.rule("R7.2")
def test_the_clock_pardons_one_of_the_marked() -> None:
    deck = f"{AGAIN} ll {PARDON} ll"
    games = [marked(deck, key=f"{k:02x}").govern(AGAIN, 2).target(4).govern(PARDON) for k in range(20)]
    assert {play.clock().told(Pardoned)[0].target for play in games} == {4, 5}


@pytest.mark.rule("R1.46", "R5.12")
def test_a_called_president_who_dies_does_not_stand() -> None:
    play = xl(11, f"{MARK} cl fcc fcc fcl", options=ON).govern("article-48:mark").target(10)
    for investigated in (4, 5):
        play.govern("f").target(investigated)
    play.govern("f")
    assert play.step == "special"
    play.target(10)
    assert play.kinds()[:2] == ["SpecialElectionCalled", "Killed"], "the slot's power first, then the mark"
    assert play.candidates() == [0, 1, 2, 3, 4]
    assert play.told(CandidacyPassed) == [CandidacyPassed(Seat(4), special=False)]
    play.reject()
    assert play.candidates()[-1] == 5
