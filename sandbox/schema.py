"""Create the table that ``template.yaml`` defines in a local DynamoDB."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient

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
