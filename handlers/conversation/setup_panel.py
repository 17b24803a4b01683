"""Setting up a lobby by buttons: ruleset, theme, and the ruleset's options."""

from dataclasses import replace

from engine import RULESETS, ruleset
from handlers.conversation.places import name_of
from handlers.display.buttons import Button, Row, data
from handlers.display.menu import ALL, BOARD, PRINTED, Item, menu
from handlers.display.words import Words, plain_name
from handlers.rooms.model import Lobby, Room
from handlers.rooms.own_board import OwnBoard

#: The panel that shows the people instead.
PEOPLE = -2
THEMES = ("weimar", "cold-war")


def items(room: Room, lobby: Lobby) -> tuple[Item, ...]:
    """What can be set up in this lobby, in order."""
    rules = ruleset(lobby.setup.ruleset)
    seats = max(len(lobby.players), min(rules.players))
    chosen = rules.chosen(replace(lobby.setup, players=seats))
    return (
        Item("ruleset", tuple(r.id for r in RULESETS), rules.id),
        Item("theme", THEMES, room.settings.theme),
        *(Item(name, choice.values, chosen[name]) for name, choice in rules.options.items()),
        *_boards(room, lobby),
    )


def _boards(room: Room, lobby: Lobby) -> tuple[Item, ...]:
    """The printed board or one of the group's own, where there are any that this ruleset plays."""
    fitting = [own.name for own in boards_for(room, lobby)]
    now = PRINTED if lobby.own is None else lobby.own.name
    return (Item(BOARD, (PRINTED, *fitting), now),) if fitting or lobby.own else ()


def boards_for(room: Room, lobby: Lobby) -> tuple[OwnBoard, ...]:
    """The group's boards that somebody could play on with this lobby's ruleset and options."""
    setup = lobby.setup
    return tuple(own for own in room.boards if own.ruleset == setup.ruleset and own.sizes(setup.options))


def set_item(room: Room, lobby: Lobby, item: Item, value: str) -> Room:
    """The room with one thing set up otherwise. Another ruleset begins with its own defaults."""
    setup = lobby.setup
    if item.key == "ruleset":
        setup, lobby = replace(setup, ruleset=value, options={}), replace(lobby, own=None)
    elif item.key == "theme":
        room = replace(room, settings=replace(room.settings, theme=value))
    elif item.key == BOARD:
        chosen = next((own for own in boards_for(room, lobby) if own.name == value), None)
        lobby = replace(lobby, own=chosen)
    else:
        setup = replace(setup, options={**setup.options, item.key: value})
    return replace(room, lobby=replace(lobby, setup=setup, panel=ALL))


def panel_keyboard(words: Words, room: Room, lobby: Lobby) -> tuple[Row, ...]:
    """The buttons of the panel that the lobby shows."""

    def tap(item: int, value: int) -> str:
        return data(name_of(room), "setup", lobby.number, item, value)

    if lobby.panel == PEOPLE:
        return (*_people(words, room, lobby), (Button(words.plain("button.back"), tap(ALL, 0)),))
    rows = menu(words, items(room, lobby), lobby.panel or ALL, tap)
    if lobby.panel or not lobby.players:
        return rows
    return (*rows[:-1], (Button(words.plain("button.people"), tap(PEOPLE, 0)),), rows[-1])


def _people(words: Words, room: Room, lobby: Lobby) -> tuple[Row, ...]:
    """For each player: make them the host, take their seat away."""
    where = name_of(room)
    return tuple(
        (
            Button(
                words.plain("button.host", name=plain_name(player.name, 24)),
                data(where, "host", lobby.number, player.id),
            ),
            Button(words.plain("button.remove"), data(where, "remove", lobby.number, player.id)),
        )
        for player in lobby.players
    )
