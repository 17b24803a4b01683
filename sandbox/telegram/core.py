"""``Telegram`` answers the bot's method calls, and holds the chats in which people act."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from .calls import COUNTED, POSTS, Call, InvalidCall, Refusal, bad_request, normalise, validate
from .methods import METHODS
from .model import Chat, Json, Message, Toast, User
from .people import People

_CANONICAL = {name.lower(): name for name in METHODS}

Before = Callable[[Call], Json | None]
After = Callable[[Call, Json], Json | None]


class Telegram(People):
    """A Bot API server without sockets, for one bot.

    ``clock`` returns seconds since 1970. With ``validated``, every call must fit aiogram's models: a call
    that does not is refused, and noted in ``violations``. ``flood.limits``: which floods of calls it refuses.

    Callbacks can inject faults. Those in ``before_call`` run before the call: they may return an envelope
    instead of doing the call, raise ``Refusal``, or raise anything else to break the connection. Those in
    ``after_call`` run once it is done, and may do the same, for a lost or false answer. Both run outside the
    lock, also for calls in a webhook's reply (``call.via == "webhook"``).
    """

    def __init__(self, clock: Callable[[], float], *, validated: bool = True) -> None:
        super().__init__(clock, partial(self.call, via="webhook"))
        self.validated = validated
        self.violations: list[str] = []
        self.before_call: list[Before] = []
        self.after_call: list[After] = []

    def call(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        files: Mapping[str, bytes] | None = None,
        *,
        via: str = "http",
    ) -> Json:
        """Do one Bot API call and return the JSON envelope. Raises only what a callback raises.

        ``params`` are JSON values, or strings as in forms. ``files`` are uploads by the name of their part.
        """
        name = _CANONICAL.get(method.lower(), method)
        given = dict(params or {})
        chat = str(given.get("chat_id"))
        number = int(chat) if chat.lstrip("-").isdigit() else None
        call = Call(self.clock(), name, number, given, dict(files or {}), via)
        self.journal.append(call)
        try:
            answer = next((said for before in self.before_call if (said := before(call)) is not None), None)
            if answer is None:
                with self._lock:
                    answer = call.answer = self._perform(call)
            for after in self.after_call:
                answer = after(call, answer) or answer
        except Refusal as refusal:
            answer = refusal.envelope()
        return answer

    def _perform(self, call: Call) -> Json:
        function = METHODS.get(call.method)
        if function is None:
            return Refusal(404, "Not Found").envelope()
        try:
            call.params = normalise(call.params)
            if self.validated:
                self._validate(call)
            counted = call.chat is not None and call.method in COUNTED
            if counted:
                self.flood.check(call.chat or 0, call.time, self._slow_mode(call))
            result = function(self, call.params | call.files)
            if counted:
                self.flood.count(call.chat or 0, call.time)
        except Refusal as refusal:
            return refusal.envelope()
        return {"ok": True, "result": result}

    def _slow_mode(self, call: Call) -> int:
        """Return the seconds that the bot must wait between messages; 0 for admins and edits."""
        chat = self.chats.get(call.chat or 0)
        if chat is None or call.method not in POSTS or chat.member(self.bot).status == "administrator":
            return 0
        return chat.slow_mode

    def _validate(self, call: Call) -> None:
        uploaded = {name: f"attach://{name}" for name in call.files if name == "photo"}
        try:
            validate(call.method, uploaded | call.params)
        except InvalidCall as wrong:
            self.violations.append(str(wrong))
            raise bad_request(f"not a documented call: {wrong}") from None

    def chat_view(self, chat: Chat) -> list[Message]:
        """Return the messages of a chat that are not deleted, oldest first."""
        return [message for message in chat.messages.values() if not message.deleted]

    def private_view(self, user: User) -> list[Message]:
        """Return the messages that the private chat of ``user`` with the bot shows now."""
        return self.chat_view(self.private(user))

    def toasts(self, user: User | None = None) -> list[Toast]:
        """Return the answers to the taps of ``user`` (or of everybody), oldest first."""
        answers = (query.answer for query in self.queries.values() if user in (None, query.user))
        return [answer for answer in answers if answer is not None]
