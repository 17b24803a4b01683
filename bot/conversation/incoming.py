"""Read Telegram's updates into a few small values."""

from collections.abc import Mapping
from typing import Any
from unicodedata import category

import telegram
from telegram.constants import ChatMemberStatus, ChatType

from bot.display.buttons import Verb, read
from bot.display.commands import GROUP, ONLY_PRIVATE
from bot.rooms.names import NO_CHAT, NO_MESSAGE, NO_USER, ChatId, MessageId, RoomName, UserId
from bot.rooms.player import COMPUTER
from engine.frozen import frozen

# --- naming -------------------------------------------------------------------------------------------------
# Clean the names of people, groups and boards. All of them pass through here.
# Telegram allows characters that reverse the text around a name, break its line, or are invisible. Only the
# visible part of a name stays, on one line.

#: Joiners between two letters or signs: emoji and several scripts (Persian, Hindi …) need them.
_JOINERS = "\u200c\u200d"
#: An emoji flag of a region is a black flag followed by tags.
_FLAG, _TAGS = "\U0001f3f4", range(0xE0020, 0xE0080)
#: The most combining marks that stay on a letter. No script needs more, and many marks cover other lines.
MARKS = 4


def cleaned(name: str) -> str:
    """Return a name without control characters, such as direction marks, and without lone surrogates.

    Line breaks become spaces, and several spaces become one. At most ``MARKS`` marks stay on a letter.
    """
    kept, marks = "", 0
    for at, letter in enumerate(name):
        kind = category(letter)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks > MARKS:
            continue
        if kind in ("Cc", "Zl", "Zp"):
            kept += " "
        elif kind not in ("Cf", "Cs") or _needed(kept[-1:], letter, name[at + 1 : at + 2]):
            kept += letter
    return " ".join(kept.split())


def _needed(before: str, letter: str, after: str) -> bool:
    """Return True if a format character belongs to the characters around it, as in an emoji."""
    if letter in _JOINERS:
        return _drawn(before) and _drawn(after)
    return ord(letter) in _TAGS and before != "" and (before == _FLAG or ord(before) in _TAGS)


def _drawn(letter: str) -> bool:
    return letter != "" and category(letter)[0] not in "CZ"


# --- incoming -----------------------------------------------------------------------------------------------

#: Invisible characters in categories of visible ones: Hangul fillers, the braille blank.
_FILLERS = "\u115f\u1160\u3164\uffa0\u2800"
#: Telegram allows 64 letters for the first name and 64 for the last name. Sixteen people with 128 letters
#: each would fill a message.
LONGEST_NAME = 64
#: Plain text in a private chat is answered like this command.
HELP = "help"
#: Ids have at most 52 significant bits.
_LARGEST = 2**52
#: The only fields of a tapped message that the bot reads.
_PLACE = ("message_id", "date", "chat")
_GONE = (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED)
_GROUPS = (ChatType.GROUP, ChatType.SUPERGROUP)


@frozen
class Person:
    """A person, as Telegram names them now."""

    id: UserId
    name: str
    language: str = "en"


@frozen
class Command:
    """A command in a group (``room``), or in private (``room`` is None)."""

    person: Person
    room: RoomName | None
    name: str
    argument: str = ""
    title: str = ""
    #: True if written in the name of a chat, as by anonymous admins. Only a tap shows who they are.
    anonymous: bool = False
    #: The id of its message.
    message: MessageId = NO_MESSAGE
    #: True if written in the name of the group itself, which only its admins can do.
    as_group: bool = False
    #: The channel in whose name it was written; 0: none.
    channel: ChatId = NO_CHAT
    #: When it was written, in seconds since 1970; None: now.
    date: int | None = None
    #: The user id of the person whose message it replies to; 0: nobody.
    replies_to: UserId = NO_USER


@frozen
class Tap:
    """A tap on a button, with the button's meaning and room."""

    person: Person
    room: RoomName
    #: Identifies the tap, for answering it.
    query: str
    verb: Verb
    args: tuple[int, ...]
    #: The id of the message with the button, in a private chat; 0 elsewhere.
    private_message: MessageId = NO_MESSAGE
    #: The group with that message; None elsewhere. Unlike ``room``, this cannot be forged.
    group: ChatId | None = None
    #: The group's title.
    title: str = ""


@frozen
class BlockChanged:
    """In private, a person blocked or unblocked the bot."""

    person: Person
    may_write: bool


@frozen
class Wake:
    """Something may be due in the room: an act of its clock, or unsent messages."""

    room: RoomName


@frozen
class Think:
    """Computers must decide. What happened before has been stored and announced already."""

    room: RoomName


@frozen
class ForgetIdleRoom:
    """Nobody has used the room for a long time."""

    room: RoomName


@frozen
class DeepLink:
    """A person pressed Start in the private chat after a deep link into a lobby."""

    person: Person
    room: RoomName
    number: int
    #: True if the link was made for this person, who asked for it in the group.
    own: bool = False


@frozen
class Membership:
    """The bot was removed from a group, or invited (back)."""

    room: RoomName
    inside: bool
    title: str = ""


@frozen
class Gone:
    """A person left a group, or was removed from it."""

    person: Person
    #: The group. Telegram names no topic.
    room: RoomName
    #: True if somebody else removed them.
    by_admin: bool = False


@frozen
class Chatter:
    """Any other new or edited message in a group. It may begin with a slash."""

    person: Person
    room: RoomName
    message: MessageId
    title: str = ""
    #: As in ``Command``.
    channel: ChatId = NO_CHAT


@frozen
class Moved:
    """A group became a supergroup, with another chat id."""

    room: RoomName
    to: ChatId


@frozen
class LanguageChosen:
    """In private, a person chose a language."""

    person: Person
    language: str


@frozen
class SettingsChosen:
    """In private, a person changed how games ask them. None: no change."""

    person: Person
    #: The number of further games in which they get advice.
    advised: int | None = None
    #: True if more of their answers take a second tap.
    confirms: bool | None = None


@frozen
class PersonForgotten:
    """In private, a person asked to have their data deleted."""

    person: Person


@frozen
class Practise:
    """In private, a person wants to practise. A link may name the rules."""

    person: Person
    #: The ruleset's number among those offered, from 1, and the theme. 0 and empty: as last time.
    which: int = 0
    theme: str = ""
    #: True if they have never finished a game, as far as the bot knows.
    newcomer: bool = True
    #: True if more of their answers take a second tap.
    confirms: bool = False


#: Everything that ``read_update`` returns.
FromTelegram = Command | Chatter | Tap | BlockChanged | Membership | Gone | Moved
#: Everything that a room can be told.
Incoming = (
    FromTelegram
    | Wake
    | Think
    | ForgetIdleRoom
    | DeepLink
    | LanguageChosen
    | SettingsChosen
    | PersonForgotten
    | Practise
)


def update_of(body: Mapping[str, Any]) -> telegram.Update:
    """Return an update as python-telegram-bot's object.

    It leaves out the text, entities and keyboard of a tapped message. The bot sent them itself, and parsing
    them takes a tenth of a tap's time.
    """
    query = body.get("callback_query")
    if isinstance(query, Mapping) and isinstance(message := query.get("message"), Mapping):
        place = {name: message[name] for name in _PLACE if name in message}
        body = {**body, "callback_query": {**query, "message": place}}
    return telegram.Update.de_json(dict(body), None)


def read_update(update: telegram.Update, username: str) -> FromTelegram | None:
    """Read an update for the bot with this username; None if the update does not concern it.

    Raises ValueError for an update that Telegram would not send, so that callers can rely on the result.
    """
    if update.callback_query is not None:
        return _tap(update.callback_query)
    if update.my_chat_member is not None:
        return _membership(update.my_chat_member)
    if update.chat_member is not None:
        return _gone(update.chat_member)
    if (edited := update.edited_message) is not None:
        # An edited message gives no command, but everybody in the group reads it.
        return None if edited.chat.type == ChatType.PRIVATE else _chatter(edited)
    if update.message is not None:
        if update.message.migrate_to_chat_id is not None:
            return Moved(_room(update.message.chat.id), _chat(update.message.migrate_to_chat_id))
        if update.message.migrate_from_chat_id is not None:
            # This is the new chat's first message. Moving the room now keeps anybody who writes there from
            # opening a new one.
            return Moved(_room(update.message.migrate_from_chat_id), _chat(update.message.chat.id))
        return _command(update.message, username)
    return None


def person(user: telegram.User) -> Person:
    """Return a Telegram user as a ``Person``."""
    number, language = UserId(_number(user.id)), _text(user.language_code) or "en"
    names = [_text(part, sent=False) for part in (user.first_name, user.last_name)]
    # A person must not look like a computer.
    name = cleaned(" ".join(names).replace(COMPUTER, ""))
    if {category(letter)[0] for letter in name if letter not in _FILLERS} <= {"C", "Z"}:
        name = f"👤 {user.id % 1000}"  # the name is empty or invisible
    elif len(name) > LONGEST_NAME:
        name = f"{name[: LONGEST_NAME - 1]}…"
    return Person(number, name, language)


def _number(value: object) -> int:
    """Check and return one of Telegram's ids, which the library does not check. Raises ValueError."""
    if type(value) is not int or abs(value) > _LARGEST:
        raise ValueError("not a number")
    return value


def _chat(value: object) -> ChatId:
    return ChatId(_number(value))


def _text(value: object, *, sent: bool = True) -> str:
    """Check and return a text, empty for None. Raises ValueError.

    ``sent``: refuse lone surrogates. JSON allows them, but they cannot be stored or sent.
    """
    if not isinstance(value, str | None):
        raise ValueError("not a text")
    text = value or ""
    if sent:
        text.encode()
    return text


def _room(chat: object, topic: object = None) -> RoomName:
    return RoomName(_chat(chat), None if topic is None else _number(topic))


def _tap(query: telegram.CallbackQuery) -> Tap | None:
    button = read(_text(query.data))
    if button is None or query.from_user.is_bot:
        return None
    room, verb, args = button
    private, group, title = NO_MESSAGE, None, ""
    if (message := query.message) is not None:
        private = (
            MessageId(_number(message.message_id)) if message.chat.type == ChatType.PRIVATE else NO_MESSAGE
        )
        if message.chat.type in _GROUPS:
            group, title = _chat(message.chat.id), _title(message.chat)
    return Tap(person(query.from_user), room, _text(query.id), verb, args, private, group, title)


def _membership(change: telegram.ChatMemberUpdated) -> BlockChanged | Membership | None:
    member = change.new_chat_member
    # A restricted member may be in the chat or not: ``is_member`` says so.
    inside = member.status not in _GONE and getattr(member, "is_member", True)
    if change.chat.type == ChatType.PRIVATE:
        return BlockChanged(person(change.from_user), inside)
    if change.chat.type not in _GROUPS:
        return None
    return Membership(_room(change.chat.id), inside, _title(change.chat))


def _gone(change: telegram.ChatMemberUpdated) -> Gone | None:
    """Return the person who is no longer in a group; None if they came or stayed."""
    member = change.new_chat_member
    inside = member.status not in _GONE and getattr(member, "is_member", True)
    if inside or change.chat.type not in _GROUPS:
        return None
    return Gone(person(member.user), _room(change.chat.id), change.from_user.id != member.user.id)


def _title(chat: telegram.Chat) -> str:
    return cleaned(_text(chat.title, sent=False))


def _channel(message: telegram.Message) -> ChatId:
    """Return the channel in whose name a message is written; 0 if in no channel's."""
    as_whom = message.sender_chat
    return NO_CHAT if as_whom is None or as_whom.id == message.chat.id else _chat(as_whom.id)


def _chatter(message: telegram.Message) -> Chatter | Gone | Command | None:
    if message.chat.type == ChatType.PRIVATE and message.from_user is not None and _text(message.text):
        return Command(person(message.from_user), None, HELP)  # so that every message gets an answer
    if message.chat.type not in _GROUPS or message.from_user is None:
        return None
    if (left := message.left_chat_member) is not None:
        # Other bots do not play, and if this one leaves there is another update.
        by_admin = message.from_user.id != left.id
        return None if left.is_bot else Gone(person(left), _room(message.chat.id), by_admin)
    if message.new_chat_members:
        return None
    topic = message.message_thread_id if message.is_topic_message else None
    room, number = _room(message.chat.id, topic), MessageId(_number(message.message_id))
    return Chatter(person(message.from_user), room, number, _title(message.chat), _channel(message))


def _answered(message: telegram.Message) -> UserId:
    """Return the user id of the person whose message this one replies to; 0 if there is none.

    In a topic, every message counts as a reply to the topic's first one, which is left out here.
    """
    other = message.reply_to_message
    if other is None or other.from_user is None or other.forum_topic_created is not None:
        return NO_USER
    return NO_USER if other.from_user.is_bot else UserId(_number(other.from_user.id))


def _command(message: telegram.Message, username: str) -> Command | Chatter | Gone | None:
    text = _text(message.text)
    # Telegram itself forwards the linked channel's posts. Nobody in the group wrote them.
    if message.from_user is None or message.is_automatic_forward:
        return None
    if not text.startswith("/"):
        return _chatter(message)
    head, _, argument = text[1:].replace("\n", " ").partition(" ")
    name, _, bot = head.lower().partition("@")
    if bot not in ("", username.lower()):
        return _chatter(message)  # if the bot is an admin, it also gets commands to other bots
    private = message.chat.type == ChatType.PRIVATE
    if not private and (message.chat.type not in _GROUPS or name not in (*GROUP, *ONLY_PRIVATE)):
        return _chatter(message)
    topic = message.message_thread_id if message.is_topic_message else None
    room = None if private else _room(message.chat.id, topic)
    return Command(
        person(message.from_user),
        room,
        name,
        argument.strip(),
        _title(message.chat),
        message.sender_chat is not None,
        MessageId(_number(message.message_id)),
        not private and message.sender_chat is not None and not _channel(message),
        _channel(message),
        int(message.date.timestamp()),
        _answered(message),
    )
