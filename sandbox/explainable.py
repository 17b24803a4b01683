"""``python -m sandbox explainable``: write a game to a file for ``python -m ai.explain``.

Computers play a new one. With ``--archive`` it is a game of people, from a group's export
(``python -m operate export``). The file then holds every role, hand and ballot of that game, but no names.
"""

import argparse
import json
from pathlib import Path

from ai.explain import to_plain
from engine import Chance, Setup
from sandbox.archived import explainable
from sandbox.minds import NOVICE, RANDOM, SEASONED, mind_game


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``python -m sandbox explainable``."""
    parser.add_argument(
        "--ruleset", default="classic@1", help="a ruleset with its version (default: %(default)s)"
    )
    parser.add_argument("--players", type=int, default=7)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--level", choices=(SEASONED, NOVICE, RANDOM), default=SEASONED)
    parser.add_argument("--seed", type=int, default=1, help="seed of the game (default: %(default)s)")
    parser.add_argument(
        "--archive", type=Path, help="read a group's export, and write one of its games instead"
    )
    parser.add_argument("--game", type=int, help="number of that game in the group (default: the latest)")
    parser.add_argument("output", type=Path, help="the file to write")


def run(args: argparse.Namespace) -> int:
    """Write one game; return 1 if it cannot be found or replayed."""
    if args.archive is not None:
        try:
            plain = explainable(args.archive, args.game)
        except (OSError, ValueError, KeyError) as error:
            print(f"{args.archive}: {error}")
            return 1
    else:
        options = dict(option.split("=", 1) for option in args.option)
        setup, chance = Setup(args.ruleset, args.players, options), Chance(f"{args.seed:064x}")
        played = mind_game(setup, chance, [args.level] * args.players)
        plain = to_plain(setup, chance, played.replies, played.claims)
    args.output.touch(mode=0o600)
    args.output.write_text(json.dumps(plain, indent=1), encoding="utf-8")
    return 0
