"""Ports of this machine, for programs that are started to listen on them."""

from __future__ import annotations

import contextlib
import socket
import time

_LOOKS, _PAUSE = 500, 0.01


def free_ports(count: int) -> list[int]:
    """Return that many ports on which nobody listens now."""
    with contextlib.ExitStack() as held:
        probes = [held.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]


def await_listener(port: int, who: str) -> None:
    """Wait until somebody listens there. Raises TimeoutError, which names ``who`` did not."""
    for _ in range(_LOOKS):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(_PAUSE)
    raise TimeoutError(f"{who} does not listen")
