r"""The deal's proof: a sealed seed, a public beacon's later value, and the command that recomputes the deal.

Before the game the group is shown ``commitment(seed)`` and a round of drand's quicknet that is not out yet;
the deal follows from the seed and that round's randomness by ``chance``; at the end the seed is opened, and
anyone recomputes the deal from it, without trusting the bot:

    python -m engine.proof --seed 5eed… --round 1000 --randomness fe29… \
        --ruleset classic@1 --players 5 --game 3

Here seats are numbered from 1, as players see them. What this proves, and what not: docs/fairness.md.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator
from dataclasses import replace

from engine.board import Setup
from engine.chance import Chance
from engine.custom import changes
from engine.facts import Shuffled
from engine.game import board_of, start
from engine.rulesets import ruleset

#: The version of this scheme, which is mixed into every deal.
SCHEME = 1

#: Where the rounds of drand's quicknet can be looked up, years later too: address and chain.
ADDRESSES = tuple(
    f"{address}/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
    for address in (
        "https://api.drand.sh",
        "https://api2.drand.sh",
        "https://api3.drand.sh",
        "https://drand.cloudflare.com",
    )
)
#: When quicknet's first round was out (seconds since 1970), and how many seconds lie between two rounds.
GENESIS, PERIOD = 1692803367, 3


def commitment(seed: bytes) -> str:
    """The seal: the SHA-256 of a seed, in hexadecimal digits, posted before the round is out."""
    return hashlib.sha256(seed).hexdigest()


def terms(setup: Setup, *, game: int, attempt: int, round: int | None, randomness: bytes | None) -> str:
    """All that a deal depends on besides its seed, as canonical JSON: sorted names, no spaces, ASCII.

    Nobody's name or id is among it. Raises ValueError when only one of round and randomness is given, and
    Illegal where there is no such ruleset.
    """
    if (round is None) != (randomness is None):
        raise ValueError("a round and its randomness go together")
    own = changes(setup.board, board_of(replace(setup, board=None))) if setup.board else {}
    mixed = {
        "scheme": SCHEME,
        "ruleset": setup.ruleset,
        "players": setup.players,
        "options": ruleset(setup.ruleset).chosen(setup),
        "board": own or None,
        "game": game,
        "attempt": attempt,
        "round": round,
        "randomness": None if randomness is None else randomness.hex(),
    }
    return json.dumps(mixed, sort_keys=True, separators=(",", ":"))


def chance(
    seed: bytes, setup: Setup, *, game: int, attempt: int, round: int | None, randomness: bytes | None
) -> Chance:
    """The chance of a game: HMAC-SHA256 of its ``terms``, keyed with the sealed seed.

    Args:
        seed: what was sealed, opened at the end.
        setup: what is played, as the sealed message said.
        game: the game's number in its room.
        attempt: 1, or more where earlier seals came too late.
        round: the beacon's round that was sealed, or None for a deal that is not proven.
        randomness: that round's 32 bytes, or None likewise.

    Raises as ``terms`` does.
    """
    mixed = terms(setup, game=game, attempt=attempt, round=round, randomness=randomness)
    return Chance(hmac.digest(seed, mixed.encode("ascii"), hashlib.sha256).hex())


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
