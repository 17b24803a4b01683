"""Starts dynoxide: one binary that behaves as DynamoDB does, races and limits included."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

BINARY = Path(__file__).resolve().parent.parent / ".tools/node_modules/@dynoxide/linux-x64/dynoxide"


class Dynoxide:
    """A server on a free port of this machine with its data in memory, or in a file (SQLite's)."""

    def __init__(self, file: Path | None = None) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        kept = [] if file is None else ["--db-path", str(file)]
        self._process = subprocess.Popen(
            [BINARY, "--port", str(self.port), *kept], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._wait()

    @property
    def client_arguments(self) -> dict[str, Any]:
        """For ``boto3.client("dynamodb", …)``."""
        return {
            "endpoint_url": f"http://127.0.0.1:{self.port}",
            "region_name": "eu-central-1",
            "aws_access_key_id": "nobody",
            "aws_secret_access_key": "nothing",
        }

    def stop(self) -> None:
        """End the server."""
        self._process.terminate()
        self._process.wait(10)

    def _wait(self) -> None:
        for _ in range(500):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.01)
        raise TimeoutError("dynoxide does not answer")


@contextmanager
def running(file: Path | None = None) -> Iterator[Dynoxide]:
    """A server for as long as it is needed."""
    server = Dynoxide(file)
    try:
        yield server
    finally:
        server.stop()
