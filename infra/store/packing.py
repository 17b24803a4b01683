"""Small codecs for what the store keeps as bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

UPDATES_KEPT = 100


def pack_ids(ids: Sequence[int]) -> bytes:
    """Whole numbers as zigzag variable-length differences: 100 update ids take about 150 bytes.

    Order is kept, not sorted away: after a quiet week Telegram starts again at a random number, so
    that the last hundred are not the largest hundred.
    """
    out = bytearray()
    previous = 0
    for number in ids:
        step = number - previous
        previous = number
        coded = step << 1 if step >= 0 else (-step << 1) - 1
        while coded > 0x7F:
            out.append(coded & 0x7F | 0x80)
            coded >>= 7
        out.append(coded)
    return bytes(out)


def unpack_ids(data: Iterable[int]) -> tuple[int, ...]:
    """The inverse of ``pack_ids``."""
    out: list[int] = []
    previous = coded = shift = 0
    for byte in data:
        coded |= (byte & 0x7F) << shift
        if byte & 0x80:
            shift += 7
            continue
        previous += -((coded + 1) >> 1) if coded & 1 else coded >> 1
        out.append(previous)
        coded = shift = 0
    return tuple(out)


def remember(ids: tuple[int, ...], new: int) -> tuple[int, ...]:
    """``ids`` with ``new`` at the end; the oldest beyond the last hundred are forgotten."""
    return (*ids, new)[-UPDATES_KEPT:]
