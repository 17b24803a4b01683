"""A desk whose table is moto's: other people's reading of DynamoDB, and boto3's own client before it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from moto import mock_aws

from infra.store.table import dynamodb_client
from sandbox.desk import CREDENTIALS, TABLE, Desk
from sandbox.schema import create_table
from sandbox.telegram import VirtualClock

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient


@contextmanager
def desk_on_moto(
    clock: Callable[[], float] | None = None, *, validated: bool = True, seed: int | None = None
) -> Iterator[Desk]:
    """Yield a desk in this process, like ``sandbox.desk.desk_in_memory`` but slower."""
    with mock_aws():
        client = _client()
        create_table(client, TABLE)
        opened = Desk(client, clock or VirtualClock(), validated=validated, seed=seed)
        try:
            yield opened
        finally:
            opened.close()


@cache
def _client() -> "DynamoDBClient":
    # Shared by all desks of this process: reading the service's description takes longer than a lobby.
    return dynamodb_client(**CREDENTIALS)
