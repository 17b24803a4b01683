"""A room's turns: which of its messages may go out now, and which keep a slot for later.

Pure: the slots are taken by ``infra.store.pace``, and what is decided here is carried out by the sender. A
slot belongs to a room and not to a message: what matters most when its time has come goes first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from infra.outbox.budget import FREE, SENT, Budget
from infra.outbox.flush import is_paused
from infra.store.entries import OutboxEntry

#: The name under which a room remembers its slots: [[first slot in ms on the bot's clock, how many], …].
TURNS = "turns"

#: Seconds ahead at which a slot is waited for; for a later one the room is woken.
AHEAD = 1.0
#: Seconds more for which a turn is gone on with that has begun: its rest would cost a wake-up of its own.
LONGER = 1.0
#: Seconds after which an unused slot is void: after trouble, all rooms at once would be too many.
STALE = 10.0
#: Seconds ahead to which a slot is believed: no queue is longer. A later one is from a clock that was ahead.
FARTHEST = 900.0
#: A slot so many seconds behind an earlier one of the room is used with that: one wake-up, not two.
TOGETHER = 3.0

#: The method that only takes buttons away. Where the bot has no room for it, it is let go.
TIDYING = "editMessageReplyMarkup"

#: The first slot (seconds on the bot's clock), and how many there are.
Turn = tuple[float, int]


@dataclass(slots=True)
class Wanted:
    """What of an outbox could go out now, as far as its chats are concerned."""

    #: Counted messages and edits, what matters most first; in an order that keeps each chat's.
    ids: list[str] = field(default_factory=list)
    #: Edits that only take buttons away, and others that can be spared.
    tidying: list[str] = field(default_factory=list)
    #: What no limit counts.
    free: list[str] = field(default_factory=list)


def turns_of(messages: Mapping[str, Any]) -> list[Turn]:
    """The slots that a room remembers."""
    return [(first / 1000, count) for first, count in messages.get(TURNS) or ()]


def packed(turns: Sequence[Turn]) -> list[list[int]] | None:
    """As a room remembers them; None where there are none."""
    return [[round(first * 1000), count] for first, count in turns] or None


def wanted(outbox: Mapping[str, OutboxEntry], messages: Mapping[str, Any], now: float) -> Wanted:
    """What could go out now: not what a chat's pause or its group's minute keeps back anyway.

    Prompts come first, then what happened, then edits; but a post never before an earlier post of its chat.
    An edit that gives its message another name counts as a post: people are to do something with that (claim
    what they saw), and the message keeps that name when a new one takes the first.
    """
    out = Wanted()
    ranked: list[tuple[int, str]] = []
    chats: dict[int, list[tuple[str, OutboxEntry]]] = {}
    for identifier in sorted(outbox):
        chats.setdefault(outbox[identifier].chat, []).append((identifier, outbox[identifier]))
    for chat, queue in chats.items():
        if is_paused(messages, chat, now):
            continue
        budget, going = Budget(chat, messages.get(SENT + str(chat)) or ()), []
        for identifier, entry in queue:
            if budget.wait(entry, now) is None:
                budget.count(entry, now)
                going.append((identifier, entry))
            elif entry.target is None:
                break
        best = _LAST
        for identifier, entry in reversed(going):
            if entry.method in FREE:
                out.free.append(identifier)
            elif entry.method == TIDYING or entry.spare:
                out.tidying.append(identifier)
            elif not keeps_its_place(entry):
                ranked.append((_EDIT, identifier))
            else:
                best = min(best, _PROMPT if "reply_markup" in entry.params else _POST)
                ranked.append((best, identifier))
    out.ids = [identifier for _, identifier in sorted(ranked)]
    return out


_PROMPT, _POST, _EDIT, _LAST = range(4)


def keeps_its_place(entry: OutboxEntry) -> bool:
    """Whether nothing that was written later for its chat may go before it."""
    return entry.target is None or entry.name is not None


def split(turns: Sequence[Turn], now: float, interval: float) -> tuple[list[float], list[Turn]]:
    """The slots that have come or are waited for, one by one, and the turns that stay for later.

    A turn whose first slot is at most ``AHEAD`` away is waited for, as far as ``LONGER`` beyond to its end.

    Args:
        now: on the bot's clock.
        interval: seconds between the slots of a turn.
    """
    come: list[float] = []
    later: list[Turn] = []
    for first, count in sorted(turns):
        if not now - STALE <= first <= now + FARTHEST:
            continue
        if first > now + AHEAD:
            later.append((first, count))
            continue
        near = min(count, 1 + int((now + AHEAD + LONGER - first) / interval))
        come += [first + number * interval for number in range(near)]
        if near < count:
            later.append((first + near * interval, count - near))
    return come, later


def joined(turns: Sequence[Turn]) -> list[Turn]:
    """Turns that lie close together become one, at the time of the earliest."""
    out: list[Turn] = []
    for first, count in sorted(turns):
        if out and first - out[-1][0] <= TOGETHER:
            out[-1] = (out[-1][0], out[-1][1] + count)
        else:
            out.append((first, count))
    return out
