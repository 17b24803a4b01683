"""The bot between its edges: load the room, let the conversation respond, save, answer, deliver."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import telegram

from handlers import outbox
from handlers.asides import Asides
from handlers.conversation.clock import due, next_in_game
from handlers.conversation.dispatch import respond
from handlers.conversation.incoming import (
    Chatter,
    Command,
    Follow,
    Membership,
    Moved,
    Reached,
    Said,
    Tap,
    Wake,
    read_update,
    update_of,
)
from handlers.conversation.outcome import Known, Outcome, Unknown
from handlers.conversation.personal import TAPS as PRIVATE_TAPS
from handlers.delivering import Deliverer
from handlers.display.buttons import IN_PRIVATE
from handlers.enquiring import Enquiries
from handlers.personal import ROOMS_PER_PERSON, Personal, Tell
from handlers.recording import Recorder
from handlers.rooms.codec import SCHEMA, NewerSchema, decode, encode
from handlers.rooms.model import Room
from handlers.rooms.names import RoomName, from_key, from_payload
from handlers.throttle import Throttle
from infra.courier import Note, new_owner
from infra.items import KEEP, Change, Conflict, RoomItem
from infra.observability import Watched
from infra.people import Users
from infra.queue import QueueUnavailable, Wakeup, Wakeups
from infra.store import ATTEMPTS, Rooms
from infra.table import StoreUnavailable
from infra.telegram import Gateway

#: Taps that are as they should be although nothing follows from them: looking, and being led elsewhere.
HARMLESS = ("role", "join", "sit", "rules")


@dataclass(frozen=True, slots=True)
class App:
    """The bot, built once per process from its parts; several can stand side by side."""

    rooms: Rooms
    users: Users
    recorder: Recorder
    personal: Personal
    #: The wire to Telegram; whoever ends the app closes it.
    gateway: Gateway
    enquiries: Enquiries
    deliverer: Deliverer
    asides: Asides
    wakeups: Wakeups
    note: Note
    #: Given fields that the log's further lines of this invocation are to have.
    bind: Callable[..., None]
    username: str
    #: The key under which deep links are signed.
    link_key: bytes
    clock: Callable[[], float]
    #: Fresh random bytes as hexadecimal digits. Randomness belongs to the request, never to start-up:
    #: processes may be restored from one snapshot.
    entropy: Callable[[], str]
    #: How often a person may ask in private, and in a group (so that no one alone uses up what it may ask).
    throttle: Throttle
    in_groups: Throttle
    #: The groups that may play; None: all.
    allowed_chats: frozenset[int] | None = None
    #: Whether no new lobby opens.
    draining: bool = False

    def on_update(self, body: Mapping[str, Any], deadline: float) -> dict[str, Any] | None:
        """Deal with one of Telegram's updates; sends until ``deadline`` (seconds since 1970).

        Returns the method call that the webhook's reply carries, if any. Raises StoreUnavailable or
        NewerSchema when nothing could be stored, so that Telegram sends the update again.
        """
        update = update_of(body)
        said = read_update(update, self.username)

        def tell(told: Said, key: str) -> object:
            return self._in_room(told, from_key(key), update.update_id, deadline)

        if isinstance(said, Reached):
            # In every room where they may have a seat, the group hears of it now, and not from a
            # message that could not be delivered.
            user = self.users.save(said.person.id, may_write=said.may_write)
            for key in user.latest(ROOMS_PER_PERSON):
                tell(said, key)
            return None
        if isinstance(said, Moved):
            moved = self.deliverer.move(said.room, said.to)
            if moved is not None:
                with self._nothing_forgotten(moved.key, update.update_id):
                    self.deliverer.deliver(moved, new_owner(), deadline)
            return None
        if isinstance(said, Command) and said.room is None:
            return self._in_private(said, tell, update.update_id, deadline)
        if isinstance(said, Tap) and said.verb in PRIVATE_TAPS:
            if not self.throttle.allows(said.person.id, update.update_id):
                return outbox.answer(said.query, None)
            return self.personal.tap(said, tell)
        if said is None or said.room is None or not (self._lies_there(said) and self._may_play(said.room)):
            # A button that is none of ours, or forged, must not spin on.
            query = update.callback_query
            if update.message is None:  # not what people say to each other
                self.note("ignored", {"kind": _kind(body)})
            return None if query is None else outbox.answer(query.id, None)
        return self._in_group(said, said.room, tell, update.update_id, deadline)

    def _in_private(
        self, said: Command, tell: Tell, update_id: int, deadline: float
    ) -> dict[str, Any] | None:
        """A command in private, or the link by which somebody comes from a group."""
        link = from_payload(said.argument, self.link_key) if said.name == "start" else None
        if not self.throttle.allows(said.person.id, update_id):
            return None
        if link is None:
            return self.personal.command(said, tell)
        if not self._may_play(link[0]):
            return None
        follower = self.personal.in_own_language(said.person)
        return self._in_room(Follow(follower, *link), link[0], update_id, deadline)

    def _in_group(
        self, said: Said, name: RoomName, tell: Tell, update_id: int, deadline: float
    ) -> dict[str, Any] | None:
        """What is said, tapped or happens in a group that may play."""
        if isinstance(said, Membership) and said.inside:
            # Telegram names the chat alone, and in a forum the games are in its topics.
            for key in self.users.load(name.chat).latest(ROOMS_PER_PERSON):
                tell(said, key)
        if isinstance(said, Command) and not self.in_groups.allows((name.chat, said.person.id), update_id):
            if not said.argument:
                return None
            # It is answered no more, but still read by everybody there: as what anybody writes.
            said = Chatter(said.person, name, said.message)
        return self._in_room(said, name, update_id, deadline)

    def on_wake(self, key: str, deadline: float, attempt: int = 0) -> None:
        """Look after a room: what its clock does, and what is still unsent. Raises as ``on_update``."""
        room = from_key(key)
        self._in_room(Wake(room), room, None, deadline, attempt)

    def _in_room(
        self, said: Said, name: RoomName, update_id: int | None, deadline: float, attempt: int = 0
    ) -> dict[str, Any] | None:
        self._log_with(name.key, None)
        item = self.rooms.load_following(name.key)
        known = self._known()
        owner = new_owner()
        for _ in range(ATTEMPTS):
            if item is not None:
                self._log_with(item.key, item.version)
            room = _room(item, name)
            if item is not None and room.match is not None and room.match.unrecorded:
                item = self.recorder.record_of(item)
                continue
            if item is not None and update_id is not None and item.knows(update_id):
                # A repetition: only what is still unsent is left to do.
                self._seated_after_all(said, room, item.key)
                with self._nothing_forgotten(item.key, update_id):
                    self.deliverer.deliver(item, owner, deadline)
                return _answer(said, None)
            outcome, known = self._respond(room, said, known)
            if outcome.room == room and not outcome.effects:
                if isinstance(said, Wake) and item is not None:
                    self._tend(item, room, owner, deadline, attempt)
                if isinstance(said, Tap) and said.verb not in HARMLESS:
                    self.note("ignored", {"kind": said.verb})
                if isinstance(said, Tap) and item is not None and outcome.aside is not None:
                    told = self.asides.say(item, outcome.aside, said.query, deadline)
                    return outbox.answer(said.query, outcome.aside.toast if told else outcome.toast)
                return _answer(said, outcome)
            if room.topic is not None and outcome.room.games != room.games:
                # Kept with the chat as seats are with a person, before the lobby: it is a hint, like those.
                self.users.save(room.chat, add_rooms=(name.key,))
            saved = self._save(item, name, outcome, update_id, owner)
            if isinstance(saved, Conflict):
                item = saved.item
                continue
            self._log_with(saved.key, saved.version)
            with self._nothing_forgotten(saved.key, update_id):
                return self._follow_up(said, room, outcome, saved, owner, deadline, attempt)
        raise StoreUnavailable("the room is too busy")

    def _follow_up(
        self,
        said: Said,
        before: Room,
        outcome: Outcome,
        saved: RoomItem,
        owner: str,
        deadline: float,
        attempt: int,
    ) -> dict[str, Any] | None:
        """What is left to do once an outcome is saved; returns the webhook's reply."""
        first = outbox.toast(said.query, outcome.toast) if isinstance(said, Tap) and saved.outbox else None
        at = _rewound(before, outcome.room)
        if first is not None and (at is not None or outcome.seated is not None):
            # The toast goes out before anything that may take its time; else beside what is sent.
            self.deliverer.answer(first, deadline)
            first = None
        if at is not None:
            self._schedule(Wakeup(saved.key, at, "clock"))
        if outcome.seated is not None:
            self._remember(outcome.room, outcome.seated, saved.key)
        if not saved.outbox:
            return _answer(said, outcome)
        self.deliverer.deliver(saved, owner, deadline, toast=first, attempt=attempt)
        if outcome.room.match is not None and outcome.room.match.unrecorded:
            self.recorder.record(saved.key)
        return None

    @contextmanager
    def _nothing_forgotten(self, key: str, update_id: int | None) -> Iterator[None]:
        """Whatever goes wrong while a room's outbox is sent: the rest is not left to the next tap there.

        Where the store is away Telegram brings the update again, as the queue does a wake-up. Whatever
        else an update meets is swallowed, and nobody would come back.
        """
        try:
            yield
        except (StoreUnavailable, NewerSchema):
            raise
        except Exception:
            item = None if update_id is None else self.rooms.load_following(key)
            if item is not None and item.outbox:
                self.deliverer.courier.leave(item)
            raise

    def _seated_after_all(self, said: Said, room: Room, key: str) -> None:
        """Whoever was dealt with before may have died between the seat and the note of it."""
        if isinstance(said, Tap | Follow | Command) and room.knows(said.person.id):
            self._remember(room, said.person.id, key)

    def _remember(self, room: Room, user: int, key: str) -> None:
        """Note on a person which room knows them; nobody sits or waits whom the bot may not write to."""
        self.users.save(user, may_write=True if room.has(user) else KEEP, add_rooms=(key,))

    def _tend(self, item: RoomItem, room: Room, owner: str, deadline: float, attempt: int) -> None:
        """A room in which nothing happens: send what is unsent, or see that the watchdog lets it rest."""
        if item.outbox:
            self.deliverer.deliver(item, owner, deadline, attempt=attempt)
        elif item.due is not None and item.due <= self.clock():
            # Somebody else's change is as good: whoever wrote it said when the room is due.
            self.rooms.save(item, Change(due=due(room)))

    def _log_with(self, key: str, version: int | None) -> None:
        """Have log lines name the room from here on, unless it is a private chat's: that id is a person's."""
        if from_key(key).chat < 0:
            self.bind(room=key, version=version)

    def _known(self) -> Known:
        return Known(int(self.clock()), self.entropy(), self.username, self.link_key, self.draining)

    def _lies_there(self, said: Said) -> bool:
        """Whether a tapped button lies where such buttons do: in the group that it names.

        Buttons of a group that became a supergroup name its old chat, wherever Telegram shows them now.
        """
        if not isinstance(said, Tap) or said.verb in IN_PRIVATE or said.group == said.room.chat:
            return True
        item = None if said.group is None else self.rooms.load_following(said.room.key)
        return item is not None and from_key(item.key).chat == said.group

    def _may_play(self, name: RoomName) -> bool:
        """Whether a group is on the list, or has become a supergroup since it was put there."""
        if self.allowed_chats is None or name.chat in self.allowed_chats:
            return True
        item = self.rooms.load_following(name.key)
        return item is not None and _room(item, name).origin in self.allowed_chats

    def _respond(self, room: Room, said: Said, known: Known) -> tuple[Outcome, Known]:
        """The outcome, after finding out whatever it depends on."""
        while True:
            try:
                return respond(room, said, known), known
            except Unknown as unknown:
                assert not isinstance(said, Wake | Moved | Membership)
                known = known.told(unknown.field, self.enquiries.answer(unknown.field, room, said.person))

    def _schedule(self, wakeup: Wakeup) -> None:
        """Queue a wake-up for what the clock will do in a game."""
        try:
            self.wakeups.send(wakeup)
        except QueueUnavailable:
            # The room is due in the index as well: the watchdog finds it, only later.
            self.note(Watched.WAKEUP_FAILED, {"reason": wakeup.reason})

    def _save(
        self, item: RoomItem | None, name: RoomName, outcome: Outcome, update_id: int | None, owner: str
    ) -> RoomItem | Conflict:
        """State and what must be sent, in one conditional write."""
        unsent = bool(outcome.effects) or bool(item is not None and item.outbox)
        change = Change(
            body=encode(outcome.room),
            schema=SCHEMA,
            update_id=update_id,
            entries=[outbox.entry(effect) for effect in outcome.effects],
            lease=self.deliverer.courier.lease(owner) if unsent else None,
            due=due(outcome.room),
        )
        return self.rooms.create(name.key, change) if item is None else self.rooms.save(item, change)


def _rewound(before: Room, after: Room) -> int | None:
    """When the clock has something to do in a game, where that is new."""
    at = next_in_game(after)
    return None if at == next_in_game(before) else at


def _room(item: RoomItem | None, name: RoomName) -> Room:
    return Room(name.chat, name.topic) if item is None else decode(item.body, item.schema)


def _answer(said: Said, outcome: Outcome | None) -> dict[str, Any] | None:
    """The webhook's reply that answers a tap, or takes a message away."""
    if outcome is not None and outcome.delete is not None:
        return outbox.deletion(outcome.delete)
    if not isinstance(said, Tap):
        return None
    return outbox.answer(said.query, None if outcome is None else outcome.toast)


def _kind(body: Mapping[str, Any]) -> str:
    """What kind of update it is, in Telegram's words."""
    return next((name for name in telegram.Update.ALL_TYPES if name in body), "unknown")
