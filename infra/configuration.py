"""The configuration from the environment, checked once at the start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)
from pydantic_core import PydanticCustomError

TELEGRAM_API_URL = "https://api.telegram.org"
#: The value of BEACON that turns the beacon off.
NO_BEACON = "off"

_SECRETS = ("BOT_TOKEN", "WEBHOOK_SECRET")

_Url = Annotated[str, StringConstraints(pattern=r"^https?://\S+$")]
_TableName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]{3,255}$")]
_UserName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_]{4,32}$")]
_Chats = Annotated[str, StringConstraints(pattern=r"^-?\d+(,-?\d+)*$")]
#: Over http an answer could be changed on its way, so http is allowed only to this machine.
_RELAY = r"(https://|http://(127\.0\.0\.1|localhost|\[::1\])(:|/|,|$))[^\s,]*"
_Beacon = Annotated[str, StringConstraints(pattern=rf"^({NO_BEACON}|{_RELAY}(,{_RELAY})*)$")]
_Token = Annotated[str, StringConstraints(pattern=r"^\d+:[A-Za-z0-9_-]+$")]
_WebhookSecret = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,256}$")]


class ConfigurationError(ValueError):
    """The environment is not valid. The text names variables, never their values."""


class Configuration(BaseModel):
    """The validated environment. Each field has its variable's name, in lower case.

    For each secret, there is either its id in Secrets Manager or, in a local run, its clear text.
    """

    model_config = ConfigDict(frozen=True, alias_generator=str.upper, hide_input_in_errors=True)

    table_name: _TableName
    queue_url: _Url
    bot_username: _UserName
    telegram_api_url: Annotated[_Url, AfterValidator(lambda url: url.rstrip("/"))] = TELEGRAM_API_URL
    #: Chats that may play, separated by commas; None: all may.
    allowed_chats: _Chats | None = None
    #: True if no new lobby may open because the bot is about to be replaced. Open lobbies and games go on.
    drain: bool = False
    #: Addresses of the public beacon's relays, separated by commas (default: drand's own), or ``NO_BEACON``.
    beacon: _Beacon | None = None
    #: The address to which Telegram sends updates, for the function that maintains the webhook.
    webhook_url: _Url | None = None
    #: Set only where the watchdog runs: in the wake-up function, and in a local run. When its value changes,
    #: the bot's commands are registered again.
    setup_revision: str | None = None
    #: The id of a secret in Secrets Manager.
    bot_token_parameter: str | None = None
    bot_token: _Token | None = Field(default=None, repr=False)
    #: The id of a secret in Secrets Manager.
    webhook_secret_parameter: str | None = None
    webhook_secret: _WebhookSecret | None = Field(default=None, repr=False)

    @model_validator(mode="after")
    def _each_secret_from_one_place(self) -> Self:
        for name in _SECRETS:
            given = [getattr(self, field.lower()) for field in (name, f"{name}_PARAMETER")]
            if given.count(None) != 1:
                raise PydanticCustomError(
                    "secrets", f"exactly one of {name}_PARAMETER and {name} must be set"
                )
        return self

    @property
    def allowed_chat_ids(self) -> frozenset[int] | None:
        """Return the chats that may play, or None if all may."""
        if self.allowed_chats is None:
            return None
        return frozenset(int(chat) for chat in self.allowed_chats.split(","))

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """Read the configuration out of ``environment`` (usually ``os.environ``).

        An empty variable counts as missing, because a template cannot leave one out.

        Raises ConfigurationError. Its text is one line. It names every variable that is missing or malformed,
        or else the first secret that is not set in exactly one way.
        """
        given = {name: value for name, value in environment.items() if value}
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            raise ConfigurationError(f"environment: {_summary(error)}") from None


def _summary(error: ValidationError) -> str:
    faults: dict[str, list[str]] = {"missing": [], "malformed": []}
    for fault in error.errors(include_input=False, include_url=False):
        if not fault["loc"]:
            return fault["msg"]
        faults["missing" if fault["type"] == "missing" else "malformed"].append(str(fault["loc"][0]))
    return "; ".join(f"{title}: {', '.join(sorted(names))}" for title, names in faults.items() if names)
