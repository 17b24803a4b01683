"""A table in moto, a clock that tests move, and rooms on both."""

from __future__ import annotations

from collections.abc import Iterator

import boto3
import pytest
from moto import mock_aws

from infra.schema import create_table
from infra.store import Rooms
from infra.table import Table

TABLE = "rooms-of-tests"
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


@pytest.fixture
def table(aws: None) -> Table:
    client = boto3.client("dynamodb")
    create_table(client, TABLE)
    return Table(client, TABLE)


@pytest.fixture
def rooms(table: Table, clock: Clock) -> Rooms:
    return Rooms(table, clock)
