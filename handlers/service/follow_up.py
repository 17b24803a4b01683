"""Finish a request after the save: answer the tap, queue wake-ups, send messages, record a game."""

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
from bot.rooms.names import UserId
from handlers.service import effects
from handlers.service.effects import RoomRequest
from handlers.service.outbox_service import OutboxService
from infra.observability import Watched
from infra.outbox.outbox_sender import Note
from infra.queue import QueueUnavailable, Wakeup, WakeupQueue
from infra.store.items import KEEP, Change, RoomItem, new_owner
from infra.store.people import Users
from infra.store.rooms import Rooms
from infra.store.table import StoreUnavailable

if TYPE_CHECKING:
    from handlers.service.recording import Recorder


@dataclass(frozen=True, slots=True)
class FollowUp:
    """Do everything that follows when a room is saved."""

    rooms: Rooms
    users: Users
    #: Records games; made at its first use.
    recorder: "Callable[[], Recorder]"
    outbox_service: OutboxService
    wakeups: WakeupQueue
    note: Note
    clock: Callable[[], float]

    def run(self, outcome: Outcome, saved: RoomItem, request: RoomRequest) -> dict[str, Any] | None:
        """Answer the tap, queue a wake-up for ``outcome.wake_at``, send messages, record a game's end.

        Also note the room on the item of a person who is new there. Returns the webhook's reply. It carries
        the toast only if there are no messages to send and no computer must decide. Otherwise the toast is a
        separate call.
        """
        incoming = request.incoming
        with self._wake_on_failure(saved.key, request.update_id):
            wake_at, computers_decide = outcome.wake_at, thinks(outcome.room)
            answer_by_call = isinstance(incoming, Tap) and (bool(saved.outbox) or computers_decide)
            toast = (
                effects.callback_params(incoming.query, outcome.toast)
                if isinstance(incoming, Tap) and answer_by_call
                else None
            )
            if toast is not None and (
                wake_at is not None or outcome.remember is not None or not saved.outbox
            ):
                # If something else comes before the messages, or there are none, send the toast now.
                # Otherwise it goes with them.
                self.outbox_service.answer(toast, request.deadline)
                toast = None
            if wake_at is not None:
                self._schedule(Wakeup(saved.key, wake_at, "clock"))
            if outcome.remember is not None:
                self._remember(outcome.room, outcome.remember, saved.key)
            if not saved.outbox:
                return None if answer_by_call else effects.webhook_reply(incoming, outcome)
            self._deliver(saved, request, toast)
            if outcome.room.match is not None and outcome.room.match.needs_archiving:
                self.recorder().record_by_key(saved.key)
        return None

    def finish_repeated(
        self, incoming: Incoming, room: Room, item: RoomItem, update_id: int, deadline: float
    ) -> dict[str, Any] | None:
        """Finish an update that Telegram has sent again: send what is unsent.

        Also note the room on the person's item, in case the process died before it did so the first time.
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
        """Send what is unsent in a room that does not change.

        If nothing is unsent, and the room's due time has passed, store the next one.
        """
        if item.outbox:
            self._deliver(item, request)
        elif item.due is not None and item.due <= self.clock():
            # If somebody else writes first, their write sets the time.
            self.rooms.save(item, Change(due=due(room)))

    def note_topic(self, room: Room, key: str) -> None:
        """Note on the chat's item that a lobby was opened in this topic."""
        self.users.save(room.chat, add_rooms=(key,))

    def lease(self, owner: str) -> Any:
        """Return the lease to ask for when a room is saved. Its holder may send the room's outbox."""
        return self.outbox_service.outbox_sender.lease(owner)

    def _deliver(self, item: RoomItem, request: RoomRequest, toast: dict[str, Any] | None = None) -> None:
        self.outbox_service.deliver(
            item, request.owner, request.deadline, toast=toast, hurried=request.hurried
        )

    def think_later(self, key: str) -> None:
        """Queue a wake-up that is due at once, so that computers go on deciding in another invocation."""
        self._schedule(Wakeup(key, self.clock(), "computers"))

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
