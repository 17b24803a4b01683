"""Make the calls of a plan, in order within a chat and all chats at once, and collect their results."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from infra.outbox.plan import LONGEST_PAUSE, MINUTE, UNCOUNTED_METHODS, LimitedChat, Send, was_paused_lately
from infra.store.items import Failure, OutboxEntry, Patch, PostDate, Remembered
from infra.store.set_aside import SECONDS_NEEDED, TRIES_NEEDED
from infra.telegram.errors import AnswerLost, Kind, Migrated, Refused, RetryLater, Unauthorized
from infra.telegram.gateway import Gateway

#: No entry is begun less than this many seconds before the deadline. If an entry that was begun before needs
#: one more call (such as its fallback), that call may begin later.
_MARGIN_SECONDS = 1.0
_LONGEST_CALL = 8.0
#: Seconds for which a chat is paused if Telegram refuses the token, or the token cannot be read.
_PAUSE_WITHOUT_TOKEN = 60.0
_LONGEST_PAUSE_AFTER_LOSS = 300.0

#: Refusals that every entry of the chat would get.
_CHAT_REFUSALS = {Kind.BLOCKED, Kind.CANNOT_INITIATE, Kind.DEACTIVATED, Kind.NOT_IN_CHAT, Kind.CHAT_NOT_FOUND}

#: Draws the picture for an entry's ``photo`` and returns its bytes.
DrawPhoto = Callable[[Mapping[str, Any]], bytes]
#: Waits until a moment, in seconds since 1970.
WaitUntil = Callable[[float], Awaitable[None]]


class Refusal(NamedTuple):
    """An entry that was given up, in most cases because Telegram refused it for good.

    The caller must act on it.
    """

    id: str
    entry: OutboxEntry
    kind: Kind
    detail: str = ""


@dataclass(slots=True)
class SendResult:
    """The results of the calls."""

    #: Changes to what the room remembers.
    learned: Patch
    #: Ids of entries that are settled: carried out, or nothing is left to do.
    done: list[str] = field(default_factory=list)
    #: Entries that stay until the caller has dealt with them.
    refusals: list[Refusal] = field(default_factory=list)
    #: When a chat's pause ends (seconds since 1970); its entries stay.
    paused: dict[int, float] = field(default_factory=dict)
    #: When the entries in ``done`` were settled (seconds since 1970), by chat. Entries whose method no limit
    #: counts are left out.
    times: dict[int, list[float]] = field(default_factory=dict)
    #: Chats for which Telegram answered 429.
    limited: list[LimitedChat] = field(default_factory=list)
    #: Old chat id -> new one; entries of the old one stay.
    migrated: dict[int, int] = field(default_factory=dict)
    #: The whole bot has to wait, so sending stopped.
    stopped: bool = False
    #: The deadline came before the end.
    out_of_time: bool = False
    #: The number of calls that Telegram may or may not have carried out.
    answers_lost: int = 0


async def send(
    sends: Sequence[Send],
    remembered: Remembered,
    gateway: Gateway,
    *,
    clock: Callable[[], float],
    deadline: float,
    photo: DrawPhoto | None = None,
    wait_until: WaitUntil | None = None,
    is_bot_wide: Callable[[Sequence[LimitedChat]], bool] = lambda limited: False,
) -> SendResult:
    """Make the calls of a plan, as far as they can be begun before ``deadline`` (seconds since 1970).

    Args:
        sends: in the order of their ids.
        wait_until: waits until a send's time.
        is_bot_wide: returns True if these 429s mean that the whole bot has to wait.
    """
    out = SendResult({"message_ids": {}, "post_dates": {}, "pictures": {}, "pauses": {}, "failures": {}})
    sending = _Sending(out, remembered, gateway, clock, deadline, photo, wait_until, is_bot_wide)
    chats: dict[int, list[Send]] = {}
    for each in sends:
        chats.setdefault(each.entry.chat, []).append(each)
    # Nothing else runs while a picture is drawn, so chats without one send their requests first.
    drawn = {each.entry.chat for each in sends if each.entry.photo}
    await asyncio.gather(*[sending.serve(chats[chat]) for chat in sorted(chats, key=drawn.__contains__)])
    return out


@dataclass(slots=True)
class _Sending:
    """The state of one call of ``send``: its result so far, and its arguments without ``sends``."""

    out: SendResult
    remembered: Remembered
    gateway: Gateway
    clock: Callable[[], float]
    deadline: float
    photo: DrawPhoto | None
    wait_until: WaitUntil | None
    is_bot_wide: Callable[[Sequence[LimitedChat]], bool]

    async def serve(self, queue: list[Send]) -> None:
        """Carry out one chat's entries in order, until something stops the chat."""
        entry = queue[0].entry
        one_by_one = entry.topic is not None and was_paused_lately(self.remembered, entry.chat, self.clock())
        if entry.chat in self.remembered.pauses and not one_by_one:
            self.out.learned["pauses"][entry.chat] = None  # it is over
        for index, each in enumerate(queue):
            # If its time is not before the deadline, it goes out at once.
            if self.clock() < each.at < self.deadline:
                await (self.wait_until or self._sleep_until)(each.at)
            if self.out.stopped:
                return
            self.out.out_of_time = self.out.out_of_time or self.deadline - self.clock() < _MARGIN_SECONDS
            if self.out.out_of_time or not await self._try(each, queue[index + 1 :]):
                return

    async def _try(self, each: Send, behind: list[Send]) -> bool:
        """Carry out one entry and note the result. Returns whether its chat's next one may go."""
        entry = each.entry
        try:
            await self._carry_out(entry)
        except Refused as refused:
            self._refuse([each], refused.kind, refused.detail)
            if refused.kind in _CHAT_REFUSALS:
                self._refuse(behind, refused.kind)
            return refused.kind not in _CHAT_REFUSALS
        except Migrated as migrated:
            self.out.migrated[entry.chat] = migrated.new_chat_id
            return False
        except RetryLater as later:
            tries, _ = self._failures_of(each)
            # Other rooms (topics of the same forum) may use up this chat's limit as well: try less and less
            # often.
            growing = min(2.0**tries, MINUTE) if later.flood and tries else 0.0
            self._pause(entry.chat, max(later.after, growing))
            if later.flood:
                self._count_failure(each)
                self.out.limited.append(LimitedChat(entry.chat, later.after, each.is_evidence))
                self.out.stopped = self.out.stopped or self.is_bot_wide(self.out.limited)
            return False
        except Unauthorized:
            self._pause(entry.chat, _PAUSE_WITHOUT_TOKEN)
            return False
        except AnswerLost as lost:
            self.out.answers_lost += 1
            tries, since = self._failures_of(each)
            hopeless = tries >= TRIES_NEEDED and self.clock() - since >= SECONDS_NEEDED
            if hopeless and await self._telegram_is_up(entry):
                self._refuse([each], Kind.UNANSWERED, str(lost))
                return True
            self._count_failure(each)
            self._pause(entry.chat, min(2.0 * 2 ** min(tries, TRIES_NEEDED), _LONGEST_PAUSE_AFTER_LOSS))
            return False
        except Exception as error:
            # Our own mistake in one entry must not affect the other chats or the entries behind it.
            self._refuse([each], Kind.MISTAKE, type(error).__name__)
            return True
        self.out.done.append(each.id)
        if entry.chat in self.remembered.failures:
            self.out.learned["failures"][entry.chat] = None
        if entry.method not in UNCOUNTED_METHODS:
            self.out.times.setdefault(entry.chat, []).append(self.clock())
        return True

    def _failures_of(self, each: Send) -> tuple[int, float]:
        """Return how often an entry has failed, and since when (seconds since 1970)."""
        last = self.remembered.failures.get(each.entry.chat)
        return (last.tries, last.since) if last is not None and last.id == each.id else (0, self.clock())

    def _count_failure(self, each: Send) -> None:
        tries, since = self._failures_of(each)
        self.out.learned["failures"][each.entry.chat] = Failure(each.id, tries + 1, round(since, 1))

    async def _telegram_is_up(self, entry: OutboxEntry) -> bool:
        """Return True if Telegram carries out or refuses another call to the chat.

        A 429 does not count as a refusal. If the result is False, the lost answers are perhaps not the
        entry's fault.
        """
        place = {} if entry.topic is None else {"message_thread_id": entry.topic}
        params = {"chat_id": entry.chat, "action": "typing", **place}
        try:
            await self.gateway.call("sendChatAction", params, wait=_LONGEST_CALL)
        except Exception as error:
            return isinstance(error, Refused)
        return True

    async def _sleep_until(self, moment: float) -> None:
        await asyncio.sleep(max(0.0, moment - self.clock()))

    def _pause(self, chat: int, seconds: float) -> None:
        until = self.clock() + min(seconds, LONGEST_PAUSE)
        self.out.paused[chat] = until
        self.out.learned["pauses"][chat] = until

    def _refuse(self, queue: Iterable[Send], kind: Kind, detail: str = "") -> None:
        for each in queue:
            if each.entry.chat in self.remembered.failures:
                self.out.learned["failures"][each.entry.chat] = None
            self.out.refusals.append(Refusal(each.id, each.entry, kind, detail))
            if each.entry.name is not None and each.entry.target is None:
                # As far as we know, it was not posted. An edit of it must not change the message that had its
                # name before.
                self.out.learned["message_ids"][each.entry.name] = None

    def _find_file_id(self, photo: Mapping[str, Any]) -> str | None:
        kept_as = photo.get("kept_as", "")
        last = self.out.learned["pictures"].get(kept_as, self.remembered.pictures.get(kept_as))
        return last["id"] if last is not None and last["name"] == photo.get("name") else None

    async def _carry_out(self, entry: OutboxEntry) -> None:
        """Carry out one entry.

        If its target was never posted or is gone, post by its fallback. Without a fallback, drop the entry.
        If Telegram does not accept a file id, upload the picture.
        """
        meant = entry.target or entry.forwards
        target = None
        if meant is not None:
            # Look first at what was learned since ``send`` began: one plan may have a post and an edit of it.
            known = self.remembered.message_ids.get(meant)
            target = self.out.learned["message_ids"].get(meant, known)
        if entry.forwards is not None and target is None:
            raise Refused(Kind.MESSAGE_GONE)
        if entry.target is not None and target is None:
            await self._fall_back(entry, entry.target)
            return
        try:
            await self._call(entry, target)
        except Refused as refused:
            if refused.kind is Kind.QUERY_OLD:
                return
            if refused.kind is Kind.MESSAGE_GONE and entry.target is not None:
                await self._fall_back(entry, entry.target)
                return
            if refused.kind is not Kind.BAD_FILE or not entry.photo or not self._find_file_id(entry.photo):
                raise
            await self._call(entry, target, upload=True)

    async def _fall_back(self, entry: OutboxEntry, target: str) -> None:
        if entry.fallback is None:
            self.out.learned["message_ids"][target] = None
            return
        await self._call(entry.as_post(), None)

    async def _call(self, entry: OutboxEntry, message_id: int | None, *, upload: bool = False) -> None:
        file_id = None if upload or entry.photo is None else self._find_file_id(entry.photo)
        params, files = call_of(entry, message_id, file_id, self.photo)
        wait = min(self.deadline - self.clock(), _LONGEST_CALL)
        if wait <= 0:  # the first try, or drawing the picture, took all the time
            raise RetryLater(0.0)
        result = await self.gateway.call(entry.method, params, files or None, wait=wait)
        note_result(self.out.learned, entry, message_id, result, uploaded=bool(files))


# --- an entry's call, and the memory of its result ----------------------------------------------------------


def call_of(
    entry: OutboxEntry, message_id: int | None, file_id: str | None, draw: DrawPhoto | None
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the parameters and files of the call that carries out an entry.

    Args:
        message_id: the id of the entry's target, or of the message that it forwards.
        file_id: the id of the entry's picture, if it was sent before.
        draw: draws the entry's picture otherwise.
    """
    params: dict[str, Any] = {"chat_id": entry.chat, **entry.params}
    if message_id is not None:
        params["message_id"] = message_id
    if entry.forwards is not None:
        params["from_chat_id"] = entry.chat
    if entry.topic is not None and entry.target is None:
        params["message_thread_id"] = entry.topic
    files: dict[str, bytes] = {}
    if entry.photo is not None:
        if file_id is not None:
            params["photo"] = file_id
        else:
            files["photo"] = _draw(entry.photo, draw)
    return params, files


def _draw(photo: Mapping[str, Any], draw: DrawPhoto | None) -> bytes:
    if draw is None:
        raise Refused(Kind.BAD_FILE, "no hook")
    try:
        return draw(photo)
    except Exception as error:
        # The text must still go out: the caller of ``OutboxSender.deliver`` gets this refusal, and sends the
        # text without the picture.
        raise Refused(Kind.BAD_FILE, type(error).__name__) from error


def note_result(
    learned: Patch, entry: OutboxEntry, message_id: int | None, result: Any, *, uploaded: bool
) -> None:
    """Add to ``learned`` what the room must remember of a call's result: message ids, dates, file ids."""
    if entry.method == "deleteMessage" and entry.target is not None:
        learned["message_ids"][entry.target] = None
    if entry.name is not None and entry.target is not None and message_id is not None:
        # The result may be True and contain no message: the edit had been made before ("not modified").
        learned["message_ids"][entry.name] = message_id
    if not isinstance(result, Mapping):
        return
    if entry.name is not None and "message_id" in result:
        learned["message_ids"][entry.name] = result["message_id"]
        if entry.date_mark is not None:
            learned["post_dates"][entry.name] = PostDate(entry.date_mark, result["date"])
    if uploaded and entry.photo is not None and entry.photo.get("kept_as") and result.get("photo"):
        largest = result["photo"][-1]["file_id"]
        learned["pictures"][entry.photo["kept_as"]] = {"name": entry.photo.get("name"), "id": largest}
