"""Find free ports on this machine, and run programs that listen on them."""

import contextlib
import os
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

_LOOKS, _PAUSE = 500, 0.01


def free_ports(count: int) -> list[int]:
    """Return ``count`` ports that are free now."""
    with contextlib.ExitStack() as held:
        probes = [held.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]


@contextlib.contextmanager
def listening(
    command: Sequence[object], port: int, who: str, **options: Any
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program once it listens on its port, and end it with its children at the end.

    Raises TimeoutError, whose text names ``who``, if it does not listen. ``options``: those of ``Popen``.
    """
    process = subprocess.Popen([str(part) for part in command], **options)
    try:
        for _ in range(_LOOKS):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(_PAUSE)
        else:
            raise TimeoutError(f"{who} does not listen")
        yield process
    finally:
        left = children(process.pid)
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, 9)
        process.kill()
        process.wait()


def children(pid: int) -> list[int]:
    """Return the ids of a process's children (Linux only)."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, task.read_text().split())
    return found
