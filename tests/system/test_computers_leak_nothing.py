"""Two worlds that look alike to a viewer, with computers that think longer if they hide more.

In half of the pairs a person leaves, so that a computer takes their place, and comes back later.

What they choose is what the worlds' script says, so that nothing but their manner could tell the two apart:
each message and the second at which it comes, by the same comparison as in ``test_leaks``.

COMPUTER_LEAKS=100 pytest tests/system/test_computers_leak_nothing.py
"""

import math
import os
import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest

import ai
from bot.conversation.game import computers
from bot.conversation.game.computers import PAUSE
from bot.conversation.game.deadlines import deadline
from engine import Chance, Question, QuestionNumber, Seat, View, answer, start, time_out
from sandbox.harness import harness_in_memory
from tests.engine.builders import open_question
from tests.system.mirror import Side, _compared, watcher, worlds_of
from tests.system.table import Table
from tests.worlds import Leak, Move, Worlds

PAIRS = range(int(os.environ.get("COMPUTER_LEAKS", "2")))
#: Seconds from one step of the script to the next: enough for every pause and every thought.
STEP = 40
#: Seconds that a mind takes, by role. All who meet together take less than their pause.
SLOW = {"liberal": 0.0, "fascist": 1.3, "communist": 0.9, "hitler": 2.1}


@dataclass(frozen=True)
class Script:
    """The acts in one of the worlds, as long as the worlds look alike and nobody calls for the clock."""

    steps: tuple[tuple[Move, ...], ...]
    #: The seats that answer every question: those that computers may play.
    able: frozenset[int]


def script_of(worlds: Worlds, side: int) -> Script:
    script = worlds.script[:-1] if worlds.parted == "end" else worlds.script
    game, _ = start(worlds.setup, (worlds.left if side == 0 else worlds.right).chance)
    late: set[int] = set()
    steps: list[tuple[Move, ...]] = []
    for step in script:
        for move in step[side]:
            question = open_question(game)
            if move is None and not question.meeting:
                return Script(tuple(steps), frozenset(range(worlds.setup.players)) - late)
            if move is None:
                given = zip(question.seats, question.answers, strict=True)
                late |= {seat for seat, answered in given if answered is None}
            game, _ = time_out(game) if move is None else answer(game, move)
        steps.append(step[side])
    return Script(tuple(steps), frozenset(range(worlds.setup.players)) - late)


@dataclass(frozen=True)
class Leaving:
    """A person who leaves before one step of the script, and takes the seat again before a later one."""

    seat: int
    leaves: int
    comes: int


def leaving_in(scripts: Sequence[Script], seats: Collection[int], rng: random.Random) -> Leaving | None:
    """Return a departure of somebody who alone is asked at that time, and comes back later.

    None if nobody is, or if their answers would be half given at one of these moments.
    """
    steps = list(zip(*(script.steps for script in scripts), strict=False))
    alone = [{move.seat for moves in step for move in moves if move is not None} for step in steps]
    found = [(seat, at) for at, asked in enumerate(alone) if len(asked) == 1 for seat in asked & {*seats}]
    for seat, at in rng.sample(found, len(found)):
        back = rng.randrange(at + 1, len(steps) + 1)
        if not any(first < moment <= last for first, last in _given(scripts, seat) for moment in (at, back)):
            return Leaving(seat, at, back)
    return None


def _given(scripts: Sequence[Script], seat: int) -> Iterator[tuple[int, int]]:
    """Return, for each question that a seat answers, the first and last step in which it does so."""
    for script in scripts:
        given: dict[int, list[int]] = {}
        for at, moves in enumerate(script.steps):
            for move in moves:
                if move is not None and move.seat == seat:
                    given.setdefault(move.question, []).append(at)
        yield from ((places[0], places[-1]) for places in given.values())


@dataclass
class WithComputers(Side):
    """One of the two worlds, in which some seats are computers that choose by the script."""

    chosen: Mapping[tuple[Seat, QuestionNumber], int]
    seats: frozenset[int]
    #: Decisions of computers, by seat and question.
    decided: set[tuple[int, int]]
    #: The time of the next step, in seconds since 1970.
    moment: float
    #: The end of the comparison: choices beyond the script have later effects.
    ends: float = math.inf

    def choose(self, view: View, question: Question, *_: Any) -> int:
        """Return the script's choice, after a longer time if the seat hides more."""
        assert view.seat is not None
        if question.step != "ballot":  # ballots have no effect until the last is in
            role = str(view.table.roles[view.seat])
            self.table.harness.clock.advance(SLOW.get(role, 0.9))  # type: ignore[attr-defined]
        self.decided.add((view.seat, question.number))
        if (view.seat, question.number) not in self.chosen:
            self.ends = min(self.ends, self.table.match().opened_at + PAUSE)
        return self.chosen.get((view.seat, question.number), 0)

    def leave(self, seat: int) -> None:
        self.until(self.moment)
        person = self.table.people[seat]
        self.table.tg.send(person, self.table.group, "/leave")
        self.table.harness.settle()
        self.table.tap(person, *self.table.button("quit"))
        self.seats |= {seat}

    def come_back(self, seat: int) -> None:
        self.until(self.moment)
        message, sit = self.table.button("sit")
        self.table.tap(self.table.people[seat], message, sit)
        self.seats -= {seat}

    def until(self, moment: float) -> None:
        harness = self.table.harness
        while (at := harness.queue.next_at) is not None and at <= moment:
            harness.clock.until(at)  # type: ignore[attr-defined]
            harness.settle()
        harness.clock.until(moment)  # type: ignore[attr-defined]

    def step(self, moves: tuple[Move, ...]) -> None:
        """Do people's acts of a step. Computers act by themselves."""
        self.until(self.moment)
        # If computers have voted, nobody changes a last ballot: each gives their final one.
        final = {None if move is None else move.seat: move for move in moves}
        for move in final.values():
            if move is None:
                at = deadline(self.table.room(), self.table.match())
                assert at is not None, "a meeting has its time"
                self.moment = at + 1
                self.until(self.moment)
            elif move.seat not in self.seats and (move.seat, move.question) not in self.decided:
                self._tap(move)
        self.table.harness.settle()
        self.moment += STEP


@contextmanager
def world(worlds: Worlds, which: int, seats: frozenset[int]) -> Iterator[WithComputers]:
    """Yield the harness of one world, whose game has just started."""
    chance: Chance = (worlds.left if which == 0 else worlds.right).chance
    made = [move for moves in script_of(worlds, which).steps for move in moves if move is not None]
    chosen = {(move.seat, move.question): move.choice for move in made}
    with harness_in_memory(seed=1, validated=False) as at, pytest.MonkeyPatch.context() as patched:
        table = Table(at).gather(worlds.setup.players, worlds.setup)
        room = table.room()
        assert room.lobby is not None
        seated = enumerate(room.lobby.players)
        players = tuple(replace(p, id=None, computer=True) if seat in seats else p for seat, p in seated)
        lobby = replace(room.lobby, players=players, host=None)
        table.rewrite(replace(room, lobby=lobby, settings=replace(room.settings, meeting=3600)))
        side = WithComputers(table, worlds.viewer, watcher(table), chosen, seats, set(), 0.0)
        patched.setattr(ai, "choose", side.choose)
        patched.setattr(ai, "say", lambda *_: ())
        table.start(chance)
        side.moment = table.match().opened_at + STEP
        yield side


def compare(number: int) -> int:
    """Play both worlds of a pair; return the number of compared messages, which may be 0. Raises Leak."""
    worlds = worlds_of(number)
    able = script_of(worlds, 0).able & script_of(worlds, 1).able - {worlds.viewer}
    rng = random.Random(f"computers/{number}")
    seats = frozenset(rng.sample(sorted(able), min(len(able), 1 + len(able) // 2)))
    if not seats or len(seats) == worlds.setup.players:
        return 0
    scripts = [script_of(worlds, side) for side in (0, 1)]
    away = leaving_in(scripts, able - seats, rng) if number % 2 else None
    seen, ends = [], math.inf
    for which in (0, 1):
        with world(worlds, which, seats) as side:
            for at, moves in enumerate(scripts[which].steps):
                if away is not None and at == away.leaves:
                    side.leave(away.seat)
                if away is not None and at == away.comes and not side.table.match().over:
                    side.come_back(away.seat)
                side.step(moves)
            side.until(side.moment)
            seen.append(side.seen())
            ends = min(ends, side.ends)
    left, right = ([one for one in each if one[0] == "toast" or one[0] < ends] for each in seen)
    return _compared(worlds, left, right)


@pytest.mark.timeout(0)
@pytest.mark.parametrize("number", PAIRS)
def test_neither_what_computers_do_nor_when_tells_worlds_apart(number: int) -> None:
    assert compare(number) > 10


@pytest.mark.detector
def test_it_finds_a_computer_that_acts_as_soon_as_it_has_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    def at_once(room: Any, known: Any) -> Any:
        outcome = think(room, known)
        assert outcome.room.match is not None
        return computers.act(outcome.room, outcome.room.match, replace(known, now=known.now + PAUSE))

    think = computers.think
    monkeypatch.setattr(computers, "think", at_once)
    with pytest.raises(Leak):
        _ = [compare(number) for number in range(6)]


@pytest.mark.detector
def test_the_search_finds_a_stand_in_timed_by_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computers, "_since", lambda match: match.opened_at)
    with pytest.raises(Leak):
        _ = [compare(number) for number in range(1, 40, 2)]
