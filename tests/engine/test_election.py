"""The election. Rule book, "Election"."""

from dataclasses import replace

import pytest

from engine import Seat, Setup, board_of
from engine.board import Party, Slots
from engine.facts import CandidacyPassed, Elected, GameOver, LimitsWaived, NoElection, TrackerAdvanced, Voted
from tests.engine.builders import Play, with_veto

_TRACKS: dict[Party, Slots] = {"liberal": (None,) * 5, "fascist": (*["kill"] * 5, None)}
KILLS = replace(board_of(Setup("classic@1", 5)), tracks=_TRACKS, zone=6)


@pytest.mark.rule("R1.6")
def test_the_first_candidate_nominates_any_other() -> None:
    play = Play(7, first=2)
    assert play.asked == (2,)
    assert play.choices == (0, 1, 3, 4, 5, 6)


@pytest.mark.rule("R1.5", "R1.9")
def test_the_candidacy_goes_round_to_the_left() -> None:
    play = Play(5, first=3).reject().govern("liberal").reject().reject()
    assert play.candidates() == [3, 4, 0, 1, 2]


@pytest.mark.rule("R1.5", "R1.37")
def test_the_candidacy_passes_over_the_dead() -> None:
    play = Play(7).until_fascist(4).target(5)
    seats = [play.table.president]
    while len(seats) < 6:
        seats.append(play.reject().table.president)
    assert 5 not in seats
    assert sorted(seats) == [0, 1, 2, 3, 4, 6]


@pytest.mark.rule("R1.7")
def test_every_living_player_votes_the_candidates_included() -> None:
    play = Play(7).nominate(3)
    assert play.step == "ballot"
    assert play.asked == (0, 1, 2, 3, 4, 5, 6)


@pytest.mark.rule("R1.7", "R1.37")
def test_the_dead_do_not_vote_and_no_ballot_of_theirs_is_shown() -> None:
    (voted,) = Play(7).until_fascist(4).target(5).elect().told(Voted)
    assert voted.ballots[5] is None
    assert voted.ballots.count("ja") == 6


@pytest.mark.rule("R1.7")
def test_nothing_is_told_before_the_last_ballot_is_in() -> None:
    play = Play(5).nominate(1).vote("jnjn.")
    assert play.new == ()
    assert play.waiting == (4,)
    play.say("nein")
    assert play.told(Voted) == [Voted(("ja", "nein", "ja", "nein", "nein"), False)]


@pytest.mark.rule("R1.7")
def test_a_ballot_can_be_changed_until_the_last_one_is_in() -> None:
    play = Play(5).nominate(1).vote("nnnn.").say("ja", 0).say("ja", 1).say("ja", 0)
    assert play.new == ()
    play.say("ja", 4)
    assert play.told(Voted) == [Voted(("ja", "ja", "nein", "nein", "ja"), True)]


@pytest.mark.rule("R1.7")
@pytest.mark.parametrize("seat", [None, 0, 1, 2, 3])
def test_nobody_sees_another_ones_ballot_before_all_are_shown(seat: int | None) -> None:
    game = Play(5).nominate(1).vote("j....")
    other = Play(5).nominate(1).vote("n....")
    if seat == 0:
        assert game.question_for(0) != other.question_for(0)
    else:
        assert game.question_for(seat) == other.question_for(seat)
    assert game.view(seat) == other.view(seat)


@pytest.mark.rule("R1.8")
@pytest.mark.parametrize(("ballots", "passed"), [
    ("jjjnn", True), ("jjnnn", False), ("jjjjj", True), ("nnnnn", False), ("jjjnnn", False),
    ("jjjjnn", True), ("jjjjnnn", True), ("jjjnnnn", False), ("jjjjnnnn", False),
    ("jjjjjnnnnn", False), ("jjjjjjnnnn", True),
])  # fmt: skip
def test_strictly_more_than_half_elect_and_a_tie_fails(ballots: str, passed: bool) -> None:
    play = Play(len(ballots)).nominate(1).vote(ballots)
    assert play.told(Voted)[0].passed is passed
    assert play.told(Elected) == ([Elected(Seat(0), Seat(1))] if passed else [])
    assert play.table.tracker == (0 if passed else 1)


@pytest.mark.rule("R1.9")
def test_a_failed_election_advances_the_tracker_by_one() -> None:
    play = Play(5).reject()
    assert play.told(TrackerAdvanced) == [TrackerAdvanced(1)]
    assert play.reject().told(TrackerAdvanced) == [TrackerAdvanced(2)]


@pytest.mark.rule("R1.10")
def test_the_last_elected_pair_cannot_be_nominated() -> None:
    assert Play(7).govern("liberal", chancellor=3).choices == (2, 4, 5, 6)


@pytest.mark.rule("R1.10")
def test_term_limits_concern_the_last_elected() -> None:
    play = Play(7).govern("liberal", chancellor=3).reject(5)
    assert play.asked == (2,)
    assert play.choices == (1, 4, 5, 6)


@pytest.mark.rule("R1.10")
def test_a_vetoed_government_is_term_limited() -> None:
    play = with_veto(9).elect()
    president, chancellor = play.table.last_elected
    play.discard(str(play.choices[0])).ask_veto().veto(True)
    assert play.told(CandidacyPassed)
    assert play.table.last_elected == (president, chancellor)
    assert not {president, chancellor} & set(play.choices)


@pytest.mark.rule("R1.10")
def test_anyone_can_be_president_even_who_was_just_chancellor() -> None:
    assert Play(7).govern("liberal", chancellor=1).asked == (1,)


@pytest.mark.rule("R1.11")
def test_with_five_players_only_the_last_chancellor_is_barred() -> None:
    assert Play(5).govern("liberal", chancellor=3).choices == (0, 2, 4)


@pytest.mark.rule("R1.11")
def test_with_six_alive_the_last_president_is_barred_too() -> None:
    assert Play(6).govern("liberal", chancellor=3).choices == (2, 4, 5)


@pytest.mark.rule("R1.11")
def test_the_five_player_rule_holds_right_after_a_death() -> None:
    play = Play(6).ready(3).govern("fascist", 1).target(2)
    assert play.table.living() == (0, 1, 3, 4, 5)
    assert play.table.last_elected == (3, 1)
    assert play.asked == (4,)
    assert play.choices == (0, 3, 5)


def last_two() -> Play:
    """Seat 3 was President with Chancellor 4; the two of them alone live, and 4 is the candidate."""
    play = Play(5, board=KILLS, deck="f" * 11)
    return play.govern("fascist", 2).target(1).govern("fascist", 3).target(0).govern("fascist", 4).target(2)


@pytest.mark.rule("R1.12")
def test_term_limits_are_waived_but_never_for_the_dead() -> None:
    play = last_two()
    assert play.asked == (4,)
    assert play.choices == (3,)
    assert not play.told(LimitsWaived)
    play.reject()
    assert play.table.last_elected == (3, 4)
    assert play.told(LimitsWaived) == [LimitsWaived()]
    assert play.asked == (3,)
    assert play.choices == (4,)


@pytest.mark.rule("R1.13")
def test_without_a_nominee_the_election_fails_and_counts() -> None:
    play = last_two()
    before = play.table.elections
    none = play.govern("fascist", 3).target(3).told(NoElection)
    assert none[0] == NoElection("no-nominee")
    assert not play.told(Voted)
    assert play.told(TrackerAdvanced)[:3] == [TrackerAdvanced(1), TrackerAdvanced(2), TrackerAdvanced(3)]
    # From here chaos alone plays on, until a track is full.
    assert play.told(GameOver)[0].reason.endswith("-track")
    assert play.table.elections == before + 1 + len(none)


@pytest.mark.rule("R1.13")
def test_without_a_candidate_the_election_fails_and_counts() -> None:
    play = Play(5).nominate(1).vote("nnnn.")
    play.doctored(tags={"sits-out": dict.fromkeys(range(5), 2)}, called=3).say("nein", 4)
    assert play.told(NoElection)[0] == NoElection("no-candidate")
    assert play.told(TrackerAdvanced)[:3] == [TrackerAdvanced(1), TrackerAdvanced(2), TrackerAdvanced(3)]
    assert not play.told(CandidacyPassed)
    assert play.table.elections == 1 + len(play.told(NoElection))
    assert play.table.called is None


@pytest.mark.rule("R1.12")
def test_those_who_sit_out_do_nothing() -> None:
    play = Play(7).nominate(6).vote("nnnnnn.").doctored(tags={"sits-out": {1: 2, 4: 2}}).say("nein", 6)
    assert play.asked == (2,)
    assert play.choices == (0, 3, 5, 6)
    assert play.nominate(0).asked == (0, 2, 3, 5, 6)


def test_who_sits_out_counts_as_alive_for_the_five_player_rule() -> None:
    play = Play(6).elect(3).discard("fascist").doctored(tags={"sits-out": {5: 2}}).enact("liberal")
    assert play.choices == (2, 4)
