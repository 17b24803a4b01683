"""Pairs of worlds that a viewer cannot tell apart, played side by side until the rules tell them.

Two games differ in what a viewer (a seat, or None: the group) may not know: roles of seats it does not
know, the order of the pile, what others do in secret. Everything else is the same, so what the viewer
sees must be the same, up to the moment when the rules show a difference. The engine's own leak test
compares facts and questions; the same scripts serve to compare messages:

    for worlds in pairs(setup, rng):
        worlds.play()                      # raises Leak
        worlds.left.setup, worlds.left.chance, worlds.right.chance
        worlds.script                      # what was done in each of them, as long as they look alike
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine import (
    SEATS,
    Chance,
    Event,
    Game,
    Question,
    Reply,
    Seat,
    Setup,
    answer,
    question_for,
    start,
    time_out,
    waiting_on,
)
from engine.facts import CandidacyPassed, Dealt, Drew, Fact, Passed, Shuffled
from tests.audiences import REVEALING, knows

#: A reply, or None: the clock answers.
Move = Reply | None
#: The moves in the left world, and in the right one.
Step = tuple[tuple[Move, ...], tuple[Move, ...]]
#: Secret roles that a party may hold as well as any other.
FREE_ROLES = ("monarchist", "anarchist")


class Leak(AssertionError):
    """A viewer can tell two worlds apart that must look alike to it."""


@dataclass
class World:
    """One of the two worlds: its game, and the events of the last step."""

    game: Game
    told: tuple[Event, ...]

    @property
    def chance(self) -> Chance:
        """Return the explicit deal with later decks. A game that starts from it gives this world."""
        return self.game.chance

    def glimpse(self, viewer: int | None) -> list[tuple[Fact, Event]]:
        """Return the facts of the last step as the viewer sees them, each with its event."""
        seen = []
        for event in self.told:
            whole = event.to is None or viewer in event.to
            fact = event.fact if whole else event.fact.scrub()
            if fact is not None:
                seen.append((fact, event))
        return seen

    def do(self, moves: Sequence[Move]) -> None:
        """Make these moves as one step."""
        told: list[Event] = []
        for move in moves:
            self.game, new = time_out(self.game) if move is None else answer(self.game, move)
            told += new
        self.told = tuple(told)


@dataclass
class Worlds:
    """Two worlds that look alike to the viewer. ``play`` continues as long as they do."""

    setup: Setup
    viewer: Seat | None
    left: World
    right: World
    rng: random.Random
    #: Steps after which the viewer still sees no difference.
    script: list[Step] = field(default_factory=list)
    #: The reason for the end: the kind of fact that showed a difference, or "end".
    parted: str = ""

    def play(self) -> "Worlds":
        """Play to the end of the game, or until the rules show a difference. Raises Leak."""
        self._compare_facts()
        while not self.parted:
            self._compare_questions()
            before = (self.left, self.right)
            step = self._choose()
            self.left, self.right = (replace(world) for world in before)
            self.left.do(step[0])
            self.right.do(step[1])
            self._permute_new_pile(before[1], step[1])
            self._compare_facts()
            if not self.parted:
                self.script.append(step)
            if self.left.game.question is None:
                self.parted = self.parted or "end"
        return self

    # --- comparing --------------------------------------------------------------------------------

    def _compare_facts(self) -> None:
        left, right = self.left.glimpse(self.viewer), self.right.glimpse(self.viewer)
        for number in range(max(len(left), len(right))):
            pair = [seen[number] for seen in (left, right) if number < len(seen)]
            if len(pair) == 2 and pair[0][0] == pair[1][0]:
                continue
            kind = next((event.fact.id for _, event in pair if self._may_differ(event)), None)
            if kind is None or _same_hand(*[fact for fact, _ in pair]):
                raise Leak(f"viewer {self.viewer} of {self.setup}: {[fact for fact, _ in pair]}")
            self.parted = kind
            return

    def _may_differ(self, event: Event) -> bool:
        meant_for_viewer = event.to is not None and self.viewer in event.to
        return meant_for_viewer or event.fact.id in REVEALING

    def _compare_questions(self) -> None:
        left, right = self.left.game, self.right.game
        for name, one, other in (
            ("question", question_for(left, self.viewer), question_for(right, self.viewer)),
            ("public question", question_for(left, None), question_for(right, None)),
            ("waiting list", waiting_on(left), waiting_on(right)),
        ):
            if one != other:
                raise Leak(f"viewer {self.viewer} of {self.setup}: the {name}s {one} and {other}")

    # --- choosing ---------------------------------------------------------------------------------

    def _choose(self) -> Step:
        left, right = self.left.game.question, self.right.game.question
        assert left is not None
        assert right is not None
        if left.meeting:
            return self._meet(left, right)
        if self.rng.random() < 0.01:
            return (None,), (None,)
        if left.step == "sealed-veto":
            return self._seal(left)
        seat = self.rng.choice(waiting_on(self.left.game))
        return self._choose_one(seat, left, right)

    def _choose_one(self, seat: int, left: Question, right: Question) -> Step:
        mine, other = (question.options[question.seats.index(seat)] for question in (left, right))
        shared = [option for option in mine if option in other]
        if seat == self.viewer or left.blind or not shared:
            # Both worlds get the same tap, but its option may differ.
            choice = self.rng.randrange(min(len(mine), len(other)))
            return (Reply(Seat(seat), left.number, choice),), (Reply(Seat(seat), right.number, choice),)
        if left.step == "discard" and self.rng.random() < 0.5:
            # Nobody else sees what a President discards.
            return tuple(
                (Reply(Seat(seat), question.number, self.rng.randrange(len(options))),)
                for question, options in ((left, mine), (right, other))
            )  # type: ignore[return-value]
        option = self.rng.choice(shared)
        moves = (
            [Reply(Seat(seat), left.number, mine.index(option))],
            [Reply(Seat(seat), right.number, other.index(option))],
        )
        if left.changeable and len(waiting_on(self.left.game)) > 1 and self.rng.random() < 0.1:
            # Nobody sees that a ballot was changed before all ballots are in.
            moves[0].insert(0, Reply(Seat(seat), left.number, self.rng.randrange(len(mine))))
        return tuple(moves[0]), tuple(moves[1])

    def _meet(self, left: Question, right: Question) -> Step:
        """Return the same answer in both worlds if the viewer meets, else any answers; or end the meeting."""
        if self.rng.random() < 0.4:
            return (None,), (None,)
        if self.viewer in left.seats:
            return self._choose_one(self.rng.choice(left.seats), left, right)
        return tuple(tuple(self._pick(question)) for question in (left, right))  # type: ignore[return-value]

    def _pick(self, question: Question) -> Iterator[Reply]:
        for seat, options in zip(question.seats, question.options, strict=True):
            if self.rng.random() < 0.5:
                yield Reply(seat, question.number, self.rng.randrange(len(options)))

    def _seal(self, question: Question) -> Step:
        """Return sealed ballots that may differ, except the viewer's, but have the same result."""
        choices = [(one, other) for one in (0, 1) for other in (0, 1)]
        first = self.rng.choice(choices)
        vetoed = self._vetoes(question, first)
        own = [at for at, seat in enumerate(question.seats) if seat == self.viewer]
        alike = [
            pair
            for pair in choices
            if self._vetoes(question, pair) == vetoed and all(pair[at] == first[at] for at in own)
        ]
        second = first if question.blind else self.rng.choice(alike)
        return tuple(
            tuple(Reply(seat, question.number, pair[i]) for i, seat in enumerate(question.seats))
            for pair in (first, second)
        )  # type: ignore[return-value]

    @staticmethod
    def _vetoes(question: Question, pair: tuple[int, int]) -> bool:
        return all(options[choice] == "ja" for options, choice in zip(question.options, pair, strict=True))

    def _permute_new_pile(self, before: World, moves: Sequence[Move]) -> None:
        """Change the order of the right world's pile after a reshuffle, since nobody knows the order."""
        piles = [event.fact.pile for event in self.right.told if isinstance(event.fact, Shuffled)]
        if len(piles) == 1 and self.rng.random() < 0.5:
            label = f"deck/{self.right.game.table.shuffles}"
            recorded = {**before.chance.recorded, label: swapped(piles[0], self.rng)}
            self.right = replace(before)
            self.right.game = replace(before.game, chance=replace(before.chance, recorded=recorded))
            self.right.do(moves)


def pairs(setup: Setup, rng: random.Random, viewers: Sequence[Seat | None] = ()) -> Iterator[Worlds]:
    """Yield two worlds that look alike at the start, for each viewer (default: all seats, and the group)."""
    for viewer in viewers or (None, *SEATS[: setup.players]):
        key = rng.randbytes(32).hex()
        left = explicit(setup, key)
        for _ in range(100):
            right = differing(left, rng)
            worlds = Worlds(setup, viewer, _begun(setup, left), _begun(setup, right), rng)
            if _knowledge(setup, worlds.left, viewer) == _knowledge(setup, worlds.right, viewer):
                yield worlds
                break


def explicit(setup: Setup, key: str) -> Chance:
    """Return the chance of a key with an explicit deal: roles, envelopes, first candidate, deck."""
    _, events = start(setup, Chance(key))
    facts = [event.fact for event in events]
    cards = [card(fact) for fact in facts if isinstance(fact, Dealt)]
    (first,) = [fact.seat for fact in facts if isinstance(fact, CandidacyPassed)]
    (pile,) = [fact.pile for fact in facts if isinstance(fact, Shuffled)]
    return Chance(key, {**_secrets(cards), "roles": tuple(cards), "first": (first,), "deck/1": pile})


def card(dealt: Dealt) -> str:
    """Return an envelope's name in an explicit deal: ``liberal``, ``hitler``, ``fascist:monarchist``."""
    return dealt.role if dealt.role in (dealt.party, "hitler") else f"{dealt.party}:{dealt.role}"


def _secrets(cards: Sequence[str]) -> dict[str, tuple[str | int, ...]]:
    split = [one.partition(":") for one in cards]
    return {f"secret/{role}": (party,) for party, _, role in split if role}


def differing(chance: Chance, rng: random.Random) -> Chance:
    """Return another deal: with exchanged envelopes, secret roles or tiles, or the same deal."""
    recorded: dict[str, Any] = dict(chance.recorded)
    how = rng.choice(("envelopes", "envelopes and pile", "pile", "nothing but what is done"))
    if "envelopes" in how:
        cards = list(swapped(recorded["roles"], rng))
        _move_a_secret(cards, rng)
        recorded |= {**_secrets(cards), "roles": tuple(cards)}
    if "pile" in how:
        recorded["deck/1"] = swapped(recorded["deck/1"], rng)
    return replace(chance, recorded=recorded)


def _move_a_secret(cards: list[str], rng: random.Random) -> None:
    """Move a secret role that any party may hold to a seat without one."""
    holders = [seat for seat, one in enumerate(cards) if one.partition(":")[2] in FREE_ROLES]
    plain = [seat for seat, one in enumerate(cards) if ":" not in one and one != "hitler"]
    # The Capitalist and the KGB need a free Liberal and a free Communist, because their party is fixed.
    if holders and plain and rng.random() < 0.5:
        one, other = rng.choice(holders), rng.choice(plain)
        party, _, role = cards[one].partition(":")
        cards[one], cards[other] = party, f"{cards[other]}:{role}"


def swapped(cards: Sequence[str], rng: random.Random) -> tuple[str, ...]:
    """Return the cards with one or two pairs of different ones exchanged."""
    lie = list(cards)
    for _ in range(rng.randrange(1, 3)):
        one = rng.randrange(len(lie))
        if others := [place for place, tile in enumerate(lie) if tile != lie[one]]:
            other = rng.choice(others)
            lie[one], lie[other] = lie[other], lie[one]
    return tuple(lie)


def _same_hand(one: Fact, other: Fact | None = None) -> bool:
    """Return True if two hands differ only in their order, which must not be visible."""
    hands = [sorted(fact.hand) for fact in (one, other) if isinstance(fact, Drew | Passed)]
    return len(hands) == 2 and hands[0] == hands[1]


def _begun(setup: Setup, chance: Chance) -> World:
    return World(*start(setup, chance))


def _knowledge(setup: Setup, world: World, viewer: int | None) -> object:
    """Return what the viewer knows from the start: its envelope, and others that the rules show it."""
    if viewer is None:
        return None
    table = world.game.table
    parties, roles = table.parties, table.roles
    others = [knows(setup, parties, roles, viewer, seat) for seat in range(table.seats) if seat != viewer]
    return parties[viewer], roles[viewer], others
