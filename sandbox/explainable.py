"""``python -m sandbox explainable``: write a game of minds to look into with ``python -m ai.explain``."""

import argparse
import json
from pathlib import Path

from ai.explain import written
from engine import Chance, Setup
from sandbox.minds import NOVICE, RANDOM, SEASONED, mind_game


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``python -m sandbox explainable``."""
    parser.add_argument("--ruleset", default="classic@1", help="with its version (default: %(default)s)")
    parser.add_argument("--players", type=int, default=7)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--level", choices=(SEASONED, NOVICE, RANDOM), default=SEASONED)
    parser.add_argument("--seed", type=int, default=1, help="another number is another game")
    parser.add_argument("output", type=Path)


def run(args: argparse.Namespace) -> None:
    """Play one game and write it down."""
    options = dict(option.split("=", 1) for option in args.option)
    setup, chance = Setup(args.ruleset, args.players, options), Chance(f"{args.seed:064x}")
    played = mind_game(setup, chance, [args.level] * args.players)
    plain = written(setup, chance, played.replies, played.claims)
    args.output.write_text(json.dumps(plain, indent=1), encoding="utf-8")
