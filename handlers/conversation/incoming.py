"""What people do, as far as the bot cares: Telegram's updates, read into a few small values."""

from dataclasses import dataclass

import telegram
from telegram.constants import ChatMemberStatus, ChatType

from handlers.display.buttons import read
from handlers.rooms.names import RoomName

_GONE = (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, as Telegram names them now."""

    id: int
    name: str
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Command:
    """A command in a group (``room``), or in private (``room`` is None)."""

    person: Person
    room: RoomName | None
    name: str
    argument: str = ""
    title: str = ""
    #: Written in the name of a chat, as anonymous admins do: who it was is known only once they tap.
    anonymous: bool = False


@dataclass(frozen=True, slots=True)
class Tap:
    """A tap on a button: what the button means, and in which room."""

    person: Person
    room: RoomName
    #: Identifies the tap, for answering it.
    query: str
    verb: str
    args: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Reached:
    """In private, a person blocked the bot, or lets it write again."""

    person: Person
    may_write: bool


@dataclass(frozen=True, slots=True)
class Wake:
    """Something in the room may be due: its clock, or what is still unsent."""

    room: RoomName


@dataclass(frozen=True, slots=True)
class Follow:
    """A person pressed Start in the private chat after a deep link into a lobby."""

    person: Person
    room: RoomName
    number: int


@dataclass(frozen=True, slots=True)
class Membership:
    """The bot was thrown out of a group, or invited (back)."""

    room: RoomName
    inside: bool


@dataclass(frozen=True, slots=True)
class Moved:
    """A group became a supergroup: its chat has another id now."""

    room: RoomName
    to: int


Said = Command | Tap | Reached | Membership | Wake | Follow | Moved


def read_update(update: telegram.Update, username: str) -> Said | None:
    """What an update says to the bot of this name, or None when it says nothing to it."""
    if update.callback_query is not None:
        return _tap(update.callback_query)
    if update.my_chat_member is not None:
        return _membership(update.my_chat_member)
    if update.message is not None:
        if update.message.migrate_to_chat_id is not None:
            return Moved(RoomName(update.message.chat.id), update.message.migrate_to_chat_id)
        return _command(update.message, username)
    return None


def person(user: telegram.User) -> Person:
    """A Telegram user as the bot speaks of them."""
    return Person(user.id, user.full_name, user.language_code or "en")


def _tap(query: telegram.CallbackQuery) -> Tap | None:
    button = read(query.data or "")
    if button is None or query.from_user.is_bot:
        return None
    room, verb, args = button
    return Tap(person(query.from_user), room, query.id, verb, args)


def _membership(change: telegram.ChatMemberUpdated) -> Reached | Membership:
    inside = change.new_chat_member.status not in _GONE
    if change.chat.type == ChatType.PRIVATE:
        return Reached(person(change.from_user), inside)
    return Membership(RoomName(change.chat.id), inside)


def _command(message: telegram.Message, username: str) -> Command | None:
    text = message.text or ""
    if not text.startswith("/") or message.from_user is None:
        return None
    head, _, argument = text[1:].replace("\n", " ").partition(" ")
    name, _, bot = head.lower().partition("@")
    if bot not in ("", username.lower()):
        return None  # where the bot is an admin, it also hears what other bots are told
    private = message.chat.type == ChatType.PRIVATE
    if not private and message.chat.type not in (ChatType.GROUP, ChatType.SUPERGROUP):
        return None
    topic = message.message_thread_id if message.is_topic_message else None
    room = None if private else RoomName(message.chat.id, topic)
    return Command(
        person(message.from_user),
        room,
        name,
        argument.strip(),
        message.chat.title or "",
        message.sender_chat is not None,
    )
