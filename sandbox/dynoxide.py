"""Starts dynoxide: one binary that behaves as DynamoDB does, races and limits included."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sandbox.ports import await_listener, free_ports

#: The npm package from which it is installed, into ``.tools``.
PACKAGE = "@dynoxide/linux-x64@1.2.1"
BINARY = Path(__file__).resolve().parent.parent / ".tools/node_modules/@dynoxide/linux-x64/dynoxide"


class Dynoxide:
    """A server on a free port of this machine with its data in memory, or in a file (SQLite's)."""

    def __init__(self, file: Path | None = None) -> None:
        (self.port,) = free_ports(1)
        kept = [] if file is None else ["--db-path", str(file)]
        self._process = subprocess.Popen(
            [BINARY, "--port", str(self.port), *kept], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            await_listener(self.port, "dynoxide")
        except BaseException:
            self.stop()
            raise

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


@contextmanager
def running(file: Path | None = None) -> Iterator[Dynoxide]:
    """Run a server for as long as it is needed."""
    server = Dynoxide(file)
    try:
        yield server
    finally:
        server.stop()
