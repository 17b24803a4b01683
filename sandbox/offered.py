"""Buttons of messages, as callback data: for players that play themselves, and for judges."""

from __future__ import annotations

from itertools import islice

from sandbox.telegram import Chat, Message, Query

ANSWER = "answer"
#: The beginning, in every language, of a toast that asks for a second tap on the same button.
TAP_AGAIN = "👆"
#: How many of a chat's last messages to search for a button. Nobody scrolls further up.
SCREENS = 50


def offered(message: Message, verb: str) -> list[str]:
    """Return the callback data of a message's buttons with this verb."""
    found = [button.get("callback_data", "") for button in message.buttons()]
    return [data for data in found if data.startswith(f"{verb}|")]


def choices(message: Message) -> list[str]:
    """Return the callback data of the answers that a message offers."""
    return offered(message, ANSWER)


def by_question(message: Message) -> dict[str, list[str]]:
    """Return the answers that a message offers, by question."""
    found: dict[str, list[str]] = {}
    for data in choices(message):
        found.setdefault(about(data), []).append(data)
    return found


def about(data: str) -> str:
    """Return the question of an answer's callback data; any other data unchanged."""
    return data.rpartition("|")[0] if data.startswith(f"{ANSWER}|") else data


def asks_again(query: Query) -> bool:
    """Return True if the bot asks for a second tap on the same button, at least a second after this one."""
    return query.answer is not None and query.answer.text.startswith(TAP_AGAIN)


def newest(chat: Chat, verb: str, among: int = SCREENS) -> Message | None:
    """Return the newest of a chat's last ``among`` messages that has a button with this verb, or None."""
    messages = islice(reversed(chat.messages.values()), among)
    return next((message for message in messages if offered(message, verb)), None)
