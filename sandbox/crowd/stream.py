"""Read the table's record of its writes from dynoxide's implementation of DynamoDB streams.

So the checks see what the server did, and not what the bot asked for.
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

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient


class Stream:
    """The record of all writes of a table from now on.

    It does not use boto3, which reads records more slowly than the games are played.

    Args:
        client: a client of the table.
        table: the table's name.
        port: dynoxide's port.
        file: dynoxide's database.
    """

    def __init__(self, client: DynamoDBClient, table: str, port: int, file: Path) -> None:
        client.update_table(
            TableName=table,
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
        )
        # dynoxide reads all earlier records to number a new one, which becomes slow after a few thousand. So
        # this adds the index that its database lacks.
        with closing(sqlite3.connect(file)) as inside:
            for number, columns in enumerate(("table_name", "table_name, shard_id")):
                index = f"{columns}, CAST(sequence_number AS INTEGER)"
                inside.execute(f"CREATE INDEX crowd_{number} ON _stream_records ({index})")
        self._line = http.client.HTTPConnection("127.0.0.1", port)
        arn = self._ask("ListStreams", TableName=table)["Streams"][0]["StreamArn"]
        (shard,) = self._ask("DescribeStream", StreamArn=arn)["StreamDescription"]["Shards"]
        start = {"StreamArn": arn, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
        self._place = self._ask("GetShardIterator", **start)["ShardIterator"]

    def fresh(self) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
        """Yield (key, new item) for each write that was not read yet, in order."""
        while (answer := self._ask("GetRecords", ShardIterator=self._place))["Records"]:
            self._place = answer["NextShardIterator"]
            for record in answer["Records"]:
                image = record["dynamodb"].get("NewImage")
                if image is not None:
                    yield (image["pk"]["S"], image["sk"]["S"]), _with_bytes(image)

    def close(self) -> None:
        """Close the connection."""
        self._line.close()

    def _ask(self, operation: str, **arguments: Any) -> Any:
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
