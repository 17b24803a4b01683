"""Record the bot's calls, read and check their parameters, and refuse them in Telegram's words."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

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

    @property
    def result(self) -> Any:
        """Return the result of a call that was done, else None."""
        return self.answer["result"] if self.answer is not None and self.answer["ok"] else None


@dataclass(slots=True)
class Journal:
    """All calls in order."""

    calls: list[Call] = field(default_factory=list)

    def __iter__(self) -> Iterator[Call]:
        return iter(self.calls)

    def __len__(self) -> int:
        return len(self.calls)

    def of(self, *methods: str, chat: int | None = None) -> list[Call]:
        """Return the calls of these methods (none given: all methods), of one chat or of all."""
        return [
            call
            for call in self.calls
            if (not methods or call.method in methods) and (chat is None or call.chat == chat)
        ]

    def count(self, *methods: str) -> int:
        """Count the calls of these methods that Telegram did."""
        return sum(call.ok for call in self.of(*methods))


class Refusal(Exception):
    """An error of the Bot API: HTTP status, description and ``ResponseParameters``."""

    def __init__(self, code: int, description: str, **parameters: int) -> None:
        super().__init__(f"{code} {description}")
        self.code = code
        self.description = description
        self.parameters = parameters

    def envelope(self) -> dict[str, Any]:
        """Return the JSON object with which the Bot API answers."""
        answer: dict[str, Any] = {"ok": False, "error_code": self.code, "description": self.description}
        if self.parameters:
            answer["parameters"] = dict(self.parameters)
        return answer


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


def flag(params: Mapping[str, Any], name: str) -> bool:
    """Return a boolean; False if absent."""
    return bool(params.get(name, False))


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
    from pydantic import ValidationError

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
