"""Worlds: assignments of core roles to seats. All of them if they are few, or else a sample.

A world is a row of bytes, one core role by seat. The random stream of a sample depends only on the roles that
are left and on the roles that each seat may have, so the same view always gives the same belief.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import shake_256
from math import factorial, prod

from ai.likelihoods import CORE, MOST_WAYS_FOR_EXACT, SAMPLE_SIZE
from engine import Seat

#: For each seat, a role mask: the core roles that it may have, as bits ``1 << role``.
Allowed = tuple[int, ...]
ANY_ROLE = (1 << len(CORE)) - 1
#: Translates a role to ``4 * role``, so that another role fits into the lower two bits.
_SHIFTED = bytes(4 * value & 255 for value in range(256))


@dataclass(slots=True)
class Worlds:
    """Worlds, by rows and by columns (one for each seat). Columns for pairs of seats and flags are cached."""

    rows: tuple[bytes, ...]
    #: True if these are all worlds.
    exact: bool
    columns: tuple[bytes, ...] = ()
    _pairs: dict[tuple[Seat, Seat], bytes] = field(default_factory=dict)
    _flags: dict[tuple[Seat, int], bytes] = field(default_factory=dict)
    #: Each column as one big integer with a byte for each world: one operation on it works on all worlds.
    _column_integers: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        self.columns = tuple(bytes(column) for column in zip(*self.rows, strict=True))
        self._column_integers = tuple(int.from_bytes(column, "big") for column in self.columns)

    def __len__(self) -> int:
        return len(self.rows)

    def pair(self, a: Seat, b: Seat) -> bytes:
        """Return ``4 * role of a + role of b`` for each world."""
        found = self._pairs.get((a, b))
        if found is None:
            first, second = self.columns[a].translate(_SHIFTED), self.columns[b]
            # The two columns use different bits, so whole columns can be joined at once.
            joined = int.from_bytes(first, "big") | int.from_bytes(second, "big")
            found = self._pairs[a, b] = joined.to_bytes(len(first), "big")
        return found

    def flags(self, seat: Seat, roles: int) -> bytes:
        """Return a flag for each world: 1 if the seat has one of these roles (a role mask), else 0."""
        found = self._flags.get((seat, roles))
        if found is None:
            found = self._flags[seat, roles] = self.columns[seat].translate(_member(roles))
        return found

    def either(self, a: Seat, b: Seat, roles: int) -> bytes:
        """Return a flag for each world: 1 if one of two seats (or both) has one of these roles, else 0."""
        return self.pair(a, b).translate(_either(roles))

    def ballot_keys(self, voters: Sequence[Seat], a: Seat, b: Seat) -> bytes:
        """Return one byte for each world: the sides of a pair, and the voters' roles.

        The lowest two bits are the sides: 1 for Fascists plus 2 for Communists. The next two are the first
        voter's role, and so on, so at most three voters fit.
        """
        joined = int.from_bytes(self.pair(a, b).translate(_SIDES_OF_PAIR), "big")
        for place, voter in enumerate(voters, start=1):
            joined |= self._column_integers[voter] << 2 * place
        return joined.to_bytes(len(self.rows), "big")


def _sides(key: int) -> int:
    pair = (key // 4 % 4, key % 4)
    return (1 if 1 in pair or 2 in pair else 0) | (2 if 3 in pair else 0)


#: Translates a pair's key to the sides in it.
_SIDES_OF_PAIR = bytes(_sides(key) for key in range(256))


@lru_cache(maxsize=64)
def _member(roles: int) -> bytes:
    return bytes(roles >> value & 1 if value < 8 else 0 for value in range(256))


@lru_cache(maxsize=64)
def _either(roles: int) -> bytes:
    return bytes((roles >> (key // 4 % 4) | roles >> (key % 4)) & 1 for key in range(256))


def _arranged(left: list[int], allowed: Allowed, so_far: tuple[int, ...]) -> Iterator[bytes]:
    seat = len(so_far)
    if seat == len(allowed):
        yield bytes(so_far)
        return
    for role in range(len(CORE)):
        if left[role] and allowed[seat] >> role & 1:
            left[role] -= 1
            yield from _arranged(left, allowed, (*so_far, role))
            left[role] += 1


@lru_cache(maxsize=128)
def worlds(counts: tuple[int, ...], allowed: Allowed) -> Worlds:
    """Return the worlds to consider: all of them, or a sample of ``SAMPLE_SIZE``. Empty if none fits."""
    fixed = [role for mask in allowed if (role := single_role(mask)) is not None]
    left = [count - fixed.count(role) for role, count in enumerate(counts)]
    if min(left) < 0:
        return Worlds((), exact=True)
    if factorial(sum(left)) // prod(factorial(count) for count in left) <= MOST_WAYS_FOR_EXACT:
        return Worlds(tuple(sorted(_arranged(list(counts), allowed, ()))), exact=True)
    return Worlds(tuple(_sampled(left, allowed)), exact=False)


def single_role(mask: int) -> int | None:
    """Return the role of a mask with exactly one role, else None."""
    return mask.bit_length() - 1 if mask and not mask & (mask - 1) else None


def _sampled(left: Sequence[int], allowed: Allowed) -> Iterator[bytes]:
    """Draw worlds evenly among those that fit, by rejection. Stop after 40 tries for each world."""
    free = [seat for seat, mask in enumerate(allowed) if single_role(mask) is None]
    cards = [role for role, count in enumerate(left) for _ in range(count)]
    world = [single_role(mask) or 0 for mask in allowed]
    stream = random_numbers(f"worlds/{left}/{allowed}")
    found = 0
    for _ in range(SAMPLE_SIZE * 40):
        if found == SAMPLE_SIZE:
            return
        for last in range(len(cards) - 1, 0, -1):
            other = next(stream) % (last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        if all(allowed[seat] >> role & 1 for seat, role in zip(free, cards, strict=True)):
            for seat, role in zip(free, cards, strict=True):
                world[seat] = role
            found += 1
            yield bytes(world)


def random_numbers(label: str) -> Iterator[int]:
    """Yield numbers below 65,536 without end, determined by a label."""
    block = 0
    while True:
        digest = shake_256(f"{label}#{block}".encode()).digest(8192)
        yield from (digest[at] << 8 | digest[at + 1] for at in range(0, len(digest), 2))
        block += 1
