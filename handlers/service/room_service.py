"""Handle what happens in a room: load it, let the conversation respond, save, and follow up."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field, replace
from typing import Any

from bot.computers import Mind
from bot.conversation.game.computers import overdue, thinks
from bot.conversation.incoming import (
    BlockChanged,
    Command,
    DeepLink,
    ForgetIdleRoom,
    Incoming,
    Membership,
    Moved,
    Practise,
    Tap,
    Think,
    Wake,
)
from bot.conversation.lobby.sealing import FORWARD, SEAL
from bot.conversation.outcome import Context, LookupNeeded, Outcome, Toast
from bot.conversation.routing import respond
from bot.conversation.waking import due
from bot.display.words import Words, closest
from bot.rooms.codec import SCHEMA, NewerSchema, decode, encode
from bot.rooms.model import Room
from bot.rooms.names import RoomName, UserId
from bot.rooms.sealing import Beacon, Sealed
from engine.frozen import frozen
from handlers.service import effects
from handlers.service.erasing import Eraser
from handlers.service.lookups import Lookups
from handlers.service.outbox_service import OutboxService
from handlers.service.recording import Recorder
from infra.observability import Watched
from infra.outbox.outbox_sender import Note
from infra.outbox.plan import find_superseded
from infra.queue import QueueUnavailable, Wakeup, WakeupQueue
from infra.store.items import KEEP, Change, Conflict, OutboxEntry, Patch, RoomItem, entry_id, new_owner
from infra.store.people import Users
from infra.store.rooms import WRITE_ATTEMPTS, Rooms
from infra.store.table import StoreUnavailable

#: Verbs of taps that often change nothing, because they show something or open a link. If such a tap changes
#: nothing, no line is logged.
UNLOGGED_TAPS = ("role", "join", "sit", "rules", "howto", "learn", "proof", "film", "decided")
#: A room with more bytes of unsent messages than this refuses most requests until some of the messages are
#: sent. One save may add messages beyond this number, but the room's item, with the game, still stays
#: below 100 KB.
MAX_OUTBOX_BYTES = 40_000
#: Such a room refuses requests of these kinds. A refused ``Wake`` still sends some of the unsent messages.
_REFUSED_WHILE_FULL = (Tap, Command, DeepLink, Practise, Wake, Think, BlockChanged)


@frozen
class RoomRequest:
    """An incoming value, its room, and the time at which sending must end (seconds since 1970)."""

    incoming: Incoming
    room: RoomName
    #: Telegram's id of the update; None if something else caused the request, such as a wake-up.
    update_id: int | None
    deadline: float
    #: True if Telegram waits for the answer. Then the bot waits at most ``infra.outbox.plan.HURRIED_WAIT``
    #: seconds for send slots (``infra.store.pace``). A later wake-up sends the messages that get no slot in
    #: that time.
    hurried: bool = True
    #: The name under which this request holds the room's lease.
    owner: str = field(default_factory=new_owner)


@frozen
class RoomService:
    """Handle requests, from loading the room to the webhook's reply."""

    rooms: Rooms
    users: Users
    recorder: Recorder
    eraser: Eraser
    lookups: Lookups
    outbox_service: OutboxService
    wakeups: WakeupQueue
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
        self.bind(room=request.room.key, version=None)
        item = self.rooms.load_following(request.room.key)
        due_at = None if item is None or isinstance(request.incoming, Wake) else item.due
        if item is not None and due_at is not None and due_at <= self.clock():
            item = self._deal_if_due(item, request)
        reply, room, item = self._handle_and_save(request, item)
        if item is not None and thinks(room):
            self._think(item, request)
        return reply

    def _deal_if_due(self, item: RoomItem, request: RoomRequest) -> RoomItem | None:
        """If it is time to deal the room's sealed game, try that, and load the item again.

        The wake-up for the deal may be late. So any other request tries the deal first. The deal is saved
        separately from the request.
        """
        sealed = decode(item.body, item.schema).sealed
        if sealed is None or sealed.next_try_at > self.clock():
            return item
        self.handle(replace(request, incoming=Wake(request.room), update_id=None, owner=new_owner()))
        return self.rooms.load_following(request.room.key)

    def _think(self, item: RoomItem, request: RoomRequest) -> None:
        """Let computers decide once.

        If there is no time for that, or if more is left to decide or to do, queue a wake-up that is due at
        once. Then another invocation goes on.
        """
        if self.clock() >= request.deadline:
            self._schedule(Wakeup(item.key, self.clock(), "computers"))
            return
        think_request = replace(request, incoming=Think(request.room), update_id=None)
        # This copy of the outbox is out of date. The request's handling has sent the entries in it, or a
        # later invocation will send those that are left.
        _, room, after = self._handle_and_save(think_request, replace(item, outbox={}), Mind())
        if after is not None and (thinks(room) or overdue(room, self.clock())):
            self._schedule(Wakeup(after.key, self.clock(), "computers"))

    def _handle_and_save(
        self, request: RoomRequest, item: RoomItem | None, mind: Mind | None = None
    ) -> tuple[dict[str, Any] | None, Room, RoomItem | None]:
        """Respond, save and follow up. If somebody else writes first, begin again with the newer item.

        If an erasure or the recording of a game is pending, carry that out first. Returns the method call in
        the webhook's reply, if any, the room afterwards, and its item (None: nothing is stored).
        """
        incoming, update_id = request.incoming, request.update_id
        now, milliseconds = divmod(int(self.clock() * 1000), 1000)
        own = (self.entropy(), self.username, self.link_key, self.draining, self.beacon)
        context = Context(now, *own, milliseconds=milliseconds, mind=mind)
        for _ in range(WRITE_ATTEMPTS):
            if item is None:
                room = Room(request.room.chat, request.room.topic)
            else:
                self.bind(room=item.key, version=item.version)
                room = decode(item.body, item.schema)
                if item.remembered.erasure is not None:
                    item = self.eraser.erase(item)
                    continue
                if room.match is not None and room.match.needs_archiving:
                    item = self.recorder.record(item)
                    continue
                if update_id is not None and item.knows(update_id):
                    return self._finish_repeated(request, room, item, update_id), room, item
                if item.waiting_bytes > MAX_OUTBOX_BYTES and isinstance(incoming, _REFUSED_WHILE_FULL):
                    return self._refuse_while_full(request, item, room), room, item
            fixed_at = None if item is None or room.sealed is None else seal_fixed_at(item, room.sealed)
            context = replace(context, seal_fixed_at=fixed_at, randomness=None)
            outcome, context = self._respond(room, request, context)
            if not outcome.changes(room):
                return self._finish_unchanged(request, item, room, outcome), room, item
            saved = self.save(item, room, outcome, request, context.slow_mode)
            if isinstance(saved, Conflict):
                item = saved.item
                continue
            self.bind(room=saved.key, version=saved.version)
            reply = self._follow_up(outcome, saved, request)
            if outcome.erase is not None:
                self.eraser.erase(self.rooms.load_following(saved.key))
            return reply, outcome.room, saved
        raise StoreUnavailable("the room is too busy")

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
            self._send_or_reschedule(item, room, request)
        if isinstance(incoming, Tap) and incoming.verb not in UNLOGGED_TAPS:
            self.note("ignored", {"kind": incoming.verb})
        return effects.webhook_reply(incoming, outcome)

    def _refuse_while_full(self, request: RoomRequest, item: RoomItem, room: Room) -> dict[str, Any] | None:
        """Refuse a request because too many messages are unsent. A wake-up sends some of them."""
        incoming = request.incoming
        if isinstance(incoming, Wake):
            self._send_or_reschedule(item, room, request)
        if not isinstance(incoming, Tap):
            return None
        self.note("outbox_full", {"room": item.key})
        toast = Toast(Words(closest(incoming.person.language)).plain("throttled"))
        return effects.answer_call(incoming.query, toast)

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
            self.users.save(outcome.room.chat, add_rooms=(request.room.key,))
        entries: list[OutboxEntry] = []
        needless: list[str] = []
        if outcome.effects:
            entries = effects.entries(outcome.room, outcome.effects)
            entries = _hide_meeting(before, outcome.room, entries)
        if entries and item is not None and item.outbox:
            # Remove the waiting entries that the new ones make needless, so that the outbox stays small.
            new = {entry_id(item.version + 1, index): entry for index, entry in enumerate(entries)}
            needless = [each for each in find_superseded({**item.outbox, **new}) if each in item.outbox]
        remembered: Patch = {}
        if (erase := outcome.erase) is not None:
            remembered["erasure"] = {"whole": erase.everything, "people": erase.people}
        if slow_mode is not None:
            remembered["slow_modes"] = {outcome.room.chat: slow_mode or None}
        change = Change(
            body=encode(outcome.room),
            schema=SCHEMA,
            update_id=request.update_id,
            entries=entries,
            remove=needless,
            # The lease is the right to send the outbox. Ask for it only if there are new entries. The sender
            # gives it back, and without entries there may be no sender.
            lease=self.outbox_service.outbox_sender.lease(request.owner) if entries else None,
            remembered=remembered,
            due=outcome.next_due_at if erase is None else self.clock(),
        )
        return self.rooms.create(request.room.key, change) if item is None else self.rooms.save(item, change)

    # --- after the save -----------------------------------------------------------------------------------

    def _follow_up(self, outcome: Outcome, saved: RoomItem, request: RoomRequest) -> dict[str, Any] | None:
        """Answer the tap, queue a wake-up for ``outcome.wake_at``, send messages, record a game's end.

        Also note the room on the item of a person who is new there. Returns the webhook's reply. It carries
        the toast only if there are no messages to send and no computer must decide. Otherwise the toast is a
        separate call.
        """
        incoming = request.incoming
        with self._wake_on_failure(saved.key, request.update_id):
            answer = None
            if isinstance(incoming, Tap) and (saved.outbox or thinks(outcome.room)):
                answer = effects.answer_call(incoming.query, outcome.toast)
            reply = effects.webhook_reply(incoming, outcome) if answer is None else None
            if answer is not None and (
                outcome.wake_at is not None or outcome.remember is not None or not saved.outbox
            ):
                # If something else comes before the messages, or there are none, send the toast now.
                # Otherwise it goes with them.
                self.outbox_service.outbox_sender.answer(answer, request.deadline)
                answer = None
            if outcome.wake_at is not None:
                self._schedule(Wakeup(saved.key, outcome.wake_at, "clock"))
            if outcome.remember is not None:
                self._remember(outcome.room, outcome.remember, saved.key)
            if not saved.outbox:
                return reply
            owner, deadline, hurried = request.owner, request.deadline, request.hurried
            self.outbox_service.deliver(saved, owner, deadline, answer=answer, hurried=hurried)
            if outcome.room.match is not None and outcome.room.match.needs_archiving:
                self.recorder.record(self.rooms.load_following(saved.key))
        return None

    def _finish_repeated(
        self, request: RoomRequest, room: Room, item: RoomItem, update_id: int
    ) -> dict[str, Any] | None:
        """Finish an update that Telegram has sent again: send what is unsent.

        Also note the room on the person's item, in case the process died before it did so the first time.
        """
        incoming = request.incoming
        if isinstance(incoming, Tap | DeepLink | Command | Practise) and room.knows(incoming.person.id):
            self._remember(room, incoming.person.id, item.key)
        self.send(item, update_id, request.deadline)
        return effects.webhook_reply(incoming, None)

    def send(self, item: RoomItem, update_id: int, deadline: float) -> None:
        """Send what waits in a room's outbox."""
        with self._wake_on_failure(item.key, update_id):
            self.outbox_service.deliver(item, new_owner(), deadline, hurried=True)

    def _send_or_reschedule(self, item: RoomItem, room: Room, request: RoomRequest) -> None:
        """Send what is unsent in a room that does not change.

        If nothing is unsent, and the room's due time has passed, store the next one.
        """
        if item.outbox:
            self.outbox_service.deliver(item, request.owner, request.deadline, hurried=request.hurried)
        elif item.due is not None and item.due <= self.clock():
            # If somebody else writes first, their write sets the time.
            self.rooms.save(item, Change(due=due(room)))

    def _remember(self, room: Room, user: UserId, key: str) -> None:
        """Note a room on a person's item.

        If they are in its lobby or its present game, or wait for the next one, note that the bot may write to
        them.
        """
        self.users.save(user, may_write=True if room.has(user) else KEEP, add_rooms=(key,))

    def _schedule(self, wakeup: Wakeup) -> None:
        """Queue a wake-up. A failure is only logged."""
        try:
            self.wakeups.send(wakeup)
        except QueueUnavailable:
            # The room is also due in the index: the watchdog will find it, only later.
            self.note(Watched.WAKEUP_FAILED, {"reason": wakeup.reason})

    @contextmanager
    def _wake_on_failure(self, key: str, update_id: int | None) -> Iterator[None]:
        """Queue a wake-up if an error in an update leaves messages unsent.

        Otherwise they would wait until the room next changes or is woken for another reason.

        After StoreUnavailable and NewerSchema no wake-up is needed, because Telegram sends the update again.
        A request without an update id gets no wake-up either. If the request is a wake-up from the queue, the
        queue repeats it.
        """
        try:
            yield
        except (StoreUnavailable, NewerSchema):
            raise
        except Exception:
            item = None if update_id is None else self.rooms.load_following(key)
            if item is not None and item.outbox:
                self.outbox_service.outbox_sender.wake_at_lease_end(item)
            raise


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


def seal_fixed_at(item: RoomItem, sealed: Sealed) -> int | None:
    """Return the date that Telegram gave to the forward of the message with the seal.

    If the message cannot be forwarded, return its own date. Return None if the room does not remember the
    date for the present seal: then nothing shows yet that the message was posted. One write stores the date
    and removes the message from the outbox. If Telegram's answer was lost, the message is sent again, and
    the later date counts.
    """
    date = item.remembered.post_dates.get(FORWARD if sealed.fixed else SEAL)
    return date.at if date is not None and date.mark == sealed.mark else None
