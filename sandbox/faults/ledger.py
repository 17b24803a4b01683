"""Check the bot's calls to Telegram against the entries in its outboxes.

The bot stores each message together with the state that causes it. So each call needs an earlier entry, and
each entry must be sent in order, and once. It may be sent again only if the answer was lost, or if the
process died before it stored the answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from infra.outbox.plan import TIDYING
from infra.store.items import OutboxEntry, unpack_entry
from infra.telegram.errors import NOT_MODIFIED
from sandbox.cloud.network import Invocation
from sandbox.telegram.calls import Call, normalise

Fail = Callable[[str], None]
#: Calls that neither post nor edit.
_ASIDE = frozenset({"answerCallbackQuery", "getChatMember", "sendChatAction", "getChat", "getMe"})
#: The maximum number of seconds that the bot waits for an answer.
_ANSWER_SECONDS = 8.0
#: Seconds within which the bot stores the consequences of a refusal.
_CONSEQUENCES = 5.0


@dataclass(slots=True, eq=False)
class Try:
    """A call that sends an entry."""

    at: float
    invocation: Invocation
    method: str
    owed: Owed | None
    done: bool = False
    answered: bool = False
    #: The HTTP status with which Telegram or a fault refused it, or 0. After a fault it may still be done.
    code: int = 0
    migrated: bool = False
    #: True if Telegram itself found no such message, and not only a fault says so.
    gone: bool = False
    #: True if Telegram itself refuses the whole chat. (The 403 of a fault concerns only one message.)
    shut: bool = False

    def settled(self, now: float) -> bool:
        """Return True if the sender knows the final result, or still waits for it."""
        if self.answered:
            # After a 5xx the sender does not know whether it was done.
            return (self.done and self.code != 502) or (self.code in (400, 403) and not self.migrated)
        return not (self.done or self.code) and now - self.at < _ANSWER_SECONDS


@dataclass(slots=True, eq=False)
class Owed:
    """An entry of an outbox, and the calls that tried to send it."""

    room: str
    id: str
    entry: OutboxEntry
    fingerprint: str
    written: float
    number: int
    tries: list[Try] = field(default_factory=list)
    removed: bool = False
    removed_at: float = 0.0

    @property
    def done(self) -> bool:
        """Return True if Telegram carried out one of the calls."""
        return any(t.done for t in self.tries)

    @property
    def refused(self) -> bool:
        """Return True if Telegram refused one of the calls for good."""
        return any(t.code in (400, 403) and not t.migrated for t in self.tries)

    def __str__(self) -> str:
        return f"{self.entry.method} {self.id} of {self.room} to {self.entry.chat}"


class Ledger:
    """All outbox entries of all rooms, and all calls to Telegram. ``fail`` gets each broken promise."""

    def __init__(self, clock: Callable[[], float], fail: Fail) -> None:
        self._clock = clock
        self._fail = fail
        self.owed: dict[tuple[str, str], Owed] = {}
        self._by_chat: dict[int, list[Owed]] = {}
        #: The fingerprint of the content that each of the bot's messages shows.
        self.shown: dict[tuple[int, int], str] = {}
        #: The entry that posted each of the bot's messages.
        self._posts: dict[tuple[int, int], Owed] = {}
        #: The values that each room remembers: message ids by name, and until when to pause in a chat.
        self.messages: dict[str, Mapping[str, Any]] = {}
        #: When Telegram last refused each chat as a whole.
        self._forbidden: dict[int, float] = {}
        #: The same by chat and invocation, if the invocation got that answer.
        self._forbidden_to: dict[tuple[int, int], float] = {}
        self.doubled = 0

    # --- the store's side -------------------------------------------------------------------------------

    def changed(self, room: str, before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> None:
        """Note the entries that a write of a room's item added or removed."""
        was = before["outbox"]["M"] if before else {}
        now = after["outbox"]["M"] if after else {}
        if after is not None:
            self.messages[room] = after["remembered"]["M"]
        if before is None and after is not None and "moved_from" in after:
            self._moved(after["moved_from"]["S"], room, now)
            return
        if after is not None and "moved_to" in after:
            return
        if was is now:
            return
        for identifier in sorted(set(now) - set(was)):
            self._write(room, identifier, unpack_entry(now[identifier]["B"]))
        for identifier in sorted(set(was) - set(now)):
            self._remove(self.owed[room, identifier], before or {})

    def _write(self, room: str, identifier: str, entry: OutboxEntry) -> None:
        owed = Owed(
            room, identifier, entry, fingerprint(entry.method, entry.params), self._clock(), len(self.owed)
        )
        self.owed[room, identifier] = owed
        self._by_chat.setdefault(entry.chat, []).append(owed)

    def _moved(self, old: str, new: str, outbox: Mapping[str, Any]) -> None:
        for identifier, packed in sorted(outbox.items()):
            if (old, identifier) not in self.owed:
                self._write(new, identifier, unpack_entry(packed["B"]))
                continue
            owed = self.owed[new, identifier] = self.owed.pop((old, identifier))
            owed.room, owed.entry = new, unpack_entry(packed["B"])
            self._by_chat.setdefault(owed.entry.chat, []).append(owed)

    def _remove(self, owed: Owed, before: Mapping[str, Any]) -> None:
        owed.removed, owed.removed_at = True, self._clock()
        refused = owed.refused or self._forbidden.get(owed.entry.chat, -1.0) >= owed.written
        # If it has much to send, the bot drops unimportant entries, such as the removal of useless buttons.
        droppable = owed.entry.method == TIDYING or owed.entry.droppable
        let_go = droppable or self._is_replaced(owed) or self._lacks_message(owed, before)
        if not (owed.done or refused or let_go):
            self._fail(f"lost: {owed} was removed from the outbox before Telegram had done it")

    def _is_replaced(self, owed: Owed) -> bool:
        """Return True if a later entry replaces this edit: one with the same key, or a new post."""
        entry = owed.entry
        if entry.key is None:
            return False
        return any(
            other.number > owed.number
            and (
                (other.entry.key == entry.key and other.entry.target == entry.target)
                or (entry.target is not None and other.entry.name == entry.target)
            )
            for other in self._by_chat[entry.chat]
        )

    def _post_of(self, owed: Owed) -> Owed | None:
        """Return the entry of the post that this entry edits or forwards: the last one of that name."""
        before = (other for other in reversed(self._by_chat[owed.entry.chat]) if other.number < owed.number)
        meant = owed.entry.target or owed.entry.forwards
        return next((o for o in before if o.entry.name == meant and o.entry.target is None), None)

    def _lacks_message(self, owed: Owed, before: Mapping[str, Any]) -> bool:
        """Return True if the message to edit or forward was never posted, and the entry has no fallback."""
        entry = owed.entry
        meant = entry.target or entry.forwards
        if meant is None or entry.fallback is not None:
            return False
        post = self._post_of(owed)
        if post is not None and post.refused:
            # An earlier try may have posted it without the bot getting the answer. Then the bot does not know
            # its id.
            return all(excused(made) for made in post.tries if made.done)
        return meant not in before.get("remembered", {}).get("M", {})

    # --- Telegram's side --------------------------------------------------------------------------------

    def sent(self, invocation: Invocation, method: str, params: Mapping[str, Any]) -> Try:
        """Note a call that the bot sends, and return it."""
        if method in _ASIDE:
            return Try(self._clock(), invocation, method, None)
        given = normalise(params)
        chat = int(given.get("chat_id", 0))
        edited = self._posts.get((chat, int(given.get("message_id", 0))))
        owed = self._which(invocation, method, chat, fingerprint(method, given), edited)
        made = Try(self._clock(), invocation, method, owed)
        if owed is None:
            self._fail(f"{method} to {chat} has no outbox entry")
            return made
        self._check_pause(owed, chat)
        self._check_not_refused(owed, made)
        owed.tries.append(made)
        return made

    def _which(
        self, invocation: Invocation, method: str, chat: int, fingerprint: str, edited: Owed | None
    ) -> Owed | None:
        """Return the entry that a call sends: the first with this fingerprint that the sender still has.

        ``edited``: the entry of the message that the call edits, if any. Entries that edit this message are
        preferred. A sender goes through the outbox in order, and skips what it knows to be done or refused.
        """
        alike = [owed for owed in self._by_chat.get(chat, ()) if owed.fingerprint == fingerprint]
        # An edit may become a post if its entry has a fallback. A post never becomes an edit.
        changes = method.startswith("edit")
        instead = [] if changes else [owed for owed in alike if owed.entry.fallback]
        for owed in instead:
            last = owed.tries[-1] if owed.tries and not owed.removed else None
            # This invocation failed to edit a missing message, and may now post it instead.
            if last and last.invocation is invocation and last.method.startswith("edit") and last.gone:
                return owed
        alike = [owed for owed in alike if (owed.entry.target is not None) == changes] or instead
        if edited is not None:
            # An edit can rename a message. Then its name no longer identifies its post.
            exact = [owed for owed in alike if self._post_of(owed) is edited]
            alike = exact or [owed for owed in alike if self._post_of(owed) is None] or alike
        waiting = [
            owed
            for owed in alike
            # If another sender removed an entry after this sender's last write, this sender still has it.
            if (not owed.removed or owed.written <= invocation.wrote < owed.removed_at)
            and not any(t.invocation is invocation and t.settled(self._clock()) for t in owed.tries)
        ]
        # A sender does not know entries that were written after its own last write.
        waiting = [owed for owed in waiting if owed.written <= invocation.wrote] or waiting
        # When Telegram refuses a whole chat, the sender drops all entries for it that it has seen.
        refused_until = self._forbidden_to.get((chat, invocation.number), -1.0)
        open_to_it = [owed for owed in waiting if owed.written > refused_until] or waiting
        if open_to_it:
            # If several edits of one message wait, only the last one is sent.
            return [owed for owed in open_to_it if self._replaces(owed, open_to_it[0])][-1]
        # This sender may still have an entry that another one has removed.
        lately = [owed for owed in alike if owed.removed and owed.removed_at >= invocation.began]
        in_hand = [owed for owed in lately if all(t.invocation is not invocation for t in owed.tries)]
        return (in_hand or alike)[-1] if alike else None

    def _replaces(self, later: Owed, first: Owed) -> bool:
        """Return True if a later edit replaces an earlier one, with no new post of that name between them."""
        if later is first:
            return True
        if first.entry.key is None or later.entry.key != first.entry.key:
            return False
        between = range(first.number + 1, later.number)
        return not any(
            other.number in between and other.entry.name == first.entry.target
            for other in self._by_chat[first.entry.chat]
        )

    def _check_pause(self, owed: Owed, chat: int) -> None:
        pause = self.messages.get(owed.room, {}).get(f"pause/{chat}")
        if pause is not None and float(next(iter(pause.values()))) > self._clock() + 0.01:
            self._fail(f"{owed} was tried during a pause of the chat")

    def _check_not_refused(self, owed: Owed, made: Try) -> None:
        """Check that a message refused for good is not tried again."""
        for early in owed.tries:
            final = early.code in (400, 403) and not early.migrated
            # Another invocation may get the lease before the refused sender stores the refusal.
            busy = made.invocation is not early.invocation and not early.invocation.over
            # A sender that read the room before the entry was removed does not know of the refusal.
            unseen = owed.removed and made.invocation.wrote < owed.removed_at
            in_time = made.at - early.at < _CONSEQUENCES or busy or unseen
            if final and early.method == made.method and not in_time and not excused(early):
                self._fail(f"{owed} was tried again after {early.code}")

    def performed(self, made: Try, call: Call) -> None:
        """Note Telegram's result of a call."""
        answer = call.answer or {}
        again = not answer.get("ok") and NOT_MODIFIED in answer.get("description", "")
        if answer.get("ok") or again:
            made.done = True
        else:
            made.code = int(answer.get("error_code", 400))
            made.migrated = "migrate_to_chat_id" in answer.get("parameters", {})
            made.gone = made.code == 400 and not made.migrated
            if made.code == 403:
                chat = call.chat or 0
                self._forbidden[chat] = self._clock()
                made.shut = True
        owed = made.owed
        if owed is None or not made.done:
            return
        self._show(owed, call)
        before = [t for t in owed.tries if t.done and t is not made]
        if not before:
            self._check_order(owed)
        elif posts(owed.entry.method):
            self.doubled += 1
            if not excused(before[-1]):
                self._fail(f"doubled: {owed}, although its first answer was received and stored")

    def _show(self, owed: Owed, call: Call) -> None:
        result = (call.answer or {}).get("result")
        number = call.params.get("message_id")
        if isinstance(result, dict) and "message_id" in result:
            number = result["message_id"]
            if posts(call.method):
                self._posts[call.chat or 0, int(number)] = owed
        if number is not None and call.method not in ("deleteMessage", TIDYING):
            self.shown[call.chat or 0, int(number)] = owed.fingerprint

    def _check_order(self, owed: Owed) -> None:
        for other in self._by_chat[owed.entry.chat]:
            if other.number >= owed.number or other.room != owed.room:
                continue
            # It may have been dropped because Telegram refused the whole chat.
            shut = self._forbidden.get(owed.entry.chat, -1.0) >= other.written
            if other.removed or other.done or other.refused or shut or other.entry.key is not None:
                continue
            meant = other.entry.target or other.entry.forwards
            if meant is not None and other.entry.fallback is None:
                continue  # the message may not exist
            self._fail(f"order: {owed} was sent before {other}, which was written earlier")

    def answered(self, made: Try) -> None:
        """Note that the answer reached the sender."""
        made.answered = True
        if made.shut and made.owed is not None:
            self._forbidden_to[made.owed.entry.chat, made.invocation.number] = made.at

    # --- the end ----------------------------------------------------------------------------------------

    def check_all_sent(self) -> None:
        """Check that everything was sent."""
        for owed in self.owed.values():
            if not owed.removed:
                self._fail(f"unsent: {owed}")


def excused(made: Try) -> bool:
    """Return True if the bot may not know a call's result, or could not store it."""
    lost = not made.answered or made.code == 502
    return lost or made.invocation.died or made.invocation.troubled_at >= made.at


def posts(method: str) -> bool:
    """Return True if a method posts a new message."""
    return method.startswith(("send", "forward"))


def names_of(entry: OutboxEntry) -> set[str]:
    """Return the names of the message that an entry posts or edits. Removing buttons does not count."""
    names = {entry.name, entry.target} if entry.method != TIDYING else set()
    return {name for name in names if name is not None}


def fingerprint(method: str, params: Mapping[str, Any]) -> str:
    """Return the text and buttons of a call, or only the method if the call shows neither."""
    if method in ("sendMessage", "sendPhoto") or method.startswith("edit"):
        text = params.get("text") or params.get("caption") or ""
        return json.dumps([text, params.get("reply_markup") or {}], sort_keys=True)
    return method
