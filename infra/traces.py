"""The place of an exception, without its text."""

from __future__ import annotations

import traceback


def frames_of(error: BaseException, frames: int = 8) -> list[str]:
    """Return ``file:line:function`` of the calls nearest to the error, at most ``frames``, the nearest last.

    Leaves out lines of source and the exception's text. The text may quote an item, a message or an address
    that holds the token.
    """
    found = traceback.extract_tb(error.__traceback__)[-frames:]
    return [f"{_short(frame.filename)}:{frame.lineno}:{frame.name.strip('<>')}" for frame in found]


def _short(path: str) -> str:
    return "/".join(path.split("/")[-2:])
