"""The names of a room: in the store, in callback data, and in deep links.

Telegram allows 64 bytes of callback data, and 64 characters in a deep link.
"""

import base64
import hashlib
import hmac
import re
import struct
from functools import cached_property
from typing import NewType

from engine.frozen import frozen

#: Telegram's id of a person. On leaderboards and in archives, ids below 0 are aliases.
UserId = NewType("UserId", int)
#: Telegram's id of a chat: of a group below 0; of a private chat, the person's.
ChatId = NewType("ChatId", int)
#: Telegram's id of a message, which is unique in its chat.
MessageId = NewType("MessageId", int)
#: In place of an id: nobody, no chat, no message.
NO_USER, NO_CHAT, NO_MESSAGE = UserId(0), ChatId(0), MessageId(0)

#: A chat's id, and perhaps a topic's, in base 36. The lengths fit Telegram's longest ids.
_SHORT = re.compile(r"-?[0-9a-z]{1,11}(\.[0-9a-z]{1,7})?")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_PAYLOAD = struct.Struct(">qii")
#: A finished game's fields: chat, topic, number, time of its end (seconds since 1970, below 2**48).
_GAME = struct.Struct(">qiiIH")
_MAC = 8
#: The beginning of the store's keys of rooms.
_KEY = "room#"


@frozen
class RoomName:
    """A chat and, in a forum, a topic of it."""

    chat: ChatId
    topic: int | None = None

    @property
    def private(self) -> bool:
        """Return True if it is a private chat, whose id is the person's. Groups have ids below 0."""
        return self.chat > 0

    @property
    def key(self) -> str:
        """Return the room's key in the store."""
        return f"{_KEY}{self.chat}" if self.topic is None else f"{_KEY}{self.chat}#{self.topic}"

    @cached_property
    def short(self) -> str:
        """Return the room's name in callback data."""
        return _base36(self.chat) if self.topic is None else f"{_base36(self.chat)}.{_base36(self.topic)}"


def private_room(user: UserId) -> RoomName:
    """Return the private chat of a person."""
    return RoomName(ChatId(user))


def from_key(key: str) -> RoomName:
    """Return the room of a store's key. Raises ValueError for anything else."""
    chat, _, topic = key.removeprefix(_KEY).partition("#")
    if not key.startswith(_KEY) or not chat:
        raise ValueError("not a room's key")
    return RoomName(ChatId(int(chat)), int(topic) if topic else None)


def from_short(short: str) -> RoomName:
    """Return the room of a name in callback data. Raises ValueError if it is malformed."""
    if not _SHORT.fullmatch(short):
        raise ValueError("not a room's name")
    chat, dot, topic = short.partition(".")
    return RoomName(ChatId(int(chat, 36)), int(topic, 36) if dot else None)


def sign_lobby(room: RoomName, number: int, key: bytes) -> str:
    """Return the payload of a deep link into a room's lobby: 32 characters, with a MAC."""
    return _signed(_PAYLOAD.pack(room.chat, room.topic or 0, number), key)


def read_lobby(text: str, key: bytes) -> tuple[RoomName, int] | None:
    """Return the room and the lobby's number in a deep link's payload, or None if we did not sign it."""
    found = _verified(text, _PAYLOAD, key)
    if found is None:
        return None
    chat, topic, number = found
    return RoomName(ChatId(chat), topic or None), number


def personal_key(key: bytes, person: UserId) -> bytes:
    """Return the key that signs links made for one person (their user id)."""
    return hmac.digest(key, b"own" + str(person).encode(), hashlib.sha256)


def sign_game(room: RoomName, number: int, ended: int, key: bytes) -> str:
    """Return a deep link's payload that names a room's finished game: 40 characters, with a MAC."""
    return _signed(_GAME.pack(room.chat, room.topic or 0, number, ended >> 16, ended & 0xFFFF), key)


def read_game(text: str, key: bytes) -> tuple[RoomName, int, int] | None:
    """Return the room, the game's number and its end in such a payload, or None if we did not sign it."""
    found = _verified(text, _GAME, key)
    if found is None:
        return None
    chat, topic, number, high, low = found
    return RoomName(ChatId(chat), topic or None), number, high << 16 | low


def _signed(packed: bytes, key: bytes) -> str:
    return base64.urlsafe_b64encode(packed + _mac(packed, key)).decode()


def _verified(text: str, form: struct.Struct, key: bytes) -> tuple[int, ...] | None:
    """Return the numbers in a payload of this form, or None if we did not sign it."""
    try:
        raw = base64.urlsafe_b64decode(text.encode())
    except ValueError:
        return None
    packed, mac = raw[:-_MAC], raw[-_MAC:]
    is_ours = len(packed) == form.size and hmac.compare_digest(mac, _mac(packed, key))
    return form.unpack(packed) if is_ours else None


def _mac(packed: bytes, key: bytes) -> bytes:
    return hmac.digest(key, b"deep-link" + packed, hashlib.sha256)[:_MAC]


def _base36(number: int) -> str:
    sign, number = ("-", -number) if number < 0 else ("", number)
    digits = ""
    while True:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
        if not number:
            return sign + digits
