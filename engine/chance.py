"""All randomness of a game, from a secret key: the same on every machine and Python version.

Every draw has its own label (``roles``, ``first``, ``deck/3``) and its own stream of numbers, so a draw never
depends on how many were made before it. A caller that knows the deal beforehand, such as a test, passes it as
recorded draws.
"""

import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import TypeVar

from engine.frozen import frozen
from engine.question import Seat

T = TypeVar("T", bound=int | str)

_WORD = 4
_SPAN = 1 << (8 * _WORD)


@frozen
class Chance:
    """Labelled draws from a secret key. Recorded draws come from the record instead."""

    #: The secret that determines every draw, as hexadecimal digits.
    key: str
    #: Recorded draws by label. A shuffle begins with its recorded items, and the rest is drawn. A pick with a
    #: recorded item returns that item.
    recorded: Mapping[str, tuple[str | int, ...]] = field(default_factory=dict)

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in random order (Fisher–Yates), or in the recorded order.

        Raises ValueError if the record names an item that is not among them, or names it too often.
        """
        rest = list(items)
        fixed: list[T] = []
        for item in self.recorded.get(label, ()):
            if item not in rest:
                raise ValueError(f"the record of {label!r} does not fit what is drawn from")
            fixed.append(rest.pop(rest.index(item)))
        words = self._words(label)
        for last in range(len(rest) - 1, 0, -1):
            other = _below(last + 1, words)
            rest[last], rest[other] = rest[other], rest[last]
        return (*fixed, *rest)

    def pick(self, label: str, items: Sequence[T]) -> T:
        """Return one of the items, or the recorded item.

        Raises ValueError if there are no items, or if the recorded item is not among them.
        """
        if label in self.recorded:
            return self.shuffle(label, items)[0]
        if not items:
            raise ValueError(f"nothing to draw from for {label!r}")
        return items[_below(len(items), self._words(label))]

    def apart(self, label: str) -> "Chance":
        """Return a separate source of draws, with a key derived from this one and no recorded draws.

        Draws from the new source do not change the draws from this one.
        """
        return Chance(hmac.digest(bytes.fromhex(self.key), label.encode(), hashlib.sha256).hex())

    def _words(self, label: str) -> Iterator[int]:
        """Yield 32-bit numbers without end: HMAC-SHA256 over the label and a counter."""
        key = bytes.fromhex(self.key)
        block = 0
        while True:
            digest = hmac.digest(key, f"{label}#{block}".encode(), hashlib.sha256)
            for start in range(0, len(digest), _WORD):
                yield int.from_bytes(digest[start : start + _WORD], "big")
            block += 1


def dealt(
    roles: Sequence[str] = (), first: Seat | None = None, decks: Sequence[Sequence[str]] = (), key: str = "00"
) -> Chance:
    """Return the chance for a deal known beforehand.

    ``roles`` are by seat. A secret role is written after its party (``"fascist:monarchist"``). ``first`` is
    the seat of the first candidate. ``decks`` are the orders of the draw pile after each shuffle, top tile
    first; the end of each may be left out. The decks also say which tiles carry which powers
    (``"communist:convert"``). Everything else is drawn from ``key`` (hexadecimal).

    >>> dealt(first=2, decks=[["fascist", "liberal"]]).shuffle("deck/1", ["fascist", "fascist", "liberal"])
    ('fascist', 'liberal', 'fascist')
    """
    recorded: dict[str, tuple[str | int, ...]] = {}
    if roles:
        recorded["roles"] = tuple(roles)
    for card in roles:
        party, _, role = card.partition(":")
        if role:
            recorded[f"secret/{role}"] = (party,)
    for tile in dict.fromkeys(tile for deck in decks for tile in deck):
        kind, _, power = tile.partition(":")
        if power:
            recorded[f"powers/{kind}"] = (*recorded.get(f"powers/{kind}", ()), power)
    if first is not None:
        recorded["first"] = (first,)
    for number, deck in enumerate(decks, start=1):
        recorded[f"deck/{number}"] = tuple(deck)
    return Chance(key, recorded)


def _below(bound: int, words: Iterator[int]) -> int:
    """Return a number from 0 to bound - 1, all equally likely. Numbers that would favour some are skipped."""
    limit = _SPAN - _SPAN % bound
    for word in words:
        if word < limit:
            return word % bound
    raise AssertionError("the stream of numbers is endless")
