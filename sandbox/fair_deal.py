"""``python -m sandbox fair-deal``: measure how far an operator can influence the deal for an accomplice.

It writes a section of ``docs/measurements.md``. Decision 0016 draws the conclusions.
"""

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from engine import Chance, Seat, Setup, board_of
from engine.proof import chance
from sandbox.beacon import StandinBeacon
from sandbox.measurements import share, table, write

#: How many seeds the operator tries before sealing, and how many values of the beacon they guess.
SEEDS, GUESSES = 32, 8
#: The largest number of attempts to measure.
ATTEMPTS = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "--lobbies", type=int, default=2000, help="lobbies of each kind (default: %(default)s)"
    )
    parser.add_argument("--print", action="store_true", help="print the section and do not change the report")


def run(args: argparse.Namespace) -> None:
    """Measure all attacks, and write the section."""
    made = measure(args.lobbies, random.Random(1))
    print("\n".join(made))
    if not args.print:
        write("Fair deal", made, "python -m sandbox fair-deal")


def measure(lobbies: int, rng: random.Random) -> list[str]:
    """Return the lines of the report, with the share of wins of every attack."""
    attacks: list[tuple[str, Callable[[Goal, int, random.Random], int], Sequence[Goal], int]] = [
        ("first attempt", unforeseen, (SIDE_OF_5, SIDE, HITLER), lobbies),
        ("sealed after the round (void)", foreknown, (SIDE, HITLER), lobbies // 10),
    ]
    rows = [
        [name, goal.name, goal.players, f"{100 * goal.chance():.1f}", _share(attack(goal, count, rng), count)]
        for name, attack, goals, count in attacks
        for goal in goals
    ]
    attempts = [
        [goal.name, k, f"{100 * goal.chance(k):.1f}", _share(hits, lobbies)]
        for goal in (SIDE, HITLER)
        for k, hits in enumerate(abandoned(goal, ATTEMPTS, lobbies, rng), start=1)
    ]
    return [
        *table(["the attack", "wants to be", "players", "fair %", "found %"], rows),
        "",
        f"Giving up unsuitable deals (attempts are numbered, and their seeds opened), {lobbies:,} lobbies:",
        "",
        *table(["wants to be (7 players)", "attempts", "1 − (1 − p)^k %", "found %"], attempts),
    ]


def _share(hits: int, lobbies: int) -> str:
    return str(share(hits, lobbies)).replace(" %", "")


@dataclass(frozen=True, slots=True)
class Goal:
    """The roles that the accomplice wants in a game by the rule book."""

    name: str
    players: int
    roles: frozenset[str]

    @property
    def setup(self) -> Setup:
        """Return the game's setup."""
        return Setup("classic@1", self.players)

    def chance(self, attempts: int = 1) -> float:
        """Return the probability that one of some fair deals meets the goal."""
        cards = envelopes(self.setup)
        return 1 - (1 - sum(card in self.roles for card in cards) / len(cards)) ** attempts

    def met(self, seed: bytes, seat: Seat, game: int, attempt: int, round: int, randomness: bytes) -> bool:
        """Return True if a deal gives this seat a wanted role."""
        terms: dict[str, Any] = {"game": game, "attempt": attempt, "round": round, "randomness": randomness}
        return dealt(self.setup, chance(seed, self.setup, **terms))[seat] in self.roles


_FASCISTS = frozenset({"fascist", "hitler"})
SIDE_OF_5, SIDE = (Goal("on the Fascist side", players, _FASCISTS) for players in (5, 7))
HITLER = Goal("Hitler", 7, frozenset({"hitler"}))


def envelopes(setup: Setup) -> list[str]:
    """Return the roles to deal in a game without secret roles, in the order before the shuffle."""
    return [card for card, count in board_of(setup).roles.items() for _ in range(count)]


def dealt(setup: Setup, drawn: Chance) -> tuple[str, ...]:
    """Return the dealt roles by seat, without computing the rest of the game."""
    return drawn.shuffle("roles", envelopes(setup))


def _lobbies(goal: Goal, count: int, rng: random.Random) -> Iterator[tuple[StandinBeacon, int, Seat, int]]:
    """Yield for each lobby the beacon, the game's number, the accomplice's seat, and a round."""
    beacon = StandinBeacon(lambda: 0.0, rng.randrange(2**32))
    for game in range(1, count + 1):
        yield beacon, game, Seat(rng.randrange(goal.players)), rng.randrange(10**6, 10**7)


def unforeseen(goal: Goal, lobbies: int, rng: random.Random, seeds: int = SEEDS) -> int:
    """Simulate an operator who chooses the seed, but cannot know the round's value; return the hits.

    They test ``seeds`` seeds against the beacon's latest values and against guesses, and seal the best one.
    Then the sealed round is published.
    """
    hits = 0
    for beacon, game, seat, round in _lobbies(goal, lobbies, rng):
        past = [beacon.randomness(round - back) for back in range(1, GUESSES // 2 + 1)]
        guesses = [*past, *(rng.randbytes(32) for _ in range(GUESSES - len(past)))]
        suited = [
            (sum(goal.met(seed, seat, game, 1, round, guess) for guess in guesses), seed)
            for seed in (rng.randbytes(32) for _ in range(seeds))
        ]
        hits += goal.met(max(suited)[1], seat, game, 1, round, beacon.randomness(round))
    return hits


def foreknown(goal: Goal, lobbies: int, rng: random.Random) -> int:
    """Simulate an operator who waits for the round's value, and only then chooses and seals a seed.

    Telegram's date of the seal shows everybody that it came too late, so such an attempt is void.
    """
    return sum(
        any(goal.met(rng.randbytes(32), seat, game, 1, round, beacon.randomness(round)) for _ in range(1000))
        for beacon, game, seat, round in _lobbies(goal, lobbies, rng)
    )


def abandoned(goal: Goal, most: int, lobbies: int, rng: random.Random) -> list[int]:
    """Simulate openly giving up unsuitable deals; return the hits within 1, 2, … ``most`` attempts."""
    by_attempt = [0] * most
    for beacon, game, seat, round in _lobbies(goal, lobbies, rng):
        for attempt in range(1, most + 1):
            later = round + 3 * attempt
            if goal.met(rng.randbytes(32), seat, game, attempt, later, beacon.randomness(later)):
                by_attempt[attempt - 1] += 1
                break
    return [*accumulate(by_attempt)]
