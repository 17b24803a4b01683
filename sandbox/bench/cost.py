"""Work out a game's cost on AWS, from counted requests and AWS's prices."""

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
#: The share of a processor that Lambda gives to 512 MB. At 1,769 MB it is a whole one.
SHARE = 512 / 1769
#: Seconds that a process waits, while it is billed, for the table and for Telegram.
STORE_SECONDS = 0.008
TELEGRAM_SECONDS = 0.15
#: Processor seconds of HTTP and TLS for each request, which the transports here do not use.
HTTP_SECONDS = 0.001
#: Processor seconds of drawing a board.
PICTURE_SECONDS = 0.12
#: Processor seconds of a cold start, and cold starts in a game: simultaneous taps start processes.
COLD_SECONDS = 0.4
COLD_STARTS = 6


@dataclass(frozen=True, slots=True)
class Counted:
    """A game's requests to AWS."""

    invocations: int
    #: Billed seconds of all invocations, estimated from processor time and waits.
    seconds: float
    read_units: int
    write_units: int
    queue_requests: int

    def bill(self) -> dict[str, tuple[float, float]]:
        """Return (amount, USD) of each billed item."""
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
        """Return the whole game's USD."""
        return sum(usd for _, usd in self.bill().values())


def count(seed: int, ruleset: str = "classic", players: int = 7) -> Counted:
    """Play a game and count its requests."""
    units = Units()
    game = play(ruleset, players, seed, watch=units.watch)
    desk = game.desk
    flushes = sum(cost.calls > 0 for cost in desk.costs)
    requests = sum(cost.reads + cost.writes + cost.calls for cost in desk.costs)
    pictures = desk.telegram.journal.counts().uploads
    processor = (
        desk.measured.seconds
        + requests * HTTP_SECONDS
        + pictures * PICTURE_SECONDS
        + COLD_STARTS * COLD_SECONDS
    )
    waits = sum(cost.reads + cost.writes for cost in desk.costs) * STORE_SECONDS + flushes * TELEGRAM_SECONDS
    return Counted(
        invocations=desk.measured.updates + desk.wakeups,
        seconds=processor / SHARE + waits,
        read_units=units.reads,
        write_units=units.writes + units.index_writes,
        # Each wake-up is sent, received and deleted.
        queue_requests=3 * desk.wakeups,
    )


def rows(games: Sequence[Counted]) -> list[list[str]]:
    """Return the table of costs: medians, price for a million, and USD, with the sum last."""
    worked = []
    total = 0.0
    for what, price in PRICES.items():
        amount = median(game.bill()[what][0] for game in games)
        total += amount * price
        worked.append([what, f"{amount:,.0f}", f"{price * 1e6:.3f}", f"{amount * price:.6f}"])
    return [*worked, ["**a game**", "", "", f"**{total:.6f}**"]]


def run(*, seeds: int = 10) -> Section:
    """Work it out for a 7-player classic game."""
    games = [count(seed) for seed in range(1, seeds + 1)]
    worst = max(game.usd for game in games)
    return Section(
        "Cost",
        f"""A random 7-player classic game, medians of {seeds}: requests and units as counted (a write unit
        a KB of the item, the index's writes and the transaction at the end included), prices
        from AWS's lists (arm64, on demand, without any free tier). Lambda's seconds are
        assumed: the processor time measured here at the {SHARE:.0%} of a processor that 512 MB
        get, {HTTP_SECONDS * 1000:g} ms more of it a request for HTTP and TLS, {PICTURE_SECONDS:g} s
        a board drawn, {COLD_STARTS} cold starts of {COLD_SECONDS:g} s of processor, and waits of
        {STORE_SECONDS * 1000:g} ms for each request to the table and
        {TELEGRAM_SECONDS * 1000:g} ms for each round of messages. Goal: under {REACH:g} USD.""",
        [
            *table(["", "a game", "USD a million", "USD"], rows(games)),
            "",
            f"The dearest of the {seeds} games: {worst:.6f} USD. See `operating.md` for the fixed costs.",
        ],
    )
