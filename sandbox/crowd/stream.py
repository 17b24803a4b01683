"""Read the table's record of its writes from dynoxide's implementation of DynamoDB streams.

So the checks do not depend on reports of workers, which a killed worker may not send.
"""

from __future__ import annotations

import base64
import http.client
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infra.store.keys import ROOM

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient

Item = dict[str, Any]


def keep_stream(client: DynamoDBClient, table: str, file: Path) -> None:
    """Make the table record its writes from now on. ``file`` is dynoxide's database.

    dynoxide reads all earlier records to number a new one, which becomes slow after a few thousand. So this
    adds the index that its database lacks.
    """
    client.update_table(
        TableName=table,
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
    )
    with closing(sqlite3.connect(file)) as inside:
        for number, columns in enumerate(("table_name", "table_name, shard_id")):
            index = f"{columns}, CAST(sequence_number AS INTEGER)"
            inside.execute(f"CREATE INDEX crowd_{number} ON _stream_records ({index})")


def writes_of_rooms(port: int, table: str) -> Iterator[tuple[str, Item]]:
    """Yield (key, new item) for each write of a room's item, in order.

    It does not use boto3, which reads records more slowly than the games are played.
    """
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as line:
        yield from _writes(_Stream(line), table)


def _writes(stream: _Stream, table: str) -> Iterator[tuple[str, Item]]:
    arn = stream.ask("ListStreams", TableName=table)["Streams"][0]["StreamArn"]
    for shard in stream.ask("DescribeStream", StreamArn=arn)["StreamDescription"]["Shards"]:
        start = {"StreamArn": arn, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
        place = stream.ask("GetShardIterator", **start)["ShardIterator"]
        while place is not None:
            answer = stream.ask("GetRecords", ShardIterator=place)
            for record in answer["Records"]:
                image = record["dynamodb"].get("NewImage")
                if image is not None and image["sk"]["S"] == ROOM:
                    yield image["pk"]["S"], _with_bytes(image)
            place = answer.get("NextShardIterator") if answer["Records"] else None


class _Stream:
    def __init__(self, line: http.client.HTTPConnection) -> None:
        self._line = line

    def ask(self, operation: str, **arguments: Any) -> Any:
        headers = {
            "X-Amz-Target": f"DynamoDBStreams_20120810.{operation}",
            "Content-Type": "application/x-amz-json-1.0",
            "X-Amz-Date": "20260101T000000Z",
            "Authorization": "AWS4-HMAC-SHA256 Credential=nobody/20260101/eu-central-1/dynamodb/aws4_request,"
            " SignedHeaders=host, Signature=nothing",
        }
        self._line.request("POST", "/", json.dumps(arguments), headers)
        answer = self._line.getresponse()
        said = json.loads(answer.read())
        if answer.status != http.client.OK:
            raise RuntimeError(f"{operation}: {said.get('message', said)}")
        return said


def _with_bytes(value: Any) -> Any:
    """Return an item in JSON with its binary attributes as bytes, as boto3 returns them."""
    if not isinstance(value, dict):
        return value
    return {
        name: base64.b64decode(inner) if name == "B" and isinstance(inner, str) else _with_bytes(inner)
        for name, inner in value.items()
    }
