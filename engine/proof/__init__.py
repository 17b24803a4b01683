r"""The deal's proof: a sealed seed, a public beacon's later value, and the command that recomputes the deal.

Before the game the group sees a ``seal``: the hashes of a seed and of the terms, and a round of drand's
quicknet that is not published yet. ``chance`` mixes the seed, the terms and that round's randomness into the
key of every draw. At the end the bot shows the seed and the terms, and anyone can recompute the deal without
trusting the bot:

    python -m engine.proof --seed 5eed… --round 1000 --randomness fe29… \
        --ruleset classic@1 --players 5 --game 3

The command numbers seats from 1, as players see them. docs/fairness.md explains what this proves and what it
does not.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator
from dataclasses import replace

from engine.board import Setup
from engine.chance import Chance
from engine.custom import changes, written
from engine.facts import Shuffled
from engine.game import board_of, start
from engine.rulesets import ruleset

#: The version of this scheme, which is mixed into every deal.
SCHEME = 1

#: The chain of drand's quicknet.
CHAIN = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
#: Addresses that serve the chain's rounds, even years later.
_HOSTS = ("api.drand.sh", "api2.drand.sh", "api3.drand.sh", "drand.cloudflare.com")
ADDRESSES = tuple(f"https://{host}/{CHAIN}" for host in _HOSTS)
#: The time of quicknet's first round (seconds since 1970), and the seconds between two rounds.
GENESIS, PERIOD = 1692803367, 3


def commitment(secret: bytes) -> str:
    """Return the SHA-256 of a seed, of the terms or of a seal, in hexadecimal digits."""
    return hashlib.sha256(secret).hexdigest()


def terms(setup: Setup, *, game: int, attempt: int, round: int | None) -> str:
    """Return everything that decides a deal besides the seed and the randomness, as canonical JSON.

    The JSON has sorted names and no spaces, and is ASCII.

    It has every field of a group's own board. It names nobody. Raises Illegal if there is no such ruleset.
    """
    own = None
    # A group may have its own board. The setup may also have the printed board, which is left out.
    if setup.board is not None and changes(setup.board, board_of(replace(setup, board=None))):
        own = written(setup.board)
    chosen = ruleset(setup.ruleset).chosen(setup)
    played = {"ruleset": setup.ruleset, "players": setup.players, "options": chosen, "board": own}
    return _canonical(scheme=SCHEME, **played, game=game, attempt=attempt, round=round)


def seal(
    seed: bytes,
    agreed: str,
    *,
    game: int,
    attempt: int,
    chain: str | None,
    round: int | None,
    previous: str | None,
) -> str:
    """Return the line that is posted before the round is published, as canonical JSON.

    Args:
        seed: the secret seed.
        agreed: the ``terms``.
        game: the game's number in its room.
        attempt: the number of this seal for the game, from 1.
        chain: the beacon's chain, hexadecimal. Without a beacon it is None, and so is ``round``.
        round: the beacon's round that will decide.
        previous: the ``commitment`` of the room's previous seal; None for the first one.
    """
    sealed = {"seed": commitment(seed), "terms": commitment(agreed.encode("ascii"))}
    return _canonical(game=game, attempt=attempt, chain=chain, round=round, previous=previous, **sealed)


def chance(
    seed: bytes, setup: Setup, *, game: int, attempt: int, round: int | None, randomness: bytes | None
) -> Chance:
    """Return a game's chance: HMAC-SHA256 of its ``terms`` and the randomness, keyed with the seed.

    Args:
        seed: the sealed seed, which is shown at the end.
        setup: the game's setup.
        game: the game's number in its room.
        attempt: the number of this seal for the game, from 1.
        round: the beacon's round that was sealed; None if the bot has no beacon.
        randomness: that round's 32 bytes; None for a deal that is not proven.

    Raises ValueError for randomness without a round, and Illegal if there is no such ruleset.
    """
    if round is None and randomness is not None:
        raise ValueError("randomness needs its round")
    mixed = terms(setup, game=game, attempt=attempt, round=round)
    mixed += "" if randomness is None else randomness.hex()
    return Chance(hmac.digest(seed, mixed.encode("ascii"), hashlib.sha256).hex())


def _canonical(**fields: object) -> str:
    return json.dumps(fields, sort_keys=True, separators=(",", ":"))


def deal(setup: Setup, drawn: Chance) -> Iterator[str]:
    """Yield the command's lines about the deal: roles by seat, first candidate, first deck.

    Raises Illegal if the setup cannot be played.
    """
    game, events = start(setup, drawn)
    table = game.table
    for seat in range(table.seats):
        party, role = table.parties[seat], table.roles[seat]
        yield f"seat {seat + 1}: {role}" if party == role else f"seat {seat + 1}: {role} ({party})"
    yield f"first candidate: seat {(table.president or 0) + 1}"
    (pile,) = [event.fact.pile for event in events if isinstance(event.fact, Shuffled)]
    yield f"deck 1, top first: {' '.join(pile)}"
