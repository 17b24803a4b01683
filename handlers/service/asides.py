"""Asides: messages in a group that one member alone sees, right after a tap of theirs.

They are of Bot API 10.2, with the parameters of 10.3. They are tried once, beside the outbox, and of them the
room keeps only when the last one was: what an aside says stands in the private chat as well, and where it
cannot be said the tap is answered with a pop-up instead.

Telegram ignores parameters that it does not know, so a server that is too old (one may run one's own) would
post to everybody what was meant for one. Therefore words that are no secret go first; only what Telegram then
calls an ephemeral message becomes the aside, by a method that such servers do not have.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.conversation.outcome import Aside
from bot.display.words import shown_length
from handlers.service import effects
from infra.outbox.budget import MINUTE, SENT, Budget
from infra.outbox.flush import is_paused
from infra.outbox.outbox_sender import Note
from infra.store.entries import OutboxEntry
from infra.store.items import Change, Conflict, RoomItem
from infra.store.rooms import Rooms
from infra.store.table import StoreUnavailable
from infra.telegram.errors import Refused, WireError
from infra.telegram.gateway import Gateway

#: Prefix of the name under which a room remembers when a group's last aside was. There is one a minute: it
#: takes two calls, which may count like any others there, and the group's budget (``infra.outbox.budget``)
#: leaves room for them.
ASIDE = "aside/"
#: Seconds for each call: a button spins meanwhile, and Telegram waits 15 s after the tap.
WAIT = 2.0
#: Seconds between asides, as rooms remember them: from before the save, which may take a ``WAIT``, too.
#: Telegram counts from when the calls come, the second of them at the latest so much afterwards.
APART = MINUTE + 3 * WAIT
#: Seconds for which a chat that refused one is asked no more.
LEFT_ALONE = 600.0

#: Telegram's limit for their text.
LONGEST = 1024

_EDIT = "editEphemeralMessageText"


@dataclass(slots=True)
class Asides:
    """Says asides, and remembers in memory where that is of no use."""

    rooms: Rooms
    gateway: Gateway
    clock: Callable[[], float]
    note: Note
    #: By chat, until when it is not asked again.
    _left_alone: dict[int, float] = field(default_factory=dict)
    #: Whether Telegram's server has turned out not to know such messages.
    _unknown: bool = False

    def say(self, item: RoomItem, aside: Aside, query: str, deadline: float) -> bool:
        """Say an aside after the tap ``query`` in an item's room; whether Telegram took it.

        Asks nothing of Telegram where the group's minute is used up, or where it refused lately. One write.
        """
        # First: what is counted must not hang on what is to be said.
        may = self._may_say(item, aside.chat) and self._minute_taken(item, aside.chat)
        if not may or deadline - self.clock() < 2 * WAIT or shown_length(aside.text) > LONGEST:
            return False
        try:
            return self.gateway.run(self._said(aside, query))
        except WireError as error:
            if isinstance(error, Refused):
                self._leave_alone(aside.chat)
            self.note("aside_failed", {"kind": str(getattr(error, "kind", type(error).__name__))})
            return False

    def _may_say(self, item: RoomItem, chat: int) -> bool:
        now = self.clock()
        if self._unknown or now < self._left_alone.get(chat, 0) <= now + LEFT_ALONE:
            return False
        if abs(item.messages.get(ASIDE + str(chat), 0) - now) < APART:
            return False
        lately = Budget(chat, item.messages.get(SENT + str(chat)) or ())
        like_an_edit = OutboxEntry(chat, _EDIT, target=_EDIT)
        return not is_paused(item.messages, chat, now) and lately.wait(like_an_edit, now) is None

    def _minute_taken(self, item: RoomItem, chat: int) -> bool:
        """Whether this minute's aside is ours; not where somebody else wrote first, as it may be theirs.

        Nor where the save took so long that the calls would come too close to the next one's.
        """
        now = self.clock()
        try:
            saved = self.rooms.save(item, Change(messages={ASIDE + str(chat): round(now, 1)}))
        except StoreUnavailable:
            return False
        return not isinstance(saved, Conflict) and self.clock() <= now + WAIT

    async def _said(self, aside: Aside, query: str) -> bool:
        opening = await self.gateway.call("sendMessage", effects.aside_opening(aside, query), wait=WAIT)
        if not _only_for(aside.user, opening):
            self._unknown = True
            self.note("aside_failed", {"kind": "server"})
            gone = {"chat_id": aside.chat, "message_id": opening["message_id"]}
            await self.gateway.call("deleteMessage", gone, wait=WAIT)
            return False
        await self.gateway.call(_EDIT, effects.aside_words(aside, opening["ephemeral_message_id"]), wait=WAIT)
        return True

    def _leave_alone(self, chat: int) -> None:
        now = self.clock()
        self._left_alone = {other: until for other, until in self._left_alone.items() if until > now}
        self._left_alone[chat] = now + LEFT_ALONE


def _only_for(user: int, message: Mapping[str, Any]) -> bool:
    """Whether what Telegram posted is seen by this user alone."""
    return bool(message.get("ephemeral_message_id")) and message.get("receiver_user", {}).get("id") == user
