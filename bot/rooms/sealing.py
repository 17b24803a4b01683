"""A sealed game that waits for the beacon, and the data that determines its deal. See docs/fairness.md.

A ``Sealed`` has everything that influences the deal, except the beacon's value. None of that changes between
the seal and the deal.
"""

import math
import operator
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Annotated

from pydantic import Field

from bot.rooms.names import UserId
from bot.rooms.own_board import OwnBoard
from bot.rooms.player import Player
from engine import Chance, Setup
from engine.frozen import frozen
from engine.proof import CHAIN, chance, seal, terms

#: Reasons why a deal is not proven: the bot has no beacon, or the table did not wait for it.
OFF, GONE = "off", "gone"


@frozen
class Proof:
    """The seed, round and attempt that determine a game's deal, together with its setup and number."""

    #: The server's secret (hexadecimal). Its hash is shown at the start, and the secret after the game.
    seed: str
    #: The number of this seal for the lobby, from 1. Everybody can see how many there were.
    attempt: int = 1
    #: The beacon's round that the seal names; None if the bot has no beacon.
    round: int | None = None
    #: The round's value (hexadecimal). None before the deal, and in a deal that is not proven.
    randomness: str | None = None
    #: The reason why the deal is not proven; None if it is.
    unproven_reason: str | None = None
    #: The address and chain at which to look up the beacon's rounds. Empty (not stored) for drand's own
    #: addresses.
    beacon: Annotated[str, Field(exclude_if=operator.not_)] = ""
    #: True if the seal was forwarded. Nobody can edit a forwarded message.
    fixed: bool = True

    @property
    def chain(self) -> str | None:
        """Return the chain of the sealed round; None without a beacon."""
        return None if self.round is None else self.beacon.rpartition("/")[2] or CHAIN

    def terms(self, setup: Setup, game: int) -> str:
        """Return all that is fixed before the deal, as text. ``game``: the game's number in its room."""
        return terms(setup, game=game, attempt=self.attempt, round=self.round)

    def chance(self, setup: Setup, game: int) -> Chance:
        """Return the random source of the deal. ``game``: the game's number in its room."""
        value = None if self.randomness is None else bytes.fromhex(self.randomness)
        return chance(
            bytes.fromhex(self.seed),
            setup,
            game=game,
            attempt=self.attempt,
            round=self.round,
            randomness=value,
        )

    def without_beacon(self, reason: str) -> "Proof":
        """Return the same seed, round and attempt for a deal without the beacon's randomness."""
        return replace(self, randomness=None, unproven_reason=reason)


@frozen
class Sealed:
    """A game that is sealed but not dealt yet."""

    #: The lobby's number, which becomes the game's.
    number: int
    #: The host; None: only admins can lead.
    host: UserId | None
    proof: Proof
    #: The setup with the number of players, and the board if it is not the printed one.
    setup: Setup
    players: tuple[Player, ...]
    #: The time of the beacon's round, in seconds since 1970.
    at: int
    #: When to try the deal next, in seconds since 1970.
    next_try_at: int
    #: The group's own board, if the game is on one.
    own: OwnBoard | None = None
    #: The seeds of earlier attempts, oldest first.
    given_up: tuple[str, ...] = ()
    #: True if the group was asked what to do without the beacon.
    asked: bool = False
    #: The hash of the room's seal before this one; empty for its first.
    previous: str = ""
    #: False if the seal cannot be forwarded, as in groups that protect their content.
    fixed: bool = True
    #: Players who have left the group since Start, by user id: True if somebody else removed them.
    gone: Mapping[UserId, bool] = field(default_factory=dict)

    def is_seated(self, user: UserId) -> bool:
        """Return True if a person has a seat here."""
        return any(player.id == user for player in self.players)

    @property
    def seal(self) -> str:
        """Return the line to post before the round is published."""
        proof = self.proof
        return seal(
            bytes.fromhex(proof.seed),
            proof.terms(self.setup, self.number),
            game=self.number,
            attempt=proof.attempt,
            chain=proof.chain,
            round=proof.round,
            previous=self.previous or None,
        )

    @property
    def mark(self) -> str:
        """Return a name that is unique among all seals of the room."""
        return f"{self.number}.{self.proof.attempt}"


# --- beacon -------------------------------------------------------------------------------------------------
# The public randomness beacon for deals: the times and addresses of its rounds.
# ``infra.beacon`` fetches the rounds.


@frozen
class Beacon:
    """One chain of a drand beacon."""

    #: The chain's hash (hexadecimal), which identifies it at all relays.
    chain: str
    #: The time of round 1, in seconds since 1970.
    genesis: int
    #: Seconds between two rounds.
    period: int
    #: The relays' addresses, without a path.
    addresses: tuple[str, ...]

    def time_of(self, round: int) -> int:
        """Return when a round is published, in seconds since 1970."""
        return self.genesis + self.period * (round - 1)

    def round_after(self, at: float) -> int:
        """Return the first round that is published at this time (seconds since 1970) or later."""
        return max(1, 1 + math.ceil((at - self.genesis) / self.period))

    def addresses_of(self, round: int) -> tuple[str, ...]:
        """Return the addresses at which anybody can look a round up, one for each relay."""
        return tuple(f"{address}/{self.chain}/public/{round}" for address in self.addresses)


#: drand's quicknet, run by the League of Entropy. ``GET <address>/<chain>/info`` returns genesis and period.
QUICKNET = Beacon(
    chain="52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    genesis=1692803367,
    period=3,
    addresses=(
        "https://api.drand.sh",
        "https://api2.drand.sh",
        "https://api3.drand.sh",
        "https://drand.cloudflare.com",
    ),
)


def quicknet_at(addresses: str | None) -> Beacon:
    """Return quicknet with these addresses (separated by commas), or with drand's own for None."""
    if addresses is None:
        return QUICKNET
    return replace(QUICKNET, addresses=tuple(address.rstrip("/") for address in addresses.split(",")))
