"""Start dynoxide, a single binary that imitates DynamoDB with its races and limits, and create a table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from subprocess import DEVNULL
from typing import TYPE_CHECKING, Any

import yaml

from sandbox.harness import CREDENTIALS
from sandbox.ports import free_ports, listening

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient

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


TEMPLATE = Path(__file__).resolve().parent.parent / "template.yaml"


class _Loader(yaml.SafeLoader):
    """A loader that reads CloudFormation's functions (such as ``!Ref``) as None."""


_Loader.add_multi_constructor("!", lambda loader, tag, node: None)


@cache
def _table() -> dict[str, Any]:
    resources = yaml.load(TEMPLATE.read_text(encoding="utf-8"), _Loader)["Resources"]
    shape = ("BillingMode", "AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes")
    return {part: resources["Table"]["Properties"][part] for part in shape}


def create_table(client: DynamoDBClient, name: str) -> None:
    """Create the table with its index ``due``. Raises the client's error if it exists already."""
    client.create_table(TableName=name, **_table())
