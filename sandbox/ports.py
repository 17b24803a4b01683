"""Find free ports on this machine, and wait for programs to listen on them."""

from __future__ import annotations

import contextlib
import socket
import time

_LOOKS, _PAUSE = 500, 0.01


def free_ports(count: int) -> list[int]:
    """Return ``count`` ports that are free now."""
    with contextlib.ExitStack() as held:
        probes = [held.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]


def await_listener(port: int, who: str) -> None:
    """Wait until a program listens on the port. Raises TimeoutError, whose text names ``who``."""
    for _ in range(_LOOKS):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(_PAUSE)
    raise TimeoutError(f"{who} does not listen")
