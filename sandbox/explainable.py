"""``python -m sandbox explainable``: write a game to a file for ``python -m ai.explain``.

By default, computers play a new game. With ``--archive``, the game comes from a group's export
(``python -m operate export``). The file then holds every role, hand and ballot of that game, but no names.
"""

import argparse
import base64
import json
import zlib
from pathlib import Path
from typing import Any

from ai.explain import to_plain
from bot.records.archive import ReplayableGame, decode_replayable
from engine import Chance, Setup, start
from engine.facts import Opened
from infra.store.table import GAME_PREFIX
from sandbox.computer_games import NOVICE, RANDOM, SEASONED, play_computer_game
from sandbox.promises.answers import find_answers


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


def load_explainable(path: Path, number: int | None) -> dict[str, Any]:
    """Return one game of a group's export as plain data for JSON.

    ``number``: the game's number in its group; None: the latest finished game. Raises ValueError if the
    export has no such game, or if this code would play it differently.
    """
    items = json.loads(path.read_text(encoding="utf-8"))
    # A sort key begins with the time of the game's end.
    games = sorted(items, key=lambda item: str(item["sk"]["S"]))
    bodies = [item["body"]["B"] for item in games if item["sk"]["S"].startswith(GAME_PREFIX)]
    decoded = [decode_replayable(zlib.decompress(base64.b64decode(body))) for body in bodies]
    found = [game for game in decoded if number in (None, game.number)]
    if not found:
        raise ValueError("no such game was archived")
    return to_explainable(found[-1])


def to_explainable(game: ReplayableGame) -> dict[str, Any]:
    """Return an archived game as plain data for JSON. Raises ValueError if it cannot be played again."""
    opened = game.log[0].fact
    assert isinstance(opened, Opened)
    chance = game.proof.chance(opened.setup, game.number)
    first, told = start(opened.setup, chance)
    if told != tuple(game.log[: len(told)]):
        raise ValueError("this code deals another game from the same seed")
    answers, _ = find_answers(first, game.log[len(told) :])
    return to_plain(opened.setup, chance, answers, game.claims)
