"""A turn: everything that happens from one answer (or the start) to the next question.

Each step gets the turn. Through it the step tells facts, asks, or puts further steps on the agenda.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from engine.board import Board, Party
from engine.chance import Chance
from engine.events import Event
from engine.facts import Fact, GameOver
from engine.question import Argument, Option, Question, QuestionNumber, Seat, Step, question_of
from engine.ruleset import Ruleset
from engine.table import BLINDFOLD, Table

#: A step's name and its arguments.
Call = tuple[Argument, ...]


@dataclass(slots=True)
class Turn:
    """The working state of one answer. Its table and agenda are copies, so the old game does not change."""

    rules: Ruleset
    board: Board
    options: Mapping[str, str]
    chance: Chance
    table: Table
    #: The steps to come with their arguments, the next one last. The first to run may also get the answers.
    agenda: list[tuple[Any, ...]]
    asked: QuestionNumber
    question: Question | None = None
    told: list[Event] = field(default_factory=list)
    #: The step that is running.
    step: Step | None = None

    def tell(self, fact: Fact, to: tuple[Seat, ...] | None = None) -> None:
        """Apply a fact to the table. ``to`` are the seats that may know all of it (None: everyone)."""
        self.told.append(Event(fact, to))
        fact.fold(self.table)

    def then(self, *calls: str | Call) -> None:
        """Put steps on the agenda. They run next, in this order, before the steps already there."""
        for call in reversed(calls):
            self.agenda.append((call,) if isinstance(call, str) else call)

    def ask(
        self,
        seats: Iterable[Seat],
        options: Sequence[Option] | Sequence[tuple[Option, ...]],
        *args: Argument,
        clock: Sequence[Option] | None = None,
        changeable: bool = False,
        meeting: bool = False,
        cards: int = 0,
    ) -> None:
        """Ask seats a question. The step named by ``asks`` then runs with their choices and ``args``.

        ``options`` are the same for every seat, or one tuple for each seat. ``clock`` are the options that
        the clock draws from (None: it does not answer). While the table is blindfolded, the first ``cards``
        options are face down and in random order.
        """
        asked = tuple(seats)
        each: tuple[tuple[Option, ...], ...]
        if options and isinstance(options[0], tuple):
            each = tuple(cast(Sequence[tuple[Option, ...]], options))
        else:
            each = (tuple(cast(Sequence[Option], options)),) * len(asked)
        self.asked = QuestionNumber(self.asked + 1)
        if not self.blind:
            cards = 0
        elif cards:
            own = dict(zip(asked, each, strict=True))
            hidden = {s: self.chance.shuffle(f"blind/{self.asked}/{s}", own[s][:cards]) for s in asked}
            each = tuple([(*hidden[seat], *own[seat][cards:]) for seat in asked])
        answers, drawn = (None,) * len(asked), None if clock is None else tuple(clock)
        changeable = changeable or meeting
        self.question = Question(
            self.asked, self.asks, args, asked, each, answers, drawn, changeable, meeting, cards
        )

    def ask_one(self, seat: Seat, options: Sequence[Option], *args: Argument, cards: int = 0) -> None:
        """Ask one seat for one of the options. If it does not answer, the clock draws any of them."""
        self.ask((seat,), options, *args, clock=options, cards=cards)

    @property
    def asks(self) -> str:
        """The name of the question that the running step asks. Raises LookupError if it asks none."""
        if self.step is None or (name := question_of(self.step)) is None:
            raise LookupError(f"{self.step} asks, and does not say what")
        return name

    @property
    def blind(self) -> bool:
        """Return True if players decide without seeing their cards."""
        return bool(self.table.counters) and self.table.counters.get(BLINDFOLD, 0) > 0

    def holders(self, *seats: Seat) -> tuple[Seat, ...]:
        """Return these seats, or none while the table is blindfolded: then nobody knows their own tiles."""
        return () if self.blind else seats

    def win(self, parties: tuple[Party, ...], reason: str) -> None:
        """End the game at once. The rest of the agenda is dropped."""
        self.agenda.clear()
        self.tell(GameOver(self.rules.winners(self.table, parties, reason), reason))

    @property
    def over(self) -> bool:
        """Return True if somebody has won."""
        return self.table.winners is not None

    def run(self) -> None:
        """Run steps until one of them asks, or none is left."""
        while self.agenda and self.question is None:
            name, *args = self.agenda.pop()
            self.step = step = self.rules.steps[name]
            step(self, *args)
