"""Send rooms' outboxes, and act when Telegram refuses a message or a group becomes a supergroup."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from bot.conversation.game.announce import MESSAGE, picture_in_words
from bot.conversation.posting import is_private
from bot.conversation.reaching import on_moved
from bot.conversation.refused import Reason, handle_refusals
from bot.conversation.refused import Refusal as RoomRefusal
from bot.conversation.waking import due
from bot.display.board_picture import Draw, drawn, render
from bot.rooms.codec import SCHEMA, decode, encode
from bot.rooms.names import ChatId, RoomName, from_key
from engine.frozen import frozen
from handlers.service import effects
from infra.outbox.outbox_sender import OutboxSender, PhotoOf
from infra.outbox.send import Refusal
from infra.store.items import KEEP, Change, Conflict, Remembered, RoomItem, new_owner
from infra.store.rooms import WRITE_ATTEMPTS, Rooms
from infra.store.set_aside import SetAside
from infra.store.table import StoreUnavailable
from infra.telegram.errors import Kind


def _still_valid(before: Remembered) -> Remembered:
    """Return the part of a room's memory that stays valid when the group moves."""
    private = {name: message for name, message in before.message_ids.items() if is_private(name)}
    return Remembered(private, before.post_dates, before.pictures, erasure=before.erasure)


def _names_waiting(item: RoomItem, chat: ChatId) -> set[str | None]:
    """Return the names of the messages that a chat's waiting entries will post.

    An edit counts, too, if it may become a post.
    """
    waiting = [entry for entry in item.outbox.values() if entry.chat == chat]
    return {entry.name for entry in waiting} | {entry.target for entry in waiting if entry.fallback}


def picture_drawer(draw: Draw = render) -> PhotoOf:
    """Return a function that draws an entry's picture from its room."""
    return lambda item, spec: drawn(decode(item.body, item.schema), spec, draw)


@frozen
class OutboxService:
    """Send rooms' outboxes, and deal with what cannot be sent."""

    outbox_sender: OutboxSender
    rooms: Rooms
    clock: Callable[[], float]
    set_aside: SetAside

    def deliver(
        self,
        item: RoomItem,
        owner: str,
        deadline: float,
        *,
        answer: dict[str, Any] | None = None,
        hurried: bool = False,
    ) -> None:
        """Send the answer to a tap, and then the outbox until ``deadline`` (seconds since 1970).

        Also act on refusals and migrations, and send the messages that result. Raises StoreError.
        """
        # A lease is given back even if nothing is left to send.
        while item.outbox or answer is not None or item.held_by(owner):
            delivered = self.outbox_sender.deliver(item, owner, deadline, answer=answer, hurried=hurried)
            answer, after, refusals = None, None, list(delivered.refusals)
            for old, new in delivered.migrated.items():
                after = self.move(from_key(item.key), ChatId(new)) if old == from_key(item.key).chat else None
                if after is None and delivered.item is not None:
                    # The room could not move there, so its messages to the old chat reach nobody.
                    gone = (each for each in delivered.item.outbox.items() if each[1].chat == old)
                    refusals += [Refusal(key, entry, Kind.CHAT_NOT_FOUND) for key, entry in gone]
            if refusals and delivered.item is not None:
                for refusal in refusals:
                    # Telegram did not refuse these: they failed for good in another way.
                    if refusal.kind in (Kind.UNANSWERED, Kind.MISTAKE):
                        self.set_aside.put_message(item.key, refusal.id, refusal.entry, refusal.detail)
                after = self._settle(after or delivered.item, refusals, owner)
            if after is None:
                return
            item = after

    def move(self, name: RoomName, to: ChatId) -> RoomItem | None:
        """Move the room of a group that became the supergroup ``to``, unless it has moved already.

        Returns the moved room, or None if there is no room, or another one has the new key. Raises
        StoreUnavailable while another invocation works on it.
        """
        key = RoomName(to, name.topic).key
        item = self.rooms.load_following(name.key)
        for _ in range(WRITE_ATTEMPTS):
            if item is None or item.key == key:
                return item
            before = decode(item.body, item.schema)
            origin = before.chat if before.origin is None else before.origin
            outcome = on_moved(replace(before, chat=to, origin=origin), _names_waiting(item, before.chat))
            entries = effects.entries(outcome.room, outcome.effects)
            change = Change(body=encode(outcome.room), schema=SCHEMA, entries=entries)
            chats, moving = (before.chat, to), replace(item, remembered=_still_valid(item.remembered))
            result = self.rooms.move(moving, key, change, chats=chats, owner=new_owner())
            if isinstance(result, RoomItem):
                return result
            found = self.rooms.load_following(name.key)
            if found == item and result.item is not None and result.item.key == key:
                return None
            item = found
        raise StoreUnavailable("the room is too busy")

    def _settle(self, item: RoomItem, refusals: Sequence[Refusal], owner: str) -> RoomItem | None:
        """Remove refused entries from the outbox, and add what is sent instead, in one write.

        Returns the room, or None if nothing was written.
        """
        reasons = {
            Kind.NOT_IN_CHAT: Reason.NOT_IN_CHAT,
            Kind.NO_RIGHTS: Reason.NO_RIGHTS,
            Kind.TOPIC_GONE: Reason.CLOSED,
        }

        current: RoomItem | None = item
        for _ in range(WRITE_ATTEMPTS):
            if current is None:
                return None
            left = [refusal for refusal in refusals if refusal.id in current.outbox]
            if not left:
                return None
            room = decode(current.body, current.schema)
            told = [
                RoomRefusal(
                    ChatId(refusal.entry.chat),
                    # A refused edit may concern only its message. A refused post closes the chat.
                    Reason.CLOSED
                    if refusal.kind is Kind.FORBIDDEN and refusal.entry.target is None
                    else reasons.get(refusal.kind, Reason.OTHER),
                    refusal.entry.name,
                    picture=refusal.entry.photo is not None,
                )
                for refusal in left
            ]
            waiting = current.outbox.values()
            posts_waiting = sum(entry.name == MESSAGE and entry.target is None for entry in waiting)
            outcome = handle_refusals(room, told, int(self.clock()), posts_waiting)
            refused = [] if outcome.room.bot_removed else [each.entry for each in left if each.entry.photo]
            boards = [picture_in_words(room, entry.name, entry.photo) for entry in refused]
            text_entries = map(effects.without_picture, refused, boards)
            change = Change(
                body=None if outcome.room == room else encode(outcome.room),
                schema=SCHEMA,
                entries=[*text_entries, *effects.entries(outcome.room, outcome.effects)],
                remove=[refusal.id for refusal in left],
                lease=self.outbox_sender.lease(owner),
                due=due(outcome.room) if outcome.room.muted_now else KEEP,
            )
            saved = self.rooms.save(current, change)
            if not isinstance(saved, Conflict):
                return saved
            current = saved.item
        return None
