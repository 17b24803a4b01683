"""Start dynoxide, a single binary that imitates DynamoDB, including races and limits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

from sandbox.harness import CREDENTIALS
from sandbox.ports import free_ports, listening

#: The npm package that contains it, for installing into ``.tools``.
PACKAGE = "@dynoxide/linux-x64@1.2.1"
BINARY = Path(__file__).resolve().parent.parent / ".tools/node_modules/@dynoxide/linux-x64/dynoxide"


@dataclass(frozen=True, slots=True)
class Dynoxide:
    """A running server."""

    port: int

    @property
    def client_arguments(self) -> dict[str, Any]:
        """Return the arguments for ``boto3.client("dynamodb", …)``."""
        return {"endpoint_url": f"http://127.0.0.1:{self.port}", **CREDENTIALS}


@contextmanager
def running(file: Path | None = None) -> Iterator[Dynoxide]:
    """Yield a server on a free port. Its data is in memory, or in the SQLite file ``file``."""
    (port,) = free_ports(1)
    storage = [] if file is None else ["--db-path", str(file)]
    command = [BINARY, "--port", str(port), *storage]
    with listening(command, port, "dynoxide", stdout=DEVNULL, stderr=DEVNULL):
        yield Dynoxide(port)
