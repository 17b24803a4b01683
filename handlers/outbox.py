"""Effects as the Telegram calls that carry them out: entries for the outbox, and webhook replies."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from handlers.conversation.outcome import Aside, Bare, Delete, Edit, Post, Toast
from handlers.display.buttons import Row
from infra.entries import Entry

_FORMAT: Mapping[str, Any] = {"parse_mode": "HTML"}
_HTML: Mapping[str, Any] = {**_FORMAT, "link_preview_options": {"is_disabled": True}}


def entry(effect: Post | Edit | Bare) -> Entry:
    """The entry for the outbox that carries an effect out."""
    if isinstance(effect, Bare):
        # A key of its own: an edit of the text that waits for the same message is not its to supersede.
        key = f"{effect.name}/buttons"
        return Entry(effect.chat, "editMessageReplyMarkup", topic=effect.topic, target=effect.name, key=key)
    if isinstance(effect, Post) and effect.picture is not None:
        params = _params(effect, "caption")
        photo = effect.picture.spec()
        return Entry(effect.chat, "sendPhoto", params, topic=effect.topic, name=effect.name, photo=photo)
    if isinstance(effect, Post):
        return Entry(effect.chat, "sendMessage", _params(effect), topic=effect.topic, name=effect.name)
    if effect.caption:
        method, params = "editMessageCaption", {"caption": effect.text, **_FORMAT}
    else:
        method, params = "editMessageText", {"text": effect.text, **_HTML}
    return Entry(
        effect.chat,
        method,
        {**params, **_markup(effect.keyboard)},
        topic=effect.topic,
        target=effect.name,
        key=effect.name,
        fallback="sendMessage" if effect.or_post else None,
    )


def without_picture(entry: Entry) -> Entry:
    """What a group that takes no pictures gets instead: the caption, which says the same in words."""
    params = {name: value for name, value in entry.params.items() if name != "caption"}
    return replace(
        entry, method="sendMessage", params={**params, **_HTML, "text": entry.params["caption"]}, photo=None
    )


def reply(post: Post) -> dict[str, Any]:
    """A post as the one method call that a webhook's reply may carry."""
    return {"method": "sendMessage", "chat_id": post.chat, **_params(post)}


def deletion(delete: Delete) -> dict[str, Any]:
    """A deletion as the one method call that a webhook's reply may carry."""
    return {"method": "deleteMessage", "chat_id": delete.chat, "message_id": delete.message}


def opening(aside: Aside, query: str) -> dict[str, Any]:
    """The parameters that post an aside's opening words right after a tap."""
    only = {"receiver_user_id": aside.user, "callback_query_id": query}
    place = {} if aside.topic is None else {"message_thread_id": aside.topic}
    text = {"text": aside.opening, **_HTML, "protect_content": True}
    return {"chat_id": aside.chat, **place, **text, "ephemeral_message_parameters": only}


def aside(aside: Aside, number: int) -> dict[str, Any]:
    """The parameters that make the opening words, by their ephemeral number, what the aside says."""
    named = {"chat_id": aside.chat, "receiver_user_id": aside.user, "ephemeral_message_id": number}
    return {**named, "text": aside.text, **_HTML}


def toast(query: str, answer: Toast | None) -> dict[str, Any]:
    """The parameters that answer a tap; without a toast they only stop the button's spinning."""
    params: dict[str, Any] = {"callback_query_id": query}
    if answer is not None:
        if answer.text:
            params["text"] = answer.text
        if answer.alert:
            params["show_alert"] = True
        if answer.url is not None:
            params["url"] = answer.url
    return params


def answer(query: str, said: Toast | None) -> dict[str, Any]:
    """The answer to a tap as the one method call that a webhook's reply may carry."""
    return {"method": "answerCallbackQuery", **toast(query, said)}


def _params(post: Post, text: str = "text") -> dict[str, Any]:
    protect = {"protect_content": True} if post.protect else {}
    form = _HTML if text == "text" else _FORMAT
    return {text: post.text, **form, **_markup(post.keyboard), **protect}


def _markup(keyboard: tuple[Row, ...]) -> dict[str, Any]:
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
