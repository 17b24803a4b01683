"""Finding out what an outcome depends on: from Telegram, from the person's item, from the group's records."""

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bot.conversation.incoming import Person
from bot.conversation.outcome import Context, Need
from bot.records.profile import is_counted
from bot.rooms.beacon import Beacon
from bot.rooms.model import Lobby, Match, Room
from bot.rooms.player import people_of
from handlers.service.person import in_own_language, inside, member_of
from infra.beacon import BeaconClient, BeaconUnavailable, NotOutYet
from infra.observability import Watched
from infra.outbox.outbox_sender import Note
from infra.store.orders import Orders
from infra.store.pace import Pace
from infra.store.people import Users
from infra.store.table import StoreUnavailable
from infra.telegram.errors import WireError
from infra.telegram.gateway import Gateway

if TYPE_CHECKING:
    from handlers.service.recording import Recorder

_ADMINS = ("creator", "administrator")


@dataclass(frozen=True, slots=True)
class Lookups:
    """Finds out the fields of ``Context`` that a conversation asks for."""

    gateway: Gateway
    users: Users
    #: What knows the records of games; made when it is first needed.
    recorder: "Callable[[], Recorder]"
    #: None: the bot has no beacon.
    beacon: Beacon | None
    beacon_client: BeaconClient
    pace: Pace
    orders: Orders
    note: Note

    def fetch(
        self, need: Need, room: Room, person: Person | None, context: Context, deadline: float
    ) -> Context:
        """``known``, and beside it what an outcome needs in a room.

        It is for the person who spoke there (None: nobody did). What Telegram does not say counts as no:
        nobody is obeyed, or seated, on a guess. The beacon is asked until ``deadline`` (seconds since 1970)
        at the latest.
        """
        if need is Need.LANGUAGE:
            assert person is not None
            return replace(context, language=in_own_language(self.users, person).language)
        if need is Need.BACKLOG:
            draining = context.draining or self.orders.known().paused
            return replace(context, backlog=self._backlog(), draining=draining)
        if need is Need.COUNTED:
            return replace(context, counted=self._counted(room))
        if need is Need.LEADERBOARD:
            return replace(context, leaderboard=self.recorder().best(room))
        if need is Need.RANDOMNESS:
            return replace(context, randomness=self.gateway.run(self._randomness(room, deadline)))
        return self.gateway.run(self._asked(need, room, 0 if person is None else person.id, context))

    def _counted(self, room: Room) -> frozenset[int]:
        """Those of the game that begins who want to be counted. One request each."""
        table = room.sealed or room.lobby
        people = [] if table is None else list(people_of(table.players).values())
        return frozenset(user for user in people if is_counted(self.users.load(user).options))

    def _backlog(self) -> float:
        try:
            return self.pace.backlog()
        except StoreUnavailable:
            return 0.0

    async def _randomness(self, room: Room, deadline: float) -> str:
        """What the beacon said in the sealed round, in hexadecimal digits; empty where it cannot be had."""
        number = None if room.sealed is None else room.sealed.proof.round
        if self.beacon is None or number is None:
            return ""
        try:
            said = await self.beacon_client.fetch(
                number,
                self.beacon.addresses_of(number),
                out_at=self.beacon.time_of(number),
                deadline=deadline,
            )
        except NotOutYet:
            return ""
        except BeaconUnavailable as unavailable:
            self._disagreed(unavailable.disagreed)
            return ""
        self._disagreed(said.disagreed)
        return said.randomness.hex()

    def _disagreed(self, hosts: Collection[str]) -> None:
        if hosts:
            self.note(Watched.BEACON_DISAGREES, {"count": len(hosts)})

    async def _asked(self, need: Need, room: Room, user: int, context: Context) -> Context:
        """The same, of what Telegram is asked."""
        if need is Need.PRESENT:
            members = await self._members(room, room.match)
            there = frozenset(user for user, member in members.items() if inside(member))
            return replace(context, present=there)
        if need is Need.GONE:
            members = await self._members(room, room.lobby)
            # Here silence counts as being there: they were asked about when they sat down, and nobody loses a
            # seat on a guess.
            gone = frozenset(user for user, member in members.items() if member and not inside(member))
            return replace(context, gone=gone)
        if need is Need.MAY_WRITE:
            action = {"chat_id": user, "action": "typing"}
            return replace(context, may_write=await self._done("sendChatAction", action) is not None)
        if need in (Need.MAY_DELETE, Need.INSIDE):
            itself = await self._member(room, await self.gateway.own_id())
            may_delete = bool(itself.get("can_delete_messages"))
            return replace(context, may_delete=may_delete, inside=inside(itself))
        member = await self._member(room, user)
        if need is Need.IS_ADMIN:
            return replace(context, is_admin=member.get("status") in _ADMINS)
        assert need is Need.IS_MEMBER, need
        return replace(context, is_member=inside(member))

    async def _members(self, room: Room, table: Lobby | Match | None) -> dict[int, Mapping[str, Any]]:
        """By user id, the ``ChatMember`` of each person at a table."""
        people = [] if table is None else list(table.people.values())
        members = await asyncio.gather(*(self._member(room, user) for user in people))
        return dict(zip(people, members, strict=True))

    async def _member(self, room: Room, user: int) -> Mapping[str, Any]:
        """Telegram's ``ChatMember``; empty where it says nothing."""
        return await member_of(self.gateway, room.chat, user)

    async def _done(self, method: str, params: Mapping[str, Any]) -> Any:
        try:
            return await self.gateway.call(method, params)
        except WireError:
            return None
