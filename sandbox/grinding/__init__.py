"""``python -m sandbox grinding``: what an operator in league with a player can do to the deal, measured.

The old scheme (a seal, and how often each player shook) beside the one that is played by (a seal, then a
public beacon). Written into ``docs/measurements.md``; what follows from it,
``docs/decisions/0016-why-a-public-beacon.md``.
"""

import argparse
import random

from sandbox.bench.report import Section, write
from sandbox.grinding.attacks import Goal, abandoned, foreknown, moments, seeds_for_every_count, unforeseen
from sandbox.grinding.report import section

#: In the old scheme: the counts of one honest player for which a seed must suit, from none on.
REACH = 13
#: Attempts given up, at most.
ATTEMPTS = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("--lobbies", type=int, default=2000, help="of each kind (default: %(default)s)")
    parser.add_argument("--reach", type=int, default=REACH, help="counts that a seed must suit")
    parser.add_argument("--seed", type=int, default=1, help="decides all of it (default: %(default)s)")
    parser.add_argument("--print", action="store_true", help="show the section and leave the report alone")


def run(args: argparse.Namespace) -> None:
    """Measure, and write the section."""
    made = measured(args.lobbies, args.reach, random.Random(args.seed))
    print("\n".join(made.lines))
    if not args.print:
        write(made, "python -m sandbox grinding")


def measured(lobbies: int, reach: int, rng: random.Random) -> Section:
    """Every attack, on both schemes."""
    side, hitler = Goal.side(7), Goal.hitler(7)
    return section(
        lobbies=lobbies,
        reach=reach,
        seed_found=seeds_for_every_count(Goal.side(5), reach, rng),
        old={goal: moments(goal, lobbies, rng) for goal in (side, hitler)},
        new={goal: unforeseen(goal, lobbies, rng) for goal in (Goal.side(5), side, hitler)},
        known={goal: foreknown(goal, lobbies // 10, rng) for goal in (side, hitler)},
        attempts={goal: abandoned(goal, ATTEMPTS, lobbies, rng) for goal in (side, hitler)},
    )
