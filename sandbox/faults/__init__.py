"""``python -m sandbox faults``: play whole games in which requests fail and processes die.

A seed decides everything: the game, each interleaving and each fault. It plays one game of some ruleset, size
and settings through the real entries, in virtual time (``sandbox.cloud``). Each invocation runs in a
simulated process (a thread) with its own app and clients. The table, the queue, the schedule and Telegram are
shared. Threads take turns at outgoing requests.

    world         the cloud with its faults and its schedule, and Telegram's deliveries
    transports    the connections to Telegram and to the beacon
    people        people who read and tap
    seed_plan     the game that a seed plays
    seed_setup    the group, its people and its stored room
    seed_run      plays the game and checks the promises
    side_actions  things that people do besides answering
    practice      a person who practises in their private chat
    neighbours    other groups, which use up the bot's pace
    ledger        checks messages against outbox entries
    checks        checks rooms at rest (``sandbox.promises`` checks the rules)
    leaks         checks who may read roles, private messages, hands, questions and the seed
    totals        adds up the results of many seeds

An acknowledged update must be stored, unless it would have changed nothing. So an answer in time counts, and
no update is acknowledged while the store does not answer.

Seeds are played in blocks, in one process for each core. ``--report`` stores each finished block in a file
and does not play it again, so that ten thousand seeds can be played bit by bit.
"""

import argparse
import gc
import os
import time
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path

from sandbox.processes import play_in_processes

from .seed_run import Outcome, play
from .totals import Totals, added_up, commit, load_totals, save_totals

__all__ = ["Outcome", "Totals", "add_arguments", "play", "run", "seeds_of"]

#: Seeds in a block.
BLOCK = 20
PROGRESS = Path(__file__).parents[2] / ".cache" / "faults.jsonl"
PROGRESS_STARTS = PROGRESS.with_name("faults-at-the-start.jsonl")


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
        "--report",
        action="store_true",
        help="continue where the last run stopped, and write the summary to docs/measurements.md",
    )
    parser.add_argument(
        "--progress",
        type=Path,
        help="the file in which --report stores its progress (default: faults.jsonl in .cache)",
    )


def run(args: argparse.Namespace) -> int:
    """Play the seeds; return 1 if a promise was broken."""
    if args.trace:
        return _traced(args.seeds, args.starts)
    notes = args.progress or (PROGRESS_STARTS if args.starts else PROGRESS)
    before = {b: totals for b, totals in load_totals(notes).items() if args.report and len(b) == BLOCK}
    done, new, began = {**before}, 0, time.monotonic()
    code = commit()
    todo = [b for b in blocks(args.seeds) if b not in before]
    for block, outcomes in _played(todo, args.jobs, args.starts):
        totals = done[block] = Totals()
        for outcome in outcomes:
            totals.add(outcome, code)
            _print_broken(outcome, args.starts)
        new += totals.seeds
        print(f"{block.start}:{block.stop} done, {new / (time.monotonic() - began):.1f} a second", flush=True)
        if args.report:
            save_totals(notes, block, totals)
    asked = added_up(done[block] for block in blocks(args.seeds))
    print("\n".join(asked.lines()))
    if args.report:
        _report(added_up(done.values()), [*done], args.starts)
    return 1 if asked.failed else 0


def blocks(seeds: range) -> list[range]:
    """Split the seeds into blocks, which begin at multiples of ``BLOCK``."""
    bounds = [seeds.start, *range(seeds.start - seeds.start % BLOCK + BLOCK, seeds.stop, BLOCK), seeds.stop]
    return [range(first, last) for first, last in pairwise(bounds) if first < last]


def _played(todo: list[range], jobs: int, starts: bool) -> Iterator[tuple[range, list[Outcome]]]:
    """Yield each block with its outcomes, in order."""
    context = get_context("spawn")
    started = context.Value("i", 0)
    pool = {"mp_context": context, "initializer": _tune, "initargs": (started,)}
    yield from play_in_processes(todo, partial(_block, starts=starts), jobs, _describe, **pool)


def _describe(block: range) -> tuple[str, int]:
    """Return a block's name and size, for the progress bar."""
    return f"{block.start}:{block.stop}", len(block)


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


def _block(seeds: range, *, starts: bool) -> list[Outcome]:
    return [play(seed, starts=starts) for seed in seeds]


def _traced(seeds: range, starts: bool) -> int:
    broken = False
    for seed in seeds:
        outcome = play(seed, print, starts=starts)
        _print_broken(outcome, starts)
        broken = broken or bool(outcome.broken)
    return int(broken)


def _print_broken(outcome: Outcome, starts: bool) -> None:
    for broken in outcome.broken:
        print(f"seed {outcome.seed} ({outcome.setup}): {broken}", flush=True)
    if outcome.broken:
        seeds, options = f"{outcome.seed}:{outcome.seed + 1}", "--starts --trace" if starts else "--trace"
        print(f"    python -m sandbox faults --seeds {seeds} {options}", flush=True)


def _report(totals: Totals, played: list[range], starts: bool) -> None:
    from sandbox.measurements import Section, write

    title, method = ("Faults at the start", _STARTS) if starts else ("Faults", _WHOLE_GAMES)
    first, last = min(b.start for b in played), max(b.stop for b in played)
    options = "--starts --report" if starts else "--report"
    write(Section(title, method, totals.lines()), f'make faults SEEDS={first}:{last} ARGS="{options}"')


_WHOLE_GAMES = """Whole games of every ruleset through the real entries, in virtual time. Each invocation runs
in a process that may die at any request. The seed decides every interleaving and every fault. In three of ten
seeds, some of the players are computers. In a quarter, other groups use up so much of the bot's pace that
messages wait. In a tenth, another person practises in their private chat. In a seventh, the group is in slow
mode for a while; and some private chats refuse messages for a while. After each game, and once during it,
this is checked: the game ended, or waits for exactly the people that its state names; every seat can reach
its prompt; no step was done twice; each computer decided once; no message was lost, none was doubled unless
an answer was lost, and all are in order within each chat; every acknowledged update reached the store; nobody
was shown anything that
they may not know. Goal: 10,000 seeds without a failure."""

_STARTS = """From the lobby to the roles, through the seal and the beacon's round. Seeds and checks are those
of *Faults*, with three times as many faults. A game ends once its roles are dealt. Goal: 500 seeds without a
failure."""
