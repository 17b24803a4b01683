"""Look up information that an outcome depends on: in the store, from Telegram, and from the beacon."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bot.conversation.incoming import Incoming, Person
from bot.conversation.outcome import UNKNOWN, Context, Lookup, Unknown
from bot.conversation.person import own_language
from bot.records.own_record import CONFIRM, Profile, games_advised, is_counted
from bot.rooms.model import Lobby, Match, Room
from bot.rooms.names import NO_USER, ChatId, UserId
from bot.rooms.night import Night
from bot.rooms.player import people_of
from bot.rooms.sealing import Beacon
from engine.frozen import frozen
from handlers.service.recording import Recorder
from infra.beacon import BeaconClient, BeaconUnavailable, NotOutYet
from infra.observability import Watched
from infra.outbox.outbox_sender import Note
from infra.store.orders import Orders
from infra.store.pace import Pace
from infra.store.people import UserItem, Users
from infra.store.table import StoreUnavailable
from infra.telegram.errors import Refused, WireError
from infra.telegram.gateway import Gateway

# --- person -------------------------------------------------------------------------------------------------
# A person's profile, language and membership, from the store and from Telegram.

_GONE = ("left", "kicked")
#: Lets the room with a given key handle an incoming value. Returns the webhook's reply.
HandleInRoom = Callable[[Incoming, str], dict[str, Any] | None]
#: Prefix of wake-up keys for people who watch a finished game. The user id follows. Stored data use the word
#: ``film`` for a replay.
REPLAY_KEY_PREFIX = "film#"
#: How many of a person's rooms to look into: those in which they took part last.
ROOMS_PER_PERSON = 10


def profile_of(user_item: UserItem) -> Profile:
    """Return the part of a person's item that the conversation needs."""
    counts, options = user_item.counts, user_item.options
    advised, confirms = games_advised(counts, options), bool(options.get(CONFIRM))
    return Profile(user_item.language, counts, is_counted(options), advised=advised, confirms=confirms)


def in_own_language(users: Users, person: Person) -> Person:
    """Return the person with the language that they chose, if they chose one. Raises StoreUnavailable."""
    return replace(person, language=own_language(users.load(person.id).language, person))


async def member_of(gateway: Gateway, chat: ChatId, user: UserId) -> Mapping[str, Any]:
    """Return Telegram's ``ChatMember`` of a user in a chat; empty if Telegram returns none."""
    try:
        found = await gateway.call("getChatMember", {"chat_id": chat, "user_id": user})
    except WireError:
        return {}
    return found if isinstance(found, Mapping) else {}


def backlog_of(pace: Pace) -> float:
    """Return how many seconds a new message has to wait, or 0 if the store does not say."""
    try:
        return pace.backlog()
    except StoreUnavailable:
        return 0.0


def is_member(member: Mapping[str, Any]) -> bool:
    """Return True if a ``ChatMember`` is in the chat."""
    return bool(member) and member["status"] not in _GONE and bool(member.get("is_member", True))


# --- lookups ------------------------------------------------------------------------------------------------

_ADMINS = ("creator", "administrator")


@frozen
class Lookups:
    """Look up the fields of ``Context`` that a conversation asks for."""

    gateway: Gateway
    users: Users
    #: Reads the leaderboard.
    recorder: Recorder
    #: None: the bot has no beacon.
    beacon: Beacon | None
    beacon_client: BeaconClient
    pace: Pace
    orders: Orders
    note: Note

    def fetch(
        self, need: Lookup, room: Room, person: Person | None, context: Context, deadline: float
    ) -> Context:
        """Return the context with information that an outcome needs.

        ``person`` caused the update. It is None if the incoming value names no person, for example a
        ``Wake``. If Telegram does not give the information, some fields are ``UNKNOWN``, and others have a
        safe value. The beacon is asked until ``deadline`` (seconds since 1970).
        """
        if need is Lookup.LANGUAGE:
            assert person is not None
            profile = profile_of(self.users.load(person.id))
            language = own_language(profile.language, person)
            return replace(context, language=language, advised=profile.advised, confirms=profile.confirms)
        if need is Lookup.BACKLOG:
            # The outcome may open a lobby or seal a game. So also look whether the operator has paused new
            # games.
            draining = context.draining or self.orders.known().paused
            return replace(context, backlog=backlog_of(self.pace), draining=draining)
        if need is Lookup.COUNTED:
            return replace(context, counted=self._counted_people(room))
        if need is Lookup.LEADERBOARD:
            return replace(context, leaderboard=self.recorder.best(room, context.now))
        if need is Lookup.RANDOMNESS:
            return replace(context, randomness=self.gateway.run(self._randomness(room, deadline)))
        user = NO_USER if person is None else person.id
        return self.gateway.run(self._ask_telegram(need, room, user, context))

    def _counted_people(self, room: Room) -> frozenset[UserId]:
        """Return the people in the sealed game or lobby who are counted in statistics.

        It reads the store once for each person.
        """
        new_game = room.sealed or room.lobby
        people = [] if new_game is None else list(people_of(new_game.players).values())
        return frozenset(user for user in people if is_counted(self.users.load(user).options))

    async def _randomness(self, room: Room, deadline: float) -> str:
        """Return the beacon's random value in hexadecimal, or an empty string if it is not known.

        It is the value of the round that the room's seal names (see ``bot.rooms.sealing``).
        """
        number = None if room.sealed is None else room.sealed.proof.round
        if self.beacon is None or number is None:
            return ""
        addresses, out_at = self.beacon.addresses_of(number), self.beacon.time_of(number)
        try:
            answer = await self.beacon_client.fetch(number, addresses, out_at=out_at, deadline=deadline)
        except NotOutYet:
            return ""
        except BeaconUnavailable as unavailable:
            disagreed, value = unavailable.disagreed, ""
        else:
            disagreed, value = answer.disagreed, answer.randomness.hex()
        if disagreed:
            self.note(Watched.BEACON_DISAGREES, {"count": len(disagreed)})
        return value

    async def _ask_telegram(self, need: Lookup, room: Room, user: UserId, context: Context) -> Context:
        if need is Lookup.PRESENT:
            members = await self._members(room, room.match)
            # If Telegram says nothing about a player, they count as present.
            there = frozenset(user for user, member in members.items() if not member or is_member(member))
            return replace(context, present=there)
        if need in (Lookup.GONE, Lookup.GUESTS_GONE):
            members = await self._members(room, room.lobby if need is Lookup.GONE else room.night)
            # If Telegram says nothing about a person, they count as present: they were a member when they
            # joined, and nobody should lose a place because of a guess.
            gone = frozenset(user for user, member in members.items() if member and not is_member(member))
            return replace(context, gone=gone) if need is Lookup.GONE else replace(context, guests_gone=gone)
        if need is Lookup.MAY_WRITE:
            action = {"chat_id": user, "action": "typing"}
            return replace(context, may_write=await self._call_or_none("sendChatAction", action) is not None)
        if need is Lookup.LINKED:
            chat = await self._call_or_none("getChat", {"chat_id": room.chat})
            linked = chat.get("linked_chat_id") if isinstance(chat, Mapping) else None
            return replace(context, linked=ChatId(linked or 0))
        if need is Lookup.MAY_POST:
            return replace(context, may_post=await self._may_post(room))
        if need in (Lookup.MAY_DELETE, Lookup.INSIDE):
            own_membership = await self._member(room, UserId(await self.gateway.own_id()))
            if not own_membership:
                return replace(context, may_delete=UNKNOWN, inside=UNKNOWN)
            may_delete = bool(own_membership.get("can_delete_messages"))
            return replace(context, may_delete=may_delete, inside=is_member(own_membership))
        if need is Lookup.SLOW_MODE:
            return replace(context, slow_mode=await self._slow_mode(room))
        member = await self._member(room, user)
        # A ``ChatMember`` shows if a person is an admin, and if they are a member. So note both.
        if not member:
            return replace(context, is_admin=UNKNOWN, is_member=UNKNOWN)
        return replace(context, is_admin=member["status"] in _ADMINS, is_member=is_member(member))

    async def _may_post(self, room: Room) -> bool | Unknown:
        """Return True if Telegram lets the bot write in the group. To find out, show that it is typing."""
        place = {} if room.topic is None else {"message_thread_id": room.topic}
        try:
            await self.gateway.call("sendChatAction", {"chat_id": room.chat, "action": "typing", **place})
        except Refused:
            return False
        except WireError:
            return UNKNOWN
        return True

    async def _slow_mode(self, room: Room) -> int:
        """Return the group's slow mode in seconds; 0 if it is off, unknown, or does not apply to the bot."""
        chat = await self._call_or_none("getChat", {"chat_id": room.chat})
        delay = int(chat.get("slow_mode_delay") or 0) if isinstance(chat, Mapping) else 0
        if delay and (await self._member(room, UserId(await self.gateway.own_id()))).get("status") in _ADMINS:
            return 0
        return delay

    async def _members(
        self, room: Room, roster: Lobby | Match | Night | None
    ) -> dict[UserId, Mapping[str, Any]]:
        """Return by user id the ``ChatMember`` of each person in a lobby, a game or a game night."""
        people = [] if roster is None else list(roster.people.values())
        members = await asyncio.gather(*(self._member(room, user) for user in people))
        return dict(zip(people, members, strict=True))

    async def _member(self, room: Room, user: UserId) -> Mapping[str, Any]:
        """Return Telegram's ``ChatMember`` of a user in the room's chat; empty if Telegram returns none."""
        return await member_of(self.gateway, room.chat, user)

    async def _call_or_none(self, method: str, params: Mapping[str, Any]) -> Any:
        try:
            return await self.gateway.call(method, params)
        except WireError:
            return None
