"""A table in two local DynamoDBs, a clock that tests move, and rooms on them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import boto3
import pytest
from moto import mock_aws

from infra.schema import create_table
from infra.store import Rooms
from infra.table import Table
from sandbox.dynoxide import Dynoxide
from tests.installed import dynoxide_running

NOW = 1_800_000_000.0


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
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "nobody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "nothing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    with mock_aws():
        yield


@pytest.fixture(scope="session")
def dynoxide() -> Iterator[Dynoxide]:
    with dynoxide_running() as server:
        yield server


@pytest.fixture(params=["moto", "dynoxide"])
def table(request: pytest.FixtureRequest) -> Iterator[Table]:
    """A table of its own for each test, in moto and in dynoxide, which is the more faithful."""
    if request.param == "moto":
        request.getfixturevalue("aws")
        client = boto3.client("dynamodb")
    else:
        client = boto3.client("dynamodb", **request.getfixturevalue("dynoxide").client_arguments)
    name = f"rooms-{uuid.uuid4()}"
    create_table(client, name)
    yield Table(client, name)
    client.close()


@pytest.fixture
def rooms(table: Table, clock: Clock) -> Rooms:
    return Rooms(table, clock)
