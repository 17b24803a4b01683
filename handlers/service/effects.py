"""Turn effects into the Telegram calls that carry them out: outbox entries and webhook replies."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from bot.conversation.incoming import Incoming, Tap
from bot.conversation.outcome import (
    ClearButtons,
    Edit,
    Forward,
    Group,
    Outcome,
    Post,
    Private,
    To,
    Toast,
    ToSeat,
)
from bot.display.buttons import Row
from bot.rooms.model import Room
from bot.rooms.names import RoomName, private_room
from infra.store.items import OutboxEntry

E = TypeVar("E", bound=Post | Edit | ClearButtons | Forward)

_FORMAT: Mapping[str, Any] = {"parse_mode": "HTML"}
_HTML: Mapping[str, Any] = {**_FORMAT, "link_preview_options": {"is_disabled": True}}


def entries(room: Room, effects: Iterable[Post | Edit | ClearButtons | Forward]) -> list[OutboxEntry]:
    """Return the outbox entries for a room's effects. Effects for a computer's seat are left out."""
    found = []
    for effect in effects:
        chat = _chat(room, effect.to)
        if chat is not None:
            found.append(_entry(chat, _with_message_name(room, effect)))
    return found


def _chat(room: Room, to: To) -> RoomName | None:
    """Return the chat and topic of a recipient, or None for a seat that a computer plays."""
    match to:
        case Group():
            return room.name
        case ToSeat(number):
            assert room.match is not None, "seats are those of a game"
            person = room.match.in_person.get(number)
            return None if person is None else private_room(person)
        case Private(person):
            return private_room(person)


def _with_message_name(room: Room, effect: E) -> E:
    """Return the effect with a message name that is unique to the person who has the seat now.

    A message for somebody who left the seat may still be waiting. If the new player's message had the same
    name, an edit for the new player could change the old player's message.
    """
    if effect.name is None or not isinstance(effect.to, ToSeat) or room.match is None:
        return effect
    seat, match = effect.to.number, room.match
    if isinstance(effect, Edit) and effect.known_as is not None:
        effect = replace(effect, known_as=match.message_name(seat, effect.known_as))
    return effect if effect.name is None else replace(effect, name=match.message_name(seat, effect.name))


def _entry(there: RoomName, effect: Post | Edit | ClearButtons | Forward) -> OutboxEntry:
    entry = partial(OutboxEntry, there.chat, topic=there.topic)
    if isinstance(effect, Forward):
        return entry("forwardMessage", name=effect.name, forwards=effect.source, date_mark=effect.date_mark)
    if isinstance(effect, ClearButtons):
        # It has its own key, because it must not supersede a waiting edit of the same message's text.
        return entry("editMessageReplyMarkup", target=effect.name, key=f"{effect.name}/buttons")
    if isinstance(effect, Post):
        entry = partial(entry, name=effect.name, hold_seconds=effect.hold_seconds or None)
        if effect.picture is not None:
            return entry("sendPhoto", _params(effect, "caption"), photo=effect.picture.spec())
        return entry("sendMessage", _params(effect), key=effect.key, date_mark=effect.date_mark)
    if effect.caption:
        method, params = "editMessageCaption", {"caption": effect.text, **_FORMAT}
    else:
        method, params = "editMessageText", {"text": effect.text, **_HTML}
    return entry(
        method,
        {**params, **markup(effect.keyboard)},
        name=effect.known_as,
        target=effect.name,
        key=effect.name,
        patient=effect.patient or None,
        droppable=effect.droppable or None,
        fallback="sendMessage" if effect.or_post else None,
    )


def without_picture(entry: OutboxEntry, board: str | None = None) -> OutboxEntry:
    """Return a refused picture's entry as a text message: the caption, then the ``board`` in words."""
    text = "\n".join([entry.params["caption"], *([board] if board else [])])
    params = {name: value for name, value in entry.params.items() if name != "caption"}
    return replace(entry, method="sendMessage", params={**params, **_HTML, "text": text}, photo=None)


def reply_call(post: Post) -> dict[str, Any]:
    """Return a post to a person as the one method call that a webhook's reply may carry."""
    assert isinstance(post.to, Private), "only a post to a person can be a webhook's reply"
    return {"method": "sendMessage", "chat_id": post.to.person, **_params(post)}


def webhook_reply(incoming: Incoming, outcome: Outcome | None) -> dict[str, Any] | None:
    """Return the webhook's reply: a deletion, or else the answer to a tap, or None."""
    if outcome is not None and (gone := outcome.delete) is not None:
        return {"method": "deleteMessage", "chat_id": gone.chat, "message_id": gone.message}
    if not isinstance(incoming, Tap):
        return None
    return answer_call(incoming.query, None if outcome is None else outcome.toast)


def answer_call(query: str, toast: Toast | None) -> dict[str, Any]:
    """Return the answer to a tap as the one method call that a webhook's reply may carry.

    Without a toast it only stops the button's spinning.
    """
    call: dict[str, Any] = {"method": "answerCallbackQuery", "callback_query_id": query}
    if toast is not None:
        if toast.text:
            call["text"] = toast.text
        if toast.alert:
            call["show_alert"] = True
        if toast.url is not None:
            call["url"] = toast.url
    return call


def _params(post: Post, text_field: str = "text") -> dict[str, Any]:
    protect = {"protect_content": True} if post.protect else {}
    form = _HTML if text_field == "text" else _FORMAT
    return {text_field: post.text, **form, **markup(post.keyboard), **protect}


def markup(keyboard: tuple[Row, ...]) -> dict[str, Any]:
    """Return a keyboard as Telegram's parameters; an empty dictionary if there are no buttons."""
    if not keyboard:
        return {}
    rows = [
        [
            {"text": button.text, **({"url": button.url} if button.url else {"callback_data": button.data})}
            for button in row
        ]
        for row in keyboard
    ]
    return {"reply_markup": {"inline_keyboard": rows}}
