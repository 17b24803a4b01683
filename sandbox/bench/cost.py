"""Compute a game's cost on AWS from counted requests and AWS's prices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from sandbox.bench.measured_games import play
from sandbox.bench.units import Units
from sandbox.measurements import Section, table

#: USD, Lambda for arm64, DynamoDB on demand, in eu-central-1's neighbourhood; November 2026.
PRICES = {
    "Lambda request": 0.20 / 1e6,
    "Lambda GB-second": 0.0000133334,
    "DynamoDB read unit": 0.125 / 1e6,
    "DynamoDB write unit": 0.625 / 1e6,
    "SQS request": 0.40 / 1e6,
}
REACH = 0.002
MEMORY_GB = 0.5
#: The share of a processor that a function with 512 MB gets. With 1,769 MB it gets a whole one.
SHARE = 512 / 1769
#: Billed seconds of waiting: for each request to the table, and for each round of messages to Telegram.
STORE_SECONDS = 0.008
TELEGRAM_SECONDS = 0.15
#: Processor seconds of HTTP and TLS for each request. (The transports here use neither.)
HTTP_SECONDS = 0.001
#: Processor seconds of drawing a board.
PICTURE_SECONDS = 0.12
#: Processor seconds of a cold start, and cold starts in a game, since simultaneous taps start processes.
COLD_SECONDS = 0.4
COLD_STARTS = 6


@dataclass(frozen=True, slots=True)
class Counted:
    """A game's use of AWS."""

    invocations: int
    #: Billed seconds of all invocations, estimated from processor time and waits.
    seconds: float
    read_units: int
    write_units: int
    queue_requests: int

    def bill(self) -> dict[str, tuple[float, float]]:
        """Return (amount, USD) by billed item."""
        amounts = {
            "Lambda request": float(self.invocations),
            "Lambda GB-second": self.seconds * MEMORY_GB,
            "DynamoDB read unit": float(self.read_units),
            "DynamoDB write unit": float(self.write_units),
            "SQS request": float(self.queue_requests),
        }
        return {what: (amount, amount * PRICES[what]) for what, amount in amounts.items()}

    @property
    def usd(self) -> float:
        """Return the cost of the game in USD."""
        return sum(usd for _, usd in self.bill().values())


def count(seed: int, ruleset: str = "classic", players: int = 7) -> Counted:
    """Play a game and return its use of AWS."""
    units = Units()
    game = play(ruleset, players, seed, watch=units.watch)
    harness = game.harness
    flushes = sum(cost.calls > 0 for cost in harness.costs)
    requests = sum(cost.reads + cost.writes + cost.calls for cost in harness.costs)
    pictures = harness.telegram.journal.counts().uploads
    processor = (
        harness.measured.seconds
        + requests * HTTP_SECONDS
        + pictures * PICTURE_SECONDS
        + COLD_STARTS * COLD_SECONDS
    )
    waits = (
        sum(cost.reads + cost.writes for cost in harness.costs) * STORE_SECONDS + flushes * TELEGRAM_SECONDS
    )
    return Counted(
        invocations=harness.measured.updates + harness.wakeups,
        seconds=processor / SHARE + waits,
        read_units=units.reads,
        write_units=units.writes + units.index_writes,
        # Each wake-up is sent, received and deleted.
        queue_requests=3 * harness.wakeups,
    )


def rows(games: Sequence[Counted]) -> list[list[str]]:
    """Return the rows of the table: item, median amount, price per million, and USD; the sum comes last."""
    lines = []
    total = 0.0
    for what, price in PRICES.items():
        amount = median(game.bill()[what][0] for game in games)
        total += amount * price
        lines.append([what, f"{amount:,.0f}", f"{price * 1e6:.3f}", f"{amount * price:.6f}"])
    return [*lines, ["**a game**", "", "", f"**{total:.6f}**"]]


def run(*, seeds: int = 10) -> Section:
    """Compute the cost of a 7-player classic game."""
    games = [count(seed) for seed in range(1, seeds + 1)]
    worst = max(game.usd for game in games)
    return Section(
        "Cost",
        f"""A random 7-player classic game, medians of {seeds}. Requests and units are counted (a write unit
        for each KB of the item, with the index's writes and the transaction at the end). Prices are AWS's
        list prices (arm64, on demand, without any free tier). Lambda's seconds are an estimate: the
        processor time measured here, on the {SHARE:.0%} of a processor that a function with 512 MB gets, plus
        {HTTP_SECONDS * 1000:g} ms for each request (HTTP and TLS), {PICTURE_SECONDS:g} s for each drawn
        board, {COLD_STARTS} cold starts of {COLD_SECONDS:g} s of processor time,
        {STORE_SECONDS * 1000:g} ms of waiting for each request to the table and
        {TELEGRAM_SECONDS * 1000:g} ms for each round of messages. Goal: under {REACH:g} USD.""",
        [
            *table(["", "a game", "USD a million", "USD"], rows(games)),
            "",
            f"The most expensive of the {seeds} games: {worst:.6f} USD. See `operating.md` for fixed costs.",
        ],
    )
