"""Where things are said: the group's chat and topic, a person's private chat, and links between them."""

from handlers.conversation.outcome import Edit, Post
from handlers.conversation.recipients import GROUP
from handlers.display.board_picture import Picture
from handlers.display.buttons import Row
from handlers.display.words import Html, Words, name
from handlers.rooms.model import Room
from handlers.rooms.names import RoomName

#: Ids of supergroups begin with this in the Bot API, and without it in links.
_SUPERGROUP = "-100"


def words_of(room: Room) -> Words:
    """The words of the group."""
    return Words(room.settings.language, room.settings.theme)


def name_of(room: Room) -> RoomName:
    """The room's name."""
    return RoomName(room.chat, room.topic)


def to_group(
    text: str,
    keyboard: tuple[Row, ...] = (),
    name: str | None = None,
    picture: Picture | None = None,
) -> Post:
    """A post to the room's own chat and topic."""
    return Post(GROUP, text, keyboard, name, picture=picture)


def edit_in_group(name: str, text: str, keyboard: tuple[Row, ...] = (), caption: bool = False) -> Edit:
    """An edit of the group's message of that name (of a picture's caption)."""
    return Edit(GROUP, name, text, keyboard, or_post=not caption, caption=caption)


def group_link(room: Room) -> Html:
    """The group's title; in a supergroup, as a link to it."""
    title = name(room.title or "…")
    chat = str(room.chat)
    if not chat.startswith(_SUPERGROUP):
        return Html(f"<b>{title}</b>")
    place = f"{room.topic}/{room.topic}" if room.topic is not None else "1"
    return Html(f'<a href="https://t.me/c/{chat.removeprefix(_SUPERGROUP)}/{place}"><b>{title}</b></a>')
