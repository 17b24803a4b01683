"""Read the callback data of messages' buttons, for automatic players and for checks."""

from itertools import islice

from sandbox.telegram import Chat, Message, Query

ANSWER = "answer"
#: A toast that asks for a second tap on the same button begins with this, in every language.
TAP_AGAIN = "👆"
#: How many of a chat's last messages to search for a button, since people do not scroll further up.
SCREENS = 50


def data_with_verb(message: Message, verb: str) -> list[str]:
    """Return the callback data of a message's buttons with this verb."""
    found = [button.get("callback_data", "") for button in message.buttons()]
    return [data for data in found if data.startswith(f"{verb}|")]


def answer_data(message: Message) -> list[str]:
    """Return the callback data of a message's buttons that answer a question."""
    return data_with_verb(message, ANSWER)


def answers_by_question(message: Message) -> dict[str, list[str]]:
    """Return the callback data of a message's answers, by question."""
    found: dict[str, list[str]] = {}
    for data in answer_data(message):
        found.setdefault(question_of(data), []).append(data)
    return found


def question_of(data: str) -> str:
    """Return the part of an answer's callback data that names the question. Return other data unchanged."""
    return data.rpartition("|")[0] if data.startswith(f"{ANSWER}|") else data


def asks_for_second_tap(query: Query) -> bool:
    """Return True if the bot answered this tap by asking for a second one on the same button."""
    return query.answer is not None and query.answer.text.startswith(TAP_AGAIN)


def newest_with_button(chat: Chat, verb: str, among: int = SCREENS) -> Message | None:
    """Return the newest of a chat's last ``among`` messages that has a button with this verb, or None."""
    messages = islice(reversed(chat.messages.values()), among)
    return next((message for message in messages if data_with_verb(message, verb)), None)
