"""Compare the bot's calls to Telegram with the entries in its outboxes.

Each message is written together with the state that causes it. So each call must have an earlier entry, and
each entry must be carried out in its turn, and once, unless its answer was lost or the process died before it
stored the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from infra.outbox.plan import TIDYING
from infra.store.entries import OutboxEntry, unpack_entry
from infra.telegram.errors import NOT_MODIFIED
from sandbox.promises.fingerprint import fingerprint, fingerprint_of, posts
from sandbox.promises.invocation import Invocation
from sandbox.telegram.journal import Call
from sandbox.telegram.params import normalise

Fail = Callable[[str], None]
#: Calls that post and edit nothing.
_ASIDE = frozenset({"answerCallbackQuery", "getChatMember", "sendChatAction", "getChat", "getMe"})
#: The most seconds that the bot waits for an answer.
_ANSWER_SECONDS = 8.0
#: Seconds within which the consequences of a refusal are stored.
_CONSEQUENCES = 5.0


@dataclass(slots=True, eq=False)
class Try:
    """One call for an entry."""

    at: float
    invocation: Invocation
    method: str
    owed: Owed | None
    done: bool = False
    answered: bool = False
    #: The HTTP status with which Telegram refused it; 0: it did not.
    code: int = 0
    migrated: bool = False
    #: True if Telegram itself, and not a fault, found no such message.
    gone: bool = False
    #: True if Telegram itself refuses the whole chat. A fault's 403 concerns one message.
    shut: bool = False

    def settled(self, now: float) -> bool:
        """Return True if its sender knows the result, or still waits for it."""
        if self.answered:
            # After a 5xx nobody knows whether it was done.
            return (self.done and self.code != 502) or (self.code in (400, 403) and not self.migrated)
        return not (self.done or self.code) and now - self.at < _ANSWER_SECONDS

    def in_vain(self, invocation: Invocation) -> bool:
        """Return True if this invocation tried to edit a missing message, and may post instead."""
        return self.invocation is invocation and self.method.startswith("edit") and self.gone


@dataclass(slots=True, eq=False)
class Owed:
    """An entry of an outbox, and the calls for it."""

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
        """Return True if Telegram did it."""
        return any(t.done for t in self.tries)

    @property
    def refused(self) -> bool:
        """Return True if Telegram refused it for good."""
        return any(t.code in (400, 403) and not t.migrated for t in self.tries)

    def __str__(self) -> str:
        return f"{self.entry.method} {self.id} of {self.room} to {self.entry.chat}"


class Ledger:
    """All entries, by chat and content, in the order of their writes."""

    def __init__(self, clock: Callable[[], float], fail: Fail) -> None:
        self._clock = clock
        self._fail = fail
        self.owed: dict[tuple[str, str], Owed] = {}
        self._by_fingerprint: dict[tuple[int, str], list[Owed]] = {}
        self._by_chat: dict[int, list[Owed]] = {}
        #: The content of each message of the bot, as a fingerprint.
        self.shown: dict[tuple[int, int], str] = {}
        #: The original post of each message of the bot.
        self._posts: dict[tuple[int, int], Owed] = {}
        #: The rooms' memories: message ids by name, and until when to pause in a chat.
        self.messages: dict[str, Mapping[str, Any]] = {}
        #: When each chat last refused everything.
        self._forbidden: dict[int, float] = {}
        #: By chat and invocation: when the chat last refused everything, and the invocation heard of it.
        self._forbidden_to: dict[tuple[int, int], float] = {}
        self.doubled = 0

    # --- the store's side -------------------------------------------------------------------------------

    def changed(self, room: str, before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> None:
        """Note a room item's old and new attributes."""
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
        owed = Owed(room, identifier, entry, fingerprint_of(entry), self._clock(), len(self.owed))
        self.owed[room, identifier] = owed
        self._by_fingerprint.setdefault((entry.chat, owed.fingerprint), []).append(owed)
        self._by_chat.setdefault(entry.chat, []).append(owed)

    def _moved(self, old: str, new: str, outbox: Mapping[str, Any]) -> None:
        for identifier, packed in sorted(outbox.items()):
            if (old, identifier) not in self.owed:
                self._write(new, identifier, unpack_entry(packed["B"]))
                continue
            owed = self.owed[new, identifier] = self.owed.pop((old, identifier))
            owed.room, owed.entry = new, unpack_entry(packed["B"])
            self._by_fingerprint.setdefault((owed.entry.chat, owed.fingerprint), []).append(owed)
            self._by_chat.setdefault(owed.entry.chat, []).append(owed)

    def _remove(self, owed: Owed, before: Mapping[str, Any]) -> None:
        owed.removed, owed.removed_at = True, self._clock()
        refused = owed.refused or self._forbidden.get(owed.entry.chat, -1.0) >= owed.written
        # With much else to send, the bot drops droppable entries, such as the removal of useless buttons.
        droppable = owed.entry.method == TIDYING or owed.entry.droppable
        let_go = droppable or self._needless(owed) or self._without_object(owed, before)
        if not (owed.done or refused or let_go):
            self._fail(f"lost: {owed} was taken off the outbox, and Telegram had not done it")

    def _needless(self, owed: Owed) -> bool:
        """Return True if a later entry replaces it: an edit with the same key, or a new message."""
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

    def _object_of(self, owed: Owed) -> Owed | None:
        """Return the post that an edit changes: the last of that name written before it."""
        before = (other for other in reversed(self._by_chat[owed.entry.chat]) if other.number < owed.number)
        meant = owed.entry.target or owed.entry.forwards
        return next((o for o in before if o.entry.name == meant and o.entry.target is None), None)

    def _without_object(self, owed: Owed, before: Mapping[str, Any]) -> bool:
        """Return True if the message to edit or forward was never posted, and there is no post instead."""
        entry = owed.entry
        meant = entry.target or entry.forwards
        if meant is None or entry.fallback is not None:
            return False
        post = self._object_of(owed)
        if post is not None and post.refused:
            # It may have been posted in an earlier try of which the bot heard nothing: then it knows no id.
            return all(excused(made) for made in post.tries if made.done)
        return meant not in before.get("remembered", {}).get("M", {})

    # --- Telegram's side --------------------------------------------------------------------------------

    def sent(self, invocation: Invocation, method: str, params: Mapping[str, Any]) -> Try:
        """Note a call that leaves the bot."""
        # Messages that a single member sees have no entries either.
        if method in _ASIDE or any("ephemeral" in name for name in params):
            return Try(self._clock(), invocation, method, None)
        given = normalise(params)
        chat = int(given.get("chat_id", 0))
        edited = self._posts.get((chat, int(given.get("message_id", 0))))
        owed = self._which(invocation, method, chat, fingerprint(method, given), edited)
        made = Try(self._clock(), invocation, method, owed)
        if owed is None:
            self._fail(f"{method} to {chat}, and nobody had written it down before")
            return made
        self._in_time(owed, chat)
        self._not_again(owed, made)
        owed.tries.append(made)
        return made

    def _which(
        self, invocation: Invocation, method: str, chat: int, fingerprint: str, edited: Owed | None
    ) -> Owed | None:
        """Return the entry for a call: of those that look alike, the first that its sender still has.

        ``edited``: the post that is edited. Entries for another one are skipped if there are others. A sender
        goes through the outbox in order, and skips what it knows to be done or refused.
        """
        alike = self._by_fingerprint.get((chat, fingerprint), [])
        # An edit may become a post if its entry says so; a post never becomes an edit.
        changes = method.startswith("edit")
        instead = [] if changes else [owed for owed in alike if owed.entry.fallback]
        for owed in instead:
            if not owed.removed and owed.tries and owed.tries[-1].in_vain(invocation):
                return owed
        alike = [owed for owed in alike if (owed.entry.target is not None) == changes] or instead
        if edited is not None:
            # An edit can rename a message; then the name no longer identifies its post.
            alike = [owed for owed in alike if self._object_of(owed) in (edited, None)] or alike
        waiting = [
            owed
            for owed in alike
            # A sender still has an entry that another one removed after the sender's last write.
            if (not owed.removed or owed.written <= invocation.wrote < owed.removed_at)
            and not any(t.invocation is invocation and t.settled(self._clock()) for t in owed.tries)
        ]
        # A sender has not seen entries written after its own last write.
        waiting = [owed for owed in waiting if owed.written <= invocation.wrote] or waiting
        # When a chat refuses everything, the entries that wait for it are dropped, too, if the sender has
        # seen them.
        refused_until = self._forbidden_to.get((chat, invocation.number), -1.0)
        open_to_it = [owed for owed in waiting if owed.written > refused_until] or waiting
        if open_to_it:
            # If several edits of one message wait, the last one stands for all.
            return [owed for owed in open_to_it if self._stands_for(owed, open_to_it[0])][-1]
        # Another sender may have removed an entry that this one still has.
        lately = [owed for owed in alike if owed.removed and owed.removed_at >= invocation.began]
        in_hand = [owed for owed in lately if all(t.invocation is not invocation for t in owed.tries)]
        return (in_hand or alike)[-1] if alike else None

    def _stands_for(self, later: Owed, first: Owed) -> bool:
        """Return True if a later edit replaces an earlier one: no new post of that name is between them."""
        if later is first:
            return True
        if first.entry.key is None or later.entry.key != first.entry.key:
            return False
        between = range(first.number + 1, later.number)
        return not any(
            other.number in between and other.entry.name == first.entry.target
            for other in self._by_chat[first.entry.chat]
        )

    def _in_time(self, owed: Owed, chat: int) -> None:
        pause = self.messages.get(owed.room, {}).get(f"pause/{chat}")
        if pause is not None and float(next(iter(pause.values()))) > self._clock() + 0.01:
            self._fail(f"{owed} was tried while the chat was to be left alone")

    def _not_again(self, owed: Owed, made: Try) -> None:
        """Check that a message refused for good is not tried again."""
        for early in owed.tries:
            final = early.code in (400, 403) and not early.migrated
            # Before the refusal is stored, another invocation may have the lease, even while the refused
            # sender is still busy.
            busy = made.invocation is not early.invocation and not early.invocation.over
            # A sender that read the room before the refused entry was removed does not know, either.
            unseen = owed.removed and made.invocation.wrote < owed.removed_at
            in_time = made.at - early.at < _CONSEQUENCES or busy or unseen
            if final and early.method == made.method and not in_time and not excused(early):
                self._fail(f"{owed} was tried again after {early.code}")

    def performed(self, made: Try, call: Call) -> None:
        """Note that Telegram carried out a call, or refused it."""
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
            self._in_order(owed)
        elif posts(owed.entry.method):
            self.doubled += 1
            if not excused(before[-1]):
                self._fail(f"doubled: {owed}, though nothing had gone wrong")

    def _show(self, owed: Owed, call: Call) -> None:
        result = call.result
        number = call.params.get("message_id")
        if isinstance(result, dict) and "message_id" in result:
            number = result["message_id"]
            if posts(call.method):
                self._posts[call.chat or 0, int(number)] = owed
        if number is not None and call.method not in ("deleteMessage", TIDYING):
            self.shown[call.chat or 0, int(number)] = owed.fingerprint

    def _in_order(self, owed: Owed) -> None:
        for other in self._by_chat[owed.entry.chat]:
            if other.number >= owed.number or other.room != owed.room:
                continue
            # It may have been refused with everything else that waited for the chat.
            shut = self._forbidden.get(owed.entry.chat, -1.0) >= other.written
            if other.removed or other.done or other.refused or shut or other.entry.key is not None:
                continue
            meant = other.entry.target or other.entry.forwards
            if meant is not None and other.entry.fallback is None:
                continue  # its message may not exist
            self._fail(f"order: {owed} was done before {other}, which was written earlier")

    def answered_with(self, made: Try, code: int) -> None:
        """Note the HTTP status that answered the call, which may still have been done."""
        made.code = code

    def answered(self, made: Try) -> None:
        """Note that the answer reached the process in time."""
        made.answered = True
        if made.shut and made.owed is not None:
            self._forbidden_to[made.owed.entry.chat, made.invocation.number] = made.at

    # --- the end ----------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Check that everything was sent."""
        for owed in self.owed.values():
            if not owed.removed:
                self._fail(f"unsent: {owed}")


def excused(made: Try) -> bool:
    """Return True if the bot perhaps did not hear a call's result, or could not store it."""
    lost = not made.answered or made.code == 502
    return lost or made.invocation.trouble_since(made.at)
