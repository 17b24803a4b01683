"""Have the stand-in for Telegram refuse calls."""

import itertools
from collections.abc import Callable
from functools import partial

from sandbox.telegram import Call, Telegram


def refuse(
    telegram: Telegram, error: Exception, *methods: str, chat: int | None = None, times: int = 10_000
) -> Callable[[], None]:
    """Refuse the next calls whose methods begin so, in one chat or in all. Return a function to end that."""
    left = itertools.count(times, -1)

    def hook(call: Call) -> None:
        if call.method.startswith(methods) and chat in (None, call.chat) and next(left) > 0:
            raise error

    telegram.before_call.append(hook)
    return partial(telegram.before_call.remove, hook)
