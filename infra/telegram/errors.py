"""The ways in which a call to Telegram can fail, as our own exceptions.

No exception contains Telegram's full text, which may quote what was sent, nor an address, which contains the
bot's token.
"""

from __future__ import annotations

import re
from enum import StrEnum


class Kind(StrEnum):
    """Why a call is given up. In most cases Telegram refuses it for good."""

    #: The user blocked the bot.
    BLOCKED = "blocked"
    #: The user never pressed Start.
    CANNOT_INITIATE = "cannot_initiate"
    #: The user's account is gone.
    DEACTIVATED = "deactivated"
    #: The bot is not in the group, or the group is gone.
    NOT_IN_CHAT = "not_in_chat"
    CHAT_NOT_FOUND = "chat_not_found"
    #: The forum topic is closed or deleted.
    TOPIC_GONE = "topic_gone"
    #: The bot may not do this in this chat (post, send photos, pin, delete).
    NO_RIGHTS = "no_rights"
    #: The message to act on is deleted, too old, or of a kind that cannot be changed in this way.
    MESSAGE_GONE = "message_gone"
    #: The button press can no longer be answered.
    QUERY_OLD = "query_old"
    #: Telegram does not accept this file id or picture, or the picture could not be drawn.
    BAD_FILE = "bad_file"
    #: Another 403.
    FORBIDDEN = "forbidden"
    #: Another 400: in most cases a bug of ours.
    MALFORMED = "malformed"
    #: The answer to this call was lost again and again, although Telegram answers other calls.
    UNANSWERED = "unanswered"
    #: Our own code raised an exception for this call.
    MISTAKE = "mistake"


class WireError(Exception):
    """The base class of all failures of a call."""


class RetryLater(WireError):
    """Not carried out. Try again after ``after`` seconds. ``flood``: Telegram answered 429."""

    def __init__(self, after: float, *, flood: bool = False) -> None:
        super().__init__(f"retry after {after:g} s")
        self.after = after
        self.flood = flood


class UpdatesElsewhere(RetryLater):
    """Not carried out: another process fetches the bot's updates, or a webhook gets them."""

    def __init__(self) -> None:
        super().__init__(5.0)


class Refused(WireError):
    """Not carried out, and trying again would not help."""

    def __init__(self, kind: Kind, detail: str = "") -> None:
        super().__init__(f"refused: {kind}" + (f" ({detail})" if detail else ""))
        self.kind = kind
        self.detail = detail


class Migrated(WireError):
    """Not carried out: the group became a supergroup with another id."""

    def __init__(self, new_chat_id: int) -> None:
        super().__init__("the chat migrated")
        self.new_chat_id = new_chat_id


class Unauthorized(WireError):
    """Telegram does not take the token, not even after it was read again. Or the token cannot be read."""


class AnswerLost(WireError):
    """The call may have been carried out: the answer was late or lost, or Telegram answered 5xx."""


#: The text with which Telegram refuses an edit that changes nothing. We count the edit as done.
NOT_MODIFIED = "message is not modified"

#: The phrases of each kind in Telegram's descriptions, as a pattern. The first kind with a match counts.
_PHRASES = {
    Kind.BLOCKED: "bot was blocked by the user|user_is_blocked",
    Kind.CANNOT_INITIATE: "bot can't initiate conversation",
    Kind.DEACTIVATED: "user is deactivated|input_user_deactivated",
    Kind.NOT_IN_CHAT: "bot was kicked|bot is not a member|group chat was (deleted|deactivated)",
    Kind.TOPIC_GONE: "message thread not found|topic_(closed|deleted|id_invalid)",
    Kind.CHAT_NOT_FOUND: "chat not found|peer_id_invalid",
    Kind.QUERY_OLD: "query is too old|query_id_invalid",
    Kind.NO_RIGHTS: (
        "not enough rights|have no rights|need administrator rights|"
        "chat_(admin_required|write_forbidden|restricted|send_)"
    ),
    Kind.MESSAGE_GONE: (
        "message can't be|message to |message not found|message_id_invalid|"
        "message identifier is not specified|there is no (text|caption|media) in the message"
    ),
    Kind.BAD_FILE: "wrong file identifier|wrong remote file|file_reference|photo_|image_process_failed",
}


def classify_refusal(description: str, *, forbidden: bool) -> Refused:
    """Return a 400 or 403 as an exception, by its description (lower-case, without Telegram's prefix)."""
    for kind, phrases in _PHRASES.items():
        if re.search(phrases, description):
            return Refused(kind)
    # Keep only what comes before a colon. After it, Telegram quotes the text that it could not parse.
    detail = description.split(":")[0][:60]
    return Refused(Kind.FORBIDDEN if forbidden else Kind.MALFORMED, detail)
