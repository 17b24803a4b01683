"""Carry out commands on rooms and on the queue: unstick, tell, export, purge, retry, replay."""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from html import escape
from typing import Any

from bot.records.archive import archive_key
from bot.rooms.names import from_key
from handlers.service.erasing import Eraser
from handlers.service.recording import Recorder
from infra.queue import QueueUnavailable, Wakeup
from infra.store.items import (
    Change,
    Conflict,
    OutboxEntry,
    Patch,
    RoomItem,
    room_from_attributes,
    unpack_entry,
)
from infra.store.set_aside import MESSAGE, Aside
from infra.store.table import GAME_PREFIX, ROOM, ROOM_PREFIX, in_partition, parse_game_reference
from operate.bot import Bot, CannotRun, NotDone
from operate.rooms import read

#: The most messages that SQS returns at once.
_BATCH = 10
#: Seconds to wait for a message. Without waiting, SQS asks only some of its servers and may find nothing.
_PATIENCE = 2


def find_room(bot: Bot, key: str) -> RoomItem:
    """Return a room by its key or its chat's number, even if it has moved. Raises CannotRun."""
    key = key if key.startswith(ROOM_PREFIX) else ROOM_PREFIX + key
    item = bot.rooms.load_following(key)
    if item is None:
        raise CannotRun(f"there is no {key}")
    return item


def unstick(bot: Bot, item: RoomItem) -> None:
    """Make a room forget why it waits: pauses, failed tries, send slots, the next wake-up. Then wake it now.

    A sender that is still working keeps its lease, and unsent messages stay. Raises NotDone if the room was
    written meanwhile.
    """
    pauses, failures = dict.fromkeys(item.remembered.pauses), dict.fromkeys(item.remembered.failures)
    stale: Patch = {"pauses": pauses, "failures": failures, "slot_runs": None, "next_wakeup_at": None}
    saved = bot.rooms.save(item, Change(remembered=stale, due=bot.clock()))
    if isinstance(saved, Conflict):
        raise NotDone("the room was written meanwhile: look again")
    _wake(bot, item.key)


def tell(bot: Bot, items: Iterable[RoomItem], text: str) -> tuple[int, int]:
    """Have the bot post a text in each of these rooms, at its pace.

    Returns how many rooms get it, and how many do not.
    """
    told = [_post(bot, item, text) for item in items]
    return told.count(True), told.count(False)


def _post(bot: Bot, item: RoomItem | None, text: str) -> bool:
    """Have the bot post a text. Return False if the room is gone, or was written at each of 3 tries."""
    for _ in range(3):
        if item is None:
            return False
        name = from_key(item.key)
        params = {"text": escape(text), "parse_mode": "HTML"}
        entry = OutboxEntry(name.chat, "sendMessage", params, topic=name.topic)
        saved = bot.rooms.save(item, Change(entries=(entry,), due=bot.clock()))
        if not isinstance(saved, Conflict):
            _wake(bot, saved.key)
            return True
        item = saved.item
    return False


def _wake(bot: Bot, key: str) -> None:
    # If the queue does not take it, the watchdog finds the room, which is also due in the index.
    with suppress(QueueUnavailable):
        bot.wakeups.send(Wakeup(key, bot.clock(), "operator"))


def running(bot: Bot) -> list[RoomItem]:
    """Return the rooms with a sealed or running game or a lobby, except those where the bot cannot write."""
    out = []
    for item in bot.rooms.every():
        room = read(item)
        if room is not None and not room.bot_removed and (room.playing or room.lobby or room.sealed):
            out.append(item)
    return out


def items_of_room(bot: Bot, key: str) -> list[dict[str, Any]]:
    """Return all items under a room's present and earlier keys: room, games, leaderboard."""
    keys: list[str] = [key]
    out: list[dict[str, Any]] = []
    for partition in keys:
        items = list(bot.store.items("query", **in_partition(partition), ConsistentRead=True))
        out += items
        keys += [earlier for earlier in dict.fromkeys(_earlier_keys(items)) if earlier not in keys]
    return out


def _earlier_keys(items: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield the keys that a room had before, or under which its games are stored."""
    for attributes in items:
        if attributes["sk"]["S"] != ROOM:
            continue
        item = room_from_attributes(attributes)
        if item.moved_from is not None:
            yield item.moved_from
        room = read(item) if item.moved_to is None else None
        if room is not None:
            yield archive_key(room)


def as_json(items: Sequence[dict[str, Any]]) -> str:
    """Return items as JSON for a file. Compressed attributes stay compressed, in base64."""
    return json.dumps(list(items), ensure_ascii=False, indent=1, default=_plain)


def purge(bot: Bot, key: str, over: Callable[[Sequence[Any]], Iterable[Any]]) -> int:
    """Delete all of a room's items, and remove it from its people's items. Return the number of items.

    Raises CannotRun.
    """
    room = find_room(bot, key).key
    items = items_of_room(bot, room)
    keys = {attributes["pk"]["S"] for attributes in items}
    # A forum's chat has an item of the same kind as a person. It lists the rooms of the forum's topics.
    chats = {from_key(one).chat for one in keys}
    people = {person for attributes in items for person in _people(attributes)}
    for who in over(sorted(people | chats)):
        _forget(bot, who, keys)
    for aside in bot.set_aside.all():
        if aside.room in keys:
            bot.set_aside.drop(aside)
    # This command can be repeated only as long as the room exists, so the room comes last.
    for attributes in over(sorted(items, key=lambda one: (one["sk"]["S"] == ROOM, one["pk"]["S"] == room))):
        bot.store.call("delete_item", Key={"pk": attributes["pk"], "sk": attributes["sk"]})
    return len(items)


def sibling_keys(bot: Bot, key: str) -> list[str]:
    """Return the keys of the other rooms of a room's group: in a forum, each topic has one."""
    chat = from_key(key).chat
    keys = (item.key for item in bot.rooms.every())
    return sorted(other for other in keys if other != key and from_key(other).chat == chat)


def _people(attributes: dict[str, Any]) -> set[int]:
    if attributes["sk"]["S"].startswith(GAME_PREFIX):
        return {int(seat["N"]) for seat in attributes["people"]["M"].values() if int(seat["N"]) > 0}
    if attributes["sk"]["S"] != ROOM or "moved_to" in attributes:
        return set()
    room = read(room_from_attributes(attributes))
    return set() if room is None else set(room.user_ids)


def _forget(bot: Bot, who: int, keys: set[str]) -> None:
    """Remove a room from a person's or a chat's item. The person's own statistics stay."""
    user = bot.users.load(who)
    games = [game for game in bot.users.finished_games(who) if parse_game_reference(game)[0] in keys]
    bot.users.unlink(who, user.rooms & keys, games)


def retry(bot: Bot, asides: Iterable[Aside]) -> None:
    """Write or send what was set aside.

    Raises StoreError if it still cannot be written, and NotDone if a message's room was written meanwhile.
    """
    recorder = Recorder(bot.rooms, bot.archives, bot.users, bot.set_aside)
    fresh = partial(secrets.token_hex, 32)
    eraser = Eraser(bot.rooms, bot.archives, bot.users, fresh, bot.set_aside)
    for aside in asides:
        if aside.what == MESSAGE:
            _put_back(bot, aside)
        else:
            (recorder if aside.what == "record" else eraser).retry(aside)


def _put_back(bot: Bot, aside: Aside) -> None:
    """Put a message back into its room's outbox. Raises NotDone if the room was written meanwhile.

    An edit is only dropped: by now its message shows something newer.
    """
    item, entry = bot.rooms.load_following(aside.room), unpack_entry(aside.body)
    if item is not None and entry.target is None:
        place = from_key(item.key)
        # If the room remembers a message under this name already, that message is newer and keeps the name.
        name = None if entry.name in item.remembered.message_ids else entry.name
        chat = place.chat if entry.chat < 0 else entry.chat
        again = replace(entry, chat=chat, name=name)
        if isinstance(bot.rooms.save(item, Change(entries=(again,), due=bot.clock())), Conflict):
            raise NotDone("the room was written meanwhile: try again")
        _wake(bot, item.key)
    bot.set_aside.drop(aside)


def count_messages(bot: Bot, queue: str) -> int:
    """Return the approximate number of messages in a queue, ``queue`` or ``dead_letters`` of the stack."""
    name, url = "ApproximateNumberOfMessages", bot.stack[queue]
    answer = bot.cloud("sqs").get_queue_attributes(QueueUrl=url, AttributeNames=[name])
    return int(answer["Attributes"][name])


def replay(bot: Bot, most: int, over: Callable[[Sequence[Any]], Iterable[Any]]) -> int:
    """Send at most ``most`` dead letters again. Returns how many were sent. The others stay."""
    sqs, url, sent = bot.cloud("sqs"), bot.stack["dead_letters"], 0
    for message, _ in zip(_received(sqs, url, most), over(range(most)), strict=False):
        sqs.send_message(QueueUrl=bot.stack["queue"], MessageBody=message["Body"])
        sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
        sent += 1
    return sent


def _received(sqs: Any, url: str, most: int) -> Iterator[dict[str, Any]]:
    """Yield at most ``most`` messages of a queue."""
    while most:
        wanted = min(_BATCH, most)
        answer = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=wanted, WaitTimeSeconds=_PATIENCE)
        messages = answer.get("Messages", [])
        if not messages:
            return
        yield from messages
        most -= len(messages)


def _plain(value: Any) -> Any:
    return base64.b64encode(value).decode() if isinstance(value, bytes | bytearray) else list(value)
