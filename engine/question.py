"""Questions, and the steps that ask them. Every decision of a seat is an answer to a question."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NewType, TypeVar

from engine.frozen import frozen

#: A seat's number, from 0 in the order in which the players sit, to the left.
Seat = NewType("Seat", int)
#: Seats in order, more than any ruleset has players: to pair with values that are listed by seat.
SEATS = tuple(map(Seat, range(64)))
#: A question's number in its game, from 1.
QuestionNumber = NewType("QuestionNumber", int)
#: In place of it before the first question.
NONE_ASKED = QuestionNumber(0)
#: A seat by its number; a tile, a ballot ("ja", "nein") or a verb ("veto") by its name.
Option = Seat | str
#: The choice of each seat; None if it did not answer.
Answers = Mapping[Seat, Option | None]
#: A step's arguments: plain data, so that a game's steps to come can be stored.
Argument = int | str | bool | None | tuple[str, ...] | tuple[Seat, ...]

JA = "ja"
NEIN = "nein"
#: The prefix of a hidden card: ``card/0``, ``card/1`` …
CARD = "card/"
#: The prefix of a seat if targets are hidden.
PERSON = "person/"


class Illegal(Exception):
    """An answer or a setup that the rules do not allow. Nothing was changed.

    ``reason`` is a short fixed code, used as a key of texts. It never names anything hidden.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@frozen
class Reply:
    """A seat's answer to a question: the question's number and the index of the chosen option."""

    seat: Seat
    question: QuestionNumber
    choice: int


@frozen
class Question:
    """A question to one or more seats, and the answers so far."""

    number: QuestionNumber
    #: The question's name, which is also the name of the step that takes the answers.
    step: str
    #: Further arguments for the step, besides the answers.
    args: tuple[Argument, ...]
    seats: tuple[Seat, ...]
    #: The options of each asked seat, in the order of ``seats``.
    options: tuple[tuple[Option, ...], ...]
    #: The index of each asked seat's choice, in the order of ``seats``.
    answers: tuple[int | None, ...]
    #: Options that the clock draws from for seats that do not answer. None: their answers stay missing.
    clock: tuple[Option, ...] | None = None
    #: Answers may be changed until the question closes.
    changeable: bool = False
    #: True for a Communist meeting: its seats are secret, see each other's choices, and only time closes it.
    meeting: bool = False
    #: The number of face-down cards. They are the first options of each seat.
    blind: int = 0

    def chosen(self, answers: tuple[int | None, ...] | None = None) -> dict[Seat, Option | None]:
        """Return the chosen option of each asked seat. ``answers``, if given, replace the question's own."""
        given = self.answers if answers is None else answers
        return {
            seat: None if answer is None else options[answer]
            for seat, options, answer in zip(self.seats, self.options, given, strict=True)
        }

    def for_seat(self, seat: Seat) -> "Question | None":
        """Return the question as one seat may see it, or None if the seat is not asked.

        Face-down cards and hidden targets have numbers instead of names. In a meeting, the seat sees the
        others' choices.
        """
        if seat not in self.seats:
            return None
        at = self.seats.index(seat)
        options = self.options[at]
        if self.blind:
            hidden = PERSON if isinstance(options[0], int) else CARD
            options = (*[f"{hidden}{index}" for index in range(self.blind)], *options[self.blind :])
        if self.meeting:
            return replace(self, args=(), clock=None)
        answers = (self.answers[at],)
        return replace(self, args=(), clock=None, seats=(seat,), options=(options,), answers=answers)

    def in_public(self) -> "Question":
        """Return the question as the group may see it: who is asked what, without options and answers.

        A meeting's seats are left out too.
        """
        seats = () if self.meeting else self.seats
        return replace(self, args=(), clock=None, seats=seats, options=(), answers=())


# --- steps --------------------------------------------------------------------------------------------------
# A step of a game and its question. A game stores its steps to come and its question's step by name.

#: A step takes the turn and its arguments. If it takes answers, they come between the two.
Step = Callable[..., None]
S = TypeVar("S", bound=Step)

_ASKS = "asks"


def asks(question: str) -> Callable[[S], S]:
    """Name the question that a step asks. The step of that name takes the answers.

    A step asks one kind of question. ``Turn.ask`` takes the name from here, so the questions of a ruleset are
    known before it is played (see ``engine.gaps``).
    """

    def declared(step: S) -> S:
        vars(step)[_ASKS] = question
        return step

    return declared


def question_of(step: Step) -> str | None:
    """Return the name of the question that a step asks, or None if it asks none."""
    return vars(step).get(_ASKS)


def step_table(*tables: Any) -> dict[str, Step]:
    """Join tables of steps. A later table replaces entries of an earlier one."""
    return {name: step for steps in tables for name, step in steps.items()}
