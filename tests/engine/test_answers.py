"""Answers that the rules do not allow are refused with a reason, and change nothing."""

from copy import deepcopy

import pytest

import engine
from tests.engine.builders import Play, seats, with_veto

ONE, NINE = engine.QuestionNumber(1), engine.QuestionNumber(9)


def refused(game: engine.Game, bad: engine.Reply) -> str:
    before = deepcopy(game)
    with pytest.raises(engine.Illegal) as caught:
        engine.answer(game, bad)
    assert game == before
    return caught.value.reason


#: Games at every question of classic.
AT = {
    "nominate": lambda: Play(9), "ballot": lambda: Play(9).nominate(3),
    "discard": lambda: Play(9).elect(3), "enact": lambda: Play(9).elect(3).discard("f"),
    "veto": lambda: with_veto().elect(5).clock().ask_veto(),
    "investigate": lambda: Play(9).until_fascist(1), "special": lambda: Play(9).until_fascist(3),
    "kill": lambda: Play(9).until_fascist(4),
}  # fmt: skip


@pytest.mark.parametrize("step", AT)
def test_a_seat_that_is_not_asked_cannot_answer(step: str) -> None:
    play = AT[step]()
    assert play.step == step
    for seat in range(-1, 11):
        if seat not in play.asked:
            assert refused(play.game, engine.Reply(engine.Seat(seat), play.question.number, 0)) == "not-asked"
            assert play.question_for(seat) is None


@pytest.mark.parametrize("step", AT)
def test_an_option_that_is_not_there_cannot_be_chosen(step: str) -> None:
    play = AT[step]()
    for choice in (-1, len(play.choices), 99):
        assert refused(play.game, engine.Reply(play.asked[0], play.question.number, choice)) == "no-option"


@pytest.mark.parametrize("step", AT)
def test_only_the_open_question_can_be_answered(step: str) -> None:
    play = AT[step]()
    for number in (play.question.number - 1, play.question.number + 1, 0, -1):
        assert refused(play.game, engine.Reply(play.asked[0], engine.QuestionNumber(number), 0)) == "closed"


@pytest.mark.parametrize("step", AT)
def test_a_second_answer_does_not_act_for_anybody_else(step: str) -> None:
    play = AT[step]()
    number, seats = play.question.number, play.asked
    for seat in seats:
        play.send(seat, 0)
    for seat in seats:
        assert refused(play.game, engine.Reply(engine.Seat(seat), number, 0)) == "closed"


def test_an_answer_that_is_final_cannot_be_changed() -> None:
    play = Play(7)
    asked = engine.Question(ONE, "nominate", (), seats(0, 1), (seats(1, 2), seats(0, 2)), (None, None))
    play.game = engine.Game(play.setup, play.game.chance, play.game.table, (), asked, ONE)
    play.send(0, 1)
    assert refused(play.game, engine.Reply(engine.Seat(0), ONE, 0)) == "answered"
    assert play.waiting == (1,)


def test_an_option_is_named_only_if_asked_and_there() -> None:
    play = Play(7)
    assert engine.reply(play.game, engine.Seat(0), engine.Seat(3)) == engine.Reply(engine.Seat(0), ONE, 2)
    assert play.refused(0, 0) == "no-option"
    assert play.refused(1, 3) == "not-asked"
    play.nominate(3)
    assert play.refused(0, "perhaps") == "no-option"


def test_a_reason_is_a_short_code_that_names_nothing_hidden() -> None:
    illegal = engine.Illegal("closed")
    assert (str(illegal), illegal.reason) == ("closed", "closed")


def test_the_group_sees_who_is_asked_and_no_answers() -> None:
    play = Play(7).elect(3).discard("f")
    public = play.question_for(None)
    assert public is not None
    assert (public.step, public.seats, public.options, public.answers) == ("enact", (3,), (), ())
    play = Play(7).nominate(1).vote("j......")
    public = play.question_for(None)
    assert public is not None
    assert (public.seats, public.options, public.answers, public.args) == (tuple(range(7)), (), (), ())


def test_a_seat_sees_its_own_options_and_answer_only() -> None:
    play = Play(7).nominate(1).vote("jn.....")
    own = play.question_for(1)
    assert own is not None
    assert (own.seats, own.options, own.answers) == ((1,), (("ja", "nein"),), (1,))
    assert play.waiting == (2, 3, 4, 5, 6)


def meeting(*answers: int | None) -> engine.Question:
    options = (seats(0, 1, 2), seats(0, 1, 3))
    return engine.Question(
        NINE, "bugging", ("x",), seats(3, 2), options, answers, changeable=True, meeting=True
    )


def test_only_those_at_a_meeting_see_the_choices() -> None:
    question = meeting(0, None)
    for seat in (2, 3):
        own = question.for_seat(engine.Seat(seat))
        assert own is not None
        assert (own.seats, own.answers, own.args) == ((3, 2), (0, None), ())
    assert question.for_seat(engine.Seat(0)) is None
    assert question.in_public() == meeting(None, 1).in_public() == engine.Question(
        NINE, "bugging", (), (), (), (), changeable=True, meeting=True
    )  # fmt: skip


@pytest.mark.rule("R7.5")
def test_nobody_waits_for_a_meetings_last_answer() -> None:
    play = Play(7)
    play.game = engine.Game(play.setup, play.game.chance, play.game.table, (), meeting(0, None), NINE)
    assert engine.waiting_on(play.game) == ()
    play.send(2, 1).send(2, 2).send(3, 1)
    assert play.question.answers == (1, 2)
    assert play.new == ()


@pytest.mark.rule("R7.5")
def test_a_finished_meeting_is_not_the_clocks_doing() -> None:
    play = Play(7)
    asked = engine.Question(
        NINE, "kill", (), seats(3), (seats(0, 1, 2),), (1,), changeable=True, meeting=True
    )
    play.game = engine.Game(play.setup, play.game.chance, play.game.table, (("end-round",),), asked, NINE)
    play.clock()
    assert play.kinds() == ["Killed", "RoundEnded", "CandidacyPassed"]


def test_cards_that_lie_face_down_are_numbered_not_named() -> None:
    asked = engine.Question(NINE, "enact", (), seats(3), (("fascist", "liberal", "veto"),), (None,), blind=2)
    own = asked.for_seat(engine.Seat(3))
    assert own is not None
    assert own.options == (("card/0", "card/1", "veto"),)


def test_inputs_are_never_changed() -> None:
    play = Play(9).nominate(3)
    before = deepcopy(play.game)
    for seat in range(9):
        engine.answer(play.game, engine.Reply(engine.Seat(seat), play.question.number, 0))
    engine.time_out(play.game)
    engine.question_for(play.game, engine.Seat(0))
    engine.waiting_on(play.game)
    assert play.game == before
