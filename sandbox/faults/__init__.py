"""``python -m sandbox faults``: whole games under faults; one seed decides everything that happens.

A seed plays one game of some ruleset, size and settings through the real entries: each invocation in a
process (thread) with its own app, its own clients; a table, a queue, a schedule and a Telegram that all
live in this process, in virtual time. Threads hand over the baton at each outgoing request, so that the
seed decides every interleaving and every fault.

    machine     events in virtual time, and processes that run one at a time
    fates       what may become of a request, and the weather of a seed
    network     the way of a request there and back
    transports  what a process is built with
    world       the cloud: entries, queue, schedule, Telegram's deliveries
    people      who read and tap;  story: what they play
    ledger, history, checks   the promises: messages, rules, and what must hold at rest
"""

import argparse
import time
from collections import Counter
from dataclasses import dataclass, field

from .fates import Fate
from .story import Outcome, play

__all__ = ["Outcome", "Totals", "add_arguments", "play", "run", "seeds_of"]


@dataclass(slots=True)
class Totals:
    """What many seeds came to."""

    seeds: int = 0
    failed: list[int] = field(default_factory=list)
    invocations: int = 0
    steps: int = 0
    doubled: int = 0
    hours: float = 0.0
    fates: Counter[Fate] = field(default_factory=Counter)
    rulesets: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: Outcome) -> None:
        """One more seed."""
        self.seeds += 1
        self.failed += [outcome.seed] if outcome.broken else []
        self.invocations += outcome.invocations
        self.steps += outcome.steps
        self.doubled += outcome.doubled
        self.hours += outcome.hours
        self.fates += outcome.fates
        self.rulesets[outcome.setup.partition("@")[0]] += 1

    def lines(self) -> list[str]:
        """As Markdown."""
        games = ", ".join(f"{name} {count}" for name, count in sorted(self.rulesets.items()))
        head = [
            f"{self.seeds:,} seeds, {len(self.failed)} failed; games: {games}.",
            f"{self.steps:,} steps of games in {self.hours:,.0f} virtual hours.",
            f"{self.invocations:,} invocations of the entries.",
            f"{self.fates.total():,} faults; {self.doubled:,} messages doubled, each where it is allowed.",
            "",
            "| fault | how often |",
            "| --- | ---: |",
        ]
        return head + [f"| {fate} | {self.fates[fate]:,} |" for fate in Fate if fate is not Fate.WELL]


def seeds_of(text: str) -> range:
    """``200`` is the first 200 seeds, ``700:900`` those from 700 to 899. Raises ValueError."""
    first, colon, last = text.partition(":")
    return range(int(first), int(last)) if colon else range(int(first))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("--seeds", type=seeds_of, default=range(200), help="200, or a range 700:900")
    parser.add_argument("--trace", action="store_true", help="say everything that happens (for one seed)")
    parser.add_argument("--report", action="store_true", help="write the summary to docs/measurements.md")


def run(args: argparse.Namespace) -> int:
    """Play the seeds; 1 when one of them broke a promise."""
    totals, began = Totals(), time.monotonic()
    for seed in args.seeds:
        outcome = play(seed, print if args.trace else None)
        totals.add(outcome)
        for broken in outcome.broken:
            print(f"seed {seed} ({outcome.setup}): {broken}", flush=True)
        if outcome.broken:
            print(f"    python -m sandbox faults --seeds {seed}:{seed + 1} --trace", flush=True)
        if totals.seeds % 100 == 0:
            rate = totals.seeds / (time.monotonic() - began)
            print(f"{totals.seeds} seeds, {len(totals.failed)} failed, {rate:.1f} a second", flush=True)
    lines = totals.lines()
    print("\n".join(lines))
    if args.report:
        _report(args.seeds, lines)
    return 1 if totals.failed else 0


def _report(seeds: range, lines: list[str]) -> None:
    from sandbox.bench.report import Section, write

    method = """Whole games of every ruleset through the real entries, in virtual time, each invocation in
        a process of its own that may die at any request; one seed decides every interleaving and every
        fault. After each game, and once in its middle: it ended or waits for exactly the people its state
        says, every seat can reach its prompt, no step twice, no message lost, none doubled without a lost
        answer, order within each chat. To reach: 10,000 seeds without a failure."""
    write(Section("Faults", method, lines), f"make faults SEEDS={seeds.start}:{seeds.stop} ARGS=--report")
