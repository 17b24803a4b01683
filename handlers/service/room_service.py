"""Handle what happens in a room: load it, let the conversation respond, save, and follow up."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bot.computers import Mind
from bot.conversation.game.computers import overdue, thinks
from bot.conversation.incoming import (
    BlockChanged,
    Command,
    DeepLink,
    ForgetIdleRoom,
    Membership,
    Moved,
    Practise,
    Tap,
    Think,
    Wake,
)
from bot.conversation.lobby.freezing import FORWARD, SEAL
from bot.conversation.outcome import Context, LookupNeeded, Outcome, Toast
from bot.conversation.routing import respond
from bot.display.words import Words, closest
from bot.rooms.codec import SCHEMA, decode, encode
from bot.rooms.model import Room
from bot.rooms.names import RoomName
from bot.rooms.sealing import Beacon
from handlers.service import effects
from handlers.service.effects import RoomRequest
from handlers.service.follow_up import FollowUp
from handlers.service.lookups import Lookups
from infra.outbox.outbox_sender import Note
from infra.outbox.plan import find_superseded
from infra.store.items import Change, Conflict, OutboxEntry, Patch, RoomItem, entry_id, new_owner
from infra.store.rooms import WRITE_ATTEMPTS, Rooms
from infra.store.table import StoreUnavailable

if TYPE_CHECKING:
    from handlers.service.erasing import Eraser
    from handlers.service.recording import Recorder

#: Verbs of taps that often change nothing, because they show something or open a link. If such a tap changes
#: nothing, no line is logged.
UNLOGGED_TAPS = ("role", "join", "sit", "rules", "howto", "learn", "proof", "film", "decided")
#: A room with more bytes of unsent messages than this refuses most requests until some of the messages are
#: sent. One save may add messages beyond this number, but the room's item, with the game, still stays
#: below 100 KB.
MAX_OUTBOX_BYTES = 40_000
#: Such a room refuses requests of these kinds. A refused ``Wake`` still sends some of the unsent messages.
_REFUSED_WHILE_FULL = (Tap, Command, DeepLink, Practise, Wake, Think, BlockChanged)


@dataclass(frozen=True, slots=True)
class HandlingResult:
    """The result of handling one request."""

    #: The method call in the webhook's reply, if any.
    reply: dict[str, Any] | None
    #: The room afterwards.
    room: Room
    #: Its item; None if nothing is stored.
    item: RoomItem | None


@dataclass(frozen=True, slots=True)
class RoomService:
    """Handle requests, from loading the room to the webhook's reply."""

    rooms: Rooms
    #: The recorder records games, and the eraser erases them. Each of the two is made at its first use.
    recorder: "Callable[[], Recorder]"
    eraser: "Callable[[], Eraser]"
    lookups: Lookups
    follow_up: FollowUp
    note: Note
    #: Adds fields to this invocation's further log lines.
    bind: Callable[..., None]
    username: str
    #: The key under which deep links are signed.
    link_key: bytes
    #: The beacon for deals, or None if the bot uses none.
    beacon: Beacon | None
    clock: Callable[[], float]
    #: Returns fresh random bytes as hexadecimal digits. They are drawn for each request, never at start-up,
    #: because processes may be restored from one snapshot.
    entropy: Callable[[], str]
    #: True if no new lobby may open.
    draining: bool = False

    def handle(self, request: RoomRequest) -> dict[str, Any] | None:
        """Handle a request. Then let computers decide, and save that separately.

        If somebody else writes first, try again. Returns the method call in the webhook's reply, if any.
        Raises StoreUnavailable or NewerSchema. The request may have been saved all the same.
        """
        handled = self._handle_and_save(request, self._load(request), self.base_context())
        self._think(handled, request)
        return handled.reply

    def _think(self, after: HandlingResult, request: RoomRequest) -> None:
        """Let computers decide once, if they must.

        Queue a wake-up if there is no time for that, or if more is left to decide or to do.
        """
        if after.item is None or not thinks(after.room):
            return
        if self.clock() >= request.deadline:
            self.follow_up.think_later(after.item.key)
            return
        think_request = replace(request, incoming=Think(request.room), update_id=None)
        # This copy of the outbox is out of date. The request's handling has sent the entries in it, or a
        # later invocation will send those that are left.
        item = replace(after.item, outbox={})
        result = self._handle_and_save(think_request, item, replace(self.base_context(), mind=Mind()))
        if result.item is not None and (thinks(result.room) or overdue(result.room, self.clock())):
            self.follow_up.think_later(result.item.key)

    def _handle_and_save(
        self, request: RoomRequest, item: RoomItem | None, context: Context
    ) -> HandlingResult:
        """Respond, save and follow up. If somebody else writes first, begin again with the newer item."""
        for _ in range(WRITE_ATTEMPTS):
            item, room = self._finish_pending(item, request.room)
            if item is not None and request.update_id is not None and item.knows(request.update_id):
                reply = self.follow_up.finish_repeated(
                    request.incoming, room, item, request.update_id, request.deadline
                )
                return HandlingResult(reply, room, item)
            if (
                item is not None
                and item.waiting_bytes > MAX_OUTBOX_BYTES
                and isinstance(request.incoming, _REFUSED_WHILE_FULL)
            ):
                return HandlingResult(self._refuse_while_full(request, item, room), room, item)
            context = replace(context, seal_fixed_at=seal_fixed_at(item, room), randomness=None)
            outcome, context = self._respond(room, request, context)
            if not outcome.changes(room):
                return HandlingResult(self._finish_unchanged(request, item, room, outcome), room, item)
            saved = self.save(item, room, outcome, request, context.slow_mode)
            if isinstance(saved, Conflict):
                item = saved.item
                continue
            self.bind(room=saved.key, version=saved.version)
            reply = self.follow_up.run(outcome, saved, request)
            if outcome.erase is not None:
                self.eraser().erase_by_key(saved.key)
            return HandlingResult(reply, outcome.room, saved)
        raise StoreUnavailable("the room is too busy")

    def _load(self, request: RoomRequest) -> RoomItem | None:
        """Load a room's item. If it is time to deal its sealed game, try that, and load the item again."""
        self.bind(room=request.room.key, version=None)
        item = self.rooms.load_following(request.room.key)
        if item is None or isinstance(request.incoming, Wake) or not is_deal_due(item, self.clock()):
            return item
        # The wake-up for the deal may be late. So any other request tries the deal first. The deal is saved
        # separately from the request.
        self.handle(replace(request, incoming=Wake(request.room), update_id=None, owner=new_owner()))
        return self.rooms.load_following(request.room.key)

    def _finish_pending(self, item: RoomItem | None, name: RoomName) -> tuple[RoomItem | None, Room]:
        """Carry out what is pending: an erasure, or the recording of a game. Return the item and its room."""
        for _ in range(WRITE_ATTEMPTS):
            if item is None:
                return None, Room(name.chat, name.topic)
            self.bind(room=item.key, version=item.version)
            room = decode(item.body, item.schema)
            if item.remembered.erasure is not None:
                item = self.eraser().erase(item)
            elif room.match is not None and room.match.needs_archiving:
                item = self.recorder().record(item)
            else:
                return item, room
        raise StoreUnavailable("the room is too busy")

    def base_context(self) -> Context:
        """Return the context before any lookup: time, entropy, and the bot's name, key and settings."""
        now, milliseconds = divmod(int(self.clock() * 1000), 1000)
        own = (self.entropy(), self.username, self.link_key, self.draining, self.beacon)
        return Context(now, *own, milliseconds=milliseconds)

    def _respond(self, room: Room, request: RoomRequest, context: Context) -> tuple[Outcome, Context]:
        """Return the outcome, and the context with everything that was looked up for it."""
        incoming = request.incoming
        while True:
            try:
                return respond(room, incoming, context), context
            except LookupNeeded as needs:
                without_person = (Wake, Think, ForgetIdleRoom, Moved, Membership)
                person = None if isinstance(incoming, without_person) else incoming.person
                context = self.lookups.fetch(needs.need, room, person, context, request.deadline)

    def _finish_unchanged(
        self, request: RoomRequest, item: RoomItem | None, room: Room, outcome: Outcome
    ) -> dict[str, Any] | None:
        """Finish a request that changes nothing. Return the reply, and for a wake-up send what is unsent."""
        incoming = request.incoming
        if isinstance(incoming, Wake) and item is not None:
            self.follow_up.send_or_reschedule(item, room, request)
        if not isinstance(incoming, Tap):
            return effects.webhook_reply(incoming, outcome)
        if incoming.verb not in UNLOGGED_TAPS:
            self.note("ignored", {"kind": incoming.verb})
        return effects.webhook_reply(incoming, outcome)

    def _refuse_while_full(self, request: RoomRequest, item: RoomItem, room: Room) -> dict[str, Any] | None:
        """Refuse a request because too many messages are unsent. A wake-up sends some of them."""
        incoming = request.incoming
        if isinstance(incoming, Wake):
            self.follow_up.send_or_reschedule(item, room, request)
        if not isinstance(incoming, Tap):
            return None
        self.note("outbox_full", {"room": item.key})
        return effects.answer_call(
            incoming.query, Toast(Words(closest(incoming.person.language)).plain("throttled"))
        )

    def save(
        self,
        item: RoomItem | None,
        before: Room,
        outcome: Outcome,
        request: RoomRequest,
        slow_mode: int | None = None,
    ) -> RoomItem | Conflict:
        """Save the room and its messages in one write. Return Conflict if somebody else wrote first."""
        if before.topic is not None and outcome.room.lobby_count != before.lobby_count:
            # A lobby opens. Note its topic before the lobby is saved: a topic noted in vain does no harm.
            self.follow_up.note_topic(outcome.room, request.room.key)
        entries = _hide_meeting(before, outcome.room, effects.entries(outcome.room, outcome.effects))
        change = Change(
            body=encode(outcome.room),
            schema=SCHEMA,
            update_id=request.update_id,
            entries=entries,
            remove=_superseded(item, entries),
            # The lease is the right to send the outbox. Ask for it only if there are new entries. The sender
            # gives it back, and without entries there may be no sender.
            lease=self.follow_up.lease(request.owner) if entries else None,
            remembered=_make_patch(item, outcome, slow_mode),
            due=outcome.next_due_at if outcome.erase is None else self.clock(),
        )
        return self.rooms.create(request.room.key, change) if item is None else self.rooms.save(item, change)


def _make_patch(item: RoomItem | None, outcome: Outcome, slow_mode: int | None) -> Patch:
    """Return an erasure to carry out, and the group's slow mode if it was looked up and has changed."""
    patch: Patch = {}
    if (erase := outcome.erase) is not None:
        patch["erasure"] = {"whole": erase.everything, "people": erase.people}
    chat = outcome.room.chat
    before = None if item is None else item.remembered.slow_modes.get(chat)
    if slow_mode is not None and (slow_mode or None) != before:
        patch["slow_modes"] = {chat: slow_mode or None}
    return patch


def _hide_meeting(before: Room, after: Room, entries: list[OutboxEntry]) -> list[OutboxEntry]:
    """Mark private entries while a secret meeting is open, or when it has just closed.

    Every message needs a send slot (``infra.store.pace``). Because of the mark, the room takes as many slots
    for private messages as there are seats, even if it sends fewer private messages. So the sending speed
    does not show how many people met.
    """
    for match in (before.playing, after.playing):
        if match is not None and match.game.question is not None and match.game.question.meeting:
            seats = len(match.players)
            return [replace(entry, hides=seats) if entry.chat > 0 else entry for entry in entries]
    return entries


def _superseded(item: RoomItem | None, entries: Sequence[OutboxEntry]) -> list[str]:
    """Return the ids of waiting entries that the new ones make needless, so that the outbox stays small."""
    if item is None or not item.outbox:
        return []
    new = {entry_id(item.version + 1, index): entry for index, entry in enumerate(entries)}
    return [identifier for identifier in find_superseded({**item.outbox, **new}) if identifier in item.outbox]


def seal_fixed_at(item: RoomItem | None, room: Room) -> int | None:
    """Return the date that Telegram gave to the forward of the message with the seal.

    If the message cannot be forwarded, return its own date. Return None if the room does not remember the
    date for the present seal: then nothing shows yet that the message was posted. One write stores the date
    and removes the message from the outbox. If Telegram's answer was lost, the message is sent again, and
    the later date counts.
    """
    if item is None or room.sealed is None:
        return None
    date = item.remembered.post_dates.get(FORWARD if room.sealed.fixed else SEAL)
    return date.at if date is not None and date.mark == room.sealed.mark else None


def is_deal_due(item: RoomItem, now: float) -> bool:
    """Return True if it is time to try to deal the room's sealed game (``now`` in seconds since 1970)."""
    if item.due is None or item.due > now:
        return False
    sealed = decode(item.body, item.schema).sealed
    return sealed is not None and sealed.next_try_at <= now
