"""The special election. Rule book, "Call Special Election"."""

from dataclasses import replace

import pytest

from engine import Seat, Setup, board_of
from engine.facts import CandidacyPassed, SpecialElectionCalled
from tests.engine.builders import Play

BOARD = board_of(Setup("classic@1", 7))


def with_track(*slots: str | None) -> Play:
    """Seven players on a Fascist track whose first slots are these; the zone is far away."""
    track = (*slots, *(None,) * (6 - len(slots)))
    return Play(7, deck="f" * 11, board=replace(BOARD, tracks={**BOARD.tracks, "fascist": track}, zone=6))


@pytest.mark.rule("R1.31")
def test_any_other_living_player_may_be_called() -> None:
    play = with_track("special").govern("fascist", 3)
    assert play.step == "special"
    assert play.asked == (0,)
    assert play.choices == (1, 2, 3, 4, 5, 6)
    play.target(3)
    assert play.told(SpecialElectionCalled) == [SpecialElectionCalled(Seat(0), Seat(3))]
    assert play.told(CandidacyPassed) == [CandidacyPassed(Seat(3), special=True)]


def test_the_called_president_nominates_under_the_term_limits() -> None:
    play = with_track("special").govern("fascist", 3).target(5)
    assert play.asked == (5,)
    assert play.choices == (1, 2, 4, 6)


@pytest.mark.rule("R1.32")
def test_the_candidacy_then_returns_to_the_left_of_the_caller() -> None:
    play = with_track("special").govern("fascist", 3).target(5).govern("fascist", 2)
    assert play.candidates() == [0, 5, 1]


@pytest.mark.rule("R1.32")
def test_it_returns_after_a_failed_special_election_too() -> None:
    play = with_track("special").govern("fascist", 3).target(5).reject().reject().reject()
    assert play.candidates() == [0, 5, 1, 2, 3]


def test_no_seat_is_skipped_by_a_special_election() -> None:
    play = with_track("special").govern("fascist", 3).target(2)
    for _ in range(7):
        play.reject()
    assert play.candidates() == [0, 2, 1, 2, 3, 4, 5, 6, 0]


@pytest.mark.rule("R1.32")
def test_the_callers_neighbour_may_run_twice_in_a_row() -> None:
    play = with_track("special").govern("fascist", 3).target(1).govern("fascist", 2)
    assert play.candidates() == [0, 1, 1]


@pytest.mark.rule("R1.33")
def test_a_nested_special_election_keeps_the_return_point() -> None:
    play = with_track("special", "special", "special")
    play.govern("fascist", 3).target(4).govern("fascist", 2).target(6).govern("fascist", 1).target(5).reject()
    assert play.candidates() == [0, 4, 6, 5, 1]


def test_a_special_president_may_call_the_caller_back() -> None:
    play = with_track("special", "special").govern("fascist", 3).target(4).govern("fascist", 2).target(0)
    assert play.told(CandidacyPassed) == [CandidacyPassed(Seat(0), special=True)]
    play.reject()
    assert play.candidates() == [0, 4, 0, 1]


@pytest.mark.rule("R1.32")
def test_rotation_goes_on_from_a_caller_who_died() -> None:
    play = with_track("special", "kill").govern("fascist", 3).target(4).govern("fascist", 2).target(0)
    assert play.table.alive[0] is False
    assert play.candidates() == [0, 4, 1]


@pytest.mark.rule("R1.32")
def test_a_neighbour_who_dies_meanwhile_is_passed_over() -> None:
    play = with_track("special", "kill").govern("fascist", 3).target(4).govern("fascist", 2).target(1)
    assert play.candidates() == [0, 4, 2]


def test_caller_and_neighbours_dead_the_next_living_seat_stands() -> None:
    play = with_track("special", "kill", "kill", "kill")
    play.govern("fascist", 3).target(4).govern("fascist", 2).target(1)
    play.govern("fascist", 3).target(0).govern("fascist", 4).target(2)
    assert play.candidates() == [0, 4, 2, 3, 4]


@pytest.mark.rule("R1.31", "R1.37")
def test_the_dead_cannot_be_called() -> None:
    play = with_track("kill", "special").govern("fascist", 3).target(5).govern("fascist", 2)
    assert play.step == "special"
    assert play.choices == (0, 2, 3, 4, 6)


@pytest.mark.rule("R1.31", "R1.46")
def test_the_smeared_cannot_be_called() -> None:
    play = with_track("special").elect(3).discard("f").doctored(tags={"sits-out": {6: 1}}).enact("f")
    assert play.choices == (1, 2, 3, 4, 5)
    play = with_track("special").elect(3).discard("f").doctored(called=6, tags={"sits-out": {6: 1}})
    play.game = replace(play.game, agenda=(("end-round",),))
    play.enact("f").target(5)
    assert play.told(CandidacyPassed) == [CandidacyPassed(Seat(5), special=True)]
    play.doctored(called=6, tags={"sits-out": {6: 1}}).reject()
    assert play.candidates()[-1] == 1


def test_the_call_is_public() -> None:
    play = with_track("special").govern("fascist", 3).target(5)
    assert play.event(SpecialElectionCalled).to is None
    assert play.view(None).table.president == 5
