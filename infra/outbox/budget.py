"""How much a bot may write in a group: Telegram takes about 20 messages or edits a minute.

The times of the last minute, and of a little more, are kept with the room, under a message name of their
own. Edits of a status may use the budget only so far, so that a post, which people wait for, always finds
room. Patient ones (a lobby's, who joins and what is set) keep a pace besides: the first few go out at once,
and then one every few seconds, so that neither does the message stand still for long, nor is the minute used
up when the game begins.
"""

from __future__ import annotations

from collections.abc import Sequence

from infra.store.entries import OutboxEntry

#: Prefix of the names under which a room remembers when it wrote to a group lately.
SENT = "sent/"

#: How many messages and edits may go out; the rest of the twenty is for calls that no entry stands for.
PER_MINUTE = 18
#: How many of them may be used up before an edit has to wait.
FOR_EDITS = 14
#: So many calls may be close together before a patient edit waits, and so many seconds each counts.
PATIENT_BURST, PATIENT_SECONDS = 5, 8.0
MINUTE = 60.0
#: Seconds for which times are kept: the next process's clock may be a little behind this one's.
_KEPT = MINUTE + 15.0
#: Seconds ahead to which noted times are believed.
_SKEW = 15.0

#: Methods that no limit counts.
FREE = frozenset({"answerCallbackQuery", "deleteMessage", "deleteMessages", "sendChatAction"})

#: After so many in a minute (where other topics of the forum may have written as well), or in one go, a chat
#: that takes no more may be full by itself; before, it is the whole bot of which Telegram has enough.
_OWN, _OWN_OF_A_TOPIC, _OWN_AT_ONCE = 10, 4, 2


class Budget:
    """One chat's budget during one flush. Private chats (positive ids) have none."""

    def __init__(self, chat: int, sent: Sequence[float]) -> None:
        self.name = SENT + str(chat)
        self._group = chat < 0
        self._sent = list(sent)
        #: How many entries went out in this flush.
        self._at_once = 0

    def wait(self, entry: OutboxEntry, now: float) -> float | None:
        """Until when (seconds since 1970) an entry has to wait, or None if it may go now."""
        if not self._group or entry.method in FREE:
            return None
        most = PER_MINUTE if entry.target is None else FOR_EDITS
        # What a clock that was ahead noted would hold the group up for as long.
        self._sent = [at for at in self._sent if at <= now + _SKEW]
        lately = [at for at in self._sent if at > now - MINUTE]
        room = now if len(lately) < most else lately[-most] + MINUTE
        until = max(room, self._paced(now)) if entry.patient else room
        return until if until > now else None

    def _paced(self, now: float) -> float:
        """When what was sent has run off so far that one more keeps the pace, in seconds since 1970."""
        level, before = 0.0, 0.0
        for at in self._sent:
            level, before = max(0.0, level - (at - before) / PATIENT_SECONDS) + 1, at
        return before + (level + 1 - PATIENT_BURST) * PATIENT_SECONDS

    def count(self, entry: OutboxEntry, now: float) -> list[float] | None:
        """Note that an entry went out; what is to be remembered, or None for a private chat."""
        self._at_once += 1
        if not self._group or entry.method in FREE:
            return None
        self._sent = sorted([*(at for at in self._sent if at > now - _KEPT), round(now, 1)])
        return self._sent

    def may_be_used_up(self, entry: OutboxEntry, now: float) -> bool:
        """Whether a 429 may be this chat's own, for what was written there lately: at all, and in one go.

        A private chat's always may: nobody notes what was written there, and whoever taps on and on could
        bring about one.
        """
        lately = sum(at > now - MINUTE for at in self._sent)
        most = _OWN if entry.topic is None else _OWN_OF_A_TOPIC
        return not self._group or self._at_once >= _OWN_AT_ONCE or lately >= most
