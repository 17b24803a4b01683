"""``python -m sandbox fair-deal``: measure how far an operator can influence the deal for an accomplice.

It writes a section of ``docs/measurements.md``. Decision 0016 draws the conclusions.
"""

import argparse
import random
from dataclasses import dataclass
from fractions import Fraction

from engine import Chance, Setup, board_of
from engine.proof import chance
from sandbox.beacon import STANDIN_CHAIN, StandinBeacon
from sandbox.measurements import Section, table, write
from sandbox.shares import share

#: How many seeds the operator tries before sealing, and how many values of the beacon they guess.
SEEDS, GUESSES = 32, 8
#: The largest number of attempts to measure.
ATTEMPTS = 5

METHOD = """
The operator helps one player against a deal by the rule book. An attack wins if that player gets a role that
they want. The operator seals a seed and names a round of a public beacon whose value is published later (here
the sandbox's own beacon). Shares are of {lobbies} lobbies each, with 95 % intervals. First attempt: of
{seeds} seeds, the operator seals the one that suits most of {guesses} values (the latest ones, and guesses),
for any seat. Goal: no better than chance at the first attempt; with k attempts, all of them visible, 1 − (1 −
p)^k. For comparison, the first scheme sealed the seed when the lobby opened, and mixed in how often each
player shook. In 4,000 lobbies (2026-11-22, removed since) a host who started when it suited got a player
onto the Fascist side in 99.8 %, and made them Hitler in 85.9 %.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "--lobbies", type=int, default=2000, help="lobbies of each kind (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of all randomness (default: %(default)s)")
    parser.add_argument("--print", action="store_true", help="print the section and do not change the report")


def run(args: argparse.Namespace) -> None:
    """Measure all attacks, and write the section."""
    made = measure(args.lobbies, random.Random(args.seed))
    print("\n".join(made.lines))
    if not args.print:
        write(made, "python -m sandbox fair-deal")


def measure(lobbies: int, rng: random.Random) -> Section:
    """Return the section of the report, with the share of wins of every attack."""
    side, hitler = Goal.side(7), Goal.hitler(7)
    rows = [
        *(
            _row("first attempt", goal, unforeseen(goal, lobbies, rng))
            for goal in (Goal.side(5), side, hitler)
        ),
        *(
            _row("sealed after the round (void)", goal, foreknown(goal, lobbies // 10, rng))
            for goal in (side, hitler)
        ),
    ]
    attempts = [
        [goal.name, k, f"{100 * float(1 - (1 - goal.chance) ** k):.1f}", _share(hits)]
        for goal in (side, hitler)
        for k, hits in enumerate(abandoned(goal, ATTEMPTS, lobbies, rng), start=1)
    ]
    return Section(
        "Fair deal",
        METHOD.format(lobbies=f"{lobbies:,}", seeds=SEEDS, guesses=GUESSES),
        [
            *table(["the attack", "wants to be", "players", "fair %", "found %"], rows),
            "",
            "Giving up unsuitable deals (attempts are numbered, and their seeds opened):",
            "",
            *table(["wants to be (7 players)", "attempts", "1 − (1 − p)^k %", "found %"], attempts),
        ],
    )


def _row(attack: str, goal: "Goal", hits: "Hits") -> list[object]:
    return [attack, goal.name, goal.players, f"{100 * float(goal.chance):.1f}", _share(hits)]


def _share(hits: "Hits") -> str:
    return str(share(hits.hits, hits.lobbies)).replace(" %", "")


@dataclass(frozen=True, slots=True)
class Goal:
    """The roles that the accomplice wants in a game by the rule book."""

    name: str
    players: int
    roles: frozenset[str]

    @classmethod
    def side(cls, players: int) -> "Goal":
        """Return the wish to be on the Fascist side."""
        return cls("on the Fascist side", players, frozenset({"fascist", "hitler"}))

    @classmethod
    def hitler(cls, players: int) -> "Goal":
        """Return the wish to be Hitler."""
        return cls("Hitler", players, frozenset({"hitler"}))

    @property
    def setup(self) -> Setup:
        """Return the game's setup."""
        return Setup("classic@1", self.players)

    @property
    def chance(self) -> Fraction:
        """Return the probability that a fair deal meets the goal."""
        cards = envelopes(self.setup)
        return Fraction(sum(card in self.roles for card in cards), len(cards))

    def met(self, drawn: Chance, seat: int) -> bool:
        """Return True if a deal gives this seat a wanted role."""
        return dealt(self.setup, drawn)[seat] in self.roles


@dataclass(frozen=True, slots=True)
class Hits:
    """The number of lobbies in which an attack succeeded, and the number of all lobbies."""

    hits: int
    lobbies: int


def envelopes(setup: Setup) -> list[str]:
    """Return the roles to deal in a game without secret roles, in the order before the shuffle."""
    return [card for card, count in board_of(setup).roles.items() for _ in range(count)]


def dealt(setup: Setup, drawn: Chance) -> tuple[str, ...]:
    """Return the dealt roles by seat, without computing the rest of the game."""
    return drawn.shuffle("roles", envelopes(setup))


def unforeseen(goal: Goal, lobbies: int, rng: random.Random, seeds: int = SEEDS) -> Hits:
    """Simulate an operator who chooses the seed, but cannot know the round's value.

    They test ``seeds`` seeds against the beacon's latest values and against guesses, and seal the best one.
    Then the sealed round is published.
    """
    harness = StandinBeacon(lambda: 0.0, rng.randrange(2**32))
    hits = 0
    for game in range(1, lobbies + 1):
        seat, round = rng.randrange(goal.players), rng.randrange(10**6, 10**7)
        past = [harness.randomness(round - back) for back in range(1, GUESSES // 2 + 1)]
        guesses = [*past, *(rng.randbytes(32) for _ in range(GUESSES - len(past)))]
        suited = [
            (sum(_gets(goal, seed, seat, game, 1, round, guess) for guess in guesses), seed)
            for seed in (rng.randbytes(32) for _ in range(seeds))
        ]
        hits += _gets(goal, max(suited)[1], seat, game, 1, round, harness.randomness(round))
    return Hits(hits, lobbies)


def foreknown(goal: Goal, lobbies: int, rng: random.Random) -> Hits:
    """Simulate an operator who waits for the round's value, and only then chooses and seals a seed.

    Telegram's date of the seal shows everybody that it came too late, so such an attempt is void.
    """
    harness = StandinBeacon(lambda: 0.0, rng.randrange(2**32))
    hits = 0
    for game in range(1, lobbies + 1):
        seat, round = rng.randrange(goal.players), STANDIN_CHAIN.round_after(rng.random() * 2e9)
        seeds = (rng.randbytes(32) for _ in range(1000))
        hits += any(_gets(goal, seed, seat, game, 1, round, harness.randomness(round)) for seed in seeds)
    return Hits(hits, lobbies)


def abandoned(goal: Goal, most: int, lobbies: int, rng: random.Random) -> list[Hits]:
    """Simulate openly giving up unsuitable deals; return the results of 1, 2, … ``most`` attempts."""
    harness = StandinBeacon(lambda: 0.0, rng.randrange(2**32))
    by_attempt = [0] * most
    for game in range(1, lobbies + 1):
        seat, round = rng.randrange(goal.players), rng.randrange(10**6, 10**7)
        for attempt in range(1, most + 1):
            later = round + 3 * attempt
            if _gets(goal, rng.randbytes(32), seat, game, attempt, later, harness.randomness(later)):
                by_attempt[attempt - 1] += 1
                break
    return [Hits(sum(by_attempt[:k]), lobbies) for k in range(1, most + 1)]


def _gets(goal: Goal, seed: bytes, seat: int, game: int, attempt: int, round: int, randomness: bytes) -> bool:
    drawn = chance(seed, goal.setup, game=game, attempt=attempt, round=round, randomness=randomness)
    return goal.met(drawn, seat)
