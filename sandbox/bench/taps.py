"""Measure a tap in the webhook's entry: its time, with transports that answer at once, and its requests."""

import time
from collections.abc import Iterable, Sequence
from statistics import median, quantiles

from sandbox.bench.measured_games import Cost, MeasuredGame, named, play
from sandbox.harness import TABLE
from sandbox.measurements import table

#: (ruleset, players, options, how many of the players are computers)
PLAYED = (
    ("classic", 7, "none", 0),
    ("classic", 7, "none", 6),
    ("classic", 10, "none", 0),
    ("red-dawn", 12, "all", 0),
    ("xl", 16, "all", 0),
)
#: Games of each kind. If one person plays among computers, play this many times as many, to get about as many
#: taps.
SEEDS, GAMES_ALONE = 5, 8


def p99(figures: Sequence[float]) -> float:
    """Return the 99th percentile of at least two figures."""
    return quantiles(figures, n=100, method="inclusive")[98]


def _figures(ms: Sequence[float], usual: float) -> list[str]:
    """Return median and 99th percentile in ms and as multiples of ``usual``, and the longest in ms."""
    figures = (median(ms), p99(ms))
    return [*(f"{one:.2f}" for one in figures), *(f"{one / usual:.1f}" for one in figures), f"{max(ms):.2f}"]


def floor(game: MeasuredGame, times: int = 200) -> list[float]:
    """Read and write a room ``times`` times through the bot's client; return the milliseconds of each."""
    client, transport_time = game.harness.client, game.harness.transport_time
    body = game.item()["body"]
    key = {"pk": game.item()["pk"], "sk": game.item()["sk"]}
    found = []
    for _ in range(times):
        before, began = transport_time.seconds, time.thread_time()
        client.get_item(TableName=TABLE, Key=key, ConsistentRead=True)
        client.update_item(
            TableName=TABLE,
            Key=key,
            UpdateExpression="SET #b = :b",
            ExpressionAttributeNames={"#b": "body"},
            ExpressionAttributeValues={":b": body},
            ReturnValues="ALL_NEW",
        )
        found.append(1000 * (time.thread_time() - began - (transport_time.seconds - before)))
    return found


def run() -> list[str]:
    """Play games of each kind, and measure every tap."""
    warm = play("classic", 7, 99)  # so that work that a process does once does not count
    bare = floor(warm)
    usual = median(bare)
    rows = [["one read and one write, nothing else", len(bare), *_figures(bare, usual), ""]]
    for ruleset, players, options, computers in PLAYED:
        costs: list[Cost] = []
        for seed in range(1, SEEDS * (GAMES_ALONE if computers else 1) + 1):
            costs += play(ruleset, players, seed, options, computers=computers).harness.costs
        taps = [cost for cost in costs if cost.kind.startswith("answer")]
        toasts = [cost.toast_ms for cost in taps]
        toast = f"{median(toasts):.2f} · {p99(toasts):.2f}"
        figures = _figures([cost.ms for cost in taps], usual)
        rows.append([named(ruleset, players, options, computers), len(taps), *figures, toast])
    head = ["", "taps", "median ms", "p99 ms", "median times", "p99 times", "longest ms", "to the toast"]
    return table(head, rows)


#: The maximum of (reads, writes) for each kind of tap in a running game.
BUDGET = {
    "answer, illegal": (1, 0),
    "answer, nothing sent": (1, 1),
    "answer, something sent": (1, 3),
}


def by_kind(costs: Iterable[Cost]) -> dict[str, list[Cost]]:
    """Group costs by kind of update, in order of first occurrence."""
    kinds: dict[str, list[Cost]] = {}
    for cost in costs:
        kinds.setdefault(cost.kind, []).append(cost)
    return kinds


def count_requests() -> list[str]:
    """Count the requests in whole games."""
    costs: list[Cost] = []
    for seed in range(1, 6):
        costs += play("classic", 7, seed).harness.costs
        costs += play("xl", 12, seed, "all").harness.costs
    rows: list[list[object]] = []
    for kind, found in sorted(by_kind(costs).items()):
        figures = ((cost.reads, cost.writes, cost.calls + cost.in_reply) for cost in found)
        rows.append([kind, len(found), *map(_span, zip(*figures, strict=True))])
    return table(["update", "seen", "reads", "writes", "calls to Telegram"], rows)


def _span(figures: Sequence[int]) -> str:
    low, high = min(figures), max(figures)
    return str(low) if low == high else f"{low}–{high}"
