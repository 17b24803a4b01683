"""Ids that sort by the time they were made."""

from __future__ import annotations

import secrets
from collections.abc import Callable


def time_ordered_id(seconds: float, random_bits: Callable[[int], int] = secrets.randbits) -> str:
    """Return a 26-digit hexadecimal id: 48 bits of milliseconds since 1970, then 56 random bits.

    Ids made in different milliseconds sort by time, as in RFC 9562's version 7.
    """
    milliseconds = int(seconds * 1000)
    if not 0 <= milliseconds < 1 << 48:
        raise ValueError("time out of range")
    return f"{milliseconds:012x}{random_bits(56):014x}"
