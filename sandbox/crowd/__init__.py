"""``python -m sandbox crowd``: play two hundred rooms at once with real races, and kill workers.

Rooms play whole games through worker processes, each with its own app, against dynoxide, so that writes can
really race. There are two runs: in the second one, workers are killed during a job. Afterwards each write of
the table is checked against the rules and against the taps.

    room         one room and its people, who all act at the same moment
    simulation   all rooms with Telegram, the queue and the schedule; time leaps when a worker is idle
    pool         starts, kills and replaces the worker processes
    worker       runs in each of them
    stream       reads the table's record of its writes
    verdict      checks taps, versions and rules
    messages     checks posts
    figures      the figures of a run
    report       writes them to docs/measurements.md
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
from .simulation import TABLE, RunSettings, Simulation
from .stream import writes_of_rooms
from .verdict import Judge
from .worker import Prepare

__all__ = ["CrowdFigures", "RunSettings", "add_arguments", "play", "run"]

#: In the second run, one in this many jobs is chosen to have its worker killed.
KILL = 100
#: The maximum number of broken promises to print for a run.
_SHOWN = 20


def play(settings: RunSettings, prepare: Prepare | None = None) -> CrowdFigures:
    """Play the games of a run on a new table, and check them.

    ``prepare`` runs first in each worker. Tests use it to break the bot.
    """
    used = _cpu()
    with TemporaryDirectory() as folder, running(Path(folder) / "table") as dynoxide:
        simulation = Simulation(settings, dynoxide, Path(folder) / "table", prepare)
        began = time.monotonic()
        simulation.play()
        seconds, own = time.monotonic() - began, time.process_time()
        verdict = Judge(simulation).judge(writes_of_rooms(dynoxide.port, TABLE))
        judging = time.process_time() - own
    return CrowdFigures(
        settings,
        verdict,
        conflicts=simulation.conflicts,
        killed=simulation.pool.killed,
        messages=simulation.messages.posts.total(),
        lost_messages=simulation.messages.lost,
        doubled_messages=simulation.messages.doubled,
        seconds=seconds,
        cpu=_cpu() - used - judging + simulation.pool.cpu,
    )


def _cpu() -> float:
    """Return the processor seconds of this process and of its finished children."""
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
    """Play both runs; return 1 if a promise was broken."""
    if not BINARY.exists():
        print(f"crowd: dynoxide is not installed: npm install --no-save --prefix .tools {PACKAGE}")
        return 1
    # On SIGTERM, stop the child processes before the end.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    calm = RunSettings(args.rooms, args.workers, args.seed, seconds=args.seconds)
    runs = []
    for settings in (calm, replace(calm, kill=args.kill)):
        played = play(settings)
        runs.append(played)
        print(", ".join(f"{name}: {value}" for name, value in played.figures().items()), flush=True)
        for broken in played.verdict.broken[:_SHOWN]:
            print(f"    {broken}", flush=True)
    if args.report:
        options = (f" --{name} {getattr(args, name)}" for name in ("rooms", "workers", "kill", "seed"))
        write_report(runs, f'make crowd ARGS="--report{"".join(options)}"')
    return 1 if any(played.verdict.broken for played in runs) else 0
