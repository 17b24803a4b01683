"""File ids of pictures that Telegram has seen, so that none is uploaded twice."""

from __future__ import annotations

from infra.items import Attributes
from infra.store import Clock
from infra.table import Table

KEPT_FOR = 90 * 24 * 3600
"""Seconds after which a file id is forgotten; the next use uploads the picture again."""


class Pictures:
    """File ids by the picture's name (a hash of what it shows); kept in memory as well.

    A picture that holds no secret may be shared by all rooms of a bot.
    """

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._seen: dict[str, str] = {}

    def file_id(self, name: str) -> str | None:
        """The picture's file id if it was uploaded before; at most one read."""
        if name not in self._seen:
            item = self._table.call("get_item", Key=_key(name)).get("Item")
            if not item or int(item["expires"]["N"]) <= self._clock():
                return None
            self._seen[name] = item["file_id"]["S"]
        return self._seen[name]

    def remember(self, name: str, file_id: str) -> None:
        """Keep a file id; one write unless it is known."""
        if self._seen.get(name) == file_id:
            return
        expires = str(int(self._clock()) + KEPT_FOR)
        self._table.call(
            "put_item", Item={**_key(name), "file_id": {"S": file_id}, "expires": {"N": expires}}
        )
        self._seen[name] = file_id

    def forget(self, name: str) -> None:
        """Drop a file id that Telegram no longer takes."""
        self._seen.pop(name, None)
        self._table.call("delete_item", Key=_key(name))


def _key(name: str) -> Attributes:
    return {"pk": {"S": f"picture#{name}"}, "sk": {"S": "picture"}}
