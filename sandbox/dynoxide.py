"""Start dynoxide, a single binary that imitates DynamoDB with its races and limits, and create a table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def running() -> Iterator[dict[str, Any]]:
    """Run a server on a free port, and yield the arguments for ``boto3.client("dynamodb", …)``."""
    (port,) = free_ports(1)
    with listening([BINARY, "--port", port], port, "dynoxide", stdout=DEVNULL, stderr=DEVNULL):
        yield {"endpoint_url": f"http://127.0.0.1:{port}", **CREDENTIALS}


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
