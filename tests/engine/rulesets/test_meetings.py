"""The Communists' meetings: bugging and recruitment. Red Dawn and XL rule books, Communist powers."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine import Illegal, Reply, Seat, answer
from engine.board import Party
from engine.events import seen
from engine.facts import ClockAnswered, Investigated, Recognised
from engine.steps import communists
from tests.engine.builders import Play
from tests.engine.rulesets.games import red_dawn, xl

#: Seven players: Liberals 0–3, Fascist 4, Hitler 5, Communist 6.
COMMUNIST, HITLER, FASCIST = 6, 5, 4


def bugging(**more: Any) -> Play:
    """Seven players of Red Dawn; the first Communist policy has been enacted."""
    return red_dawn(**more).govern("c")


def recruitment(**more: Any) -> Play:
    """Return a game after the bugging, in which the second Communist policy has been enacted."""
    return bugging(**more).clock().govern("c")


def two(then: str = "cll lff lff", **more: Any) -> Play:
    """Nine players of Red Dawn (Communists 7 and 8): after the five-year plan's shuffle, the bugging."""
    return red_dawn(9, decks=("cll", then), **more).govern("c").govern("c")


def heard(play: Play, seat: Seat | None) -> list[str]:
    """Return the kinds of facts that a seat, or the group, saw of the last call."""
    return [type(fact).__name__ for fact in seen(play.new, seat)]


@pytest.mark.rule("R4.12")
def test_all_living_communists_meet_even_those_who_sit_out() -> None:
    play = two()
    assert (play.step, play.asked) == ("bugging", (7, 8))
    smeared = red_dawn(9, decks=("cll", "cll")).govern("c").doctored(tags={"sits-out": {8: 9}}).govern("c")
    assert smeared.asked == (7, 8)
    dead = red_dawn(9, decks=("cll", "cll")).govern("c")
    dead.doctored(alive=(True,) * 7 + (False, True)).govern("c")
    assert dead.asked == (8,)


@pytest.mark.rule("R4.12", "R4.20")
def test_recruits_meet_and_dealt_others_do_not() -> None:
    play = recruitment().say(2, COMMUNIST).clock()
    assert play.table.parties[2] == "communist"
    play.govern("c")
    assert play.step == "smear"
    play = xl(11).govern("c").govern("c", 6)
    assert (play.step, play.asked) == ("radicalisation", (9, 10))


@pytest.mark.rule("R4.13")
def test_only_time_closes_a_meeting_whatever_is_picked() -> None:
    play = bugging().say(3)
    assert play.new == ()
    assert play.step == "bugging"
    play.clock()
    assert play.step == "nominate"


@pytest.mark.rule("R4.14")
def test_each_picks_a_living_player_and_may_change() -> None:
    play = two()
    assert play.question.options == ((0, 1, 2, 3, 4, 5, 6, 8), (0, 1, 2, 3, 4, 5, 6, 7))
    play.say(3, 7).say(4, 8).say(4, 7)
    for seat in (7, 8):
        question = play.question_for(seat)
        assert question is not None
        assert question.chosen() == {7: 4, 8: 4}
    assert play.question_for(0) is None
    with pytest.raises(Illegal, match="not-asked"):
        answer(play.game, Reply(Seat(0), play.question.number, 0))


@pytest.mark.rule("R4.15")
def test_most_picks_decide() -> None:
    play = red_dawn(12, roles="lllll fff h ccc").govern("c")
    play.say(1, 9).say(2, 10).say(2, 11).clock()
    assert play.told(communists.Bugged) == [communists.Bugged(Seat(2), "liberal")]


@pytest.mark.rule("R4.15")
def test_a_meetings_tie_is_drawn_at_random() -> None:
    def target(play: Play) -> int:
        return play.clock().told(communists.Bugged)[0].target

    keys = [f"{key:02x}" for key in range(120)]
    assert {target(two(key=key).say(0, 7).say(6, 8)) for key in keys} == {0, 6}
    assert {target(two(key=key)) for key in keys} == set(range(9))
    assert {target(bugging(key=key)) for key in keys} == set(range(6))


@pytest.mark.rule("R4.16", "R4.17")
def test_without_a_communist_the_meeting_is_empty() -> None:
    alive = (True,) * 6 + (False,)
    play = red_dawn().doctored(alive=alive).govern("c")
    assert (play.step, play.asked) == ("bugging", ())
    play.clock()
    assert play.kinds() == ["MeetingEnded", "RoundEnded", "CandidacyPassed"]
    play.govern("c").clock()
    assert not play.told(communists.PartyChanged)
    assert not play.told(communists.ConversionFailed)


@pytest.mark.rule("R4.17")
@pytest.mark.parametrize("power", [bugging, recruitment])
def test_the_group_hears_the_same_of_every_meeting(power: Callable[..., Play]) -> None:
    games = [power(), power(roles="cllllfh"), power(roles="llllfch"), power()]
    games[3].game = replace(
        games[3].game, question=replace(games[3].question, seats=(), options=(), answers=())
    )
    for play in games:
        assert [event.to for event in play.new if isinstance(event.fact, communists.MeetingBegan)] == [None]
        assert play.question_for(None) == games[0].question_for(None)
        assert play.waiting == ()
    question = games[0].question_for(None)
    assert question is not None
    assert (question.seats, question.options, question.answers) == ((), (), ())
    games[0].say(HITLER)
    for play in games:
        play.clock()
        assert heard(play, None) == ["MeetingEnded", "RoundEnded", "CandidacyPassed"]
    assert len({play.question.number for play in games}) == 1


@pytest.mark.rule("R4.9", "R4.18")
def test_those_who_meet_know_each_other_from_then_on() -> None:
    play = red_dawn(12)
    assert play.view(9).table.parties[10] is None
    play.govern("c")
    assert play.event(communists.Convened).to == (9, 10, 11)
    for seat in (9, 10, 11):
        assert play.view(seat).table.parties[9:] == ("communist",) * 3
    assert play.view(0).table.parties == ("liberal", *(None,) * 11)


@pytest.mark.rule("R4.19")
def test_bugging_tells_a_party_and_is_no_investigation() -> None:
    play = two().say(6, 7).clock()
    assert play.event(communists.Bugged).fact == communists.Bugged(Seat(6), "fascist")
    assert play.event(communists.Bugged).to == (7, 8)
    assert play.view(7).table.parties[6] == "fascist"
    assert play.view(0).table.parties[6] is None
    assert heard(play, Seat(6)) == heard(play, None)
    assert play.table.tagged("investigated") == {}
    play.govern("f").govern("f")
    assert play.step == "investigate"
    assert 6 in play.choices


@pytest.mark.rule("R4.20", "R4.22")
def test_the_recruited_become_communists_and_only_they_are_told() -> None:
    play = recruitment().say(FASCIST).clock()
    assert play.event(communists.PartyChanged).fact == communists.PartyChanged(Seat(FASCIST), "communist")
    assert play.event(communists.PartyChanged).to == (FASCIST,)
    assert play.event(communists.RecruitmentTried).to == (COMMUNIST,)
    assert play.view(FASCIST).table.parties[FASCIST] == "communist"
    assert play.view(FASCIST).table.roles[HITLER] == "hitler"
    assert play.view(FASCIST).table.parties[COMMUNIST] is None
    assert play.view(HITLER).table.parties[FASCIST] == "fascist"
    assert play.view(COMMUNIST).table.parties[FASCIST] is None


@pytest.mark.rule("R4.20", "R1.43")
def test_the_recruited_win_with_the_communists() -> None:
    play = recruitment().say(0).clock().govern("c").target(1).govern("c")
    assert play.table.winners == ("communist",)
    assert play.table.reason == "communist-track"
    assert play.table.parties[0] == "communist"
    assert play.view(3).table.parties[0] == "communist"


@pytest.mark.rule("R4.21")
def test_hitler_cannot_be_recruited_and_is_told() -> None:
    play = recruitment().say(HITLER).clock()
    assert play.event(communists.RecruitmentTried).to == (COMMUNIST,)
    assert play.event(communists.ConversionFailed).fact == communists.ConversionFailed(Seat(HITLER))
    assert play.event(communists.ConversionFailed).to == (HITLER,)
    assert not play.told(communists.PartyChanged)
    assert play.table.parties[HITLER] == "fascist"


@pytest.mark.rule("R4.21", "R5.10")
def test_a_communist_stays_one_and_is_told_that_it_was_tried() -> None:
    play = xl(11).govern("c").govern("c").say(10, 9).clock()
    assert play.event(communists.RecruitmentTried).fact == communists.RecruitmentTried(Seat(10))
    assert play.event(communists.ConversionFailed).fact == communists.ConversionFailed(Seat(10))
    assert play.event(communists.ConversionFailed).to == (10,)
    assert not play.told(communists.PartyChanged)


@pytest.mark.rule("R4.21")
def test_communists_see_no_difference_in_recruitments() -> None:
    works, fails = recruitment().say(0).clock(), recruitment().say(HITLER).clock()
    assert heard(works, Seat(COMMUNIST)) == heard(fails, Seat(COMMUNIST))
    assert heard(works, None) == heard(fails, None)


@pytest.mark.rule("R7.5")
def test_the_end_of_a_meeting_is_not_the_clock_s_doing() -> None:
    play = bugging()
    assert play.waiting == ()
    play.clock()
    assert not play.told(ClockAnswered)


@pytest.mark.rule("R4.10")
@pytest.mark.parametrize(
    ("target", "party"), [(0, "liberal"), (5, "fascist"), (6, "fascist"), (7, "communist")]
)
def test_an_investigation_shows_one_of_three_parties(target: int, party: Party) -> None:
    play = red_dawn(8, "lff lff").govern("f").govern("f").target(target)
    assert play.told(Investigated) == [Investigated(Seat(1), Seat(target), party)]


@pytest.mark.rule("R1.30", "R4.22")
def test_what_was_investigated_stays_known_as_it_was() -> None:
    play = red_dawn(8, "lff lff cll cll").govern("f").govern("f").target(3)
    play.govern("c").clock().govern("c").say(3).clock()
    assert play.table.parties[3] == "communist"
    assert play.view(1).table.parties[3] == "liberal"


@pytest.mark.rule("R4.18")
def test_at_nine_the_communists_knew_each_other_before_they_meet() -> None:
    assert [fact.seat for fact in red_dawn(9).view(7).facts if isinstance(fact, Recognised)] == [8]
