"""Setting up a lobby by buttons: ruleset, theme, and the ruleset's options."""

from dataclasses import replace
from zlib import crc32

from bot.conversation.lobby.filling import filled
from bot.conversation.posting import name_of, words_of
from bot.display.buttons import Button, Row, data
from bot.display.lobby import STRENGTH, STRENGTHS, fairer
from bot.display.menu import ALL, BOARD, PRINTED, MenuItem, menu
from bot.display.words import THEMES, Words, plain_name
from bot.rooms.model import Lobby, Player, Practice, Room
from bot.rooms.own_board import OwnBoard
from engine import OFFERED, ruleset

#: The number of the panel that shows the people instead.
PEOPLE = -2
#: The item that turns advice for the person who practises on or off.
ADVICE, ON_OFF = "advice", ("on", "off")


def items(room: Room, lobby: Lobby) -> tuple[MenuItem, ...]:
    """Return the things that can be set up in this lobby, in order."""
    rules = ruleset(lobby.setup.ruleset)
    seats = max(len(lobby.players), min(rules.players))
    chosen = rules.chosen(replace(lobby.setup, players=seats))
    return (
        MenuItem("ruleset", tuple(r.id for r in OFFERED), rules.id),
        MenuItem("theme", THEMES, room.settings.theme),
        *(MenuItem(name, rules.options[name].values, now, explained=True) for name, now in chosen.items()),
        *_boards(room, lobby),
        # Last, so that the numbers of all others stay the same when computers come and go.
        *([MenuItem(STRENGTH, STRENGTHS, room.settings.strength)] if lobby.computer_count else []),
        *([MenuItem(ADVICE, ON_OFF, ON_OFF[not practice.advice])] if (practice := lobby.practice) else []),
    )


def _boards(room: Room, lobby: Lobby) -> tuple[MenuItem, ...]:
    """Return the choice of boards, if the group has any that this ruleset plays."""
    fitting = [own.name for own in boards_for(room, lobby)]
    now = PRINTED if lobby.own is None else lobby.own.name
    return (MenuItem(BOARD, (PRINTED, *fitting), now),) if fitting or lobby.own else ()


def boards_for(room: Room, lobby: Lobby) -> tuple[OwnBoard, ...]:
    """Return the group's boards that somebody could play on with this lobby's ruleset and options."""
    setup = lobby.setup
    return tuple(own for own in room.boards if own.ruleset == setup.ruleset and own.sizes(setup.options))


def set_item(room: Room, lobby: Lobby, item: MenuItem, value: str) -> Room:
    """Return the room with one thing set. A new ruleset begins with its own defaults."""
    setup = lobby.setup
    if item.key == "ruleset":
        setup, lobby = replace(setup, ruleset=value, options={}), replace(lobby, own=None)
    elif item.key == "theme":
        room = replace(room, settings=replace(room.settings, theme=value))
    elif item.key == STRENGTH:
        room = replace(room, settings=replace(room.settings, strength=value))
    elif item.key == ADVICE:
        lobby = replace(lobby, practice=Practice(value == ON_OFF[0]))
    elif item.key == BOARD:
        chosen = next((own for own in boards_for(room, lobby) if own.name == value), None)
        lobby = replace(lobby, own=chosen)
    else:
        setup = replace(setup, options={**setup.options, item.key: value})
    lobby = replace(lobby, setup=setup, panel=ALL)
    return replace(room, lobby=lobby if lobby.practice is None else filled(words_of(room), lobby))


def fairer_rows(words: Words, room: Room, lobby: Lobby) -> tuple[Row, ...]:
    """Return a button that makes a lopsided table fairer. One more computer has its button already."""
    found, where, rows = fairer(lobby), name_of(room), []
    if found is not None and found.option:
        name, value = found.option
        keyed = enumerate(items(room, lobby), start=1)
        number, item = next((number, item) for number, item in keyed if item.key == name)
        tap = data(where, "setup", lobby.number, number, item.values.index(value) + 1)
        rows.append((Button(f"⚖️ {replace(item, value=value).now(words)}", tap),))
    if found is not None and found.computers > 1:
        tap = data(where, "computers", lobby.number, lobby.computer_count + found.computers)
        rows.append((Button(words.plain("button.computers-fill", count=found.computers), tap),))
    return tuple(rows)


def panel_keyboard(words: Words, room: Room, lobby: Lobby) -> tuple[Row, ...]:
    """Return the buttons of the panel that the lobby shows."""

    def tap(item: int, value: int) -> str:
        return data(name_of(room), "setup", lobby.number, item, value)

    if lobby.panel == PEOPLE:
        return (*_people(words, room, lobby), (Button(words.plain("button.back"), tap(ALL, 0)),))
    rows = menu(words, items(room, lobby), lobby.panel or ALL, tap)
    if lobby.panel or not lobby.players or lobby.practice is not None:
        return rows
    return (*rows[:-1], (Button(words.plain("button.people"), tap(PEOPLE, 0)),), rows[-1])


def _people(words: Words, room: Room, lobby: Lobby) -> tuple[Row, ...]:
    """Return buttons for each player: make them the host, if they are a person; take their seat away."""
    return tuple(_about(words, room, lobby, player) for player in lobby.players)


def _about(words: Words, room: Room, lobby: Lobby, player: Player) -> Row:
    where, remove = name_of(room), words.plain("button.remove")
    away = data(where, "remove", lobby.number, in_button(player))
    if player.id is None:
        return (Button(f"{plain_name(player.shown, 24)} {remove}", away),)
    host = Button(
        words.plain("button.host", name=plain_name(player.name, 24)),
        data(where, "host", lobby.number, player.id),
    )
    return (host, Button(remove, away))


def in_button(player: Player) -> int:
    """Return a player's number in a button: a person's id, above 0, or a computer's name's checksum, below 0.

    An index in the list would name somebody else after another player has left, and then two taps would do
    more than one.
    """
    return -1 - crc32(player.name.encode()) if player.id is None else player.id
