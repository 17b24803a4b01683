"""Addresses: the group's chat and topic, a person's private chat, and links between them."""

from bot.conversation.outcome import Edit, Post
from bot.conversation.recipients import GROUP
from bot.display.board_picture import Picture
from bot.display.buttons import Button, Row, data
from bot.display.words import Html, Words, name
from bot.rooms.model import Lobby, Room
from bot.rooms.names import RoomName

#: The beginning of supergroups' ids in the Bot API, missing in links.
_SUPERGROUP = "-100"


def words_of(room: Room) -> Words:
    """Return the words in the group's language and theme."""
    return Words(room.settings.language, room.settings.theme)


def name_of(room: Room) -> RoomName:
    """Return the room's name."""
    return RoomName(room.chat, room.topic)


def to_group(
    text: str,
    keyboard: tuple[Row, ...] = (),
    name: str | None = None,
    picture: Picture | None = None,
) -> Post:
    """Return a post to the room's own chat and topic."""
    return Post(GROUP, text, keyboard, name, picture=picture)


def lobby_is_open(room: Room, lobby: Lobby) -> Post:
    """Say that a lobby is open, with a button to join it."""
    words = words_of(room)
    join = Button(words.plain("button.join"), data(name_of(room), "join", lobby.number))
    return to_group(words.html("lobby.open"), ((join,),))


def edit_in_group(name: str, text: str, keyboard: tuple[Row, ...] = (), caption: bool = False) -> Edit:
    """Return an edit of the group's message of that name (of a picture's caption)."""
    return Edit(GROUP, name, text, keyboard, or_post=not caption, caption=caption)


def group_url(where: RoomName) -> str | None:
    """Return the address of a supergroup, or of a topic in it. Other groups have none."""
    chat = str(where.chat)
    if not chat.startswith(_SUPERGROUP):
        return None
    place = f"{where.topic}/{where.topic}" if where.topic is not None else "1"
    return f"https://t.me/c/{chat.removeprefix(_SUPERGROUP)}/{place}"


def group_link(room: Room) -> Html:
    """Return the group's title, with a link to it in a supergroup. In practice, say that it is practice."""
    if room.private:
        return Html(f"<b>{words_of(room).html('practice.title')}</b>")
    title, url = name(room.title or "…"), group_url(name_of(room))
    return Html(f"<b>{title}</b>" if url is None else f'<a href="{url}"><b>{title}</b></a>')


def group_row(words: Words, room: Room) -> tuple[Row, ...]:
    """Return the button that leads back to the group; nothing if it has no address."""
    url = group_url(name_of(room))
    return () if url is None else ((Button(words.plain("button.group"), url=url),),)
