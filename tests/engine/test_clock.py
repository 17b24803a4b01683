"""The clock's answers for those who do not answer. Our own rule; see the decisions in docs/rules.md."""

import pytest

from engine.facts import ClockAnswered, Nominated, VetoRefused, Voted
from tests.engine.builders import Play, seats, with_veto


@pytest.mark.rule("R7.1", "R1.8")
@pytest.mark.parametrize(
    ("ballots", "passed"), [("jjj....", False), ("jj.n...", False), ("jjjj...", True), ("jjjjnnn", True)]
)
def test_more_than_half_of_those_who_may_vote_elect(ballots: str, passed: bool) -> None:
    play = Play(7).nominate(1).vote(ballots)
    (voted,) = (play if "." not in ballots else play.clock()).told(Voted)
    assert voted.passed is passed
    assert voted.ballots == tuple({"j": "ja", "n": "nein", ".": None}[ballot] for ballot in ballots)


@pytest.mark.rule("R7.1")
def test_half_of_those_who_may_vote_are_too_few() -> None:
    assert Play(6).nominate(1).vote("jjj...").clock().told(Voted)[0].passed is False


@pytest.mark.rule("R7.7")
def test_few_ballots_elect_no_hitler() -> None:
    play = Play(7).ready(3)
    play.nominate(next(seat for seat in play.choices if play.table.roles[seat] == "hitler"))
    assert play.vote("jjj....").clock().told(Voted)[0].passed is False
    assert play.table.winners is None


@pytest.mark.rule("R7.1")
def test_without_a_single_ballot_the_election_fails() -> None:
    play = Play(7).nominate(1).clock()
    assert play.told(Voted) == [Voted((None,) * 7, False)]
    assert play.table.tracker == 1


@pytest.mark.rule("R7.4")
def test_who_missed_is_announced_before_what_follows() -> None:
    play = Play(7).nominate(1).vote("jj.nn..").clock()
    assert play.new[0].fact == ClockAnswered("ballot", seats(2, 5, 6))
    assert play.new[0].to is None


@pytest.mark.rule("R7.2")
def test_a_nomination_is_drawn_among_the_eligible() -> None:
    drawn = set()
    for key in range(40):
        play = Play(7, key=f"{key:02x}").govern("liberal", 2).clock()
        assert play.told(ClockAnswered) == [ClockAnswered("nominate", seats(1))]
        (nominated,) = play.told(Nominated)
        drawn.add(nominated.chancellor)
    assert drawn == {3, 4, 5, 6}


@pytest.mark.rule("R7.2")
def test_the_clock_draws_from_the_hand_by_tile() -> None:
    discarded, enacted = [], []
    for key in range(120):
        play = Play(7, key=f"{key:02x}", deck="lff").elect(2).clock()
        discarded.append(play.table.discards[0])
        assert play.told(ClockAnswered) == [ClockAnswered("discard", seats(0))]
        play.clock()
        enacted.append(play.track("liberal"))
    assert 20 <= discarded.count("liberal") <= 60
    assert 20 <= sum(enacted) <= 60


@pytest.mark.rule("R7.3")
@pytest.mark.parametrize("key", range(20))
def test_the_clock_never_asks_for_a_veto_and_never_agrees_to_one(key: int) -> None:
    play = with_veto(9, key=f"{key:02x}")
    play.elect(play.harmless).clock()
    assert "veto" in play.choices
    asking = play.game
    play.clock()
    assert play.step != "veto"
    play.game = asking
    play.ask_veto().clock()
    assert play.told(ClockAnswered)[0].question == "veto"
    assert play.told(VetoRefused)
    assert play.step == "enact"


@pytest.mark.rule("R7.2")
@pytest.mark.parametrize(("slot", "power"), [(2, "investigate"), (3, "special"), (4, "kill")])
def test_a_target_is_drawn_among_the_legal_ones(slot: int, power: str) -> None:
    drawn = set()
    for key in range(60):
        play = Play(7, key=f"{key:02x}").until_fascist(slot)
        assert play.step == power
        legal = set(play.choices)
        play.clock()
        assert play.told(ClockAnswered)[0].question == power
        (fact,) = [event.fact for event in play.new[1:2]]
        drawn.add(getattr(fact, "target", getattr(fact, "seat", None)))
    assert drawn == legal


def test_the_clock_draws_the_same_for_the_same_game() -> None:
    assert Play(7).clock().table == Play(7).clock().table


def test_the_clocks_draw_is_independent_of_changes() -> None:
    calm = Play(7).nominate(1).vote("jjjj...").clock().clock()
    restless = Play(7).nominate(1).vote("nnnnnn.").vote("jjjj...")
    restless.game = calm.game
    assert restless.table == calm.table


def test_whole_games_end_by_the_clock_alone() -> None:
    for players in range(5, 11):
        play = Play(players, deck="", key=f"{players:02x}")
        while play.step:
            play.clock()
        assert play.table.winners
