"""An outcome: the next room, and effects, which are intents to post, edit or answer."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, TypeVar

from telegram.helpers import create_deep_linked_url

from bot.computers.mind import Mind
from bot.conversation.recipients import To
from bot.display.board_picture import Picture
from bot.display.buttons import Row
from bot.rooms.beacon import Beacon
from bot.rooms.model import Room

if TYPE_CHECKING:
    # Of the records no more than this name is needed here: they are imported when a game ends.
    from bot.records.leaderboard import Shown

Found = TypeVar("Found")


class Unsaid(Enum):
    """Telegram did not say: a third answer next to yes and no."""

    UNSAID = auto()


#: The only value of ``Unsaid``.
UNSAID = Unsaid.UNSAID


@dataclass(frozen=True, slots=True)
class Post:
    """A message, in Telegram's HTML. ``name`` lets later effects edit it."""

    to: To
    text: str
    keyboard: tuple[Row, ...] = ()
    name: str | None = None
    #: May be neither forwarded nor saved: for everything secret.
    protect: bool = False
    #: The text is this picture's caption.
    picture: Picture | None = None
    #: When Telegram posts it is to be known under this mark.
    dated: str | None = None
    #: Seconds after what goes out with it.
    rest: int = 0
    #: Of several waiting posts to one chat with the same key, only the last is posted.
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """Another text and keyboard for the message of that name. Of several at once the last one counts."""

    to: To
    name: str
    text: str
    keyboard: tuple[Row, ...] = ()
    #: Where the message is gone, post the text instead of letting it go.
    or_post: bool = False
    #: The message is a picture, and the text its caption.
    caption: bool = False
    #: The message has this name as well from now on.
    known_as: str | None = None
    #: May be some seconds late, for the sake of what is posted next: who tapped was told already.
    patient: bool = False
    #: Is dropped where the bot has no room for it, like edits that only take buttons away.
    spare: bool = False


@dataclass(frozen=True, slots=True)
class ClearButtons:
    """Take the buttons from the message of that name, where it still is and the chat's minute has room."""

    to: To
    name: str


@dataclass(frozen=True, slots=True)
class Forward:
    """The message of that name once more, forwarded into the same chat: nobody can edit a forward."""

    to: To
    #: The message that is forwarded.
    source: str
    #: What the forward is called.
    name: str
    #: When Telegram posts it is to be known under this mark.
    dated: str


@dataclass(frozen=True, slots=True)
class Toast:
    """The answer to a tap, seen only by who tapped: at most 200 characters, or an address to open."""

    text: str = ""
    alert: bool = False
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Delete:
    """Delete somebody's message, if the bot may. The call rides in the webhook's reply."""

    chat: int
    message: int


@dataclass(frozen=True, slots=True)
class Erase:
    """An order to erase what is kept of a room elsewhere: its finished games and its leaderboard."""

    #: All of it; else only who it was, and the games stay with aliases.
    whole: bool
    #: Who was noted in the room itself.
    people: tuple[int, ...] = ()


Effects = tuple[Post | Edit | ClearButtons | Forward, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The next room, and what follows."""

    room: Room
    effects: Effects = ()
    toast: Toast | None = None
    delete: Delete | None = None
    #: Who took a seat, waits for one, or opened a lobby: that they are known here is remembered beside them.
    remember: int | None = None
    erase: Erase | None = None
    #: When the clock or a computer acts in the game next, if that is new, and when the room is to be looked
    #: at, in seconds since 1970.
    wake_at: int | None = None
    next_due_at: int | None = None

    def changes(self, room: Room) -> bool:
        """True if anything is to be stored or sent: another room, or effects."""
        return self.room != room or bool(self.effects) or self.erase is not None


@dataclass(frozen=True, slots=True)
class Context:
    """The context of an update: what the service found out and brings along. None: not asked yet."""

    #: When it happens, in seconds since 1970.
    now: int
    #: Fresh random bytes of this request, as hexadecimal digits.
    entropy: str
    #: The bot's name, and the key of its deep links.
    username: str
    link_key: bytes
    #: Whether no new lobby opens, as the bot is about to be replaced; what is open or running goes on.
    draining: bool = False
    #: The public beacon that deals follow from; None: the bot has none.
    beacon: Beacon | None = None
    #: Milliseconds since ``now``: one press may arrive twice within a second.
    milliseconds: int = 0
    #: Telegram's date of the forwarded seal of the room's game, once it is known to be posted; of the seal
    #: itself where it cannot be forwarded.
    seal_fixed_at: int | None = None
    #: Who decides for computers; None: nobody does now.
    mind: Mind | None = None
    #: What the beacon said in the sealed round, in hexadecimal digits; empty where that cannot be had.
    randomness: str | None = None
    is_admin: bool | Unsaid | None = None
    is_member: bool | Unsaid | None = None
    may_write: bool | None = None
    #: Whether the bot may delete messages in the group.
    may_delete: bool | Unsaid | None = None
    #: Whether the bot is in the group.
    inside: bool | Unsaid | None = None
    #: The channel that the group belongs to; 0: none, as far as is known.
    linked: int | None = None
    #: Whether the group takes messages of the bot's.
    may_post: bool | Unsaid | None = None
    #: Those of the group's last players who are in it, or of whom Telegram does not say.
    present: frozenset[int] | None = None
    #: Those in the lobby who have left the group, as far as Telegram says.
    gone: frozenset[int] | None = None
    #: The same of those who signed up for the game night.
    guests_gone: frozenset[int] | None = None
    #: The language that who spoke chose, or else the closest to Telegram's word.
    language: str | None = None
    #: In how many more games who spoke is advised; known with the language.
    advised: int = 0
    #: Whether more of their answers take a second tap; known with the language.
    confirms: bool = False
    #: The group's best players, best first.
    leaderboard: "Shown | None" = None
    #: Those at the table who want to be counted in statistics.
    counted: frozenset[int] | None = None
    #: How many seconds a message of the bot's waits now until it may go out.
    backlog: float | None = None
    #: Seconds that the bot must leave between two messages in the group, as it is in slow mode; 0: none.
    slow_mode: int | None = None

    def deep_link(self, payload: str | None = None) -> str:
        """Return the address that opens the private chat with the bot.

        Its Start button brings the payload along.
        """
        return create_deep_linked_url(self.username, payload)


class Need(Enum):
    """Facts of ``Context`` that only the service can look up: a field of that name each."""

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
    #: What the beacon said in the sealed round.
    RANDOMNESS = auto()


#: What was said in a room, and what is known beside it → the outcome. Raises Needs.
Answerer = Callable[[Room, Any, "Context"], Outcome]


class Needs(Exception):
    """Not an error: the outcome follows once the edge has found this out."""

    def __init__(self, need: Need) -> None:
        super().__init__(need.name)
        self.need = need


def found(answer: Found | None, need: Need) -> Found:
    """Return a looked-up fact of ``Context``. Raises Needs if it is still to be looked up."""
    if answer is None:
        raise Needs(need)
    return answer
