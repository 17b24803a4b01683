"""Boards of a group's own: what a computer can see there that no printed board has."""

import ai
from engine import Chance, Seat, View, view
from tests.engine.builders import Play
from tests.engine.rulesets.games import planned


def enacted() -> Play:
    """Return a game with a plan's Communist tiles: seats 2 and 0 enact one instead of a Fascist one."""
    play = Play(7, "red-dawn@1", roles="lfcllhl", board=planned(), deck="fff lff lff lff lff ll")
    play.govern("f", 2)
    while "communist" not in play.table.pile[:3]:
        play.govern("l" if "liberal" in play.table.pile[:3] else "f", play.harmless)
    play.elect(0).session("communist")
    assert (play.table.last_elected, play.table.roles[0]) == ((2, 0), "liberal")
    return play


def known(play: Play, seat: Seat | None) -> View:
    return view(play.events, seat)


def test_a_computer_claims_tiles_of_a_five_year_plan() -> None:
    play = enacted()
    told = [ai.say(known(play, Seat(seat)), (), Chance("00"), "seasoned")[-1] for seat in (2, 0)]
    assert [claim.kind for claim in told] == ["president", "chancellor"]
    assert told[1].said == ("fascist", "communist"), "a Liberal tells the truth"


def test_the_enacter_of_a_five_year_tile_is_suspected() -> None:
    believed = ai.beliefs(known(enacted(), None), ())
    assert believed.party(Seat(0))["communist"] > 1.5 * believed.party(Seat(4))["communist"]
