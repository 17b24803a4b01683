"""Route Telegram's updates: to rooms, to the private chat, or to nobody."""

from collections.abc import Callable, Mapping
from typing import Any

import telegram
from markupsafe import escape

from bot.conversation import limits
from bot.conversation.incoming import (
    BlockChanged,
    Chatter,
    Command,
    DeepLink,
    Gone,
    Incoming,
    Membership,
    Moved,
    Person,
    Practise,
    Tap,
    Wake,
    read_update,
    update_of,
)
from bot.conversation.outcome import Post, Private, Toast
from bot.conversation.person import own_language
from bot.conversation.practice import own_room
from bot.conversation.private.commands import TAPS as PRIVATE_TAPS
from bot.conversation.private.finished import ToFinished, ToLobby, ToProof, ToRules, destination
from bot.display.words import Words, closest
from bot.rooms.names import RoomName, UserId, from_key, private_room
from engine.frozen import frozen
from handlers.service import effects
from handlers.service.admission import Admission, Throttles
from handlers.service.lookups import (
    REPLAY_KEY_PREFIX,
    ROOMS_PER_PERSON,
    HandleInRoom,
    in_own_language,
    profile_of,
)
from handlers.service.outbox_service import OutboxService
from handlers.service.private_chat import PrivateChat
from handlers.service.room_service import RoomRequest, RoomService
from infra.outbox.outbox_sender import Note
from infra.queue import WakeupQueue
from infra.store.people import Users
from infra.store.rooms import Rooms
from infra.telegram.gateway import Gateway

#: When the bot is removed from a forum or invited back, at most this many topics are told: those in which a
#: lobby was opened last.
TOPICS_PER_FORUM = 50
#: Ids of supergroups are below this number. Ids of other groups are negative and above it.
SUPERGROUP_IDS_BELOW = -1_000_000_000_000
#: Private commands that a game needs.
NEEDED_IN_PRIVATE = frozenset({"start", "role"})


@frozen
class App:
    """The bot, built from its parts. Lambda builds one per process; simulations run several in one."""

    rooms: Rooms
    users: Users
    private_chat: PrivateChat
    #: The connection to Telegram. The code that uses the app closes it.
    gateway: Gateway
    outbox_service: OutboxService
    wakeups: WakeupQueue
    room_service: RoomService
    admission: Admission
    note: Note
    #: The key under which deep links are signed.
    link_key: bytes
    clock: Callable[[], float]
    throttles: Throttles

    def on_update(self, body: Mapping[str, Any], deadline: float) -> dict[str, Any] | None:
        """Handle one of Telegram's updates. Messages are sent until ``deadline`` (seconds since 1970).

        Returns the method call that the webhook's reply carries, if any. Raises StoreUnavailable or
        NewerSchema if Telegram must send the update again. That is safe even if a room is saved already.
        """
        update = update_of(body)
        incoming = read_update(update, self.room_service.username)

        def handle_in_room(incoming: Incoming, key: str) -> dict[str, Any] | None:
            return self.room_service.handle(RoomRequest(incoming, from_key(key), update.update_id, deadline))

        match incoming:
            case BlockChanged():
                # Tell the rooms in which the person took part last. Otherwise a room would notice only when a
                # message could not be delivered.
                user = self.users.save(incoming.person.id, may_write=incoming.may_write)
                for key in user.latest(ROOMS_PER_PERSON):
                    handle_in_room(incoming, key)
                return None
            case Gone():
                self._tell_rooms_of_leaving(incoming, handle_in_room)
                return None
            case Moved():
                moved = self.outbox_service.move(incoming.room, incoming.to)
                if moved is not None:
                    self.room_service.send(moved, update.update_id, deadline)
                return None
            case Command(room=None):
                return self._answer_in_private(incoming, handle_in_room, update.update_id, deadline)
            case Tap(verb=verb) if incoming.room.private or verb in PRIVATE_TAPS:
                if not self.throttles.taps.allows(incoming.person.id, update.update_id):
                    warning = self._warning_toast(incoming.person, update.update_id)
                    return effects.answer_call(incoming.query, warning)
                if verb in PRIVATE_TAPS:
                    return self.private_chat.answer_tap(incoming, handle_in_room)
        if incoming is None or incoming.room is None or not self.admission.admits(incoming, incoming.room):
            # Most messages and changes of members do not concern the bot, so they are not logged.
            if not (update.message or update.chat_member):
                kind = next((name for name in telegram.Update.ALL_TYPES if name in body), "unknown")
                self.note("ignored", {"kind": kind})
            # Answer even a forged tap: otherwise the button would go on spinning.
            query = update.callback_query
            return None if query is None else effects.answer_call(query.id, None)
        return self._answer_in_room(incoming, incoming.room, handle_in_room, update.update_id, deadline)

    def on_wake(self, key: str, deadline: float) -> None:
        """Do what is due in a room, and send what is still unsent. Raises StoreUnavailable or NewerSchema.

        The key may also name a person who watches a finished game step by step. Then show the step that they
        asked for last, if it has not been shown yet.
        """
        if key.startswith(REPLAY_KEY_PREFIX):
            person = UserId(int(key.removeprefix(REPLAY_KEY_PREFIX)))
            self.private_chat.finished_games.show_waiting(person)
            return
        room = from_key(key)
        self.room_service.handle(RoomRequest(Wake(room), room, None, deadline, hurried=False))

    def _tell_rooms_of_leaving(self, incoming: Gone, handle_in_room: HandleInRoom) -> None:
        """When a person leaves a group, tell the rooms of that group in which they took part.

        Look only at the ``ROOMS_PER_PERSON`` rooms in which they took part last. Most people took part in no
        room, and one read shows that. So it costs little when many people leave a large group.
        """
        for key in self.users.load(incoming.person.id).latest(ROOMS_PER_PERSON):
            # The key may have an id from before the group became a supergroup. The old id does not show
            # whether the room belongs to this group. So tell rooms with such an id, too. If a room belongs to
            # another group, it ignores the update.
            if from_key(key).chat == incoming.room.chat or SUPERGROUP_IDS_BELOW < from_key(key).chat < 0:
                handle_in_room(incoming, key)

    def _answer_in_private(
        self, incoming: Command, handle_in_room: HandleInRoom, update_id: int, deadline: float
    ) -> dict[str, Any] | None:
        """Answer a private command, and return the webhook's reply. /start may come from a deep link."""
        # Commands that a game needs are counted separately, so that other commands cannot use up their limit.
        who, needed = incoming.person.id, incoming.name in NEEDED_IN_PRIVATE
        allowed = self.throttles.commands.allows((who, incoming.name) if needed else who, update_id)
        if not self.admission.is_welcome(who):
            # A banned person may still have their data deleted.
            forgets = allowed and incoming.name == "forget"
            return self.private_chat.answer_command(incoming, handle_in_room) if forgets else None
        if not allowed:
            toast = self._warning_toast(incoming.person, update_id)
            if toast is None:
                return None
            return effects.reply_call(Post(Private(who), escape(toast.text)))
        own = private_room(who)
        where, practise = destination(incoming, self.link_key), self._practice_update(incoming)
        starts = isinstance(where, ToLobby) or practise is not None
        changes = incoming.name == "stats" and incoming.argument
        if (starts or changes) and limits.is_late(incoming, self.clock()):
            person = in_own_language(self.users, incoming.person)
            return effects.reply_call(Post(Private(person.id), Words(person.language).html("late")))
        match where:
            case ToProof(room, number):
                return self.private_chat.proof(incoming.person, room, number)
            case ToFinished() as link:
                return self.private_chat.finished_games.follow(incoming.person, link)
            case ToRules(room):
                return self.private_chat.rules(incoming, room)
            case ToLobby(room, number, personal):
                if not (self.admission.may_play(room) and self.admission.is_welcome(room.chat)):
                    return None
                follow = DeepLink(in_own_language(self.users, incoming.person), room, number, personal)
                return self.room_service.handle(RoomRequest(follow, room, update_id, deadline))
        if practise is not None and self.admission.may_play(own):
            return self.room_service.handle(RoomRequest(practise, own, update_id, deadline))
        return self.private_chat.answer_command(incoming, handle_in_room)

    def _answer_in_room(
        self,
        incoming: Incoming,
        room: RoomName,
        handle_in_room: HandleInRoom,
        update_id: int,
        deadline: float,
    ) -> dict[str, Any] | None:
        """Answer a message, a tap or an event in a room that may handle it. Return the webhook's reply."""
        if isinstance(incoming, Membership):
            # Telegram names only the chat, but a forum's games are in its topics. So the store has an item
            # for the forum, of the same kind as for a person. It lists the rooms of the topics.
            for key in self.users.load(room.chat).latest(TOPICS_PER_FORUM):
                handle_in_room(incoming, key)
        if (
            isinstance(incoming, Command)
            and incoming.name not in limits.NEEDED
            and not self.throttles.in_groups.allows((room.chat, incoming.person.id), update_id)
        ):
            if not incoming.argument:
                return None
            # The command gets no answer, but the group reads its text. So treat it as any other message: the
            # room deletes it if its author must be quiet now.
            incoming = Chatter(incoming.person, room, incoming.message, incoming.title, incoming.channel)
        if (
            isinstance(incoming, Tap)
            and incoming.verb == "practice"
            and (practise := self._practice_update(incoming)) is not None
        ):
            self.room_service.handle(RoomRequest(practise, room, update_id, deadline))
            return effects.answer_call(incoming.query, None)
        return self.room_service.handle(RoomRequest(incoming, room, update_id, deadline))

    def _practice_update(self, incoming: Command | Tap) -> Practise | None:
        request = own_room.practice_request(incoming)
        if request is None:
            return None
        user_item = self.users.load(incoming.person.id)
        language = own_language(user_item.language, incoming.person)
        return own_room.to_practise_update(incoming, request, language, profile_of(user_item))

    def _warning_toast(self, person: Person, update_id: int) -> Toast | None:
        """Return a warning for a rate-limited person, or None if they had one in the last minute."""
        if not self.throttles.warnings.allows(person.id, update_id):
            return None
        return Toast(Words(closest(person.language)).plain("throttled"))
