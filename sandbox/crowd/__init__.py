"""``python -m sandbox crowd``: play two hundred rooms at once with real races, and kill workers.

Rooms play whole games through worker threads, each with its own app, against dynoxide, so that writes can
really race. There are two runs: in the second one, workers are killed during a job. Afterwards each write of
the table is checked against the rules and against the taps.

    room         one room and its people, who all act at the same moment
    simulation   all rooms with Telegram, the queue and the schedule; time leaps when a worker is idle
    worker       does jobs in a thread
    stream       reads the table's record of its writes
    verdict      checks taps, versions and rules
    messages     checks posts
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from sandbox.dynoxide import BINARY, PACKAGE, running
from sandbox.measurements import Section, table, write

from .room import SIZES, TWICE
from .simulation import COPIED, REPEATED, TABLE, RunSettings, Simulation
from .stream import writes_of_rooms
from .verdict import Judge

__all__ = ["Played", "RunSettings", "add_arguments", "play", "run"]

#: In the second run, one in this many jobs is chosen to have its worker killed.
KILL = 100
#: The maximum number of broken promises to print for a run.
_SHOWN = 20
#: The figures of a run, in the order of the report.
FIGURES = """games that ended|dealt as sealed|killed|taps that answer|joins|computers|twice|answers|lost
doubled|came after the clock|versions of rooms|conflicts|messages|messages lost|messages doubled|seconds"""

_SIZES = ", ".join(f"{name} with {players}" for name, players in SIZES)
METHOD = f"""Rooms play whole games at once through worker threads against dynoxide. Each worker has its
    own app and client. The rooms take these games in turn: {_SIZES}; with one option or none. Every fourth
    room has ballots in the group, and every third has computers in some of its seats. All join at the same
    moment, and all who must answer a question tap at the same moment. {TWICE:.0%} of the answers are tapped
    twice, {REPEATED:.0%} of the updates come again under their id while a worker is busy with the first
    delivery, and {COPIED:.0%} under a new id. In the second run, workers are killed at a request or an answer
    in the middle of a job, and its update or wake-up comes again. Afterwards the table's record of its writes
    is checked: every version follows from the one before by one legal step, every game was dealt from its
    sealed round, every acknowledged answer is in its game once, everybody has one seat and the computers have
    theirs, no update was applied twice. Posts are compared with the rooms' outbox entries; only what a killed
    worker had just posted may appear twice. *Twice*: second taps and repeated updates. *Answers*: one for
    each person and question. *Conflicts*: saves that were refused because another save was first, and were
    repeated. Virtual time is slower than real time while all workers are busy, and leaps when one is idle.
    Goal: every game ends, nothing is lost, nothing is doubled."""


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
        simulation.play()
        seconds = time.monotonic() - began
        judge = Judge(simulation)
        judge.judge(writes_of_rooms(dynoxide.port, TABLE))
    messages = simulation.messages
    judge.counts.update(
        {
            "killed": simulation.killed,
            "conflicts": simulation.conflicts,
            "messages": messages.posts.total(),
            "messages lost": messages.lost,
            "messages doubled": messages.doubled,
            "seconds": round(seconds),
        }
    )
    figures = {name: judge.counts[name] for line in FIGURES.splitlines() for name in line.split("|")}
    return Played(settings, figures, judge.broken)


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
        write(section(runs), f'make crowd ARGS="--report{"".join(options)}"')
    return 1 if any(played.broken for played in runs) else 0


def section(runs: Sequence[Played]) -> Section:
    """Return the section of ``docs/measurements.md`` with the figures of both runs."""
    names = ["undisturbed" if played.settings.kill is None else "workers killed" for played in runs]
    rows: list[list[object]] = [
        [name, *(f"{played.figures[name]:,}" for played in runs)] for name in runs[0].figures
    ]
    rows += [["promises broken", *(len(played.broken) for played in runs)]]
    return Section("Crowd", METHOD, table(["", *names], rows))
