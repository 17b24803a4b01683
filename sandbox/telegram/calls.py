"""Record the bot's calls, read and check their parameters, and refuse them in Telegram's words.

Flood control counts posts and edits, and refuses too many of them. The general limits are enforced only if
``limits`` is set. Slow mode, closed chats and a flood wait of the whole bot are always enforced. All of them
answer with the same 429.
"""

import json
import math
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

Json = dict[str, Any]

POSTS = frozenset({"sendMessage", "sendPhoto", "forwardMessage"})
EDITS = frozenset({"editMessageText", "editMessageCaption", "editMessageMedia", "editMessageReplyMarkup"})
#: The calls that count against Telegram's limits.
COUNTED = POSTS | EDITS


@dataclass(slots=True, eq=False)
class Call:
    """One method call. ``params`` are JSON values; ``files`` are uploads by part name."""

    time: float
    method: str
    chat: int | None
    params: Json
    files: dict[str, bytes]
    #: ``http``, or ``webhook`` if the call was in the reply to an update.
    via: str = "http"
    #: Telegram's answer; None if the call did not reach it.
    answer: Json | None = None

    @property
    def ok(self) -> bool:
        """Return True if Telegram did it. The bot may not know."""
        return self.answer is not None and bool(self.answer["ok"])


class Journal(list[Call]):
    """All calls in order."""

    def of(self, *methods: str, chat: int | None = None) -> list[Call]:
        """Return the calls of these methods (none given: all methods), of one chat or of all."""
        return [
            call
            for call in self
            if (not methods or call.method in methods) and (chat is None or call.chat == chat)
        ]


class Refusal(Exception):
    """An error of the Bot API: HTTP status, description and ``ResponseParameters``."""

    def __init__(self, code: int, description: str, **parameters: int) -> None:
        super().__init__(f"{code} {description}")
        self.code = code
        self.description = description
        self.parameters = parameters

    def envelope(self) -> dict[str, Any]:
        """Return the JSON object with which the Bot API answers."""
        more = {"parameters": self.parameters} if self.parameters else {}
        return {"ok": False, "error_code": self.code, "description": self.description} | more


def bad_request(what: str) -> Refusal:
    """Return a 400: the call is wrong, and repeating it would not help."""
    return Refusal(400, f"Bad Request: {what}")


def forbidden(what: str) -> Refusal:
    """Return a 403: the bot may not write there."""
    return Refusal(403, f"Forbidden: {what}")


def too_many(seconds: int) -> Refusal:
    """Return a 429 that asks the bot to wait for some seconds."""
    return Refusal(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)


#: The parameters that are strings also in JSON. A string in any other is JSON, or an id such as ``@name``.
_STRINGS = frozenset(
    {
        "text", "caption", "parse_mode", "photo", "action", "callback_query_id", "url", "secret_token",
        "language_code", "description", "short_description",
    }
)  # fmt: skip


def normalise(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters as JSON values, without nulls. Raises ``Refusal`` 400 for a malformed string."""
    return {name: _value(name, value) for name, value in params.items() if value is not None}


def _value(name: str, value: Any) -> Any:
    if not isinstance(value, str) or name in _STRINGS:
        return value
    try:
        return json.loads(value)
    except ValueError:
        if value[:1] in ("{", "["):
            raise bad_request(f"can't parse {name.replace('_', ' ')} JSON object") from None
        return value


def integer(params: Mapping[str, Any], name: str, default: int = 0) -> int:
    """Return a whole number. Anything else counts as ``default``, as in the Bot API."""
    value = params.get(name, default)
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def string(params: Mapping[str, Any], name: str) -> str:
    """Return a parameter as a string; empty if absent."""
    return str(params.get(name, ""))


class InvalidCall(AssertionError):
    """A call that does not fit the documentation of the Bot API."""


@lru_cache(maxsize=1)
def _models() -> dict[str, Any]:
    # Imported late, because building the models takes a second.
    import aiogram.methods

    models = (getattr(aiogram.methods, name) for name in aiogram.methods.__all__)
    return {
        model.__api_method__: model
        for model in models
        if isinstance(getattr(model, "__api_method__", None), str)
    }


def validate(method: str, params: Mapping[str, Any]) -> None:
    """Raise ``InvalidCall`` unless ``params`` fit the method's model.

    ``params`` are JSON values, with uploads as ``attach://…``. Unknown and deprecated parameters are wrong at
    any depth, although Telegram silently ignores them.
    """
    model = _models().get(method)
    if model is None:
        raise InvalidCall(f"the Bot API has no method {method}")
    try:
        read = model.model_validate(dict(params))
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise InvalidCall(f"{method}: {wrong}") from None
    strange = [*_undocumented(read, "")]
    if strange:
        raise InvalidCall(f"{method}: not documented: {', '.join(strange)}")


def _undocumented(value: Any, where: str) -> Iterator[str]:
    """Yield the paths of fields that the models do not know, or that are deprecated."""
    if isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _undocumented(item, f"{where}[{index}]")
        return
    fields = getattr(type(value), "model_fields", None)
    if fields is None:
        return
    for name in value.model_extra or ():
        yield f"{where}.{name}".lstrip(".")
    for name in value.model_fields_set & fields.keys():
        extra = fields[name].json_schema_extra
        if isinstance(extra, dict) and extra.get("deprecated"):
            yield f"{where}.{name} (deprecated)".lstrip(".")
        yield from _undocumented(getattr(value, name), f"{where}.{name}")


#: Posts and edits that Telegram accepts in a group within a minute. All topics of a forum share this limit.
GROUP_MINUTE = 20


@dataclass(slots=True, frozen=True)
class FloodLimits:
    """How many posts and edits Telegram accepts; None: any number."""

    per_group_minute: int | None = GROUP_MINUTE
    per_chat_second: int | None = 1
    overall_second: int | None = 30


@dataclass(slots=True)
class Flood:
    """Counts posts and edits per chat and overall. With ``limits``, too many are refused with 429."""

    limits: FloodLimits | None = None
    #: By closed chat, the time in seconds when it accepts messages again.
    closed: dict[int, float] = field(default_factory=dict)
    #: Until this time, Telegram refuses all posts and edits of the bot.
    flood_until: float = 0.0
    #: The times of the last minute by chat; 0: in all chats.
    _times: dict[int, deque[float]] = field(default_factory=dict)
    _worst: Counter[int] = field(default_factory=Counter)

    def check(self, chat_id: int, now: float, slow_mode: int = 0) -> None:
        """Raise ``Refusal`` 429 if another post or edit at ``now`` (seconds) would be too many.

        ``slow_mode``: seconds that the bot must leave between two messages in this chat.
        """
        times = self._times.get(chat_id)
        latest = times[-1] if times else -math.inf
        for until in (self.flood_until, self.closed.get(chat_id, 0.0), latest + slow_mode):
            if until > now:
                raise too_many(max(1, math.ceil(until - now)))
        if self.limits is not None:
            if chat_id < 0:
                self._bound(chat_id, self.limits.per_group_minute, now, 60)
            self._bound(chat_id, self.limits.per_chat_second, now, 1)
            self._bound(0, self.limits.overall_second, now, 1)

    def count(self, chat_id: int, now: float) -> None:
        """Count one post or edit that was done at ``now`` (seconds)."""
        for key in (chat_id, 0):
            times = self._times.setdefault(key, deque())
            times.append(now)
            while times[0] <= now - 60:
                times.popleft()
            self._worst[key] = max(self._worst[key], len(times))

    def worst_minute(self, chat_id: int) -> int:
        """Return the maximum of posts and edits within 60 seconds in this chat."""
        return self._worst[chat_id]

    def _bound(self, key: int, bound: int | None, now: float, window: float) -> None:
        recent = [time for time in self._times.get(key, ()) if time > now - window]
        if bound is not None and len(recent) >= bound:
            raise too_many(max(1, math.ceil(recent[-bound] + window - now)))
