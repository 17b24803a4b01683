"""``python -m sandbox crowd``: play two hundred rooms at once on a local DynamoDB, and kill processes.

Rooms play as in ``sandbox.faults``, but all in one world, and the table is a real server, dynoxide.
There are two runs: in the second one, processes are killed at their requests. The checks are those of
``sandbox.faults``. They read each write from the server's own record.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from sandbox.buttons import ANSWER, question_of
from sandbox.cloud.faults import Fault
from sandbox.dynoxide import BINARY, PACKAGE, running
from sandbox.measurements import table, write

from .simulation import RunSettings, Simulation

__all__ = ["Played", "RunSettings", "add_arguments", "play", "run"]

#: In the second run, a process is killed at one in this many requests.
KILL = 1000
#: The maximum number of broken promises to print for a run.
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Played:
    """A run with its figures by name, and its broken promises."""

    settings: RunSettings
    figures: dict[str, int]
    broken: list[str]


def play(settings: RunSettings) -> Played:
    """Play the games of a run on a new table, and check them."""
    with TemporaryDirectory() as folder, running(Path(folder) / "table") as dynoxide:
        simulation = Simulation(settings, dynoxide, Path(folder) / "table")
        began = time.monotonic()
        broken = simulation.play()
        seconds = round(time.monotonic() - began)
    faults, world = simulation.faults.counted, simulation.world
    taps = [query for query in simulation.telegram.queries.values() if query.data.startswith(f"{ANSWER}|")]
    figures = {
        "games that ended": sum(room.over for room in simulation.rooms),
        "dealt as sealed": world.deals.proven,
        "killed": faults[Fault.KILLED_BEFORE] + faults[Fault.KILLED_AFTER],
        "taps that answer": len(taps),
        "second taps": len(taps) - len({(tap.user.id, question_of(tap.data)) for tap in taps}),
        "updates repeated": faults[Fault.REPLY_LOST] + faults[Fault.COPIED],
        "steps of games": world.history.steps,
        "saves of rooms": simulation.store.saves,
        "conflicts": simulation.store.conflicts,
        "messages": len(world.ledger.owed),
        "messages doubled": world.ledger.doubled,
        "promises broken": len(broken),
        "seconds": seconds,
    }
    return Played(settings, figures, broken)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--rooms", type=int, default=200)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument(
        "--kill",
        type=int,
        default=KILL,
        help="in the second run, kill a process at one in this many requests (default: %(default)s)",
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of the games and choices (default: %(default)s)"
    )
    parser.add_argument(
        "--seconds", type=float, default=3600, help="fail a run that takes longer (default: %(default)s)"
    )
    parser.add_argument("--report", action="store_true", help="write the figures to docs/measurements.md")


def run(args: argparse.Namespace) -> int:
    """Play both runs; return 1 if a promise was broken."""
    if not BINARY.exists():
        print(f"crowd: dynoxide is not installed: npm install --no-save --prefix .tools {PACKAGE}")
        return 1
    calm = RunSettings(args.rooms, args.workers, args.seed, seconds=args.seconds)
    runs = []
    for settings in (calm, replace(calm, kill=args.kill)):
        played = play(settings)
        runs.append(played)
        print(", ".join(f"{name}: {value:,}" for name, value in played.figures.items()), flush=True)
        for broken in played.broken[:_SHOWN]:
            print(f"    {broken}", flush=True)
    if args.report:
        options = (f" --{name} {getattr(args, name)}" for name in ("rooms", "workers", "kill", "seed"))
        write("Crowd", lines(runs), f'make crowd ARGS="--report{"".join(options)}"')
    return 1 if any(played.broken for played in runs) else 0


def lines(runs: Sequence[Played]) -> list[str]:
    """Return the figures of both runs for ``docs/measurements.md``."""
    names = ["undisturbed" if played.settings.kill is None else "processes killed" for played in runs]
    rows: list[list[object]] = [
        [name, *(f"{played.figures[name]:,}" for played in runs)] for name in runs[0].figures
    ]
    return table(["", *names], rows)
