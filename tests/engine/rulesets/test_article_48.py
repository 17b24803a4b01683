"""Article 48: tiles that also give the Chancellor a power. Red Dawn rule book, "Article 48 powers"."""

from typing import Any

import pytest

from engine import Seat
from engine.events import seen
from engine.facts import Enacted, Investigated, PowerLapsed
from engine.rulesets.red_dawn.article_48 import ComradesLearned, ConversionTried
from engine.rulesets.red_dawn.secret_roles import Returned, WentIntoHiding
from engine.steps.communists import ConversionFailed, PartyChanged
from tests.engine.builders import Play, seats
from tests.engine.rulesets.games import board, cards, drawn, red_dawn

ON = {"article-48": "on"}
BOTH = {"article-48": "on", "secret-roles": "on"}
#: Ten players: Monarchist 6 (Fascist), Anarchist 3, Capitalist 4, Hitler 7, Communist 8, KGB 9.
ROLES = "lll liberal:anarchist liberal:capitalist f fascist:monarchist h c communist:kgb"
CAPITALIST, MONARCHIST, HITLER, KGB = 4, 6, 7, 9
CONVERT, RESURRECT, COMRADES = "communist:convert", "communist:resurrect", "communist:comrades"
#: Slots without powers, so that only the tiles' powers are used; the third and later Fascist slots kill.
_TRACKS = {"fascist": (None, None, "kill", "kill", "kill", None), "communist": (None,) * 4}
QUIET = board("red-dawn@1", 7, ON, tracks=_TRACKS)


def game(deck: str, **more: Any) -> Play:
    """Seven players: Liberals 0–3, Fascist 4, Hitler 5, Communist 6."""
    return red_dawn(7, deck, board=more.pop("board", QUIET), options=ON, **more)


def large(deck: str) -> Play:
    """Ten players with secret roles, on a board whose first Fascist slot kills."""
    tracks = {"fascist": (*["kill"] * 5, None), "communist": (None,) * 5}
    return red_dawn(10, deck, ROLES, board=board("red-dawn@1", 10, BOTH, tracks=tracks), options=BOTH)


def public(play: Play) -> list[str]:
    """Return the kinds of facts of the last call that the group saw."""
    return [type(fact).__name__ for fact in seen(play.new, None)]


@pytest.mark.rule("R4.40", "R4.41")
def test_the_chancellor_uses_the_tile_s_power_after_the_slot_s() -> None:
    slots = board("red-dawn@1", 7, ON, tracks={"fascist": (*["investigate"] * 5, None)})
    play = game("fll fascist:investigate l l", board=slots).govern("f", 1).target(2)
    play.govern("fascist:investigate", 3)
    assert (play.step, play.asked) == ("investigate", (1,)), "the President's, from the slot"
    assert play.track("fascist") == 2
    play.target(4)
    assert (play.step, play.asked) == ("investigate", (3,)), "the Chancellor's, from the tile"
    assert play.choices == (0, 1, 5, 6), "not 2 and 4, investigated already"
    play.target(5)
    assert play.event(Investigated).fact == Investigated(Seat(3), Seat(5), "fascist")
    assert play.event(Investigated).to == (3,)


@pytest.mark.rule("R4.40")
def test_chaos_ignores_the_power_of_a_tile() -> None:
    play = game("fascist:investigate ll").chaos()
    assert play.told(Enacted) == [Enacted("fascist:investigate", "fascist", True)]
    assert play.step == "nominate"
    assert not play.told(PowerLapsed)


@pytest.mark.rule("R4.40", "R1.28")
def test_the_power_lapses_when_its_chancellor_died() -> None:
    play = game("fll fll fascist:investigate l l").govern("f", 1).govern("f", 2)
    play.govern("fascist:investigate", 3).target(3)
    assert play.told(PowerLapsed) == [PowerLapsed("investigate")]


@pytest.mark.rule("R4.42")
def test_communist_powers_are_drawn_without_repeats() -> None:
    powers = set()
    for key in range(60):
        pile = drawn("red-dawn@1", 7, key, ON).table.pile
        drawn_powers = [tile.partition(":")[2] for tile in pile if tile.startswith("communist:")]
        assert len(set(drawn_powers)) == len(drawn_powers) == 3
        powers |= set(drawn_powers)
    assert powers == {"investigate", "convert", "resurrect", "comrades"}
    more = board("red-dawn@1", 7, deck={"liberal": 11, "fascist": 6, "communist:?": 6})
    pile = red_dawn(7, "", board=more).table.pile
    assert sorted(pile.count(tile) for tile in set(pile) if ":" in tile) == [1, 1, 2, 2]


@pytest.mark.rule("R4.42")
def test_a_tiles_power_is_secret_until_enacted() -> None:
    play = game(f"{CONVERT} ll").elect(1)
    assert CONVERT in play.view(0).table.hand
    assert play.view(1).table.hand == ("?",) * 3
    play.session(CONVERT)
    assert play.view(None).table.tracks["communist"] == (CONVERT,)


@pytest.mark.rule("R4.43")
def test_a_chancellors_conversion_is_told_to_the_target() -> None:
    play = game(f"{CONVERT} ll").govern(CONVERT, 1)
    assert (play.step, play.asked) == ("convert", (1,))
    assert play.choices == (0, 2, 3, 4, 5, 6)
    play.target(4)
    assert play.table.parties[4] == "communist"
    assert play.event(PartyChanged).to == (4,)
    assert play.event(ConversionTried).to == (1,)
    assert play.view(1).table.parties[4] is None
    (tried,) = [fact for fact in play.view(0).facts if isinstance(fact, ConversionTried)]
    assert tried == ConversionTried(Seat(1), None)


@pytest.mark.rule("R4.43", "R4.21")
def test_a_failed_conversion_looks_the_same_to_others() -> None:
    fails = game(f"{CONVERT} ll").govern(CONVERT, 1).target(5)
    works = game(f"{CONVERT} ll").govern(CONVERT, 1).target(4)
    assert public(fails) == public(works)
    assert fails.event(ConversionFailed).to == (5,)
    assert fails.table.parties[5] == "fascist"
    assert [type(f) for f in seen(fails.new, Seat(1))] == [type(f) for f in seen(works.new, Seat(1))]


@pytest.mark.rule("R4.44")
def test_a_dead_player_returns_as_a_communist() -> None:
    play = large(f"fll {RESURRECT} ll").govern("f", 1).target(5)
    dead = play.table.roles[5]
    play.govern(RESURRECT, 2)
    assert (play.step, play.choices) == ("resurrect", (5,))
    play.target(5)
    assert play.event(Returned).fact == Returned(Seat(5), "resurrection")
    assert play.event(Returned).to is None
    assert play.event(PartyChanged).to == (5,)
    assert (play.table.alive[5], play.table.parties[5], play.table.roles[5]) == (True, "communist", dead)
    assert play.view(5).table.roles[HITLER] == "hitler", "what was known stays known"


@pytest.mark.rule("R4.44")
def test_the_returned_keep_what_was_used_and_known() -> None:
    play = large(f"fll fll ffl {RESURRECT} lf").govern("f", 1).target(KGB).target(0)
    play.govern("f", 2).target(KGB)
    assert not play.table.alive[KGB]
    play.doctored(tags={**play.table.tags, "investigated": {KGB: 1}})
    play.govern("l", 3).govern(RESURRECT, 4).target(KGB)
    assert play.table.alive[KGB]
    assert KGB in play.table.tagged("investigated")
    assert KGB in play.table.tagged("spent")


@pytest.mark.rule("R4.44", "R1.28")
def test_with_nobody_dead_the_resurrection_lapses() -> None:
    play = game(f"{RESURRECT} ll").govern(RESURRECT, 1)
    assert play.told(PowerLapsed) == [PowerLapsed("resurrect")]


@pytest.mark.rule("R4.45")
def test_a_resurrected_capitalist_stays_liberal() -> None:
    play = large(f"fll {RESURRECT} ll").govern("f", 1).target(CAPITALIST)
    play.govern(RESURRECT, 2).target(CAPITALIST)
    assert play.table.alive[CAPITALIST]
    assert play.table.parties[CAPITALIST] == "liberal"
    assert play.event(ConversionFailed).to == (CAPITALIST,)
    assert not play.told(PartyChanged)


@pytest.mark.rule("R4.45", "R4.35")
def test_a_waiting_monarchist_returns_for_the_last_time() -> None:
    play = large(f"fll {RESURRECT} ll fll").govern("f", 1).target(MONARCHIST)
    play.govern(RESURRECT, 2).target(MONARCHIST)
    assert play.table.alive[MONARCHIST]
    assert play.view(None).table.roles[MONARCHIST] is None, "nobody is told who returned"
    play.govern("f", 3)
    assert not play.told(Returned)
    play.target(MONARCHIST)
    assert not play.told(WentIntoHiding)
    assert not play.table.alive[MONARCHIST]


@pytest.mark.rule("R4.46")
def test_a_communist_chancellor_learns_all_comrades() -> None:
    play = red_dawn(12, f"{COMRADES} ll", options=ON).doctored(alive=(True,) * 11 + (False,))
    play.govern(COMRADES, 9).clock()
    assert play.event(ComradesLearned).fact == ComradesLearned(Seat(9), seats(10, 11))
    assert play.event(ComradesLearned).to == (9,)
    assert play.view(9).table.parties[10:] == ("communist", "communist")


@pytest.mark.rule("R4.46")
def test_anyone_else_learns_nothing_and_the_table_cannot_tell() -> None:
    liberal, communist = (game(f"{COMRADES} ll").govern(COMRADES, seat) for seat in (1, 6))
    assert liberal.told(ComradesLearned) == [ComradesLearned(Seat(1), ())]
    assert communist.told(ComradesLearned) == [ComradesLearned(Seat(6), ())]
    for play in (liberal, communist):
        (fact,) = [f for f in play.view(0).facts if isinstance(f, ComradesLearned)]
        assert fact.comrades is None
    assert public(liberal) == public(communist)
    assert liberal.question.number == communist.question.number


@pytest.mark.rule("R4.42")
def test_an_explicit_deck_says_which_powers_were_drawn() -> None:
    deck = f"{COMRADES} {CONVERT} l {RESURRECT}"
    assert game(deck).table.pile[:4] == cards(deck)


@pytest.mark.rule("R7.2")
def test_the_clock_converts_anyone_that_may_be_chosen() -> None:
    keys = [f"{key:02x}" for key in range(80)]
    plays = [game(f"{CONVERT} ll", key=key).govern(CONVERT, 1).clock() for key in keys]
    targets = {play.told(ConversionTried)[0].target for play in plays}
    assert targets == {0, 2, 3, 4, 5, 6}
