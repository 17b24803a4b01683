"""``python -m sandbox storm``: overload one bot with many games at once, in virtual time.

The real entries run in simulated processes (``sandbox.cloud``) without faults. Telegram accepts thirty posts
and edits a second, and locks the bot out if it keeps calling. Every seat answers after 8 to 50 seconds. A run
without the bot's own pace shows what the pace is good for.
"""

import argparse
from multiprocessing import get_context
from os import cpu_count

from sandbox.measurements import write
from sandbox.processes import play_in_processes
from sandbox.storm.figures import Figures, measure
from sandbox.storm.report import section

#: Numbers of rooms to measure, from a number that works without delays to far too many.
ROOMS = (100, 150, 200, 250, 300, 400, 2000)
#: Virtual seconds of play. For the same time afterwards, nobody answers.
SECONDS = 600
#: Virtual seconds and numbers of rooms of the runs without a pace. Longer runs would show nothing new.
SHORT, BEFORE = 120, (400, 2000)
#: Numbers of rooms of the runs in which some groups are in slow mode and some private chats are full.
LIMITED_CHATS = (400,)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "--rooms", type=_numbers, default=ROOMS, help="numbers of rooms to measure, separated by commas"
    )
    parser.add_argument(
        "--before",
        type=_numbers,
        default=BEFORE,
        help="the same, for runs without the bot's own pace",
    )
    parser.add_argument(
        "--chats",
        type=_numbers,
        default=LIMITED_CHATS,
        help="the same, for runs with groups in slow mode and full private chats",
    )
    parser.add_argument(
        "--seconds", type=int, default=SECONDS, help="virtual seconds to play (default: %(default)s)"
    )
    parser.add_argument("--jobs", type=int, default=cpu_count() or 1)
    parser.add_argument("--dry", action="store_true", help="print the figures, but write no report")


def run(args: argparse.Namespace) -> int:
    """Measure all runs; return 1 if one misses its goals."""
    wanted = [(rooms, SHORT, False, False) for rooms in args.before]
    wanted += [(rooms, args.seconds, True, False) for rooms in args.rooms]
    wanted += [(rooms, args.seconds, True, True) for rooms in args.chats]
    # The longest run first, so that no other process is idle at the end.
    order = sorted(wanted, key=lambda one: -one[0] * one[2])
    spawn = get_context("spawn")
    results = dict(
        play_in_processes(order, _measured, args.jobs, lambda one: (f"{one[0]} rooms", 1), mp_context=spawn)
    )
    report = section([results[one] for one in wanted])
    print("\n".join(report.lines))
    if not args.dry:
        write(report, "make storm")
    return 0 if all(one.reached for one in results.values() if one.limited and one.judged) else 1


def _measured(order: tuple[int, int, bool, bool]) -> Figures:
    rooms, seconds, limited, chats = order
    return measure(rooms, seconds, limited=limited, chats=chats)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(",") if number)
