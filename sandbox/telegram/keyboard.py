"""Check inline keyboards as Telegram does."""

from __future__ import annotations

import re
from typing import Any

from telegram import InlineKeyboardButton
from telegram.constants import InlineKeyboardButtonLimit, InlineKeyboardMarkupLimit, KeyboardButtonStyle

from .errors import bad_request

Json = dict[str, Any]

#: The fields that say what a button does. Exactly one must be given.
_ACTIONS = {*InlineKeyboardButton.__slots__} - {"text", "style", "icon_custom_emoji_id"}
_URL = re.compile(r"(?:https?://|tg://|ton://)?[\w-]+(?:\.[\w-]+)*(?::\d+)?(?:[/?#]\S*)?", re.IGNORECASE)


def check(markup: Any) -> Json | None:
    """Return the markup as Telegram stores it (None for an empty keyboard). Raises ``Refusal`` 400."""
    if markup is None:
        return None
    if not isinstance(markup, dict):
        raise bad_request("object expected as reply markup")
    if "inline_keyboard" not in markup:
        return markup or None
    rows = markup["inline_keyboard"]
    if not isinstance(rows, list | tuple):
        raise bad_request('field "inline_keyboard" of the InlineKeyboardMarkup should be an Array of Arrays')
    kept = [[_button(button) for button in row] for row in rows if row]
    if not kept:
        return None
    if (
        sum(map(len, kept)) > InlineKeyboardMarkupLimit.TOTAL_BUTTON_NUMBER
        or max(map(len, kept)) > InlineKeyboardMarkupLimit.BUTTONS_PER_ROW
    ):
        raise bad_request("reply markup is too long")
    return {"inline_keyboard": kept}


def _button(button: Any) -> Json:
    if not isinstance(button, dict):
        raise bad_request("can't parse inline keyboard button: InlineKeyboardButton must be an Object")
    text = button.get("text")
    if not isinstance(text, str):
        raise bad_request("can't parse inline keyboard button: Can't find field \"text\"")
    if not text.strip():
        raise bad_request("inline keyboard button text must be non-empty")
    given = [action for action in _ACTIONS if button.get(action) not in (None, "")]
    if not given:
        raise bad_request(
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"
        )
    if len(given) > 1:
        raise bad_request("can't parse inline keyboard button: exactly one action field must be used")
    data, url, style = button.get("callback_data"), button.get("url"), button.get("style")
    if data is not None and not (
        isinstance(data, str) and 0 < len(data.encode()) <= InlineKeyboardButtonLimit.MAX_CALLBACK_DATA
    ):
        raise bad_request("BUTTON_DATA_INVALID")
    if url is not None and not (isinstance(url, str) and _URL.fullmatch(url)):
        raise bad_request(f"inline keyboard button URL '{url}' is invalid: Wrong HTTP URL")
    if style is not None and style not in set(KeyboardButtonStyle):
        raise bad_request("BUTTON_STYLE_INVALID")
    return {key: value for key, value in button.items() if value is not None}
