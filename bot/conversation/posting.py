"""Build posts: their chats and links, the view and language of each reader, and buttons to answer with."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final
from unicodedata import east_asian_width

from markupsafe import Markup

from bot.conversation.outcome import GROUP, Edit, Post
from bot.display.board_picture import Picture
from bot.display.buttons import Button, Row, data
from bot.display.prompts import label
from bot.display.signs import NOTES
from bot.display.telling import Telling
from bot.display.words import Words, bold, name
from bot.rooms.model import Lobby, Match, Note, Room
from bot.rooms.names import RoomName
from engine import Question, Seat

#: The beginning of supergroups' ids in the Bot API, missing in links.
_SUPERGROUP = "-100"


def words_of(room: Room) -> Words:
    """Return the words in the group's language and theme."""
    return Words(room.settings.language, room.settings.theme)


def to_group(
    text: Markup,
    keyboard: tuple[Row, ...] = (),
    name: str | None = None,
    picture: Picture | None = None,
) -> Post:
    """Return a post to the room's own chat and topic."""
    return Post(GROUP, text, keyboard, name, picture=picture)


def no_game(room: Room) -> Post:
    """Say that no game runs here, and how to get into one."""
    if room.lobby is not None:
        return lobby_open_post(room, room.lobby)
    return to_group(words_of(room).html("lobby.none"))


def lobby_open_post(room: Room, lobby: Lobby) -> Post:
    """Say that a lobby is open, with a button to join it."""
    words = words_of(room)
    join = Button(words.plain("button.join"), data(room.name, "join", lobby.number))
    return to_group(words.html("lobby.open"), ((join,),))


def edit_in_group(name: str, text: Markup, keyboard: tuple[Row, ...] = (), caption: bool = False) -> Edit:
    """Return an edit of the group's message of that name. ``caption``: it is a picture with a caption."""
    return Edit(GROUP, name, text, keyboard, or_post=not caption, caption=caption)


def group_url(where: RoomName) -> str | None:
    """Return the address of a supergroup, or of a topic in it. Other groups have none."""
    chat = str(where.chat)
    if not chat.startswith(_SUPERGROUP):
        return None
    place = f"{where.topic}/{where.topic}" if where.topic is not None else "1"
    return f"https://t.me/c/{chat.removeprefix(_SUPERGROUP)}/{place}"


def group_link(room: Room) -> Markup:
    """Return the group's title, which in a supergroup is a link. A practice table has a title of its own."""
    if room.private:
        return bold(words_of(room).html("practice.title"))
    title, url = name(room.title or "…"), group_url(room.name)
    if url is None:
        return bold(title)
    return Markup('<a href="{}"><b>{}</b></a>').format(url, title)


def group_row(words: Words, room: Room) -> tuple[Row, ...]:
    """Return the button that leads back to the group; nothing if it has no address."""
    url = group_url(room.name)
    return () if url is None else ((Button(words.plain("button.group"), url=url),),)


# --- tellings -----------------------------------------------------------------------------------------------
# The group and each seat are told of a game by their own view and in their own language.


def telling_for_group(room: Room, match: Match) -> Telling:
    """Return the ``Telling`` of a game for the group."""
    return Telling(match.view(None), match.players, words_of(room))


def telling_for_seat(room: Room, match: Match, seat: Seat) -> Telling:
    """Return the ``Telling`` of a game for one seat, in its own language."""
    return Telling(match.view(seat), match.players, words_for(room, match, seat))


def words_for(room: Room, match: Match, seat: Seat) -> Words:
    """Return the words of a seat's own language."""
    return Words(match.players[seat].language, room.settings.theme)


# --- messages -----------------------------------------------------------------------------------------------
# Names and buttons of a game's messages, and whether the board comes with them.

NO_NOTES: Final[Mapping[Seat, Note]] = MappingProxyType({})
#: How the names of a seat's latest private messages begin: a prompt, a message with claims about a session or
#: about what a power showed, and the message that it gets when it dies.
_PROMPT, _CLAIM, _SAW, _DEAD = "seat", "claim", "saw", "dead"
#: The number of letters that fit into a row of buttons on a phone.
WIDTH_OF_A_ROW: Final = 36


def prompt_name(seat: Seat) -> str:
    """Return the name of a seat's latest prompt."""
    return f"{_PROMPT}{seat}"


def claim_names(seat: Seat) -> tuple[str, str]:
    """Return the names of a seat's latest messages with claims: about a session, and about a power."""
    return f"{_CLAIM}{seat}", f"{_SAW}{seat}"


def dead_name(seat: Seat) -> str:
    """Return the name of the message that a seat gets when it dies. All cards may be shown in it later."""
    return f"{_DEAD}{seat}"


def is_private(name: str) -> bool:
    """Return True if this is the name of a message in a private chat."""
    return name.startswith((_PROMPT, _CLAIM, _SAW, _DEAD))


def answer_rows(
    room: Room,
    match: Match,
    words: Words,
    question: Question,
    seat: Seat,
    notes: Mapping[Seat, Note] = NO_NOTES,
) -> tuple[Row, ...]:
    """Return buttons for a seat's options. ``notes``: the seat's private notes, for prompts in private."""
    options = question.options[question.seats.index(seat)]
    where = room.name
    buttons = []
    for choice, option in enumerate(options):
        text = label(words, match.players, option)
        if isinstance(option, int) and option in notes:
            text = f"{NOTES[notes[option]]} {text}"
        buttons.append(Button(text, data(where, "answer", match.number, question.number, choice)))
    if len(buttons) > 4 or set(map(type, options)) <= {int}:
        width = 2  # seats
    else:
        # A hand is in one row if a phone can show all its words.
        texts = [button.text for button in buttons]
        # An emoji or a Chinese character is as wide as two letters.
        longest = max(
            [len(text) + sum(map("WF".__contains__, map(east_asian_width, text))) for text in texts]
        )
        width = max(1, WIDTH_OF_A_ROW // longest)
    return tuple([tuple(buttons[at : at + width]) for at in range(0, len(buttons), width)])
