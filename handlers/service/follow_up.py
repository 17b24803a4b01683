"""Finish a request after the save: answer the tap, queue wake-ups, note players, send, record games."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bot.conversation.game.computers import thinks
from bot.conversation.incoming import Command, DeepLink, Incoming, Practise, Tap
from bot.conversation.outcome import Outcome
from bot.conversation.waking import due
from bot.rooms.codec import NewerSchema
from bot.rooms.model import Room
from handlers.service import effects
from handlers.service.effects import RoomRequest
from handlers.service.outbox_service import OutboxService
from infra.observability import Watched
from infra.outbox.outbox_sender import Note, new_owner
from infra.queue import QueueUnavailable, Wakeup, WakeupQueue
from infra.store.items import KEEP, Change, RoomItem
from infra.store.people import Users
from infra.store.rooms import Rooms
from infra.store.table import StoreUnavailable

if TYPE_CHECKING:
    from handlers.service.recording import Recorder


@dataclass(frozen=True, slots=True)
class FollowUp:
    """Do everything that follows once a room is stored."""

    rooms: Rooms
    users: Users
    #: Records games; made at its first use.
    recorder: "Callable[[], Recorder]"
    outbox_service: OutboxService
    wakeups: WakeupQueue
    note: Note
    clock: Callable[[], float]

    def run(self, outcome: Outcome, saved: RoomItem, request: RoomRequest) -> dict[str, Any] | None:
        """Answer the tap, queue the clock's wake-up, note new players, send messages, record a game's end.

        Returns the webhook's reply. It carries the toast if nothing is sent and no computer decides.
        """
        incoming = request.incoming
        with self._wake_on_failure(saved.key, request.update_id):
            at, busy = outcome.wake_at, thinks(outcome.room)
            apart = isinstance(incoming, Tap) and (bool(saved.outbox) or busy)
            toast = (
                effects.toast(incoming.query, outcome.toast) if isinstance(incoming, Tap) and apart else None
            )
            if toast is not None and (at is not None or outcome.remember is not None or not saved.outbox):
                # Something slow follows, so the toast goes out now. Otherwise it goes with the messages.
                self.outbox_service.answer(toast, request.deadline)
                toast = None
            if at is not None:
                self._schedule(Wakeup(saved.key, at, "clock"))
            if outcome.remember is not None:
                self._remember(outcome.room, outcome.remember, saved.key)
            if not saved.outbox:
                return None if apart else effects.webhook_reply(incoming, outcome)
            self._deliver(saved, request, toast)
            if outcome.room.match is not None and outcome.room.match.needs_archiving:
                self.recorder().record(saved.key)
        return None

    def finish_repeated(
        self, incoming: Incoming, room: Room, item: RoomItem, update_id: int, deadline: float
    ) -> dict[str, Any] | None:
        """Finish an update that Telegram sends again: send what is unsent.

        It also notes a new player, in case the first delivery died before that.
        """
        if isinstance(incoming, Tap | DeepLink | Command | Practise) and room.knows(incoming.person.id):
            self._remember(room, incoming.person.id, item.key)
        self.send(item, update_id, deadline)
        return effects.webhook_reply(incoming, None)

    def send(self, item: RoomItem, update_id: int, deadline: float) -> None:
        """Send what waits in a room's outbox."""
        with self._wake_on_failure(item.key, update_id):
            self.outbox_service.deliver(item, new_owner(), deadline, hurried=True)

    def send_or_reschedule(self, item: RoomItem, room: Room, request: RoomRequest) -> None:
        """Send what is unsent in a room where nothing happened. If all is sent, note when it is due next."""
        if item.outbox:
            self._deliver(item, request)
        elif item.due is not None and item.due <= self.clock():
            # If somebody else writes first, their change says when the room is due.
            self.rooms.save(item, Change(due=due(room)))

    def note_topic(self, room: Room, key: str) -> None:
        """Note on the chat's item that this topic has a game."""
        self.users.save(room.chat, add_rooms=(key,))

    def lease(self, owner: str) -> Any:
        """Return the lease for sending from a room, to be written with the save."""
        return self.outbox_service.outbox_sender.lease(owner)

    def _deliver(self, item: RoomItem, request: RoomRequest, toast: dict[str, Any] | None = None) -> None:
        self.outbox_service.deliver(
            item, request.owner, request.deadline, toast=toast, hurried=request.hurried
        )

    def think_later(self, key: str) -> None:
        """Have computers decide in another invocation, which starts now."""
        self._schedule(Wakeup(key, self.clock(), "computers"))

    def _remember(self, room: Room, user: int, key: str) -> None:
        """Note a room on a person's item. If they have a seat there, note that the bot may write to them."""
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
        """Queue a wake-up if following up on a room fails, so that the rest does not wait for the next tap.

        If the store fails, none is needed: Telegram sends the update again, or the queue sends the wake-up
        again. After any other error nothing comes again.
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
