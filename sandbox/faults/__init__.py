"""``python -m sandbox faults``: play whole games in which requests fail and processes die.

A seed decides everything: the game, each interleaving and each fault. It plays one game of some ruleset, size
and settings through the real entries, in virtual time (``sandbox.cloud``). Each invocation runs in a
simulated process (a thread) with its own app and clients. The table, the queue, the schedule and Telegram are
shared. Threads take turns at outgoing requests.

    world         the cloud with its faults, its schedule and its connections, and Telegram's deliveries
    people        people who read and tap
    seed_run      the game that a seed plays: sets it up, plays it and checks the promises
    practice      a person who practises in their private chat
    ledger        checks messages against outbox entries
    checks        checks rooms at rest (``sandbox.promises`` checks the rules)
    leaks         checks who may read roles, private messages, hands, questions and the seed

An acknowledged update must be stored, unless it would have changed nothing. So an answer in time counts, and
no update is acknowledged while the store does not answer.

Each seed is played by one process, in as many processes as there are cores.
"""

import argparse
import gc
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from multiprocessing import get_context
from multiprocessing.sharedctypes import Synchronized

from sandbox.cloud.faults import Fault
from sandbox.measurements import table, write
from sandbox.processes import play_in_processes

from .seed_run import Outcome, play

__all__ = ["Outcome", "add_arguments", "play", "run", "seeds_of"]


def seeds_of(text: str) -> range:
    """Read a range of seeds: ``200`` is 0 to 199, ``700:900`` is 700 to 899. Raises ValueError."""
    first, colon, last = text.partition(":")
    return range(int(first), int(last)) if colon else range(int(first))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "--seeds", type=seeds_of, default=range(200), help="a count such as 200, or a range such as 700:900"
    )
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: %(default)s)"
    )
    parser.add_argument("--trace", action="store_true", help="print each event (use it with one seed)")
    parser.add_argument(
        "--starts",
        action="store_true",
        help="play only from the lobby until the roles are dealt, with more faults",
    )
    parser.add_argument(
        "--report", action="store_true", help="write the summary of these seeds to docs/measurements.md"
    )


def run(args: argparse.Namespace) -> int:
    """Play the seeds; return 1 if a promise was broken."""
    outcomes = []
    for outcome in _played(args):
        outcomes.append(outcome)
        for broken in outcome.broken:
            print(f"seed {outcome.seed} ({outcome.setup}): {broken}", flush=True)
        if outcome.broken:
            options = "--starts --trace" if args.starts else "--trace"
            seeds = f"{outcome.seed}:{outcome.seed + 1}"
            print(f"    python -m sandbox faults --seeds {seeds} {options}", flush=True)
    lines = summary(outcomes)
    print("\n".join(lines))
    if args.report:
        title, options = (
            ("Faults at the start", "--starts --report") if args.starts else ("Faults", "--report")
        )
        seeds = f"{args.seeds.start}:{args.seeds.stop}"
        write(title, lines, f'make faults SEEDS={seeds} ARGS="{options}"')
    return 1 if any(outcome.broken for outcome in outcomes) else 0


def _played(args: argparse.Namespace) -> Iterator[Outcome]:
    """Yield the outcomes of the seeds, in order."""
    if args.trace:
        yield from (play(seed, print, starts=args.starts) for seed in args.seeds)
        return
    context = get_context("spawn")
    pool = {"mp_context": context, "initializer": _tune, "initargs": (context.Value("i", 0),)}
    one = partial(play, starts=args.starts)
    for _, outcome in play_in_processes(args.seeds, one, args.jobs, **pool):
        yield outcome


def _tune(started: "Synchronized[int]") -> None:
    """Tune this process for playing seeds. ``started`` counts the processes."""
    # All garbage of a seed can be collected at its end. Collecting it earlier takes a sixth more time.
    gc.set_threshold(50_000, 20, 50)
    # The threads take turns, and switching between cores takes a third more time. So pin the process to a
    # core.
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        with started.get_lock():
            os.sched_setaffinity(0, {cores[started.value % len(cores)]})
            started.value += 1


def summary(outcomes: Sequence[Outcome]) -> list[str]:
    """Return the results of many seeds as lines of Markdown."""
    rulesets = Counter(outcome.setup.partition("@")[0] for outcome in outcomes)
    faults: Counter[Fault] = sum((outcome.faults for outcome in outcomes), Counter())
    games = ", ".join(f"{name} {count:,}" for name, count in sorted(rulesets.items()))
    failed = sum(bool(outcome.broken) for outcome in outcomes)
    steps, invocations, doubled, hours = (
        sum(getattr(outcome, name) for outcome in outcomes)
        for name in ("steps", "invocations", "doubled", "hours")
    )
    return [
        f"{len(outcomes):,} seeds, {failed} failed; games: {games}.",
        f"{steps:,} steps of games in {hours:,.0f} virtual hours.",
        f"{invocations:,} invocations of the entries.",
        f"{faults.total():,} faults; {doubled:,} messages doubled, where that is allowed.",
        "",
        *table(["fault", "how often"], [[f, f"{faults[f]:,}"] for f in Fault if f is not Fault.NONE]),
    ]
