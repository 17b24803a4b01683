"""The sending plan: which of a room's messages go out now, which wait, and which are dropped.

All public functions here are pure. They keep the order within a chat, find entries that replace others, keep
to a group's limit per minute and to the bot's pace, and decide whether a 429 is the limit of a chat or of the
bot (docs/decisions/0008 and 0020). ``infra.outbox.send`` makes the calls. ``infra.outbox.outbox_sender``
takes the send slots and stores the results.

When an entry with a ``name`` is sent, the room remembers the message's id under this name, in place of an
earlier id. The entry *takes* the name. Later entries with this name as ``target`` then change this message.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from infra.store.items import OutboxEntry, Patch, Remembered, SlotRun
from infra.store.pace import LimiterState, with_pause

#: The most messages and edits to a group in a minute. Telegram takes about twenty; the difference is left for
#: calls that are not in the outbox.
LIMIT_FOR_POSTS = 18
#: An edit waits if this many messages and edits went to its group in the last minute.
LIMIT_FOR_EDITS = 14
#: A patient edit, such as a lobby's, can wait some seconds. For each group there is a level (a leaky bucket).
#: Every message or edit to the group adds 1, and the level falls by 1 in ``PATIENT_SECONDS`` seconds. A
#: patient edit waits while it would bring the level above ``PATIENT_BURST``.
PATIENT_BURST, PATIENT_SECONDS = 5, 8.0
MINUTE = 60.0
#: A group's send times are remembered for this many seconds. That is longer than a minute, because the next
#: process's clock may be a little behind this one's. A time that is 65 seconds old here may be 55 seconds old
#: there, and then it still counts.
_KEPT_SECONDS = MINUTE + 15.0

#: Seconds between two messages to a topic after its forum has reached the limit per minute.
ONE_BY_ONE = MINUTE / 20

#: Methods that no limit counts.
UNCOUNTED_METHODS = frozenset({"answerCallbackQuery", "deleteMessage", "deleteMessages", "sendChatAction"})
#: The method that only removes buttons. If the bot has no send slot for such an edit, the edit is dropped.
TIDYING = "editMessageReplyMarkup"

#: A run is several consecutive send slots (``SlotRun``). The function that handles a wake-up waits up to
#: ``FIRST_SLOT_WAIT`` seconds for a run's first slot. For the run's other slots it waits up to
#: ``OTHER_SLOTS_WAIT`` seconds more, because another wake-up would cost more.
FIRST_SLOT_WAIT, OTHER_SLOTS_WAIT = 1.0, 1.0
#: The function that handles Telegram's updates waits only this many seconds for slots, because Telegram holds
#: back other groups' updates meanwhile.
HURRIED_WAIT = 0.3
#: Seconds after which an unused slot is void. Otherwise all rooms would use theirs at once after an outage.
STALE_AFTER = 10.0
#: Slots at most this many seconds apart share one wake-up.
_SHARED_WAKEUP_SECONDS = 3.0
#: A slot further ahead than this (seconds) is ignored: it comes from a clock that was ahead.
FARTHEST_SLOT_SECONDS = 900.0
#: A send time of a group further ahead than this (seconds) is ignored for the same reason.
_SKEW = 15.0
#: The longest pause of a chat, in seconds. If Telegram asks for more, the bot tries again after this time. A
#: stored pause that ends further ahead than this is ignored: it comes from a clock that was ahead.
LONGEST_PAUSE = 3600.0
#: Seconds after which to try again if there are fewer slots than messages.
_SOON_SECONDS = 1.0

#: A chat to which the bot wrote at most once within ``EVIDENCE_SECONDS`` can hardly be over its own limit. So
#: a 429 from it is evidence of a limit of the whole bot (``_mark_evidence`` has the exceptions). If
#: ``GROUPS_NEEDED`` groups or ``PEOPLE_NEEDED`` people give such evidence in that time, the whole bot pauses.
EVIDENCE_SECONDS, GROUPS_NEEDED, PEOPLE_NEEDED = 10.0, 3, 5
#: Seconds for which a chat's further evidence is ignored. A pause of the whole bot deletes all evidence, so
#: after it every chat counts again.
_COUNTS_ONCE = 600.0
_MOST_EVIDENCE = 30
#: The first pause of the whole bot lasts at most this many seconds. If Telegram asked for more, one sender
#: then sends a single message as a test (a probe). If Telegram refuses it, the next pause may be longer.
FIRST_PAUSE = 60.0
#: All other senders wait this many seconds for the result of a probe.
_PROBE_SECONDS = 5.0


class Send(NamedTuple):
    """An entry that goes out, not before ``at`` (seconds since 1970)."""

    id: str
    entry: OutboxEntry
    at: float = 0.0
    #: True if a 429 for this entry is evidence of a limit of the whole bot, see ``EVIDENCE_SECONDS``.
    is_evidence: bool = False


class Wait(NamedTuple):
    """An entry that stays until a moment (seconds since 1970)."""

    id: str
    until: float


class Drop(NamedTuple):
    """An entry to remove without sending it."""

    id: str


Step = Send | Wait | Drop


class Slots(NamedTuple):
    """A room's send slots one by one, in seconds since 1970."""

    #: Those whose time has come, or comes so soon that the sender waits for it.
    near: Sequence[float] = ()
    later: Sequence[float] = ()


class LimitedChat(NamedTuple):
    """A chat for which Telegram answered 429, and the seconds that Telegram asks to wait."""

    chat: int
    after: float
    #: See ``Send``.
    is_evidence: bool


# --- the plan -----------------------------------------------------------------------------------------------


def plan(found: SortedEntries, remembered: Remembered, slots: Slots | None, now: float) -> list[Step]:
    """Decide for each entry whether to send it, let it wait or drop it. Steps are in the order of ids.

    If too few slots are near for all entries, posts with buttons (prompts) come first, then other posts, and
    then edits. A slot belongs to the room, not to a message.

    Args:
        found: see ``sort_entries``.
        slots: the room's send slots; None: send without slots.
        now: seconds since 1970.
    """
    steps = dict(found.decided)
    moments: dict[str, float] = {}
    if slots is None:
        moments = dict.fromkeys(found.ready, 0.0)
    else:
        ids = [*found.ranked, *found.tidying]
        # Among the entries that go out now, the group's get the earliest slots. Otherwise the time of the
        # group's message would show how many private messages there were.
        going = sorted([(found.ready[each].chat > 0, each) for each in ids[: len(slots.near)]])
        moments = dict(zip([each for _, each in going], sorted(slots.near), strict=False))
        moments |= dict.fromkeys(found.uncounted, 0.0)
        later = iter(slots.later)
        for identifier in ids[len(slots.near) :]:
            until = next(later, None)
            if until is None and identifier in found.tidying:
                steps[identifier] = Drop(identifier)
            else:
                steps[identifier] = Wait(identifier, now + _SOON_SECONDS if until is None else until)
    for identifier, at in moments.items():
        steps[identifier] = Send(identifier, found.ready[identifier], at)
    if [each for each in found.ready.values() if each.hold_seconds]:
        _hold_back(steps, now)
    if [each for each in steps.values() if isinstance(each, Wait)]:
        _keep_order(found.ready, steps)
        _drop_if_name_taken(found.entries, steps)
    _mark_evidence(steps, remembered, now)
    return [steps[identifier] for identifier in sorted(steps)]


def count_wanted(found: SortedEntries) -> tuple[int, int, int]:
    """Count the slots needed: for messages that may go now, for edits that may be dropped, and extra ones.

    If a private message has ``OutboxEntry.hides``, the room takes at least that many slots for private
    messages. If fewer private messages may go now, the rest of these slots are the extra ones. So the sending
    speed does not show how many private messages there are.
    """
    private, hidden = 0, 0
    for identifier in (*found.ranked, *found.tidying):
        entry = found.ready[identifier]
        if entry.chat > 0:
            private, hidden = private + 1, max(hidden, entry.hides or 0)
    return len(found.ranked), len(found.tidying), max(0, hidden - private)


def was_paused_lately(remembered: Remembered, chat: int, now: float) -> bool:
    """Return whether a chat's pause ended within the last minute."""
    return now - MINUTE < remembered.pauses.get(chat, 0) <= now


def keeps_its_place(entry: OutboxEntry) -> bool:
    """Return whether entries written later for the same chat must wait for this one.

    They wait for every post. They also wait for an edit that has a ``name``. Once this edit is made, the room
    remembers the message's id under that name, and later entries may use the name as their ``target``.
    """
    return entry.target is None or entry.name is not None


def find_superseded(entries: Mapping[str, OutboxEntry]) -> list[str]:
    """Return the ids of entries that a later one with the same chat and key replaces.

    An edit is replaced only by an edit of the same message. Two edits with the same ``target`` are of
    different messages if an entry between them takes that name. An entry that may be dropped does not replace
    one that must go out.
    """
    posts: Counter[tuple[int, str]] = Counter()
    latest: dict[tuple[Any, ...], list[str]] = {}
    superseded: list[str] = []
    for identifier, entry in sorted(entries.items()):
        if entry.key is not None:
            target = entry.target
            meant = (entry.chat, entry.key, target, posts[entry.chat, target] if target else 0)
            before = latest.setdefault(meant, [])
            while before and (entries[before[-1]].droppable or not entry.droppable):
                superseded.append(before.pop())
            before.append(identifier)
        if entry.name is not None:
            posts[entry.chat, entry.name] += 1
    return superseded


@dataclass(slots=True)
class SortedEntries:
    """The entries, sorted by whether their chats allow them now."""

    #: All of them, by id.
    entries: Mapping[str, OutboxEntry]
    #: Those that their chats allow now, by id.
    ready: dict[str, OutboxEntry] = field(default_factory=dict)
    #: Those of ``ready`` that get slots first, most important first.
    ranked: list[str] = field(default_factory=list)
    #: Those of ``ready`` that are edits and may be dropped. They get slots after ``ranked``.
    tidying: list[str] = field(default_factory=list)
    #: Those of ``ready`` that no limit counts.
    uncounted: list[str] = field(default_factory=list)
    #: The steps of all other entries, by id: they wait, or are dropped.
    decided: dict[str, Step] = field(default_factory=dict)


_PROMPT, _POST, _EDIT, _LAST = range(4)


def sort_entries(entries: Mapping[str, OutboxEntry], remembered: Remembered, now: float) -> SortedEntries:
    """Sort entries by whether their chats allow them now (seconds since 1970)."""
    out = SortedEntries(entries)
    for identifier in find_superseded(entries):
        out.decided[identifier] = Drop(identifier)
    chats: dict[int, list[tuple[str, OutboxEntry]]] = {}
    for identifier in sorted(entries.keys() - out.decided.keys()):
        chats.setdefault(entries[identifier].chat, []).append((identifier, entries[identifier]))
    ranked: list[tuple[int, str]] = []
    for chat, queue in chats.items():
        until = remembered.pauses.get(chat, 0)
        if now < until <= now + LONGEST_PAUSE:
            for identifier, _ in queue:
                out.decided[identifier] = Wait(identifier, until)
        else:
            if queue[0][1].topic is not None and was_paused_lately(remembered, chat, now):
                queue = _keep_first_of_topic(out, queue, now)
            ranked += _rank(out, _apply_group_quota(out, queue, remembered.group_sends.get(chat, ()), now))
    out.ranked = [identifier for _, identifier in sorted(ranked)]
    return out


def _keep_first_of_topic(
    out: SortedEntries, queue: list[tuple[str, OutboxEntry]], now: float
) -> list[tuple[str, OutboxEntry]]:
    """Return a topic's first entry that counts towards a limit, and its uncounted calls. All others wait.

    The topics of a forum share one limit per minute. But each topic is a room of its own and does not know of
    the others. Without this rule, each would take send slots for all its entries, and after the first 429
    these slots would be wasted.
    """
    counted = [identifier for identifier, entry in queue if entry.method not in UNCOUNTED_METHODS]
    for identifier in counted[1:]:
        out.decided[identifier] = Wait(identifier, now + ONE_BY_ONE)
    return [each for each in queue if each[0] not in counted[1:]]


def _apply_group_quota(
    out: SortedEntries, queue: list[tuple[str, OutboxEntry]], sent: Sequence[float], now: float
) -> list[tuple[str, OutboxEntry]]:
    """Return the entries of one chat that its limit per minute allows now. A private chat has no such limit.

    If an entry that keeps its place (see ``keeps_its_place``) has to wait, everything behind it waits too. If
    an edit that does not keep its place has to wait, the entries behind it need not. If a later post takes
    the name of the edit's message, the edit is dropped instead of waiting.
    """
    going = []
    quota = GroupQuota(sent) if queue[0][1].chat < 0 else None
    last_named = {entry.name: index for index, (_, entry) in enumerate(queue)}
    for index, (identifier, entry) in enumerate(queue):
        name_taken = entry.target is not None and last_named.get(entry.target, -1) > index
        limit = None if entry.method in UNCOUNTED_METHODS else quota
        until = None if limit is None else limit.take(entry, now)
        if until is None:
            # An edit's fallback posts its text if the message to edit is gone. If a later post takes the
            # message's name, that post is enough, so remove the fallback.
            going.append((identifier, replace(entry, fallback=None) if name_taken else entry))
        elif keeps_its_place(entry):
            for other, _ in queue[index:]:
                out.decided[other] = Wait(other, until)
            break
        else:
            out.decided[identifier] = Drop(identifier) if name_taken else Wait(identifier, until)
    out.ready |= dict(going)
    return going


def _rank(out: SortedEntries, going: list[tuple[str, OutboxEntry]]) -> list[tuple[int, str]]:
    """Return ids with their importance, 0 for the most important.

    A post that goes out before its chat's prompt is as important as the prompt.
    """
    ranked, best = [], _LAST
    for identifier, entry in reversed(going):
        if entry.method in UNCOUNTED_METHODS:
            out.uncounted.append(identifier)
        elif entry.method == TIDYING or entry.droppable:
            out.tidying.append(identifier)
        elif not keeps_its_place(entry):
            ranked.append((_EDIT, identifier))
        else:
            best = min(best, _PROMPT if "reply_markup" in entry.params else _POST)
            ranked.append((best, identifier))
    return ranked


def _hold_back(steps: dict[str, Step], now: float) -> None:
    """Delay an entry that has ``hold_seconds`` if an earlier entry without ``hold_seconds`` goes out now."""
    begun = False
    for identifier, step in sorted(steps.items()):
        if not isinstance(step, Send):
            continue
        if step.entry.hold_seconds and begun:
            steps[identifier] = step._replace(at=max(step.at, now + step.entry.hold_seconds))
        begun = begun or not step.entry.hold_seconds


def _keep_order(ready: Mapping[str, OutboxEntry], steps: dict[str, Step]) -> None:
    """Let an entry wait if an earlier entry of its chat waits for a slot and keeps its place."""
    behind: dict[int, float] = {}
    for identifier, entry in sorted(ready.items()):
        step = steps[identifier]
        if isinstance(step, Wait) and keeps_its_place(entry):
            behind.setdefault(entry.chat, step.until)
        elif isinstance(step, Send) and entry.chat in behind:
            steps[identifier] = Wait(identifier, behind[entry.chat])


def _drop_if_name_taken(entries: Mapping[str, OutboxEntry], steps: dict[str, Step]) -> None:
    """Drop a waiting edit if a later post takes its message's name.

    Otherwise the edit would change the new post.
    """
    sends = [step for _, step in sorted(steps.items()) if isinstance(step, Send)]
    taken = {(step.entry.chat, step.entry.name): step.id for step in sends}
    for identifier, step in steps.items():
        entry = entries[identifier]
        if isinstance(step, Wait) and taken.get((entry.chat, entry.target or ""), "") > identifier:
            steps[identifier] = Drop(identifier)


def _mark_evidence(steps: dict[str, Step], remembered: Remembered, now: float) -> None:
    """Mark the sends whose 429 would be evidence of a limit of the whole bot.

    It is evidence if the room remembers at most one write to the chat in the last ``EVIDENCE_SECONDS``
    seconds, and no slow mode of the chat. Earlier sends of this plan to the chat count as writes. It is never
    evidence in a forum's topic, because a topic does not know how often the bot wrote to the others.
    """
    written: Counter[int] = Counter()
    for chat, at in remembered.private_sends:
        written[chat] += at > now - EVIDENCE_SECONDS
    for chat, times in remembered.group_sends.items():
        for at in times:
            written[chat] += at > now - EVIDENCE_SECONDS
    for identifier, step in sorted(steps.items()):
        if not isinstance(step, Send) or step.entry.method in UNCOUNTED_METHODS:
            continue
        chat = step.entry.chat
        limited = step.entry.topic is not None or chat in remembered.slow_modes
        steps[identifier] = step._replace(is_evidence=not limited and written[chat] <= 1)
        written[chat] += 1


# --- a group's limit per minute -----------------------------------------------------------------------------


@dataclass(slots=True)
class GroupQuota:
    """A group's limit per minute.

    Edits may use only a part of the limit, so that there is always room for posts: people wait for them.
    Patient edits (such as a lobby's) are also spread out: the first few go out at once, then one every few
    seconds. So the limit is not reached yet when the game begins.
    """

    #: When the bot lately wrote to the group, in seconds since 1970.
    sent: Sequence[float]

    def take(self, entry: OutboxEntry, now: float) -> float | None:
        """Return when an entry may go (seconds since 1970), or None if it may go now. Then it counts."""
        # A clock that was ahead may have stored a time in the future. It must not delay the group.
        self.sent = [at for at in self.sent if at <= now + _SKEW]
        most = LIMIT_FOR_POSTS if entry.target is None else LIMIT_FOR_EDITS
        lately = [at for at in self.sent if at > now - MINUTE]
        open_at = now if len(lately) < most else lately[-most] + MINUTE
        until = max(open_at, self._patient_at()) if entry.patient else open_at
        if until > now:
            return until
        self.sent = sorted([*self.sent, now])
        return None

    def _patient_at(self) -> float:
        """Return when the next patient edit may go, in seconds since 1970."""
        level, before = 0.0, 0.0
        for at in self.sent:
            level, before = max(0.0, level - (at - before) / PATIENT_SECONDS) + 1, at
        return before + (level + 1 - PATIENT_BURST) * PATIENT_SECONDS


def remember_sent(remembered: Remembered, sent: Mapping[int, Sequence[float]], now: float) -> Patch:
    """Return what a room must remember after it has written to these chats at these times."""
    out: Patch = {"group_sends": {}}
    people: dict[int, list[float]] = {}
    for chat, at in remembered.private_sends:
        if at > now - EVIDENCE_SECONDS:
            people.setdefault(chat, []).append(at)
    for chat, times in sent.items():
        new = [round(at, 1) for at in times]
        if chat < 0:
            known = sorted([*remembered.group_sends.get(chat, ()), *new])
            out["group_sends"][chat] = [at for at in known if at > now - _KEPT_SECONDS]
        else:
            # The chats that were written to last come last.
            people[chat] = sorted([*people.pop(chat, ()), *new])
    # Two times are enough: with them, the chat's next 429 is no evidence.
    lately = [(chat, at) for chat, times in people.items() for at in times[-2:]]
    if lately != list(remembered.private_sends):
        out["private_sends"] = lately or None
    return out


# --- runs of slots ------------------------------------------------------------------------------------------


def split_slot_runs(
    runs: Sequence[SlotRun], now: float, interval: float, *, hurried: bool = False
) -> tuple[list[float], list[SlotRun]]:
    """Return the slots whose time has come or comes soon, as single times, and the later ones as runs.

    Args:
        now: in seconds on the bot's clock, see ``infra.store.pace``.
        interval: seconds between the slots of a run.
        hurried: wait at most ``HURRIED_WAIT`` seconds, also for the rest of a run.
    """
    ahead, longer = (HURRIED_WAIT, 0.0) if hurried else (FIRST_SLOT_WAIT, OTHER_SLOTS_WAIT)
    near: list[float] = []
    later: list[SlotRun] = []
    for first, count in sorted(runs):
        if not now - STALE_AFTER <= first <= now + FARTHEST_SLOT_SECONDS:
            continue
        if first > now + ahead:
            later.append((first, count))
            continue
        soon = min(count, 1 + int((now + ahead + longer - first) / interval))
        near += [first + number * interval for number in range(soon)]
        if soon < count:
            later.append((first + soon * interval, count - soon))
    return near, later


def join_slot_runs(runs: Sequence[SlotRun]) -> list[SlotRun]:
    """Join runs that are close together into one, at the time of the earliest."""
    out: list[SlotRun] = []
    for first, count in sorted(runs):
        if out and first - out[-1][0] <= _SHARED_WAKEUP_SECONDS:
            out[-1] = (out[-1][0], out[-1][1] + count)
        else:
            out.append((first, count))
    return out


# --- whose limit a 429 is -----------------------------------------------------------------------------------


def is_bot_wide(state: LimiterState, limited: Iterable[LimitedChat], now: float) -> bool:
    """Return whether these 429s, with earlier evidence, show that the whole bot must wait.

    ``now`` is in seconds since 1970.
    """
    chats = [chat for chat, _ in _find_fresh(_merge_evidence(state, limited, now), now)]
    groups = sum(chat < 0 for chat in chats)
    return groups >= GROUPS_NEEDED or len(chats) - groups >= PEOPLE_NEEDED


def note_limited(
    state: LimiterState, limited: Collection[LimitedChat], now: float, *, probing: bool = False
) -> LimiterState:
    """Return the limiter's state after 429s: with more evidence, or with a pause of the whole bot.

    Args:
        now: seconds since 1970.
        probing: this sender probed whether Telegram accepts messages again.
    """
    evidence = _merge_evidence(state, limited, now)
    refused = [each.after for each in limited if each.is_evidence]
    if probing and refused:
        asked = min(refused)
        length = min(2 * state.pause_length / 1000, asked)
    elif is_bot_wide(state, limited, now):
        # Take the shortest wait: a chat that asks for longer has a limit of its own.
        asked = min(ends for _, ends in _find_fresh(evidence, now)) / 1000 - now
        length = min(asked, FIRST_PAUSE)
    else:
        return state._replace(evidence=evidence)
    pause_length = max(state.pause_length, round(length * 1000))
    retry_at = max(state.retry_at, round((now + asked) * 1000))
    paused = with_pause(state, now + length, now)
    return paused._replace(pause_length=pause_length, retry_at=retry_at, evidence=())


def may_probe(state: LimiterState, now: float) -> bool:
    """Return whether to send one message as a probe: our pause is over, but Telegram asked for longer."""
    return state.pause_ends_at <= now * 1000 < state.retry_at


def claim_probe(state: LimiterState, now: float) -> LimiterState:
    """Return the state with a short pause, in which all senders but this one wait for its probe.

    Return the same state if no probe is needed, or if another sender is already probing.
    """
    return with_pause(state, now + _PROBE_SECONDS, now) if may_probe(state, now) else state


def end_probe(state: LimiterState) -> LimiterState:
    """Return the state after Telegram has accepted a message: no probe is needed any more."""
    return state._replace(pause_length=0, retry_at=0)


#: A chat, the time of its 429, and the time until which it has to wait (both in milliseconds since 1970).
Evidence = tuple[int, int, int]


def _merge_evidence(state: LimiterState, limited: Iterable[LimitedChat], now: float) -> tuple[Evidence, ...]:
    """Add these 429s to the limiter's evidence. Each chat counts once in ``_COUNTS_ONCE`` seconds."""
    moment = round(now * 1000)
    found = {each[0]: each for each in state.evidence if each[1] > moment - _COUNTS_ONCE * 1000}
    for each in limited:
        if each.is_evidence:
            found.setdefault(each.chat, (each.chat, moment, moment + round(each.after * 1000)))
    return tuple(sorted(found.values(), key=lambda one: one[1]))[-_MOST_EVIDENCE:]


def _find_fresh(evidence: Iterable[Evidence], now: float) -> list[tuple[int, int]]:
    """Return the chats that gave evidence lately and still have to wait, each with the end of its wait."""
    moment = now * 1000
    return [
        (chat, ends) for chat, at, ends in evidence if at > moment - EVIDENCE_SECONDS * 1000 and ends > moment
    ]
