"""The methods that the bot calls: on messages, taps, chats and members, and about the bot itself."""

import json
import re
from collections.abc import Callable
from html import escape
from typing import Any

from telegram import InlineKeyboardButton
from telegram.constants import (
    CallbackQueryLimit,
    ChatAction,
    InlineKeyboardButtonLimit,
    InlineKeyboardMarkupLimit,
    KeyboardButtonStyle,
    MessageLimit,
)

from .calls import Refusal, bad_request, integer, string
from .delivery import Webhook
from .html import Entity, detect, parse, utf16
from .model import Json, Message, Photo, Toast, given
from .people import People

#: Seconds after a tap within which it can be answered.
QUERY_LIFE = 15.0
DELETABLE_FOR = 48 * 3600.0

#: The parameters of messages that the stand-in follows, or may ignore.
_SENT = frozenset(
    {
        "chat_id", "message_thread_id", "text", "caption", "parse_mode", "photo", "has_spoiler",
        "reply_markup", "protect_content", "disable_notification", "link_preview_options",
    }
)  # fmt: skip
_SAME = (
    "message is not modified: specified new message content and reply markup are exactly the same as "
    "a current content and reply markup of the message"
)

#: The fields that say what a button does. Exactly one must be given.
_ACTIONS = {*InlineKeyboardButton.__slots__} - {"text", "style", "icon_custom_emoji_id"}
_URL = re.compile(r"(?:https?://|tg://|ton://)?[\w-]+(?:\.[\w-]+)*(?::\d+)?(?:[/?#]\S*)?", re.IGNORECASE)

_COMMAND = re.compile(r"[a-z0-9_]{1,32}")
_LANGUAGE = re.compile(r"(?:[a-z]{2})?")
_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")

#: A text with its entities and its HTML.
Words = tuple[str, list[Entity], str]


def _words(params: Json, name: str) -> Words:
    """Return the text or caption. Raises ``Refusal`` 400 for broken markup and for a wrong length."""
    source, mode = string(params, name), string(params, "parse_mode").lower()
    if mode == "html":
        text, marked = parse(source)
        entities, html = [*marked, *detect(text, marked)], source
    elif mode:
        raise bad_request("unsupported parse_mode")
    else:
        text, entities = source.strip(), []
        html = escape(text, quote=False)
    if name == "text" and not text:
        raise bad_request("message text is empty")
    if utf16(text) > (MessageLimit.MAX_TEXT_LENGTH if name == "text" else MessageLimit.CAPTION_LENGTH):
        raise bad_request("message is too long" if name == "text" else "message caption is too long")
    return text, entities, html


def _picture(tg: People, params: Json, value: Any) -> Photo:
    """Return the photo in ``value``: an upload, or a known file id. Raises ``Refusal`` 400."""
    if isinstance(value, str) and value.startswith("attach://"):
        value = params.get(value.removeprefix("attach://"))
        if not isinstance(value, bytes):
            raise bad_request("there is no file attached under that name")
    if isinstance(value, bytes):
        photo = Photo.of(value)
        tg.photos[photo.file_id] = photo
        return photo
    if value is None:
        raise bad_request("there is no photo in the request")
    known = tg.photos.get(value) or tg.photos.get(str(value)[:-1])
    if known is None:
        raise bad_request("wrong file identifier/HTTP URL specified")
    return known


def _keyboard(params: Json) -> Json | None:
    """Return the keyboard as Telegram stores it; None if it is empty. Raises ``Refusal`` 400."""
    markup = params.get("reply_markup") or {"inline_keyboard": []}
    if "inline_keyboard" not in markup:
        return dict(markup)
    kept = [[_button(button) for button in row] for row in markup["inline_keyboard"] if row]
    if (
        sum(map(len, kept)) > InlineKeyboardMarkupLimit.TOTAL_BUTTON_NUMBER
        or max(map(len, kept), default=0) > InlineKeyboardMarkupLimit.BUTTONS_PER_ROW
    ):
        raise bad_request("reply markup is too long")
    return {"inline_keyboard": kept} if kept else None


def _button(button: Json) -> Json:
    if not str(button.get("text", "")).strip():
        raise bad_request("inline keyboard button text must be non-empty")
    if sum(button.get(action) not in (None, "") for action in _ACTIONS) != 1:
        raise bad_request("can't parse inline keyboard button: exactly one action field must be used")
    data, url = button.get("callback_data"), button.get("url")
    if data is not None and len(data.encode()) > InlineKeyboardButtonLimit.MAX_CALLBACK_DATA:
        raise bad_request("BUTTON_DATA_INVALID")
    if url is not None and not _URL.fullmatch(url):
        raise bad_request(f"inline keyboard button URL '{url}' is invalid: Wrong HTTP URL")
    if button.get("style") not in (None, *KeyboardButtonStyle):
        raise bad_request("BUTTON_STYLE_INVALID")
    return {key: value for key, value in button.items() if value is not None}


def _send(tg: People, params: Json, name: str, what: str) -> Json:
    for unknown, value in params.items():
        if unknown not in _SENT and not isinstance(value, bytes):
            raise bad_request(f"this stand-in cannot do {unknown}")
    chat, thread = tg.place_of(params, what)
    text, entities, html = _words(params, name)
    message = tg.post(
        chat,
        tg.bot,
        text=text,
        entities=entities,
        html=html,
        photo=_picture(tg, params, params.get("photo")) if name == "caption" else None,
        spoiler=bool(params.get("has_spoiler")),
        keyboard=_keyboard(params),
        thread=thread,
        protected=bool(params.get("protect_content")),
    )
    return message.json()


def forward_message(tg: People, params: Json) -> Json:
    """Do ``forwardMessage`` for a text."""
    chat, thread = tg.place_of(params, "text messages")
    source = tg.message_of(tg.chat_of({"chat_id": params.get("from_chat_id")}), params, "forward")
    if source.protected or source.chat.protected or source.service:
        raise bad_request("message can't be forwarded")
    content: Json = {"text": source.text, "entities": source.entities, "html": source.html}
    protected = bool(params.get("protect_content"))
    return tg.post(chat, tg.bot, thread=thread, protected=protected, forwarded=source, **content).json()


def _editable(tg: People, params: Json, needs: str = "") -> Message:
    """Return the message to edit, which ``needs`` a text, a caption or media."""
    if not integer(params, "message_id"):
        raise bad_request("message identifier is not specified")
    message = tg.message_of(tg.chat_of(params), params, "edit")
    if message.sender is not tg.bot or message.service or message.forwarded is not None:
        raise bad_request("message can't be edited")
    if needs and (message.photo is None) != (needs == "text"):
        raise bad_request(f"there is no {needs} in the message to edit")
    return message


def _change(tg: People, message: Message, params: Json, words: Words | None = None, **content: Any) -> Json:
    """Change a message. Without ``reply_markup``, its keyboard is removed."""
    if words is not None:
        content |= zip(("text", "entities", "html"), words, strict=True)
    changed = {name for name, value in content.items() if getattr(message, name) != value}
    keyboard = _keyboard(params)
    if not changed - {"html"} and keyboard == message.keyboard:
        raise bad_request(_SAME)
    # Telegram marks a message as edited only if its content changes, not its keyboard.
    if changed & {"text", "entities", "photo"}:
        message.edited = tg.clock()
    for name, value in content.items():
        setattr(message, name, value)
    message.keyboard = keyboard
    tg.touch(message.chat)
    return message.json()


def _edit(tg: People, params: Json, name: str) -> Json:
    """Change a text or a caption."""
    return _change(tg, _editable(tg, params, name), params, _words(params, name))


def edit_message_media(tg: People, params: Json) -> Json:
    """Do ``editMessageMedia``: replace the photo and the caption of a message with a photo."""
    message, media = _editable(tg, params, "media"), params["media"]
    photo = _picture(tg, params, media["media"])
    return _change(tg, message, params, _words(media, "caption"), photo=photo, spoiler=False)


def delete_message(tg: People, params: Json) -> bool:
    """Do ``deleteMessage``."""
    chat = tg.chat_of(params)
    message = tg.message_of(chat, params, "delete")
    admin = chat.user is None and chat.member(tg.bot).may("can_delete_messages")
    if message.sender is not tg.bot and chat.user is None and not admin:
        raise bad_request("message can't be deleted")
    if not admin and tg.clock() - message.date > DELETABLE_FOR:
        raise bad_request("message can't be deleted for everyone")
    message.deleted = True
    tg.touch(chat)
    return True


def answer_callback_query(tg: People, params: Json) -> bool:
    """Do ``answerCallbackQuery``: once per tap, within 15 seconds."""
    query = tg.queries.get(string(params, "callback_query_id"))
    if query is None or query.answer is not None or tg.clock() - query.time > QUERY_LIFE:
        raise bad_request("query is too old and response timeout expired or query ID is invalid")
    text, url = string(params, "text"), string(params, "url")
    if len(text) > CallbackQueryLimit.ANSWER_CALLBACK_QUERY_TEXT_LENGTH:
        raise bad_request("MESSAGE_TOO_LONG")
    name = re.escape(tg.bot.username or "")
    if url and not re.fullmatch(
        rf"(?:https?://)?(?:t|telegram)\.me/{name}\?start(?:group)?=[\w-]{{1,64}}"
        rf"|tg://resolve\?domain={name}&start=[\w-]{{1,64}}",
        url,
        re.IGNORECASE,
    ):
        raise bad_request("URL_INVALID")
    chat = query.message.chat
    query.answer = Toast(
        tg.clock(), query.user.id, chat.id, text, bool(params.get("show_alert")), url or None
    )
    tg.touch(chat)
    return True


def send_chat_action(tg: People, params: Json) -> bool:
    """Do ``sendChatAction``."""
    tg.place_of(params, "text messages")
    if string(params, "action") not in set(ChatAction):
        raise bad_request("wrong parameter action in request")
    return True


def get_chat_member(tg: People, params: Json) -> Json:
    """Do ``getChatMember`` in a group. The status of somebody who was never there is ``left``."""
    chat, user = tg.chat_of(params), tg.users.get(integer(params, "user_id"))
    if user is None:
        given = string(params, "user_id")
        raise bad_request("user not found" if given else "invalid user_id specified")
    if chat.hidden and user is not tg.bot and chat.member(tg.bot).status != "administrator":
        raise bad_request("CHAT_ADMIN_REQUIRED")
    return chat.member(user).json()


def get_chat(tg: People, params: Json) -> Json:
    """Do ``getChat``, with the fields that the bot uses."""
    chat = tg.chat_of(params)
    more = given(linked_chat_id=chat.linked and chat.linked.id, slow_mode_delay=chat.slow_mode or None)
    return {**chat.json(), "accent_color_id": 0, "max_reaction_count": 11, **more}


# --- the bot itself ----------------------------------------------------------------------------------------


def _language(params: Json) -> str:
    language = string(params, "language_code")
    if not _LANGUAGE.fullmatch(language):
        raise bad_request("invalid language code specified")
    return language


def _scope(params: Json) -> tuple[str, str]:
    """Return the scope and the language, as a key of ``People.commands``."""
    return json.dumps(params.get("scope") or {"type": "default"}, sort_keys=True), _language(params)


def set_my_commands(tg: People, params: Json) -> bool:
    """Do ``setMyCommands``: at most 100 commands with names of a–z 0–9 _."""
    key, commands = _scope(params), params["commands"]
    if len(commands) > 100:
        raise bad_request("too many bot commands specified")
    for command in commands:
        if not _COMMAND.fullmatch(str(command.get("command", "")).removeprefix("/")):
            raise bad_request("BOT_COMMAND_INVALID")
        if not 1 <= len(str(command.get("description", ""))) <= 256:
            raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
    tg.commands[key] = [dict(command) for command in commands]
    return True


def delete_my_commands(tg: People, params: Json) -> bool:
    """Do ``deleteMyCommands`` for one scope and language."""
    tg.commands.pop(_scope(params), None)
    return True


def _set_profile(tg: People, params: Json, name: str, most: int) -> bool:
    if len(string(params, name)) > most:
        raise bad_request(f"{name.upper()}_TOO_LONG")
    tg.profile[name, _language(params)] = string(params, name)
    return True


def set_webhook(tg: People, params: Json) -> bool:
    """Do ``setWebhook`` as a Bot API server in local mode does: it allows http and any port."""
    url, secret = string(params, "url"), string(params, "secret_token")
    if secret and not _SECRET.fullmatch(secret):
        raise bad_request("secret token contains unallowed characters")
    _allow(tg, params)
    tg.delivery.webhook = Webhook(url, secret or None, integer(params, "max_connections", 40))
    for told in tg.delivery.on_push:
        told()
    return True


def delete_webhook(tg: People, _: Json) -> bool:
    """Do ``deleteWebhook``."""
    tg.delivery.webhook = None
    return True


def get_webhook_info(tg: People, params: Json) -> Json:
    """Do ``getWebhookInfo``."""
    url = tg.delivery.webhook.url if tg.delivery.webhook else ""
    shown: Json = {"url": url, "pending_update_count": len(tg.delivery.pending())}
    if tg.delivery.allowed is not None:
        shown["allowed_updates"] = sorted(tg.delivery.allowed)
    return shown


def get_updates(tg: People, params: Json) -> list[Json]:
    """Do ``getUpdates`` without waiting. The server does the waiting."""
    if tg.delivery.webhook is not None:
        raise Refusal(409, "Conflict: can't use getUpdates method while webhook is active")
    _allow(tg, params)
    return tg.delivery.pull(integer(params, "offset"))


def _allow(tg: People, params: Json) -> None:
    if (allowed := params.get("allowed_updates")) is not None:
        tg.delivery.allowed = frozenset(allowed) or None


#: The function that does each method, by its name in the Bot API.
METHODS: dict[str, Callable[[People, Json], Any]] = {
    "sendMessage": lambda tg, params: _send(tg, params, "text", "text messages"),
    "sendPhoto": lambda tg, params: _send(tg, params, "caption", "photos"),
    "forwardMessage": forward_message,
    "editMessageText": lambda tg, params: _edit(tg, params, "text"),
    "editMessageCaption": lambda tg, params: _edit(tg, params, "caption"),
    "editMessageMedia": edit_message_media,
    "editMessageReplyMarkup": lambda tg, params: _change(tg, _editable(tg, params), params),
    "deleteMessage": delete_message,
    "answerCallbackQuery": answer_callback_query,
    "sendChatAction": send_chat_action,
    "getChat": get_chat,
    "getChatMember": get_chat_member,
    "getMe": lambda tg, _: tg.bot.json() | {"can_join_groups": True, "can_read_all_group_messages": False},
    "setMyCommands": set_my_commands,
    "getMyCommands": lambda tg, params: tg.commands.get(_scope(params), []),
    "deleteMyCommands": delete_my_commands,
    "setMyDescription": lambda tg, params: _set_profile(tg, params, "description", 512),
    "setMyShortDescription": lambda tg, params: _set_profile(tg, params, "short_description", 120),
    "setWebhook": set_webhook,
    "deleteWebhook": delete_webhook,
    "getWebhookInfo": get_webhook_info,
    "getUpdates": get_updates,
}
