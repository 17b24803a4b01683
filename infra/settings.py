"""What the environment says, checked once at the start.

By pydantic's core alone: the model that pydantic would build around it takes 35 ms of every cold start.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic_core import SchemaValidator, ValidationError

TELEGRAM_API_URL = "https://api.telegram.org"

_URL = r"^https?://\S+$"
_SHAPES: dict[str, dict[str, str]] = {
    "TABLE_NAME": {"type": "str", "pattern": r"^[A-Za-z0-9_.-]{3,255}$"},
    "QUEUE_URL": {"type": "str", "pattern": _URL},
    "BOT_USERNAME": {"type": "str", "pattern": r"^[A-Za-z0-9_]{3,32}$"},
    "TELEGRAM_API_URL": {"type": "str", "pattern": _URL},
    "ALLOWED_CHATS": {"type": "str", "pattern": r"^-?\d+(,-?\d+)*$"},
    "DRAIN": {"type": "bool"},
    "BOT_TOKEN_PARAMETER": {"type": "str"},
    "BOT_TOKEN": {"type": "str", "pattern": r"^\d+:[A-Za-z0-9_-]+$"},
    "WEBHOOK_SECRET_PARAMETER": {"type": "str"},
    "WEBHOOK_SECRET": {"type": "str", "pattern": r"^[A-Za-z0-9_-]{1,256}$"},
}
"""By variable, what it must look like, as a schema of pydantic's core."""
_REQUIRED = frozenset({"TABLE_NAME", "QUEUE_URL", "BOT_USERNAME"})
_SECRETS = ("BOT_TOKEN", "WEBHOOK_SECRET")


class SettingsError(ValueError):
    """An environment variable is missing or malformed. Names variables, never their values."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The validated environment, each field named as its variable.

    Each secret comes as a name to look up or, on a desk, in clear.
    """

    table_name: str
    queue_url: str
    bot_username: str
    telegram_api_url: str = TELEGRAM_API_URL
    allowed_chats: str | None = None
    """Chats that may play, with commas; without it, all may."""
    drain: bool = False
    """Whether no new lobby opens, as the bot is about to be replaced; what is open or running goes on."""
    bot_token_parameter: str | None = None
    bot_token: str | None = field(default=None, repr=False)
    webhook_secret_parameter: str | None = None
    webhook_secret: str | None = field(default=None, repr=False)

    @property
    def chats(self) -> frozenset[int] | None:
        """The chats that may play, or None where all may."""
        if self.allowed_chats is None:
            return None
        return frozenset(int(chat) for chat in self.allowed_chats.split(","))

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Settings:
        """Read the settings out of `environment` (usually `os.environ`).

        An empty variable counts as missing: templates cannot leave one out.

        Raises:
            SettingsError: one line that names every variable at fault.
        """
        given = {name: environment[name] for name in _SHAPES if environment.get(name)}
        try:
            valid: dict[str, Any] = SchemaValidator(cast(Any, _schema())).validate_python(given)
        except ValidationError as error:
            raise SettingsError(_summary(error)) from None
        for name in _SECRETS:
            if (name in valid) == (f"{name}_PARAMETER" in valid):
                raise SettingsError(f"environment: exactly one of {name}_PARAMETER and {name} must be set")
        if "TELEGRAM_API_URL" in valid:
            valid["TELEGRAM_API_URL"] = valid["TELEGRAM_API_URL"].rstrip("/")
        return cls(**{name.lower(): value for name, value in valid.items()})


def _schema() -> dict[str, Any]:
    """The schema of all of them together."""
    fields = {
        name: {"type": "typed-dict-field", "schema": shape, "required": name in _REQUIRED}
        for name, shape in _SHAPES.items()
    }
    return {"type": "typed-dict", "fields": fields}


def _summary(error: ValidationError) -> str:
    faults: dict[str, list[str]] = {"missing": [], "malformed": []}
    for fault in error.errors(include_input=False, include_url=False):
        faults["missing" if fault["type"] == "missing" else "malformed"].append(str(fault["loc"][0]))
    parts = [f"{title}: {', '.join(sorted(names))}" for title, names in faults.items() if names]
    return "environment: " + "; ".join(parts)
