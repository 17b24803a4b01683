"""Finding out what an outcome depends on: from Telegram, from the person's item, from the group's records."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from handlers.conversation.incoming import Person
from handlers.personal import Personal
from handlers.recording import Recorder
from handlers.rooms.model import Room
from infra.telegram import Gateway
from infra.wire import WireError

_ADMINS = ("creator", "administrator")
_GONE = ("left", "kicked")


@dataclass(frozen=True, slots=True)
class Enquiries:
    """Finds out the fields of ``Known`` that a conversation asks for."""

    gateway: Gateway
    personal: Personal
    recorder: Recorder

    def answer(self, field: str, room: Room, person: Person) -> object:
        """What ``field`` is for a person who spoke in a room.

        What Telegram does not say counts as no: nobody is obeyed, or seated, on a guess.
        """
        if field == "language":
            return self.personal.in_own_language(person).language
        if field == "leaderboard":
            return self.recorder.best(room)
        return self.gateway.run(self._asked(field, room, person.id))

    async def _asked(self, field: str, room: Room, user: int) -> object:
        if field == "present":
            return await self._present(room, [] if room.match is None else [p.id for p in room.match.players])
        if field == "gone":
            return await self._gone(room, [] if room.lobby is None else [p.id for p in room.lobby.players])
        if field == "may_write":
            return await self._done("sendChatAction", {"chat_id": user, "action": "typing"}) is not None
        member = await self._member(room, await self.gateway.own_id() if field == "may_delete" else user)
        if field == "may_delete":
            return bool(member.get("can_delete_messages"))
        return member.get("status") in _ADMINS if field == "is_admin" else _inside(member)

    async def _present(self, room: Room, users: Iterable[int]) -> frozenset[int]:
        """Those of these people who are in the group."""
        known = list(users)
        members = await asyncio.gather(*(self._member(room, user) for user in known))
        return frozenset(user for user, member in zip(known, members, strict=True) if _inside(member))

    async def _gone(self, room: Room, users: Iterable[int]) -> frozenset[int]:
        """Those of these people who are not in the group any more. Here silence counts as being there: they
        were asked about when they sat down, and nobody loses a seat on a guess."""
        known = list(users)
        members = await asyncio.gather(*(self._member(room, user) for user in known))
        found = zip(known, members, strict=True)
        return frozenset(user for user, member in found if member and not _inside(member))

    async def _member(self, room: Room, user: int) -> Mapping[str, Any]:
        """Telegram's `ChatMember`; empty where it says nothing."""
        found = await self._done("getChatMember", {"chat_id": room.chat, "user_id": user})
        return found if isinstance(found, Mapping) else {}

    async def _done(self, method: str, params: Mapping[str, Any]) -> Any:
        try:
            return await self.gateway.call(method, params)
        except WireError:
            return None


def _inside(member: Mapping[str, Any]) -> bool:
    return bool(member) and member["status"] not in _GONE and bool(member.get("is_member", True))
