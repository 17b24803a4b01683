"""What follows from something said: the next room, and effects — intents to post, edit or answer."""

from dataclasses import dataclass, replace

from handlers.display.board_picture import Picture
from handlers.display.buttons import Row
from handlers.records.leaderboard import Entry
from handlers.rooms.model import Room


@dataclass(frozen=True, slots=True)
class Post:
    """A message to a chat, in Telegram's HTML. ``name`` lets later effects edit it."""

    chat: int
    text: str
    keyboard: tuple[Row, ...] = ()
    topic: int | None = None
    name: str | None = None
    #: May be neither forwarded nor saved: for everything secret.
    protect: bool = False
    #: The text is this picture's caption.
    picture: Picture | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """Another text and keyboard for the message of that name; several at once become the last one."""

    chat: int
    name: str
    text: str
    keyboard: tuple[Row, ...] = ()
    topic: int | None = None
    #: Where the message is gone, post the text instead of letting it go.
    or_post: bool = False
    #: The message is a picture, and the text its caption.
    caption: bool = False


@dataclass(frozen=True, slots=True)
class Bare:
    """Take the buttons from the message of that name, where it still is and the chat's minute has room."""

    chat: int
    name: str
    topic: int | None = None


@dataclass(frozen=True, slots=True)
class Toast:
    """The answer to a tap, seen only by who tapped: at most 200 characters, or an address to open."""

    text: str = ""
    alert: bool = False
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Aside:
    """A message in the group that only who tapped sees, where Telegram can do that. It is lost easily, so it
    is never the only copy of what it says."""

    chat: int
    user: int
    #: No secret: what is shown until the text is.
    opening: str
    #: At most 1024 characters.
    text: str
    #: Answers the tap once the aside is said; elsewhere the outcome's own toast does.
    toast: Toast
    topic: int | None = None


@dataclass(frozen=True, slots=True)
class Delete:
    """Take away somebody's message, if the bot may; it rides in the webhook's reply."""

    chat: int
    message: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The next room, and what follows."""

    room: Room
    effects: tuple[Post | Edit | Bare, ...] = ()
    toast: Toast | None = None
    aside: Aside | None = None
    delete: Delete | None = None
    #: Who took a seat, waits for one, or opened a lobby: remembered for them is which room it is.
    seated: int | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What the edge found out about who spoke and where, and what it brings along. None: not asked yet."""

    #: When it happens, in seconds since 1970.
    now: int
    #: Fresh random bytes of this request, as hexadecimal digits.
    entropy: str
    #: The bot's name, and the key of its deep links.
    username: str
    link_key: bytes
    #: Whether no new lobby opens, as the bot is about to be replaced; what is open or running goes on.
    draining: bool = False
    is_admin: bool | None = None
    is_member: bool | None = None
    may_write: bool | None = None
    #: Whether the bot may delete messages in the group.
    may_delete: bool | None = None
    #: Those of the group's last players who are in it.
    present: frozenset[int] | None = None
    #: Those in the lobby who have left the group, as far as Telegram says.
    gone: frozenset[int] | None = None
    #: The language that who spoke chose, or else the closest to Telegram's word.
    language: str | None = None
    #: The group's best players, best first.
    leaderboard: tuple[Entry, ...] | None = None

    def told(self, field: str, answer: object) -> "Known":
        """The same with one more thing found out."""
        return replace(self, **{field: answer})  # type: ignore[arg-type]


class Unknown(Exception):
    """The outcome depends on something that the edge must find out first: a field of ``Known``."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field
