"""The attacks: an operator who knows every seed, in league with the player in one seat."""

import hashlib
import hmac
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from engine import Chance, Setup, board_of
from engine.proof import chance
from sandbox.beacon import DESK, DeskBeacon

#: In the new scheme: so many seeds to choose from before sealing, each tried on so many guessed values.
SEEDS, GUESSES = 32, 8
#: In the old scheme: how often an honest player shakes, at least and at most.
SHAKES = (1, 3)


@dataclass(frozen=True, slots=True)
class Goal:
    """What the accomplice wants to be dealt, in a game of so many by the rule book."""

    name: str
    players: int
    roles: frozenset[str]

    @classmethod
    def side(cls, players: int) -> "Goal":
        """To be on the Fascist side."""
        return cls("on the Fascist side", players, frozenset({"fascist", "hitler"}))

    @classmethod
    def hitler(cls, players: int) -> "Goal":
        """To be Hitler."""
        return cls("Hitler", players, frozenset({"hitler"}))

    @property
    def setup(self) -> Setup:
        """What is played."""
        return Setup("classic@1", self.players)

    @property
    def chance(self) -> Fraction:
        """How likely a fair deal gives it."""
        cards = envelopes(self.setup)
        return Fraction(sum(card in self.roles for card in cards), len(cards))

    def met(self, drawn: Chance, seat: int) -> bool:
        """Whether a seat is dealt it."""
        return dealt(self.setup, drawn)[seat] in self.roles


@dataclass(frozen=True, slots=True)
class Hits:
    """In so many of so many lobbies the accomplice got it."""

    hits: int
    lobbies: int


def envelopes(setup: Setup) -> list[str]:
    """The envelopes of a game without secret roles, in the order in which the deal shuffles them."""
    return [card for card, count in board_of(setup).roles.items() for _ in range(count)]


def dealt(setup: Setup, drawn: Chance) -> tuple[str, ...]:
    """The roles by seat: the deal's first draw, without the rest of the game."""
    return drawn.shuffle("roles", envelopes(setup))


def shaken(seed: bytes, shakes: tuple[int, ...]) -> Chance:
    """The old scheme's chance: the seed keyed with how often each seat shook."""
    return Chance(hmac.digest(seed, ",".join(map(str, shakes)).encode(), hashlib.sha256).hex())


def seeds_for_every_count(goal: Goal, reach: int, rng: random.Random) -> tuple[int, float]:
    """Old scheme: how many seeds, and seconds, until seat 1 gets it whatever one honest player does.

    Whatever: for every count of theirs from 0 to ``reach`` - 1, nobody else shaking.
    """
    began, tried = time.process_time(), 0
    rest = (0,) * (goal.players - 2)
    while True:
        tried += 1
        seed = rng.randbytes(32)
        if all(goal.met(shaken(seed, (0, count, *rest)), 0) for count in range(reach)):
            return tried, time.process_time() - began


def moments(goal: Goal, lobbies: int, rng: random.Random) -> Hits:
    """Old scheme: a host who knows the seed and presses Start when the counts suit seat 1.

    All others are honest, and shake a few times each in any order; the host never shakes. Where no moment
    suited, the game starts after the last shake.
    """
    hits = 0
    for _ in range(lobbies):
        seed = rng.randbytes(32)
        order = [seat for seat in range(1, goal.players) for _ in range(rng.randint(*SHAKES))]
        rng.shuffle(order)
        hits += any(goal.met(shaken(seed, counts), 0) for counts in _counts(order, goal.players))
    return Hits(hits, lobbies)


def _counts(order: list[int], players: int) -> Iterator[tuple[int, ...]]:
    counts = [0] * players
    yield tuple(counts)
    for seat in order:
        counts[seat] += 1
        yield tuple(counts)


def unforeseen(goal: Goal, lobbies: int, rng: random.Random, seeds: int = SEEDS) -> Hits:
    """New scheme, first attempt: the operator chooses the seed, the moment and the accomplice's seat.

    Of so many seeds, that one is sealed which suits most of the values that may come, the last ones that
    did come among them. Then the sealed round comes.
    """
    desk = DeskBeacon(lambda: 0.0, rng.randrange(2**32))
    hits = 0
    for game in range(1, lobbies + 1):
        seat, round = rng.randrange(goal.players), rng.randrange(10**6, 10**7)
        past = [desk.randomness(round - back) for back in range(1, GUESSES // 2 + 1)]
        guesses = [*past, *(rng.randbytes(32) for _ in range(GUESSES - len(past)))]
        suited = [
            (sum(_gets(goal, seed, seat, game, 1, round, guess) for guess in guesses), seed)
            for seed in (rng.randbytes(32) for _ in range(seeds))
        ]
        hits += _gets(goal, max(suited)[1], seat, game, 1, round, desk.randomness(round))
    return Hits(hits, lobbies)


def foreknown(goal: Goal, lobbies: int, rng: random.Random) -> Hits:
    """New scheme, sealed too late: the operator waits for the round and only then chooses the seed.

    This is what Telegram's date on the sealed message shows to everybody, and why such an attempt is void.
    """
    desk = DeskBeacon(lambda: 0.0, rng.randrange(2**32))
    hits = 0
    for game in range(1, lobbies + 1):
        seat, round = rng.randrange(goal.players), DESK.round_after(rng.random() * 2e9)
        seeds = (rng.randbytes(32) for _ in range(1000))
        hits += any(_gets(goal, seed, seat, game, 1, round, desk.randomness(round)) for seed in seeds)
    return Hits(hits, lobbies)


def abandoned(goal: Goal, most: int, lobbies: int, rng: random.Random) -> list[Hits]:
    """New scheme: what does not suit is given up, for all to see; what 1, 2, … ``most`` attempts bring."""
    desk = DeskBeacon(lambda: 0.0, rng.randrange(2**32))
    by_attempt = [0] * most
    for game in range(1, lobbies + 1):
        seat, round = rng.randrange(goal.players), rng.randrange(10**6, 10**7)
        for attempt in range(1, most + 1):
            later = round + 3 * attempt
            if _gets(goal, rng.randbytes(32), seat, game, attempt, later, desk.randomness(later)):
                by_attempt[attempt - 1] += 1
                break
    return [Hits(sum(by_attempt[:k]), lobbies) for k in range(1, most + 1)]


def _gets(goal: Goal, seed: bytes, seat: int, game: int, attempt: int, round: int, randomness: bytes) -> bool:
    drawn = chance(seed, goal.setup, game=game, attempt=attempt, round=round, randomness=randomness)
    return goal.met(drawn, seat)
