"""Commit and reveal: the deal follows from a seed that was sealed before anybody joined.

The lobby shows ``commitment(seed)``; players mix in how often they shook; at the end the seed is shown,
and anyone can recompute the deal from it, without trusting the bot:

    python -m engine.proof --seed 5eed… --shakes 0,2,1,0,0 --ruleset classic@1

Here seats are numbered from 1, as players see them. What this proves, and what not: docs/fairness.md.
"""

import argparse
import hashlib
import hmac
import json
from collections.abc import Iterator, Sequence

from engine.board import Setup
from engine.chance import Chance
from engine.custom import changed
from engine.facts import Shuffled
from engine.game import board_of, start
from engine.question import Illegal


def commitment(seed: bytes) -> str:
    """The SHA-256 of a seed, in hexadecimal digits: shown when the lobby opens."""
    return hashlib.sha256(seed).hexdigest()


def chance(seed: bytes, shakes: Sequence[int]) -> Chance:
    """The chance of a game: from the seed, and how often each seat shook, in seat order."""
    mixed = hmac.digest(seed, ",".join(map(str, shakes)).encode(), hashlib.sha256)
    return Chance(mixed.hex())


def deal(setup: Setup, drawn: Chance) -> Iterator[str]:
    """What follows from the chance alone, line by line: roles by seat, first candidate, first deck.

    Raises Illegal when the setup cannot be played.
    """
    game, events = start(setup, drawn)
    table = game.table
    for seat in range(table.seats):
        party, role = table.parties[seat], table.roles[seat]
        yield f"seat {seat + 1}: {role}" if party == role else f"seat {seat + 1}: {role} ({party})"
    yield f"first candidate: seat {(table.president or 0) + 1}"
    (pile,) = [event.fact.pile for event in events if isinstance(event.fact, Shuffled)]
    yield f"deck 1, top first: {' '.join(pile)}"


def main(arguments: Sequence[str] | None = None) -> None:
    """The command; ends with status 2 and a message where the arguments are no game."""
    parser = argparse.ArgumentParser(prog="python -m engine.proof", description="Recompute a game's deal.")
    parser.add_argument("--seed", required=True, type=bytes.fromhex, help="the revealed seed, hexadecimal")
    parser.add_argument(
        "--shakes", required=True, type=_numbers, help="how often each seat shook, by seat: 0,2,1,0,0"
    )
    parser.add_argument("--ruleset", default="classic@1", help="with its version (default: %(default)s)")
    parser.add_argument("--players", type=int, help="how many (default: as many as --shakes tells)")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the ruleset"
    )
    parser.add_argument("--board", type=json.loads, help="what differs from the printed board, as JSON")
    parser.add_argument(
        "--deck",
        action="append",
        default=[],
        nargs=2,
        metavar=("N", "TILES"),
        help="recompute the N-th shuffle, from the tiles that were shuffled, with commas between them",
    )
    given = parser.parse_args(arguments)
    players = len(given.shakes) if given.players is None else given.players
    if players != len(given.shakes):
        parser.error("--shakes needs one number for each player")
    drawn = chance(given.seed, given.shakes)
    options = dict(option.partition("=")[::2] for option in given.option)
    setup = Setup(given.ruleset, players, options)
    try:
        if given.board is not None:
            setup = Setup(given.ruleset, players, options, changed(board_of(setup), given.board))
        lines = list(deal(setup, drawn))
    except Illegal as illegal:
        parser.error(f"no such game: {illegal.reason}")
    print(f"commitment: {commitment(given.seed)}")
    print("\n".join(lines))
    for number, tiles in given.deck:
        order = drawn.shuffle(f"deck/{number}", sorted(tiles.split(",")))
        print(f"deck {number}, top first: {' '.join(order)}")


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(","))


if __name__ == "__main__":  # pragma: no cover (a test runs it in a process of its own)
    main()
