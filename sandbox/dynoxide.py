"""Start dynoxide, a single binary that imitates DynamoDB, including races and limits."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sandbox.ports import await_listener, free_ports

#: The npm package that contains it, for installing into ``.tools``.
PACKAGE = "@dynoxide/linux-x64@1.2.1"
BINARY = Path(__file__).resolve().parent.parent / ".tools/node_modules/@dynoxide/linux-x64/dynoxide"


class Dynoxide:
    """A dynoxide server on a free port. Its data is in memory, or in the SQLite file ``file``."""

    def __init__(self, file: Path | None = None) -> None:
        (self.port,) = free_ports(1)
        storage = [] if file is None else ["--db-path", str(file)]
        self._process = subprocess.Popen(
            [BINARY, "--port", str(self.port), *storage], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            await_listener(self.port, "dynoxide")
        except BaseException:
            self.stop()
            raise

    @property
    def client_arguments(self) -> dict[str, Any]:
        """Return the arguments for ``boto3.client("dynamodb", …)``."""
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
    """Start a server, yield it, and stop it at the end."""
    server = Dynoxide(file)
    try:
        yield server
    finally:
        server.stop()
