"""Do the watchdog's duties besides waking rooms: registration, the webhook, the daily pass."""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from bot.conversation.incoming import ForgetIdleRoom
from bot.conversation.waking import is_untouched
from bot.display.commands import registrations
from bot.rooms.codec import NewerSchema, decode
from bot.rooms.names import from_key
from engine.frozen import frozen
from handlers.service.room_service import RoomRequest, RoomService
from infra.observability import Watched
from infra.outbox.outbox_sender import Note
from infra.store.rooms import Rooms
from infra.store.table import Cursor
from infra.telegram.errors import Refused, WireError
from infra.telegram.gateway import Gateway

#: Seconds from one daily pass to the next.
DAY = 86400
#: If the last pass seems longer ago than this (seconds), the clock may be wrong. A clock that is a year ahead
#: would make the bot forget every room. So only the time is noted, and the next pass does the work.
LONGEST_CREDIBLE_GAP = 8 * DAY
#: The most updates that may wait at Telegram if none has failed lately.
PENDING = 100
#: Seconds for which a failed delivery counts as recent.
RECENT_FAILURE_SECONDS = 600

#: Scopes in which we register no commands. If an older bot has left commands there, they are deleted.
#: Otherwise Telegram would show admins the old commands of ``all_chat_administrators`` instead of ours. It
#: would show everybody those of ``default`` in chats for which we register no commands.
UNUSED_SCOPES = ("default", "all_chat_administrators")


@dataclass(slots=True)
class Upkeep:
    """Register commands, check the webhook, and say when the daily pass is due."""

    gateway: Gateway
    clock: Callable[[], float]
    note: Note
    #: The progress of the registration.
    registration_cursor: Cursor
    #: Stores the time of the last daily pass.
    daily_pass_cursor: Cursor
    #: If this value changes, everything is registered again.
    revision: str
    #: The address to which Telegram should send updates; None: the bot fetches them.
    webhook_url: str | None = None
    _known: str = field(default="", init=False)

    def register(self, deadline: float) -> bool:
        """Register commands and profile, where that is not done. Return True if nothing is left to do.

        A call that fails is tried again in the next round. A call that Telegram refuses is logged and
        skipped, because the bot works without it. Raises StoreUnavailable.
        """
        calls = list(all_registration_calls())
        mark = hashlib.sha256(json.dumps([self.revision, calls]).encode()).hexdigest()[:16]
        if self._known == mark:
            return True
        known, _, number = (self.registration_cursor.load() or "").partition(" ")
        before = done = int(number) if known == mark else 0
        for method, params in calls[done:]:
            if self.clock() > deadline or not self._make_call(method, params):
                break
            done += 1
        if done != before:
            self.registration_cursor.save(f"{mark} {done}")
        if done < len(calls):
            return False
        self._known = mark
        return True

    def look_at_webhook(self) -> None:
        """Log ``UPDATES_STOPPED`` if the webhook's address is not ours, or if updates do not arrive."""
        if self.webhook_url is None:
            return
        try:
            hook = self.gateway.run(self.gateway.call("getWebhookInfo", {}))
        except WireError:
            return  # the next round asks again
        pending = hook.get("pending_update_count", 0)
        failed = self.clock() - hook.get("last_error_date", 0) < RECENT_FAILURE_SECONDS
        reason = None
        if hook.get("url") != self.webhook_url:
            reason = "webhook_elsewhere" if hook.get("url") else "webhook_removed"
        elif pending and (failed or pending > PENDING):
            reason = "updates_fail" if failed else "updates_wait"
        if reason is not None:
            self.note(Watched.UPDATES_STOPPED, {"reason": reason, "count": 1})

    def check_daily_pass(self) -> bool:
        """Return True if the daily pass is due. Raises StoreUnavailable.

        If the time of the last pass is missing or not credible, note the present time instead.
        """
        last, now = self.daily_pass_cursor.load(), int(self.clock())
        if last is not None and 0 <= now - int(last) < DAY:
            return False
        if last is None or not 0 <= now - int(last) <= LONGEST_CREDIBLE_GAP:
            self.note_daily_pass()
            return False
        return True

    def note_daily_pass(self) -> None:
        """Note the present time as that of the last daily pass. Raises StoreUnavailable.

        The next pass comes a day later, even if this one did not reach the last room.
        """
        self.daily_pass_cursor.save(str(int(self.clock())))

    def _make_call(self, method: str, params: dict[str, Any]) -> bool:
        """Make one call. Returns True if it need not be repeated."""
        try:
            self.gateway.run(self.gateway.call(method, params))
        except Refused as refused:
            self.note("registration_refused", {"method": method, "detail": refused.detail})
        except WireError as error:
            self.note("registration_waits", {"method": method, "kind": type(error).__name__})
            return False
        return True


def all_registration_calls() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the calls (method, parameters) that register commands and profile in every language."""
    for language, texts in registrations().items():
        for scope in UNUSED_SCOPES:
            yield "deleteMyCommands", {"scope": {"type": scope}, "language_code": language}
        for scope, commands in (("all_group_chats", texts.group), ("all_private_chats", texts.private)):
            listed = [{"command": command, "description": what} for command, what in commands]
            where = {"scope": {"type": scope}, "language_code": language}
            yield "setMyCommands", {"commands": listed, **where}
        yield "setMyDescription", {"description": texts.profile.description, "language_code": language}
        yield "setMyShortDescription", {"short_description": texts.profile.about, "language_code": language}


# --- idle rooms ---------------------------------------------------------------------------------------------
# The daily pass: once a day, continue through all rooms for as long as there is time. Forget the people in
# rooms that nobody has used for a year.


@frozen
class Cleanup:
    """The daily pass. Go through all rooms, and clean up those that nobody has used for a year."""

    rooms: Rooms
    room_service: RoomService
    clock: Callable[[], float]
    #: The progress of the pass.
    cursor: Cursor

    def run(self, deadline: float) -> None:
        """Continue after the room where the last run stopped, until ``deadline`` (seconds since 1970).

        A run that reaches the end of the table stops there, and the next one starts at the beginning. The
        cursor is saved before a room is cleaned up, so a room that fails or kills the process does not stop
        the next run. Raises StoreUnavailable, among other errors.
        """
        seen = self.cursor.load()
        for item in self.rooms.every(seen):
            if self.clock() > deadline:
                if seen is not None:
                    self.cursor.save(seen)
                return
            seen = item.key
            with suppress(NewerSchema, ValueError):  # a room of newer code, or a damaged one
                if is_untouched(decode(item.body, item.schema), int(self.clock())):
                    self.cursor.save(seen)
                    room = from_key(seen)
                    request = RoomRequest(ForgetIdleRoom(room), room, None, deadline, hurried=False)
                    self.room_service.handle(request)
        self.cursor.reset()
