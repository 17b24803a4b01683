"""An outcome: the next room, and effects, which are orders to post, edit or answer."""

from collections.abc import Callable
from enum import Enum, auto
from typing import Any, Final, TypeVar

from markupsafe import Markup
from telegram.helpers import create_deep_linked_url

from bot.computers import Mind
from bot.display.board_picture import Picture
from bot.display.buttons import Row
from bot.records.leaderboard import Shown
from bot.rooms.model import Room
from bot.rooms.names import ChatId, MessageId, UserId
from bot.rooms.sealing import Beacon
from engine import Seat
from engine.frozen import frozen

# --- recipients ---------------------------------------------------------------------------------------------
# The recipient of a message. Its chat is looked up when the message goes into the outbox, so a message to a
# seat goes to the seat's player at that time. A computer has no chat and gets nothing.


@frozen
class Group:
    """The room's own chat, and its topic."""


@frozen
class ToSeat:
    """The private chat of the person who has this seat in the room's game, if there is one."""

    number: Seat


@frozen
class Private:
    """The private chat of a person, who may or may not have a seat."""

    #: Their Telegram id.
    person: UserId


To = Group | ToSeat | Private

GROUP: Final = Group()


# --- outcome ------------------------------------------------------------------------------------------------

Found = TypeVar("Found")


class Unknown(Enum):
    """A third answer besides yes and no: Telegram did not say."""

    UNKNOWN = auto()


UNKNOWN = Unknown.UNKNOWN


@frozen
class Post:
    """A message, in Telegram's HTML. ``name`` lets later effects edit it."""

    to: To
    text: Markup
    keyboard: tuple[Row, ...] = ()
    name: str | None = None
    #: True for secret messages: people can neither forward nor save them.
    protect: bool = False
    #: If there is a picture, the text is its caption.
    picture: Picture | None = None
    #: Set for a seal (see ``Sealed.mark``): the room remembers Telegram's date of the post with this mark.
    date_mark: str | None = None
    #: Seconds to wait before this message if others go out just before it.
    hold_seconds: int = 0
    #: If several posts with the same key wait for one chat, only the last one is posted.
    key: str | None = None


@frozen
class Edit:
    """A new text and keyboard for the message of that name. If several wait, only the last one counts."""

    to: To
    name: str
    text: Markup
    keyboard: tuple[Row, ...] = ()
    #: True to post the text if the message no longer exists.
    or_post: bool = False
    #: True if the message is a picture, and the text its caption.
    caption: bool = False
    #: Another name for the message from now on.
    known_as: str | None = None
    #: True if it may wait some seconds behind new posts, because a toast has told the tapper already.
    patient: bool = False
    #: True if it may be dropped when the chat's limit leaves no room, like edits that only remove buttons.
    droppable: bool = False


@frozen
class ClearButtons:
    """Remove the buttons of the message of that name, if it exists and the chat's limit leaves room."""

    to: To
    name: str


@frozen
class Forward:
    """A forward of a message into the same chat. Nobody can edit a forward."""

    to: To
    #: The name of the message to forward.
    source: str
    #: The name of the forward.
    name: str
    #: The mark of the seal: the room remembers Telegram's date of the forward with it.
    date_mark: str


@frozen
class Toast:
    """The answer to a tap, which only the tapper sees: at most 200 characters, or an address to open."""

    text: str = ""
    alert: bool = False
    url: str | None = None


@frozen
class Delete:
    """An order to delete somebody's message, if the bot may. The webhook's reply carries the call."""

    chat: ChatId
    message: MessageId


@frozen
class Erase:
    """An order to erase a room's finished games and leaderboard."""

    #: True to erase everything; False to replace people by aliases and keep the games.
    everything: bool
    #: The people noted in the room itself.
    people: tuple[UserId, ...] = ()


Effects = tuple[Post | Edit | ClearButtons | Forward, ...]


@frozen
class Outcome:
    """The result of an update: the next room, and what to send."""

    room: Room
    effects: Effects = ()
    toast: Toast | None = None
    delete: Delete | None = None
    #: The user id of a person whom the room now knows: a new player, host, guest or guesser, or somebody who
    #: waits for the next game. The service adds the room to that person's own item.
    remember: UserId | None = None
    erase: Erase | None = None
    #: When the bot must act on time next (see ``waking.next_queued``), in seconds since 1970; None if that
    #: has not changed.
    wake_at: int | None = None
    #: When anything is due in the room next (see ``waking.due``), in seconds since 1970.
    next_due_at: int | None = None

    def changes(self, room: Room) -> bool:
        """Return True if there is something to store or send: another room, or effects."""
        return bool(self.effects) or self.erase is not None or self.room != room


@frozen
class Context:
    """The information for answering an update. In a field of ``Lookup``, None means not looked up yet."""

    #: The present time, in seconds since 1970.
    now: int
    #: Fresh random bytes of this request, as hexadecimal digits.
    entropy: str
    #: The bot's name, and the key of its deep links.
    username: str
    link_key: bytes
    #: True if no new lobby may open, because the bot is about to be replaced. Open lobbies and games go on.
    draining: bool = False
    #: The public beacon for deals; None: the bot has none.
    beacon: Beacon | None = None
    #: Milliseconds to add to ``now``, to notice one tap that arrives twice within a second.
    milliseconds: int = 0
    #: Telegram's date of the seal's forward (or of the seal, if it cannot be forwarded), in seconds since
    #: 1970; None: it is not known to be posted.
    seal_fixed_at: int | None = None
    #: Decides for the computers; None: they do not decide now.
    mind: Mind | None = None
    #: The beacon's value of the sealed round (hexadecimal); empty if there is none.
    randomness: str | None = None
    is_admin: bool | Unknown | None = None
    is_member: bool | Unknown | None = None
    may_write: bool | None = None
    #: True if the bot may delete messages in the group.
    may_delete: bool | Unknown | None = None
    #: True if the bot is in the group.
    inside: bool | Unknown | None = None
    #: The channel that the group belongs to; 0 if none is known.
    linked: ChatId | None = None
    #: True if the bot can write in the group.
    may_post: bool | Unknown | None = None
    #: The last game's players, without those who have left the group, as far as Telegram says.
    present: frozenset[UserId] | None = None
    #: People in the lobby who have left the group, as far as Telegram says.
    gone: frozenset[UserId] | None = None
    #: The same for people who signed up for the game night.
    guests_gone: frozenset[UserId] | None = None
    #: The language that the person chose, or else the closest to the one that Telegram names.
    language: str | None = None
    #: In how many more games the person gets advice; looked up with the language.
    advised: int = 0
    #: True if more of the person's answers take a second tap; looked up with the language.
    confirms: bool = False
    #: The group's best players, best first.
    leaderboard: Shown | None = None
    #: The players who want to be counted in statistics.
    counted: frozenset[UserId] | None = None
    #: Seconds that a new message of the bot has to wait now.
    backlog: float | None = None
    #: Seconds between two messages of the bot that the group's slow mode demands; 0: none.
    slow_mode: int | None = None

    def deep_link(self, payload: str | None = None) -> str:
        """Return the address that opens the private chat with the bot. Its Start button sends the payload."""
        return create_deep_linked_url(self.username, payload)


class Lookup(Enum):
    """Facts that only the service can look up. Each is a field of ``Context`` with that name."""

    IS_ADMIN = auto()
    IS_MEMBER = auto()
    MAY_WRITE = auto()
    MAY_DELETE = auto()
    INSIDE = auto()
    MAY_POST = auto()
    LINKED = auto()
    PRESENT = auto()
    GONE = auto()
    GUESTS_GONE = auto()
    LANGUAGE = auto()
    LEADERBOARD = auto()
    BACKLOG = auto()
    SLOW_MODE = auto()
    COUNTED = auto()
    #: The beacon's value of the sealed round.
    RANDOMNESS = auto()


#: Answers an update: takes the room, the update and the context, returns the outcome. Raises LookupNeeded.
Answerer = Callable[[Room, Any, "Context"], Outcome]


class LookupNeeded(Exception):
    """A fact must be looked up first. The service looks it up, then lets the bot respond again."""

    def __init__(self, need: Lookup) -> None:
        super().__init__(need.name)
        self.need = need


def require(answer: Found | None, need: Lookup) -> Found:
    """Return a fact of ``Context``. Raises LookupNeeded if it has not been looked up."""
    if answer is None:
        raise LookupNeeded(need)
    return answer
