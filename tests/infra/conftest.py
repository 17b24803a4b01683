"""Fixtures: a table in two local DynamoDBs, a clock that tests set, and rooms."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from moto import mock_aws

from infra.store.rooms import Rooms
from infra.store.table import DynamoTable
from sandbox.dynoxide import create_table
from tests.installed import dynoxide_running

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient

NOW = 1_800_000_000.0
CREDENTIALS: dict[str, Any] = {
    "aws_access_key_id": "nobody",
    "aws_secret_access_key": "nothing",
    "region_name": "eu-central-1",
}


class Clock:
    """Virtual seconds since 1970."""

    def __init__(self, now: float = NOW) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", CREDENTIALS["aws_access_key_id"])
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", CREDENTIALS["aws_secret_access_key"])
    monkeypatch.setenv("AWS_DEFAULT_REGION", CREDENTIALS["region_name"])
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    with mock_aws():
        yield


@pytest.fixture(scope="session")
def dynoxide() -> Iterator[dict[str, Any]]:
    with dynoxide_running() as server:
        yield server


@pytest.fixture(scope="session")
def moto_client() -> Iterator[DynamoDBClient]:
    """Yield one client for all tests, because creating one takes longer than most tests."""
    client = boto3.client("dynamodb", **CREDENTIALS)
    yield client
    client.close()


@pytest.fixture(scope="session")
def dynoxide_client(dynoxide: dict[str, Any]) -> Iterator[DynamoDBClient]:
    client = boto3.client("dynamodb", **dynoxide)
    yield client
    client.close()


@pytest.fixture(params=["moto", "dynoxide"])
def table(request: pytest.FixtureRequest) -> DynamoTable:
    """Return a new table for each test, in moto and in dynoxide, which imitates DynamoDB more closely."""
    if request.param == "moto":
        request.getfixturevalue("aws")
    client = request.getfixturevalue(f"{request.param}_client")
    name = f"rooms-{uuid.uuid4()}"
    create_table(client, name)
    return DynamoTable(client, name)


@pytest.fixture
def rooms(table: DynamoTable, clock: Clock) -> Rooms:
    return Rooms(table, clock)
