"""An expansion's words, signs and pictures, as one value.

``bot/display/expansions/`` has a file for each, and a list of them. No other module names an expansion.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from bot.display.telling import Line
from bot.display.words import Html, Words
from engine import Board, Setup, board_of, ruleset
from engine.facts import Fact
from engine.table import Table
from engine.tiles import UNKNOWN, kind, power

#: An icon in a box of 100 by 100: kinds of shapes, with their path data (see ``pictures.icons``).
Shapes = tuple[tuple[str, str], ...]
#: The icon of Hitler, which each theme draws in its own way.
HITLER = "hitler"


@dataclass(frozen=True, slots=True)
class Mark:
    """A temporary mark on a living player: ``mark.<tag>`` in lists, and a badge in pictures."""

    #: The tag on the table.
    tag: str
    #: The name of the badge's icon.
    icon: str
    #: Returns how long it still lasts, from the table and the tag's number.
    left: Callable[[Table, int], int]


@dataclass(frozen=True, slots=True)
class Face:
    """The look of a kind of tile that does not show its track's own symbol."""

    #: The name of an icon.
    icon: str | None = None
    #: The party whose symbol is shown crossed out instead.
    against: str | None = None


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables that pages of the rules are for: one, or a ruleset's tables of every size and option."""

    setups: tuple[Setup, ...]
    #: The tables without a chosen option, one of each size.
    plain: tuple[Setup, ...]

    @property
    def whole(self) -> bool:
        """Return True if these are all tables of a ruleset, and not just one."""
        return len(self.setups) > 1

    @property
    def boards(self) -> tuple[Board, ...]:
        """Return the boards of all tables."""
        return tuple(map(board_of, self.setups))

    @property
    def deck(self) -> tuple[str, ...]:
        """Return every tile that is in one of the decks."""
        return tuple(dict.fromkeys(tile for board in self.boards for tile in board.deck))

    def sizes(self, holds: Callable[[Board], bool]) -> tuple[int, ...]:
        """Return the numbers of players for which something may be true of the board."""
        return tuple(sorted({setup.players for setup in self.setups if holds(board_of(setup))}))


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the rules: its subject, its text, and the powers that are explained below it.

    A power that an earlier page explains is not explained again.
    """

    key: str
    text: Html
    powers: tuple[str, ...] = ()


#: Returns a page of the rules for some tables, or None if they do not need it.
PageOf = Callable[[Words, Tables], Page | None]


@dataclass(frozen=True, slots=True)
class Expansion:
    """One expansion's part of what people see.

    Each fact has a line or is in ``without_line``. A history tells it, or it is in ``forgotten``.
    """

    #: The line for the group about a fact, when it happens.
    lines: Mapping[type[Fact], Line] = field(default_factory=dict)
    #: Facts without a line for the group.
    without_line: frozenset[type[Fact]] = frozenset()
    #: The private line for a seat that may know all of a fact, unless its prompts say enough.
    whispers: Mapping[type[Fact], Line] = field(default_factory=dict)
    #: A history's line about a fact within its round, in the third person, as far as the reader knows the
    #: fact. For other facts a history uses the group's line.
    remembered: Mapping[type[Fact], Line] = field(default_factory=dict)
    #: Facts without a line in a history, because others say the same.
    forgotten: frozenset[type[Fact]] = frozenset()
    marks: tuple[Mark, ...] = ()
    #: The rules' text about a power, if it depends on the table; else it is ``rules.power.<power>``.
    explained: Mapping[str, Callable[[Words, Tables], Html]] = field(default_factory=dict)
    #: By name: ``power/<power>`` for each power, ``role/<role>`` for each secret role, and the icons that
    #: faces and marks name.
    icons: Mapping[str, Shapes] = field(default_factory=dict)
    #: By ending, the icons that show how the game was won; a full track needs none.
    endings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: By kind of tile.
    faces: Mapping[str, Face] = field(default_factory=dict)
    #: Facts by which somebody was publicly shown a party: the viewer (None: everybody), the seat, and the
    #: party (None: the reader does not know it).
    showings: Mapping[type[Fact], Callable[[Any], tuple[int | None, int, str | None]]] = field(
        default_factory=dict
    )
    #: Questions that may be asked under the group's message, because everybody knows the options and learns
    #: the answer (ballots all at once).
    open_choices: frozenset[str] = frozenset()
    #: Questions whose answer kills somebody at once. A tap counts only if it is repeated.
    fatal: frozenset[str] = frozenset()
    #: Questions whose answers may be changed until they close, so that private chats get no record.
    without_record: frozenset[str] = frozenset()
    #: Options that are words and not tiles.
    verbs: frozenset[str] = frozenset()
    #: Pages of the rules, in order.
    pages: tuple[PageOf, ...] = ()


class Clash(ValueError):
    """Two expansions define the same thing."""


def together(expansions: Iterable[Expansion]) -> Expansion:
    """Return several expansions as one, in their order. Raises Clash with what two of them define."""
    parts = tuple(expansions)
    merged = {f.name: _joined(f.name, [getattr(part, f.name) for part in parts]) for f in fields(Expansion)}
    _apart("lines", [*merged["lines"], *merged["without_line"]])
    _apart("remembered", [*merged["remembered"], *merged["forgotten"]])
    _apart("marks", [mark.tag for mark in merged["marks"]])
    return Expansion(**merged)


def _joined(name: str, parts: Sequence[Iterable[object]]) -> Any:
    every = [thing for part in parts for thing in part]
    _apart(name, every)
    if isinstance(parts[0], Mapping):
        return {key: value for part in parts if isinstance(part, Mapping) for key, value in part.items()}
    return type(parts[0])(every)  # type: ignore[call-arg]


def _apart(name: str, things: Sequence[object]) -> None:
    twice = {str(getattr(thing, "__name__", thing)) for thing in things if things.count(thing) > 1}
    if twice:
        raise Clash(f"{name}: said twice of {sorted(twice)}")


def carried_powers(tables: Tables, tiles: Iterable[str]) -> tuple[str, ...]:
    """Return the powers that these tiles carry, or may carry if they are drawn by lot; each once."""
    may_carry = ruleset(tables.setups[0].ruleset).tiles
    named: list[str | None] = []
    for tile in tiles:
        named += may_carry[kind(tile)] if power(tile) == UNKNOWN else [power(tile)]
    return tuple(dict.fromkeys(name for name in named if name))
