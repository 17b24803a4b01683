"""``python -m sandbox explainable``: write a game to a file for ``python -m ai.explain``.

By default, computers play a new game. With ``--archive``, the game comes from a group's export
(``python -m operate export``). The file then holds every role, hand and ballot of that game, but no names.
"""

import argparse
import json
from pathlib import Path

from ai.explain import to_plain
from engine import Chance, Setup
from sandbox.archived_game import load_explainable
from sandbox.computer_games import NOVICE, RANDOM, SEASONED, play_computer_game


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
        "--archive", type=Path, help="a group's export: write one of its games instead of a new one"
    )
    parser.add_argument(
        "--game", type=int, help="with --archive, the number of the game in the group (default: the latest)"
    )
    parser.add_argument("output", type=Path, help="the file to write")


def run(args: argparse.Namespace) -> int:
    """Write one game to the file; return 1 if it cannot be found or replayed."""
    if args.archive is not None:
        try:
            plain = load_explainable(args.archive, args.game)
        except (OSError, ValueError, KeyError) as error:
            print(f"{args.archive}: {error}")
            return 1
    else:
        options = dict(option.split("=", 1) for option in args.option)
        setup, chance = Setup(args.ruleset, args.players, options), Chance(f"{args.seed:064x}")
        played = play_computer_game(setup, chance, [args.level] * args.players)
        plain = to_plain(setup, chance, played.replies, played.claims)
    args.output.touch(mode=0o600)
    args.output.write_text(json.dumps(plain, indent=1), encoding="utf-8")
    return 0
