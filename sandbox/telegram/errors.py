"""Refusals of the Bot API, in its own words."""

from __future__ import annotations

from typing import Any


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
