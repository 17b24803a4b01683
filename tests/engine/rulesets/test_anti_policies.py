"""Tiles that take another one off a track. XL handbook, "Anti-policies"."""

import pytest

from engine import Seat
from engine.board import Party
from engine.facts import ConfirmedNotHitler, Enacted, PowerLapsed
from engine.rulesets.xl.anti_policies import TileRemoved
from tests.engine.builders import Play
from tests.engine.rulesets.games import board, xl

OPTIONS = {"anti-policies": "on", "social-democratic": "on"}
ANTI_C, ANTI_F, SOCIAL = "anti-communist", "anti-fascist", "social-democratic"
#: Enough Liberal tiles for any hand.
DECK = {"liberal": 14, "fascist": 8, "communist": 7, ANTI_C: 1, ANTI_F: 1, SOCIAL: 1}


def game(deck: str, veto: int = 5, key: str = "00", **tracks: tuple[str | None, ...]) -> Play:
    """Eight players: Liberals 0–3, Fascists 4–5, Hitler 6, Communist 7. No power but the Fascist peeks."""
    quiet = {"fascist": (None, "peek", "peek", "peek", "peek", None), "communist": (None,) * 5}
    changed = board("xl@1", 8, OPTIONS, tracks={**quiet, **tracks}, veto=veto, deck=DECK)
    return xl(8, deck, board=changed, options=OPTIONS, key=key)


@pytest.mark.rule("R5.14", "R5.17")
def test_an_anti_communist_tile_takes_a_communist_one_off() -> None:
    play = game(f"cll fll {ANTI_C} ll").govern("c").govern("f").govern(ANTI_C)
    assert play.table.tracks["fascist"] == ("fascist", ANTI_C)
    assert play.table.tracks["communist"] == ()
    assert play.kinds().index("Peeked") < play.kinds().index("TileRemoved"), "the slot's power first"
    assert play.told(TileRemoved) == [TileRemoved("communist", "communist", False)]
    assert play.table.discards[-1] == "communist"


@pytest.mark.rule("R5.15", "R5.12")
def test_an_anti_fascist_tile_takes_a_fascist_one_off() -> None:
    play = game(f"fll {ANTI_F} ll", communist=("bugging", None, None, None, None))
    play.govern("f").govern(ANTI_F)
    assert play.step == "bugging", "the slot's power first"
    assert not play.told(TileRemoved)
    play.clock()
    assert play.told(TileRemoved) == [TileRemoved("fascist", "fascist", False)]
    assert play.table.tracks["fascist"] == ()
    assert play.table.tracks["communist"] == (ANTI_F,)


@pytest.mark.rule("R5.16")
@pytest.mark.parametrize("track", ["fascist", "communist"])
def test_a_social_democratic_president_chooses_the_track(track: Party) -> None:
    play = game(f"cll fll {SOCIAL} ff").govern("c").govern("f").govern(SOCIAL)
    assert (play.step, play.asked) == (SOCIAL, (2,))
    assert play.choices == ("fascist", "communist")
    play.say(track)
    assert play.told(TileRemoved) == [TileRemoved(track, track, False)]
    assert play.table.tracks["liberal"] == (SOCIAL,)


@pytest.mark.rule("R5.16")
@pytest.mark.parametrize("track", ["fascist", "communist"])
def test_with_one_track_the_president_is_not_asked(track: Party) -> None:
    play = game(f"{track[0]}ll {SOCIAL} ff").govern(track).govern(SOCIAL)
    assert play.told(TileRemoved) == [TileRemoved(track, track, False)]
    assert play.step == "nominate"


@pytest.mark.rule("R5.19")
@pytest.mark.parametrize("tile", [ANTI_C, ANTI_F, SOCIAL])
def test_with_nothing_to_take_off_nothing_happens(tile: str) -> None:
    play = game(f"{tile} ll" if tile != SOCIAL else f"{tile} ff").govern(tile)
    assert play.told(PowerLapsed) == [PowerLapsed(tile)]
    assert not play.told(TileRemoved)
    assert play.step == "nominate"


@pytest.mark.rule("R5.19")
@pytest.mark.parametrize("tile", [ANTI_C, ANTI_F, SOCIAL])
def test_chaos_takes_nothing_off(tile: str) -> None:
    play = game(f"cll fll {tile} ll").govern("c").govern("f").chaos()
    assert [fact.tile for fact in play.told(Enacted)] == [tile]
    assert not play.told(TileRemoved)
    assert play.step == "nominate"


@pytest.mark.rule("R5.18")
def test_a_slot_once_covered_never_gives_its_power_again() -> None:
    play = game(f"cll {ANTI_C} ll cll cll", communist=("bugging", "bugging", None, None, None))
    play.govern("c").clock().govern(ANTI_C).govern("c")
    assert play.table.tracks["communist"] == ("communist",)
    assert play.step == "nominate", "the first slot gives nothing now"
    play.govern("c")
    assert play.step == "bugging", "the second one does"


@pytest.mark.rule("R5.20")
def test_an_anti_policy_that_comes_off_leaves_the_game() -> None:
    play = game(f"{ANTI_C} ll {ANTI_F} ll").govern(ANTI_C).govern(ANTI_F)
    assert play.told(TileRemoved) == [TileRemoved("fascist", ANTI_C, True)]
    assert play.table.removed == (ANTI_C,)
    assert ANTI_C not in play.table.discards


@pytest.mark.rule("R5.21", "R5.17", "R1.15")
def test_the_zone_follows_the_track() -> None:
    play = game(f"fll fll {ANTI_C} ll {ANTI_F} ll").govern("f").govern("f").govern(ANTI_C)
    assert play.track("fascist") == 3
    play.elect(5)
    assert play.told(ConfirmedNotHitler) == [ConfirmedNotHitler(Seat(5))]
    play.session(ANTI_F)
    assert play.track("fascist") == 2
    play.elect(6)
    assert play.table.winners is None, "Hitler is Chancellor outside the zone"


@pytest.mark.rule("R5.21", "R5.17", "R1.38")
def test_an_unlocked_veto_stays_when_the_track_gets_shorter() -> None:
    play = game(f"fll {ANTI_C} ll {ANTI_F} ll", veto=2).govern("f").govern(ANTI_C)
    assert play.table.veto
    play.govern(ANTI_F)
    assert play.track("fascist") == 1
    assert play.table.veto


@pytest.mark.rule("R5.17", "R1.26")
def test_an_anti_policy_can_fill_the_track_on_which_it_lies() -> None:
    play = game(f"cll fll {ANTI_C} ll", fascist=(None, None), communist=(None,) * 6)
    play.govern("c").govern("f").govern(ANTI_C)
    assert play.table.winners == ("fascist",)
    assert play.track("communist") == 1, "a win stops everything"


@pytest.mark.rule("R7.2")
def test_the_clock_draws_the_track() -> None:
    deck = f"cll fll {SOCIAL} ff"
    games = [game(deck, key=f"{k:02x}").govern("c").govern("f").govern(SOCIAL) for k in range(20)]
    assert {play.clock().told(TileRemoved)[0].track for play in games} == {"fascist", "communist"}
