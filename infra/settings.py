"""What the environment says, checked once at the start."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

TELEGRAM_API_URL = "https://api.telegram.org"


class SettingsError(ValueError):
    """An environment variable is missing or malformed. Names variables, never their values."""


class Settings(BaseModel):
    """The validated environment. Each secret comes as a name to look up or, on a desk, in clear."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    table_name: str = Field(alias="TABLE_NAME", pattern=r"^[A-Za-z0-9_.-]{3,255}$")
    queue_url: str = Field(alias="QUEUE_URL", pattern=r"^https?://\S+$")
    bot_username: str = Field(alias="BOT_USERNAME", pattern=r"^[A-Za-z0-9_]{3,32}$")
    telegram_api_url: str = Field(TELEGRAM_API_URL, alias="TELEGRAM_API_URL", pattern=r"^https?://\S+$")
    allowed_chats: str | None = Field(None, alias="ALLOWED_CHATS", pattern=r"^-?\d+(,-?\d+)*$")
    """Chats that may play, with commas; without it, all may."""
    drain: bool = Field(False, alias="DRAIN")
    """Whether no new games begin, because the bot is about to be replaced."""
    bot_token_parameter: str | None = Field(None, alias="BOT_TOKEN_PARAMETER", min_length=1)
    bot_token: str | None = Field(None, alias="BOT_TOKEN", pattern=r"^\d+:[A-Za-z0-9_-]+$", repr=False)
    webhook_secret_parameter: str | None = Field(None, alias="WEBHOOK_SECRET_PARAMETER", min_length=1)
    webhook_secret: str | None = Field(
        None, alias="WEBHOOK_SECRET", pattern=r"^[A-Za-z0-9_-]{1,256}$", repr=False
    )

    @field_validator("telegram_api_url")
    @classmethod
    def _without_slash(cls, value: str) -> str:
        return value.rstrip("/")

    @model_validator(mode="after")
    def _each_secret_has_one_source(self) -> Settings:
        for clear, parameter, name in (
            (self.bot_token, self.bot_token_parameter, "BOT_TOKEN"),
            (self.webhook_secret, self.webhook_secret_parameter, "WEBHOOK_SECRET"),
        ):
            if (clear is None) == (parameter is None):
                raise ValueError(f"exactly one of {name}_PARAMETER and {name} must be set")
        return self

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
        given = {name: environment[name] for name in _variables() if environment.get(name)}
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            raise SettingsError(_summary(error)) from None


def _variables() -> list[str]:
    return [field.alias for field in Settings.model_fields.values() if field.alias]


def _summary(error: ValidationError) -> str:
    missing: list[str] = []
    malformed: list[str] = []
    other: list[str] = []
    for fault in error.errors(include_input=False, include_url=False):
        where = ".".join(str(part) for part in fault["loc"])
        if fault["type"] == "missing":
            missing.append(where)
        elif where:
            malformed.append(where)
        else:
            other.append(fault["msg"].removeprefix("Value error, "))
    parts = [
        f"{title}: {', '.join(sorted(names))}"
        for title, names in (("missing", missing), ("malformed", malformed))
        if names
    ] + other
    return "environment: " + "; ".join(parts)
