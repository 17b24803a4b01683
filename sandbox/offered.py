"""Buttons of messages, as callback data: for players that play themselves, and for judges."""

from __future__ import annotations

from itertools import islice

from sandbox.telegram import Chat, Message, Query

ANSWER = "answer"
#: How a toast begins, in every language, that asks for a second tap on the same button.
TAP_AGAIN = "👆"
#: Messages that are looked through for a button: further up nobody scrolls.
SCREENS = 50


def offered(message: Message, verb: str) -> list[str]:
    """The callback data of a message's buttons that do this."""
    found = [button.get("callback_data", "") for button in message.buttons()]
    return [data for data in found if data.startswith(f"{verb}|")]


def choices(message: Message) -> list[str]:
    """The callback data of the answers that a message offers."""
    return offered(message, ANSWER)


def by_question(message: Message) -> dict[str, list[str]]:
    """The answers that a message offers, by the question that they belong to."""
    found: dict[str, list[str]] = {}
    for data in choices(message):
        found.setdefault(about(data), []).append(data)
    return found


def about(data: str) -> str:
    """Return what callback data is about: an answer's question, whichever option it names."""
    return data.rpartition("|")[0] if data.startswith(f"{ANSWER}|") else data


def asks_again(query: Query) -> bool:
    """True if the bot wants a second tap on the same button, at least a second after this one."""
    return query.answer is not None and query.answer.text.startswith(TAP_AGAIN)


def newest(chat: Chat, verb: str, among: int = SCREENS) -> Message | None:
    """The newest message of a chat (of its last so many) with a button that does this."""
    messages = islice(reversed(chat.messages.values()), among)
    return next((message for message in messages if offered(message, verb)), None)
