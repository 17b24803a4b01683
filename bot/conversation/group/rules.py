"""/rules: the rules that a group plays by, in pages that each person reads in private.

The group gets only a link to them, because there one person would turn the pages for everybody.
"""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from markupsafe import Markup

from bot.conversation.game.deadlines import silent
from bot.conversation.incoming import Command, Person, Tap
from bot.conversation.outcome import Context, Outcome, Post, Private, Toast
from bot.conversation.posting import group_link, to_group, words_of
from bot.display import guide
from bot.display.buttons import Button, Row, data
from bot.display.rules_pages import HERE, all_pages, page_text, pages, picture_text, printed
from bot.display.words import Words, closest
from bot.rooms.codec import first_setup
from bot.rooms.model import Room
from bot.rooms.names import ChatId
from engine import OFFERED, Illegal, Setup, ruleset
from engine.frozen import frozen

#: The page for choosing another ruleset.
CHOOSE = -1

#: A button's last number that asks for the board as a picture, instead of a page.
PICTURE = -1
#: The pages with a button for the picture: the goal and the tracks.
_PICTURED = frozenset({"goal", "board"})


def show(room: Room, incoming: Command, context: Context) -> Outcome:
    """Name the rules of this group's game, with a link to their pages."""
    room, words = replace(room, title=incoming.title or room.title), words_of(room)
    name = ruleset(setup_here(room).ruleset).name
    text = words.html("rules.here", ruleset=words.html(f"ruleset.{name}"))
    button = Button(words.plain("button.rules"), url=context.deep_link(guide.rules_payload(room.name)))
    return Outcome(room, (to_group(text, ((button,),)),))


def into_private(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Open the private chat: at how to play, at a practice table for this group's rules, or at their pages.

    Only old messages in groups have a button for the pages.
    """
    payload = guide.rules_payload(room.name)
    if incoming.verb == "howto":
        payload = guide.guide_payload(room, setup_here(room))
    elif incoming.verb == "learn":
        payload = guide.practice_payload(room, setup_here(room))
    return Outcome(room, toast=Toast(url=context.deep_link(payload)))


def first_page(person: Person, room: Room | None) -> Post:
    """Return the first page for somebody who came from a group.

    ``room`` is the group's, or None if the person may not see its rules.
    """
    if room is None:
        shown = _chooser(Words(closest(person.language)), Room(ChatId(person.id)))
    else:
        shown = _page(Words(closest(person.language), room.settings.theme), room, HERE, 0)
    return Post(Private(person.id), *shown)


def in_private(person: Person, rooms: Sequence[Room]) -> Post:
    """Return the first page for one person: about the game or lobby that they are in, or a list of rulesets.

    If they are in several, the first of ``rooms`` counts; a practice table counts after all groups.
    """
    own = sorted((room for room in rooms if _takes_part(room, person)), key=attrgetter("private"))
    return first_page(person, own[0] if own else None)


@frozen
class Pictured:
    """A setup's board, to be shown with a caption."""

    setup: Setup
    theme: str
    caption: Markup


def tap_in_private(room: Room, incoming: Tap) -> Post | Pictured:
    """Return another page, or the board as a picture.

    ``room`` is the button's, or the person's own if they may not see that one.
    """
    which, page, thing = incoming.args
    words = Words(closest(incoming.person.language), room.settings.theme)
    if thing == PICTURE:
        setup = printed(which) or setup_here(room)
        return Pictured(setup, room.settings.theme, picture_text(words, setup))
    return Post(Private(incoming.person.id), *_page(words, room, which, page))


def setup_here(room: Room) -> Setup:
    """Return the setup that the room plays by.

    It is that of the game about to be dealt, of the running game, of the lobby with its present players, or
    of the last game.
    """
    if room.sealed is not None:
        return room.sealed.setup
    if room.playing is not None:
        return room.playing.game.setup
    if room.lobby is not None:
        lobby, taken = room.lobby, len(room.lobby.players)
        # If this many cannot play it, take the nearest number that can.
        for players in sorted(lobby.sizes, key=lambda size: abs(size - taken)):
            try:
                return lobby.setup_for(players)
            except Illegal:
                continue
        # Nobody can play with these options, so show the rules without them.
        return replace(lobby.setup, players=min(lobby.sizes), options={})
    if room.match is not None:
        return room.match.game.setup
    first = first_setup()
    return replace(first, players=min(ruleset(first.ruleset).players))


def _takes_part(room: Room, person: Person) -> bool:
    playing = room.playing is not None and room.playing.seat_of(person.id) is not None
    beginning = (room.lobby, room.sealed)
    return playing or any(each is not None and each.is_seated(person.id) for each in beginning)


def _page(words: Words, room: Room, which: int, page: int) -> tuple[Markup, tuple[Row, ...]]:
    """Return a page's text and buttons. A page number that does not exist becomes the nearest one."""
    if page == CHOOSE:
        return _chooser(words, room)
    setup = printed(which)
    if setup is None:
        which, setup = HERE, setup_here(room)
    quiet = silent(room, setup.ruleset)
    every = pages(words, setup, quiet) if which == HERE else all_pages(words, setup.ruleset, quiet)
    at = min(max(page, 0), len(every) - 1)
    now = every[at]

    def button(key: str, page: int, thing: int = 0) -> Button:
        return Button(words.plain(key), data(room.name, "own-rules", which, page, thing))

    rows: list[Row] = [(button("button.picture", at, PICTURE),)] if now.key in _PICTURED else []
    back = button("button.back", at - 1) if at else None
    others = button("button.other-rules", CHOOSE)
    further = button("button.next", at + 1) if at + 1 < len(every) else None
    turn = (back or others, further or others)
    text = page_text(words, setup, now, at + 1, len(every))
    whose = [group_link(room)] if which == HERE and _has_game(room) else []
    return Markup("\n").join([*whose, text]), (*rows, turn)


def _has_game(room: Room) -> bool:
    return any(each is not None for each in (room.lobby, room.sealed, room.match))


def _chooser(words: Words, room: Room) -> tuple[Markup, tuple[Row, ...]]:
    rows = [
        (Button(words.plain(f"ruleset.{rules.name}"), data(room.name, "own-rules", number, 0, 0)),)
        for number, rules in enumerate(OFFERED, start=1)
    ]
    if _has_game(room):
        rows.append((Button(words.plain("button.back"), data(room.name, "own-rules", HERE, 0, 0)),))
    return words.html("rules.choose"), tuple(rows)
