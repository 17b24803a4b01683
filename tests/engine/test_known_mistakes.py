"""The mistakes that other implementations of the classic game make, one by one.

Gathered from the code and the issues of several bots and sites; each is a short game here.
"""

import pytest

from engine import Illegal
from engine.facts import CandidacyPassed, Elected, Enacted, Shuffled, TrackerAdvanced, Vetoed, Voted
from tests.engine.builders import Play, tiles_of, with_veto


def vetoed(play: Play) -> Play:
    play.elect(play.harmless)
    return play.discard(play.choices[-1]).ask_veto().veto(True)


def test_1a_a_passed_election_does_not_clear_the_tracker() -> None:
    play = with_veto().reject().reject().elect(5)
    assert play.told(Elected)
    assert play.table.tracker == 2
    play.discard(play.choices[-1]).ask_veto().veto(True)
    assert play.told(Vetoed)
    assert play.told(Enacted)[0].chaos


def test_1b_a_veto_advances_the_tracker_by_one() -> None:
    assert vetoed(with_veto().reject()).told(TrackerAdvanced) == [TrackerAdvanced(2)]


def test_2_a_veto_reshuffles_so_chaos_never_finds_an_empty_deck() -> None:
    play = with_veto()
    play.doctored(pile=play.table.pile[:3], discards=(*play.table.discards, *play.table.pile[3:]))
    vetoed(play)
    assert play.told(Shuffled)
    assert len(play.table.pile) == 12
    assert play.reject().reject().told(Enacted)[0].chaos


def test_3a_the_presidents_second_tap_enacts_nothing() -> None:
    play = Play(7).elect(3)
    number = play.question.number
    play.discard("l")
    for question in (number, play.question.number):
        with pytest.raises(Illegal, match=r"closed|not-asked"):
            play.send(0, 0, question)
    assert play.step == "enact"
    assert play.table.tracks == {"liberal": (), "fascist": ()}


def test_3b_only_the_two_holders_discard_and_enact() -> None:
    play = Play(7).elect(3)
    assert [seat for seat in range(7) if play.question_for(seat)] == [0]
    play.discard("l")
    assert [seat for seat in range(7) if play.question_for(seat)] == [3]


def test_4_nobody_is_investigated_twice() -> None:
    play = Play(9).govern("fascist", 2).target(5).govern("fascist", 3)
    assert play.step == "investigate"
    assert play.refused(1, 5) == "no-option"


def test_5a_the_five_player_exception_holds_from_the_death_on() -> None:
    play = Play(6).ready(3).govern("fascist", 1).target(2)
    assert len(play.table.living()) == 5
    assert 3 in play.choices


@pytest.mark.rule("R1.11", "R1.37")
def test_5b_the_dead_do_not_count_for_it() -> None:
    play = Play(7).ready(5)
    assert len(play.table.living()) == 5
    assert play.table.last_elected == (3, 2)
    assert 3 in play.choices
    assert 2 not in play.choices


def test_5c_six_alive_are_not_five() -> None:
    play = Play(7).ready(4)
    assert len(play.table.living()) == 6
    assert play.table.last_elected == (0, 1)
    assert not {0, 1} & set(play.choices)


def test_6a_a_special_election_returns_left_of_a_dead_caller() -> None:
    play = Play(7).until_fascist(3)
    caller = play.table.president
    play.target(5).govern("fascist", 3).target(caller)
    following = next(seat for seat in play.table.left_of(caller) if play.table.alive[seat])
    assert play.told(CandidacyPassed) == [CandidacyPassed(following)]


def test_6b_a_special_election_does_not_move_the_rotation() -> None:
    assert Play(7).until_fascist(3).target(0).reject().reject().candidates() == [0, 1, 2, 0, 3, 4]


def test_7_chaos_gives_no_power_and_shows_its_ballots() -> None:
    play = Play(7, deck="lff lff l f lff").govern("fascist", 3)
    play.reject().reject().nominate(1).vote("jnnnnnj")
    assert play.told(Voted) == [Voted(("ja", "nein", "nein", "nein", "nein", "nein", "ja"), False)]
    assert play.table.last_elected is None
    play = Play(7, deck="lff f").govern("fascist", 3).chaos()
    assert play.track("fascist") == 2
    assert play.step == "nominate"
    assert len(play.choices) == 6


def test_8_a_veto_is_asked_for_once_a_session() -> None:
    play = with_veto().elect(5)
    play.discard(play.choices[-1])
    hand = play.choices[:-1]
    play.ask_veto().veto(False)
    assert play.choices == hand
    assert len(hand) == 2
    assert play.refused(5, "veto") == "no-option"


@pytest.mark.rule("R1.29", "R1.31", "R1.35")
def test_9_a_president_never_targets_themselves() -> None:
    for slot, step in ((1, "investigate"), (2, "investigate"), (3, "special"), (4, "kill"), (5, "kill")):
        play = Play(9).until_fascist(slot)
        assert play.step == step
        assert play.table.president not in play.choices


def test_10_enacted_tiles_do_not_return_to_the_deck() -> None:
    play = with_veto()
    assert play.table.shuffles == 2
    assert len(play.table.pile) + play.track("fascist") + play.track("liberal") == 17
    assert tiles_of(play.table) == {"liberal": 6, "fascist": 11}
