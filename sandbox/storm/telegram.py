"""A fast, minimal Telegram for storms. It enforces a bot's limits and reports each prompt's answers."""

from __future__ import annotations

import json
import math
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from sandbox.telegram.errors import too_many
from sandbox.telegram.journal import COUNTED
from sandbox.telegram.transport import encode

#: Posts and edits accepted per second. As many may come at once.
TAKEN = 30
#: Posts and edits accepted per minute in one group.
IN_A_GROUP = 20
#: After this many refused calls within a minute, Telegram locks the bot out.
REFUSALS = 100
#: Seconds of the first lock-out, and of the longest. Each lock-out is twice as long as the one before.
LOCKED, LONGEST = 5.0, 300.0
HOUR = 3600.0
_ANSWER = "answer|"


class StormTelegram:
    """Accept 30 posts and edits a second, refuse others, and lock the bot out if it keeps calling."""

    def __init__(self, clock: Callable[[], float], asked: Callable[[int, list[str]], None]) -> None:
        """``asked`` gets each prompt in a private chat: the chat, and the callback data of its answers."""
        self._clock = clock
        self._asked = asked
        self._numbers = 0
        self._tokens = float(TAKEN)
        self._filled = clock()
        self._groups: dict[int, deque[float]] = {}
        self._refusals: deque[float] = deque()
        self._locked_until = 0.0
        self._lock = LOCKED
        #: Groups in slow mode: seconds between two posts.
        self.slow: dict[int, float] = {}
        #: Private chats that refuse messages, and until when.
        self.full: dict[int, float] = {}
        #: Chats that refused a message because they were slow or full.
        self.limited: set[int] = set()
        self._posted: dict[int, float] = {}
        #: True while it accepts everything, so that rooms can be set up.
        self.generous = True
        self.sent: list[float] = []
        self.refused: list[float] = []
        self.toasts = 0

    def answer(self, method: str, params: Mapping[str, Any]) -> tuple[int, bytes]:
        """Return the HTTP status and body that answer a call."""
        if method not in COUNTED:
            self.toasts += method == "answerCallbackQuery"
            return encode({"ok": True, "result": True})
        chat, now = int(params["chat_id"]), self._clock()
        post = method.startswith("send")
        if not self.generous and (wait := self._wait(chat, now, post)):
            self.refused.append(now)
            self._refusals.append(now)
            return encode(too_many(math.ceil(wait)).envelope())
        if not self.generous:
            self.sent.append(now)
            if post:
                self._posted[chat] = now
        self._notice(chat, params)
        self._numbers += 1
        number = params.get("message_id") or self._numbers
        message = {"message_id": int(number), "date": int(now), "chat": {"id": chat}}
        if method == "sendPhoto":
            message["photo"] = [{"file_id": f"photo-{self._numbers}"}]
        return encode({"ok": True, "result": message})

    def _wait_in(self, chat: int, now: float, post: bool) -> float:
        """Return the seconds that the call must wait because its chat is in slow mode or full."""
        slow = self._posted.get(chat, now - HOUR) + self.slow.get(chat, 0.0) if post else now
        return max(0.0, slow - now, self.full.get(chat, now) - now)

    def _wait(self, chat: int, now: float, post: bool) -> float:
        """Return the seconds that the call must wait; 0 if it is accepted."""
        if now < self._locked_until:
            self._note_refusal(now)
            return self._locked_until - now
        if wait := self._wait_in(chat, now, post):
            self.limited.add(chat)
            return wait
        group = self._groups.setdefault(chat, deque()) if chat < 0 else deque()
        while group and group[0] <= now - 60:
            group.popleft()
        if len(group) >= IN_A_GROUP:
            return group[0] + 60 - now
        self._tokens = min(TAKEN, self._tokens + (now - self._filled) * TAKEN)
        self._filled = now
        if self._tokens < 1:
            self._note_refusal(now)
            return max(1.0, self._locked_until - now)
        self._tokens -= 1
        group.append(now)
        return 0.0

    def _note_refusal(self, now: float) -> None:
        while self._refusals and self._refusals[0] <= now - 60:
            self._refusals.popleft()
        if len(self._refusals) >= REFUSALS:
            self._refusals.clear()
            self._locked_until = max(self._locked_until, now + self._lock)
            self._lock = min(2 * self._lock, LONGEST)

    def _notice(self, chat: int, params: Mapping[str, Any]) -> None:
        markup = params.get("reply_markup")
        if chat < 0 or not markup:
            return
        rows = (json.loads(markup) if isinstance(markup, str) else markup).get("inline_keyboard", [])
        data = [button.get("callback_data", "") for row in rows for button in row]
        if answers := [each for each in data if each.startswith(_ANSWER)]:
            self._asked(chat, answers)
