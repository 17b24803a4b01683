"""``python -m sandbox crowd``: two hundred rooms at once, ballots at the same moment, workers killed.

Rooms play whole games against dynoxide, which can really be raced, through worker processes that each have
an app of their own. Twice: once undisturbed, and once with workers killed in the middle of their work. Then
every write that the table made is held against the rules and against what people tapped.

    company   one room's people, who all act at once
    town      Telegram, queue, schedule, and time that leaps where nobody has anything to do
    crew      the worker processes, who dies and who comes;  worker: what runs in each
    figures   what a crowd came to
    stream    the table's own record of its writes
    verdict   what must hold: taps, versions, rules;  messages: what was posted
"""

import argparse
import resource
import signal
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from sandbox.dynoxide import BINARY, PACKAGE, running

from .figures import CrowdFigures
from .report import write_report
from .stream import writes_of_rooms
from .town import TABLE, Order, Town
from .verdict import Judge
from .worker import Prepare

__all__ = ["CrowdFigures", "Order", "add_arguments", "play", "run"]

#: In the second run a worker is to be killed in one of this many jobs, unless the job is done before.
KILL = 100
#: The most broken promises printed for a run.
_SHOWN = 20


def play(order: Order, prepare: Prepare | None = None) -> CrowdFigures:
    """Play a crowd's games, on a table of their own, and judge them.

    ``prepare`` runs in each worker before anything else: tests break the bot with it.
    """
    used = _cpu()
    with TemporaryDirectory() as folder, running(Path(folder) / "table") as dynoxide:
        town = Town(order, dynoxide, Path(folder) / "table", prepare)
        began = time.monotonic()
        town.play()
        seconds, own = time.monotonic() - began, time.process_time()
        verdict = Judge(town).judge(writes_of_rooms(dynoxide.port, TABLE))
        judging = time.process_time() - own
    return CrowdFigures(
        order,
        verdict,
        conflicts=town.conflicts,
        killed=town.crew.killed,
        messages=town.messages.posts.total(),
        lost_messages=town.messages.lost,
        doubled_messages=town.messages.doubled,
        seconds=seconds,
        cpu=_cpu() - used - judging + town.crew.cpu,
    )


def _cpu() -> float:
    """Processor seconds of this process and of those that it started itself and saw end."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--rooms", type=int, default=200)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument(
        "--kill",
        type=int,
        default=KILL,
        help="in the second run, kill a worker in one of this many jobs (default: %(default)s)",
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of the games and choices (default: %(default)s)"
    )
    parser.add_argument(
        "--seconds", type=float, default=1200, help="fail a run that takes longer (default: %(default)s)"
    )
    parser.add_argument("--report", action="store_true", help="write the figures to docs/measurements.md")


def run(args: argparse.Namespace) -> int:
    """Run both; return 1 if a promise was broken."""
    if not BINARY.exists():
        print(f"crowd: dynoxide is not installed: npm install --no-save --prefix .tools {PACKAGE}")
        return 1
    # Told to stop, it stops the processes it started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    calm = Order(args.rooms, args.workers, args.seed, seconds=args.seconds)
    runs = []
    for order in (calm, replace(calm, kill=args.kill)):
        played = play(order)
        runs.append(played)
        print(", ".join(f"{name}: {value}" for name, value in played.figures().items()), flush=True)
        for broken in played.verdict.broken[:_SHOWN]:
            print(f"    {broken}", flush=True)
    if args.report:
        options = (f" --{name} {getattr(args, name)}" for name in ("rooms", "workers", "kill", "seed"))
        write_report(runs, f'make crowd ARGS="--report{"".join(options)}"')
    return 1 if any(played.verdict.broken for played in runs) else 0
