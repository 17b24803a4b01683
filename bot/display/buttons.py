"""Buttons and their callback data, menus of buttons, and long texts in pages.

Callback data is a verb, the room, and small numbers, within Telegram's 64 bytes. It holds no secret: an
answer is identified by its question's number and its option's index.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, cast

from markupsafe import Markup

from bot.display.words import Words, plain_name, shown_length
from bot.rooms.names import RoomName, from_short
from engine import ruleset
from engine.frozen import frozen

#: The first word of callback data.
# fmt: off
Verb = Literal[
    "join", "leave", "start", "beacon", "host", "remove", "computers", "rematch", "night", "setup",
    "answer", "guess", "claim", "clock", "cancel", "off", "back", "quit", "sit", "replace", "unseat",
    "set", "board", "rules", "own-rules", "role", "note", "again", "language", "counted", "curve",
    "forget", "fair", "proof", "film", "decided", "step", "lookback", "opened", "watch", "erase", "howto",
    "learn", "practice", "advise",
]
# fmt: on
#: The verbs, each with the number of arguments that follow the room.
VERBS: Mapping[Verb, int] = {
    "join": 1,  # lobby
    "leave": 1,  # lobby
    "start": 1,  # lobby
    "beacon": 2,  # lobby, 1: deal without it, 0: wait
    "host": 2,  # lobby, user
    "remove": 2,  # lobby, user (below 0: a computer, by its name's checksum)
    "computers": 2,  # lobby, their new number
    "rematch": 1,  # game
    "night": 2,  # the game night's beginning, the answer
    "setup": 3,  # lobby, item (-1: close, 0: all), value (0: show its values)
    "answer": 3,  # game, question, option
    "guess": 2,  # game, seat
    "claim": 4,  # game, round, kind, choice
    "clock": 2,  # game, question
    "cancel": 3,  # lobby or game, the game's question (0: it is a lobby), 1: yes, 0: no
    "off": 1,  # game: vote to cancel it
    "back": 1,  # game: the player for whom a computer answered is back
    "quit": 3,  # game, seat, 1: leave, 0: stay
    "sit": 2,  # game, seat
    "replace": 2,  # game, seat
    "unseat": 2,  # game, seat (-1: show them)
    "set": 2,  # setting (-1: close, 0: all), value (0: show its values)
    "board": 4,  # board of the group's own, panel, thing, change
    "rules": 3,  # ruleset (0: the one played here), page (-1: choose), 0: the page, -1: the board's picture
    "own-rules": 3,  # the same in a private chat
    "role": 1,  # game
    "note": 3,  # game, seat (-1: show the game's buttons), the note to store (0: none)
    "again": 2,  # command, the number of lobbies so far
    "language": 1,  # its number (0: Telegram's)
    "counted": 1,  # 1: counted in statistics, 0: not
    "curve": 1,  # always 0
    "forget": 1,  # 1: yes, 0: no
    "fair": 1,  # 1: why a deal is fair, 2 and 4: how to play, 3: what the bot stores, 0: back
    "proof": 1,  # game
    "film": 2,  # game, time of its end: watch it again, in private
    "decided": 2,  # game, time of its end: what decided it, in private
    "step": 4,  # game, when it ended, step (-1: a new message), 0: as the table saw it, 1: as it was
    "lookback": 2,  # game, when it ended
    "opened": 2,  # game, when it ended: its proof
    "watch": 1,  # game: as a dead player, see all cards from now on
    "erase": 2,  # the number of lobbies so far, 1: erase all of the group's data, 0: nothing
    "howto": 1,  # lobby: how to play, in private
    "learn": 1,  # lobby: practice by its rules, in private
    "practice": 2,  # 0: open a table, 1: end the game, 2: go on with it; the game (0 for a table)
    "advise": 2,  # game, question: what a good player would do
}

#: The verbs of buttons below messages in the group that they name. Anybody can forge callback data, but not
#: the chat of a tap. So if a verb is only in this set, a tap from elsewhere does not count.
IN_GROUPS: frozenset[Verb] = frozenset(
    {
        *("join", "leave", "start", "beacon", "host", "remove", "rematch", "setup", "answer", "clock"),
        *("cancel", "off", "computers"),
        *("quit", "sit", "replace", "unseat", "set", "board", "rules", "role", "again", "howto"),
        *("learn", "proof", "erase", "film", "decided", "night"),
    }
)
#: The verbs of buttons in private chats. A tap on them concerns only the tapper's own seat or data. "role" is
#: in both sets, because it shows tappers their own role. A lobby's verbs need not be here for a person's own
#: room, where nobody else can tap.
IN_PRIVATE: frozenset[Verb] = frozenset(
    {
        *("answer", "claim", "guess", "watch", "own-rules", "language", "counted", "curve", "forget", "fair"),
        *("practice", "advise", "role", "note", "step", "lookback", "opened", "back"),
    }
)

_SEPARATOR = "|"
#: Numbers as we write them. Python's ``int`` also takes spaces, underscores and other scripts' digits.
_NUMBER = re.compile("-?[0-9]{1,17}")
#: Enough digits for a user id or a language, and few enough to be safe with forged buttons.
_TOO_LARGE = 10**17
#: Telegram's limit.
MAX_BYTES = 64


@frozen
class Button:
    """One button of an inline keyboard: exactly one of ``data`` and ``url``."""

    text: str
    data: str | None = None
    url: str | None = None


#: A row of buttons.
Row = tuple[Button, ...]


def data(room: RoomName, verb: Verb, *args: int) -> str:
    """Return a button's callback data.

    Raises ValueError for an unknown verb, a wrong number of arguments, or one that is too large.
    """
    if VERBS.get(verb) != len(args):
        raise ValueError(f"{verb!r} does not take {len(args)} arguments")
    if max(map(abs, args), default=0) >= _TOO_LARGE:
        raise ValueError(f"{verb!r} carries a number that is too large")
    return _SEPARATOR.join((verb, room.short, *map(str, args)))


def read(text: str) -> tuple[RoomName, Verb, tuple[int, ...]] | None:
    """Read callback data; None if it is not ours. Anybody can forge it."""
    if len(text.encode()) > MAX_BYTES:
        return None
    first, _, rest = text.partition(_SEPARATOR)
    verb = cast("Verb", first)
    short, *numbers = rest.split(_SEPARATOR)
    if VERBS.get(verb) != len(numbers) or not all(map(_NUMBER.fullmatch, numbers)):
        return None
    try:
        return from_short(short), verb, tuple(map(int, numbers))
    except ValueError:
        return None


# --- menu ---------------------------------------------------------------------------------------------------
# A menu of items that have values. A tap on an item takes its next value. If an item has many values or an
# explanation, the tap shows the values first.

#: In place of an item's number in a tap: close the menu, or show all items.
CLOSE, ALL = -1, 0
#: A tap on an item with more values than this shows them, instead of taking the next one.
MOST_TURNS = 5
#: The item whose values are names of boards, and the value for the printed board.
BOARD, PRINTED = "board", ""


@frozen
class MenuItem:
    """An item of a menu: its key, its possible values, and the one that is on."""

    key: str
    values: tuple[str, ...]
    value: str
    #: True if a tap shows its values with a line of explanation, instead of taking the next one.
    explained: bool = False

    def label(self, words: Words) -> str:
        """Return the item's name."""
        return words.plain(f"setup.{self.key}")

    def now(self, words: Words) -> str:
        """Return the item's name, with the value that is on."""
        return words.plain("named", name=self.label(words), value=self.value_label(words, self.value))

    @property
    def next_place(self) -> int:
        """Return the place of the value that a tap takes, counted from 1; 0 if the tap shows all values.

        The button carries the place, so a double tap is harmless.
        """
        if self.explained or len(self.values) > MOST_TURNS or self.value not in self.values:
            return 0
        return (self.values.index(self.value) + 1) % len(self.values) + 1

    def value_label(self, words: Words, value: str) -> str:
        """Return the name of one of the item's values."""
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
    """Return a menu's buttons: the values of item ``shown`` (counted from 1), or all items if it is ``ALL``.

    ``tap`` returns the callback data for an item and a value, each counted from 1.
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


# --- pages --------------------------------------------------------------------------------------------------
# Split a long text into as many messages as it needs. Its older part expands when tapped.

#: The longest text, in UTF-16 units. It is below Telegram's limit, to leave room for more.
LONGEST = 3900
#: The most entities in a text. Telegram shows about 100, and the rest as plain text.
MOST_ENTITIES = 90

_TAGS = re.compile(r"<[a-z]")


def entity_count(html_text: str) -> int:
    """Return how many entities a text has, such as bold, quoted or linked parts."""
    return len(_TAGS.findall(html_text))


def pages(title: Markup, blocks: Sequence[Markup]) -> tuple[tuple[Markup, ...], ...]:
    """Split blocks, each whole HTML, into pages that fit into a text. The first leaves room for a title."""
    found: list[list[Markup]] = [[]]
    length, entities = shown_length(title), entity_count(title)
    for block in blocks:
        length += shown_length(block) + 1
        entities += entity_count(block)
        if found[-1] and (length > LONGEST or entities > MOST_ENTITIES):
            found.append([])
            length, entities = shown_length(block), entity_count(block)
        found[-1].append(block)
    return tuple(tuple(page) for page in found)


def expandable_texts(title: Markup, blocks: Sequence[Markup], latest: int = 0) -> tuple[Markup, ...]:
    """Return the blocks in as many texts as needed, folded. The last ``latest`` blocks stay open."""
    of_pages = pages(title, blocks)
    texts = []
    for number, page in enumerate(of_pages, start=1):
        still_open = latest if number == len(of_pages) else 0
        closed, left_open = page[: max(len(page) - still_open, 0)], page[max(len(page) - still_open, 0) :]
        lines = [title] if number == 1 else []
        lines += [expandable(Markup("\n").join(closed))] if closed else []
        texts.append(Markup("\n").join([*lines, *left_open]))
    return tuple(texts)


def expandable(text: Markup) -> Markup:
    """Return a text of which Telegram shows the first lines, and the rest after a tap."""
    return Markup("<blockquote expandable>{}</blockquote>").format(text)


def latest(blocks: Sequence[Markup], length: int) -> list[Markup]:
    """Return as many of the latest blocks as fit into this many UTF-16 units, a line each.

    An ellipsis replaces the others. Each block is whole HTML.
    """
    kept: list[Markup] = []
    for block in reversed(blocks):
        length -= shown_length(block) + 1
        if length < 0:
            kept.append(Markup("…"))
            break
        kept.append(block)
    return kept[::-1]
