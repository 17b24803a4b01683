"""The harness on moto's DynamoDB and boto3's real client: an independent check of our own table."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from moto import mock_aws

from infra.store.table import dynamodb_client
from sandbox.harness import CREDENTIALS, TABLE, Harness
from sandbox.schema import create_table
from sandbox.telegram import VirtualClock

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient


@contextmanager
def harness_on_moto(
    clock: Callable[[], float] | None = None, *, validated: bool = True, seed: int | None = None
) -> Iterator[Harness]:
    """Yield a harness like ``sandbox.harness.harness_in_memory``, but slower."""
    with mock_aws():
        client = _client()
        create_table(client, TABLE)
        harness = Harness(client, clock or VirtualClock(), validated=validated, seed=seed)
        try:
            yield harness
        finally:
            harness.close()


@cache
def _client() -> "DynamoDBClient":
    # Shared by the whole process, because loading boto3's service description is slow.
    return dynamodb_client(**CREDENTIALS)
