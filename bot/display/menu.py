"""Menus by buttons: things that have values.

A tap on a thing takes its next value. A thing with many values, or with explained ones, shows them first.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.display.buttons import Button, Row
from bot.display.words import Words, plain_name
from engine import ruleset

#: Numbers in the place of an item in a tap: close the menu, or show all items.
CLOSE, ALL = -1, 0
#: An item with more values than this shows them instead of taking the next one.
MOST_TURNS = 5
#: The item whose values are names of boards, and the value for the printed board.
BOARD, PRINTED = "board", ""


@dataclass(frozen=True, slots=True)
class MenuItem:
    """Something that has values: its key, the values, the one that is on."""

    key: str
    values: tuple[str, ...]
    value: str
    #: True if its values are shown with a line about it, before one is taken.
    explained: bool = False

    def label(self, words: Words) -> str:
        """Return its name."""
        return words.plain(f"setup.{self.key}")

    def now(self, words: Words) -> str:
        """Return its name, with the value that is on."""
        return words.plain("named", name=self.label(words), value=self.value_label(words, self.value))

    @property
    def next_place(self) -> int:
        """Return the place of the value that a tap takes, from 1 on; 0 if the tap shows all of them.

        The button carries the place, so a double tap is harmless.
        """
        if self.explained or len(self.values) > MOST_TURNS or self.value not in self.values:
            return 0
        return (self.values.index(self.value) + 1) % len(self.values) + 1

    def value_label(self, words: Words, value: str) -> str:
        """Return the name of one of its values."""
        if self.key == "ruleset":
            return words.plain(f"ruleset.{ruleset(value).name}")
        if self.key == BOARD:
            return plain_name(value) if value else words.plain("value.printed")
        if self.key == "language":
            return Words(value).plain("language")
        return words.plain(f"theme.{value}" if self.key == "theme" else f"value.{value}")


def menu(
    words: Words, items: Sequence[MenuItem], shown: int, tap: Callable[[int, int], str]
) -> tuple[Row, ...]:
    """Return the keyboard: the values of the item ``shown`` (from 1), or every item with its value.

    ``tap`` returns the callback data of an item and a value, each counted from 1.
    """
    if not 0 < shown <= len(items):
        rows = [
            (Button(item.now(words), tap(number, item.next_place)),)
            for number, item in enumerate(items, start=1)
        ]
        return (*rows, (Button(words.plain("button.back"), tap(CLOSE, 0)),))
    item = items[shown - 1]
    buttons = [
        Button(("● " if value == item.value else "○ ") + item.value_label(words, value), tap(shown, number))
        for number, value in enumerate(item.values, start=1)
    ]
    width = 2 if len(buttons) > 6 else 1
    rows_of_values = [tuple(buttons[at : at + width]) for at in range(0, len(buttons), width)]
    return (*rows_of_values, (Button(words.plain("button.back"), tap(ALL, 0)),))
