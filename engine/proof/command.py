"""The command that recomputes a deal, ``python -m engine.proof``.

The scheme itself is in the package's ``__init__``. The bot imports the scheme, but not this command.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from engine import tiles
from engine.board import Setup
from engine.custom import changed
from engine.game import board_of
from engine.proof import ADDRESSES, GENESIS, PERIOD, chance, commitment, deal, terms
from engine.question import Illegal
from engine.rulesets import ruleset

_RANDOMNESS_BYTES = 32
#: Numbers with more digits are refused. The first round whose number has more is due in the year 2974.
_DIGITS = 10


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command. Exits with status 2 and a message if the arguments do not describe a game."""
    parser = _parser()
    given = parser.parse_args(arguments)
    if given.round is None and given.randomness is not None:
        parser.error("--randomness needs its --round")
    options = {}
    for option in given.option:
        name, told, value = option.partition("=")
        if not told:
            parser.error(f"--option {option}: NAME=VALUE is expected")
        options[name] = value
    setup = Setup(given.ruleset, given.players, options)
    try:
        if given.board is not None:
            setup = replace(setup, board=changed(board_of(setup), given.board))
        sealed = {"game": given.game, "attempt": given.attempt, "round": given.round}
        agreed = terms(setup, **sealed)
        drawn = chance(given.seed, setup, **sealed, randomness=given.randomness)
        lines = list(deal(setup, drawn))
        for number, shuffled in given.deck:
            order = drawn.shuffle(f"deck/{_number(number)}", sorted(_tiles(setup, shuffled)))
            lines.append(f"deck {number}, top first: {' '.join(order)}")
    except Illegal as illegal:
        parser.error(f"no such game: {illegal.reason}")
    except argparse.ArgumentTypeError as wrong:
        parser.error(f"--deck: {wrong}")
    print(f"the seal's seed: {commitment(given.seed)}")
    print(f"the seal's terms: {commitment(agreed.encode())}")
    print(f"the terms: {agreed}")
    print("\n".join([*_public(given.round, given.randomness, given.beacon), *lines]))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m engine.proof", description="Compute a game's deal again, from its proof."
    )
    add = parser.add_argument
    add("--seed", required=True, type=_bytes, help="the opened seed, hexadecimal")
    add("--round", type=_number, help="the beacon's round that was sealed")
    add("--randomness", type=_randomness, help="the round's value; omit it if the deal is not proven")
    add("--ruleset", required=True, help="a ruleset with its version, such as classic@1")
    add("--players", required=True, type=_number, help="number of players")
    add("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the ruleset")
    add("--board", type=_changes, help="the differences from the printed board, as JSON")
    add("--game", required=True, type=_number, help="the game's number in its group")
    add("--attempt", default=1, type=_number, help="the number of the seal (default: %(default)s)")
    names = ("N", "TILES")
    about = "compute the N-th shuffle again; TILES are its tiles, in any order, separated by commas"
    add("--deck", action="append", default=[], nargs=2, metavar=names, help=about)
    about = "the beacon's address, ending in its chain; it is only printed (default: drand's quicknet)"
    add("--beacon", metavar="ADDRESS", help=about)
    return parser


def _public(number: int | None, randomness: bytes | None, beacon: str | None) -> Iterator[str]:
    """Yield the lines that say how to check the randomness, or that the deal is not proven."""
    if number is None or randomness is None:
        yield "not proven: this deal used no beacon, so the operator may have chosen it"
        return
    if beacon is None:
        out = datetime.fromtimestamp(GENESIS + PERIOD * (number - 1), UTC)
        yield f"round {number} of drand's quicknet, published at {out:%Y-%m-%d %H:%M:%S} UTC"
    for address in ADDRESSES if beacon is None else (beacon.rstrip("/"),):
        yield f"look it up: {address}/public/{number}"
    yield f"randomness: {randomness.hex()}"
    yield "This command is offline. Check yourself that the address shows this randomness, and that the seal"
    yield "was forwarded before the round was published."


def _bytes(text: str) -> bytes:
    value = bytes.fromhex(text)
    if not value:
        raise argparse.ArgumentTypeError("hexadecimal digits are expected")
    return value


def _randomness(text: str) -> bytes:
    value = bytes.fromhex(text)
    if len(value) != _RANDOMNESS_BYTES:
        raise argparse.ArgumentTypeError(f"{2 * _RANDOMNESS_BYTES} hexadecimal digits are expected")
    return value


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 on")
    return int(text)


def _changes(text: str) -> dict[str, object]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError("a JSON object is expected")
    # The JSON for sharing a board also has the ruleset and, if roles are changed, the number of players.
    # Here other arguments give them.
    return {name: value[name] for name in value if name not in ("ruleset", "players")}


def _tiles(setup: Setup, text: str) -> list[str]:
    """Return the tiles that a text names, separated by commas.

    Raises ArgumentTypeError if the ruleset does not have a tile's kind.
    """
    named = text.split(",")
    for tile in named:
        if tiles.kind(tile) not in ruleset(setup.ruleset).tiles:
            raise argparse.ArgumentTypeError(f"{tile!r} is no tile of {setup.ruleset}")
    return named
