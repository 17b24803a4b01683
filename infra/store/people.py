"""Users in the table: language, permission to write to them, rooms and counts."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from infra.store.items import KEEP, Keep
from infra.store.table import (
    GAME_PREFIX,
    USER,
    Attributes,
    ConditionFailed,
    DynamoTable,
    Expression,
    in_partition,
    pack_value,
    unpack_value,
    user_key,
)

#: Prefixes of attribute names, of two characters each. Counts, options and rooms are separate attributes, so
#: that ADD and SET need no existing map and writers of different ones never overwrite each other.
COUNT_ATTRIBUTE, OPTION_ATTRIBUTE, ROOM_ATTRIBUTE = "n:", "o:", "r:"
#: The most rooms stored for a person, far more than anybody plays in. Beyond that, the oldest are removed, so
#: that ``_FREED`` places are free.
MOST_ROOMS, _FREED = 100, 10
#: The attribute that counts finished games.
FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class UserItem:
    """A person, without their name. A forum has such an item, too, for the rooms in its topics."""

    #: The id of a person, or of a forum's chat.
    user: int
    language: str | None = None
    #: True if the bot may write to this person in private; None if it is not known.
    may_write: bool | None = None
    #: Keys of rooms in which they may have a seat. Check the room before you rely on it.
    rooms: frozenset[str] = frozenset()
    #: The number of games they have finished; ``Users.finished_games`` lists them.
    finished: int = 0
    #: Statistics by name.
    counts: Mapping[str, int] = field(default_factory=dict)
    #: Small JSON values by name.
    options: Mapping[str, Any] = field(default_factory=dict)
    #: When they last took a seat, by room key, in seconds since 1970.
    seated_at: Mapping[str, int] = field(default_factory=dict, compare=False)

    def latest(self, most: int) -> tuple[str, ...]:
        """Return the rooms in which they took a seat last, the newest first."""
        return tuple(sorted(self.rooms, key=lambda room: (-self.seated_at[room], room))[:most])


class Users:
    """The users of one table. A method makes one request unless it says otherwise."""

    def __init__(self, table: DynamoTable, clock: Callable[[], float] = time.time) -> None:
        self._table = table
        self._clock = clock

    def load(self, user: int) -> UserItem:
        """Read a user consistently. A new user comes as an empty item."""
        item = self._table.call("get_item", Key=user_primary_key(user), ConsistentRead=True).get("Item", {})
        return _user_from_attributes(user, item)

    def save(
        self,
        user: int,
        *,
        language: str | Keep | None = KEEP,
        may_write: bool | Keep = KEEP,
        add_rooms: Iterable[str] = (),
        options: Mapping[str, Any] | None = None,
    ) -> UserItem:
        """Merge the given values into a user's item, leaving the rest. An option of None is removed.

        A room that is added becomes the latest. Beyond ``MOST_ROOMS``, one more write removes the oldest.
        """
        out = Expression()
        if not isinstance(language, Keep):
            if language is None:
                out.remove("language")
            else:
                out.set("language", {"S": language})
        if not isinstance(may_write, Keep):
            out.set("may_write", {"BOOL": may_write})
        for name, value in (options or {}).items():
            if value is None:
                out.remove(OPTION_ATTRIBUTE + name)
            else:
                out.set(OPTION_ATTRIBUTE + name, pack_value(value))
        for room in sorted(set(add_rooms)):
            out.set(ROOM_ATTRIBUTE + room, {"N": str(int(self._clock()))})
        key = user_primary_key(user)
        answer = self._table.call("update_item", Key=key, **out.arguments(), ReturnValues="ALL_NEW")
        found = _user_from_attributes(user, answer.get("Attributes", {}))
        if len(found.rooms) <= MOST_ROOMS:
            return found
        newest = found.latest(MOST_ROOMS - _FREED)
        self.unlink(user, found.rooms - set(newest), ())
        return replace(found, rooms=frozenset(newest))

    def finished_games(self, user: int) -> frozenset[str]:
        """Return the finished games they played, as ``room key|game id``; one request a page, consistent."""
        query = in_partition(user_key(user), (GAME_PREFIX, GAME_PREFIX + "~"))
        items = self._table.items("query", **query, ConsistentRead=True)
        return frozenset(item["sk"]["S"].removeprefix(GAME_PREFIX) for item in items)

    def drop_games(self, user: int, games: Collection[str]) -> None:
        """Delete these finished games from a person's list; one request each. Repeating it is safe."""
        for game in sorted(games):
            self._table.call("delete_item", Key=user_game_key(user, game))

    def forget(self, user: int, finished: int, rooms: Collection[str] = ()) -> bool:
        """Delete a user's item, if the person has finished ``finished`` games and no more.

        Call it after ``Archives.forget`` has anonymised the person's archives. Returns False if another game
        ended meanwhile. ``rooms`` are those in which the person still has a seat. If there are any, they
        stay, and the bot may still write to the person.
        """
        out = Expression()
        path = out.path(FINISHED)
        if finished:
            # If there is no item, no other game has ended meanwhile, because that would have created one.
            out.condition(f"{path} = {out.value({'N': str(finished)})} OR attribute_not_exists(pk)")
        else:
            out.condition(f"attribute_not_exists({path})")
        key = user_primary_key(user)
        now = {"N": str(int(self._clock()))}
        left = {"may_write": {"BOOL": True}, **{ROOM_ATTRIBUTE + room: now for room in rooms}}
        try:
            if rooms:
                self._table.call("put_item", Item={**key, **left}, **out.arguments())
            else:
                self._table.call("delete_item", Key=key, **out.arguments())
        except ConditionFailed:
            return False
        return True

    def unlink(self, user: int, rooms: Collection[str], games: Collection[str]) -> None:
        """Remove rooms and finished games from a person's items. Counts and options stay.

        One request for all rooms, and one for each game.
        """
        self.drop_games(user, games)
        if not rooms:
            return
        out = Expression()
        for room in sorted(rooms):
            out.remove(ROOM_ATTRIBUTE + room)
        out.condition(f"attribute_exists({out.path('pk')})")
        with suppress(ConditionFailed):  # after a /forget there is nothing to remove
            self._table.call("update_item", Key=user_primary_key(user), **out.arguments())


def user_primary_key(user: int) -> Attributes:
    """Return the table key of a user's item."""
    return {"pk": {"S": user_key(user)}, "sk": {"S": USER}}


def user_game_key(user: int, game: str) -> Attributes:
    """Return the table key of the item that says a person played a game (``room key|game id``)."""
    return {"pk": {"S": user_key(user)}, "sk": {"S": GAME_PREFIX + game}}


def _user_from_attributes(user: int, item: Attributes) -> UserItem:
    found: dict[str, dict[str, Any]] = {COUNT_ATTRIBUTE: {}, OPTION_ATTRIBUTE: {}, ROOM_ATTRIBUTE: {}}
    for name, value in item.items():
        if (prefix := name[:2]) in found:
            found[prefix][name[2:]] = unpack_value(value)
    return UserItem(
        user=user,
        language=item["language"]["S"] if "language" in item else None,
        may_write=item["may_write"]["BOOL"] if "may_write" in item else None,
        rooms=frozenset(found[ROOM_ATTRIBUTE]),
        finished=int(item[FINISHED]["N"]) if FINISHED in item else 0,
        counts=found[COUNT_ATTRIBUTE],
        options=found[OPTION_ATTRIBUTE],
        seated_at=found[ROOM_ATTRIBUTE],
    )
