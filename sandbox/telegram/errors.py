"""The Bot API's words for its refusals."""

from __future__ import annotations

from typing import Any


class Refusal(Exception):
    """A Bot API error: an HTTP-like code, Telegram's own description and its ``ResponseParameters``."""

    def __init__(self, code: int, description: str, **parameters: int) -> None:
        super().__init__(f"{code} {description}")
        self.code = code
        self.description = description
        self.parameters = parameters

    def envelope(self) -> dict[str, Any]:
        """Return the JSON object with which the Bot API answers instead of a result."""
        answer: dict[str, Any] = {"ok": False, "error_code": self.code, "description": self.description}
        if self.parameters:
            answer["parameters"] = dict(self.parameters)
        return answer


def bad_request(what: str) -> Refusal:
    """Return a 400: the call is wrong and will stay wrong."""
    return Refusal(400, f"Bad Request: {what}")


def forbidden(what: str) -> Refusal:
    """Return a 403: somebody does not want to hear from the bot."""
    return Refusal(403, f"Forbidden: {what}")


def too_many(seconds: int) -> Refusal:
    """Return a 429 with the wait, in whole seconds, that Telegram asks for."""
    return Refusal(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)


def migrated(chat_id: int) -> Refusal:
    """Return the refusal that names the supergroup ``chat_id`` that the group has become."""
    refusal = bad_request("group chat was upgraded to a supergroup chat")
    refusal.parameters = {"migrate_to_chat_id": chat_id}
    return refusal
