"""Setting up a lobby by buttons: ruleset, theme, and the ruleset's options."""

from dataclasses import dataclass, replace

from engine import RULESETS, ruleset
from handlers.conversation.buttons import data
from handlers.conversation.outcome import Button, Row
from handlers.conversation.places import name_of
from handlers.display.words import Words
from handlers.rooms.model import Lobby, Room

THEMES = ("weimar", "cold-war")
#: What a tap's numbers mean where they name no item: show the lobby's own buttons, or all items.
CLOSE, ALL = -1, 0


@dataclass(frozen=True, slots=True)
class Item:
    """Something that can be set up: its key, its values, the one that is on."""

    key: str
    values: tuple[str, ...]
    value: str

    def label(self, words: Words) -> str:
        """What it is called."""
        return words.plain(f"setup.{self.key}")

    def value_label(self, words: Words, value: str) -> str:
        """What one of its values is called."""
        if self.key == "ruleset":
            return words.plain(f"ruleset.{ruleset(value).name}")
        return words.plain(f"theme.{value}" if self.key == "theme" else f"value.{value}")


def items(room: Room, lobby: Lobby) -> tuple[Item, ...]:
    """What can be set up in this lobby, in order."""
    rules = ruleset(lobby.setup.ruleset)
    seats = max(len(lobby.players), min(rules.players))
    chosen = rules.chosen(replace(lobby.setup, players=seats))
    return (
        Item("ruleset", tuple(r.id for r in RULESETS), rules.id),
        Item("theme", THEMES, room.settings.theme),
        *(Item(name, choice.values, chosen[name]) for name, choice in rules.options.items()),
    )


def set_item(room: Room, lobby: Lobby, item: Item, value: str) -> Room:
    """The room with one thing set up otherwise. Another ruleset begins with its own defaults."""
    setup = lobby.setup
    if item.key == "ruleset":
        setup = replace(setup, ruleset=value, options={}, board=None)
    elif item.key == "theme":
        room = replace(room, settings=replace(room.settings, theme=value))
    else:
        setup = replace(setup, options={**setup.options, item.key: value})
    return replace(room, lobby=replace(lobby, setup=setup, panel=ALL))


def panel_keyboard(words: Words, room: Room, lobby: Lobby) -> tuple[Row, ...]:
    """The buttons of the panel that the lobby shows."""
    panel = lobby.panel or ALL
    things = items(room, lobby)
    if not 0 < panel <= len(things):
        rows = [
            (_button(room, lobby, f"{item.label(words)}: {item.value_label(words, item.value)}", number),)
            for number, item in enumerate(things, start=1)
        ]
        return (*rows, (_button(room, lobby, words.plain("button.back"), CLOSE),))
    item = things[panel - 1]
    rows = [
        (
            _button(
                room,
                lobby,
                ("● " if value == item.value else "○ ") + item.value_label(words, value),
                panel,
                number,
            ),
        )
        for number, value in enumerate(item.values, start=1)
    ]
    return (*rows, (_button(room, lobby, words.plain("button.back"), ALL),))


def _button(room: Room, lobby: Lobby, text: str, item: int, value: int = 0) -> Button:
    return Button(text, data(name_of(room), "setup", lobby.number, item, value))
