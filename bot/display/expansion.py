"""An expansion's words, signs and pictures, as one value.

``bot/display/expansions/`` holds a file for each, and lists them. Nothing else needs to know any.
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

#: An icon, in a box of 100 by 100: kinds of shapes with their path data (see ``pictures.icons``).
Shapes = tuple[tuple[str, str], ...]
#: Stands for the icon of Hitler, of which each look has its own.
HITLER = "hitler"


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark on a living player that runs out: ``mark.<tag>`` in lists, a badge in pictures."""

    #: The tag on the table.
    tag: str
    #: The name of the badge's icon.
    icon: str
    #: How much of it is left, from the table and the number that the tag holds.
    left: Callable[[Table, int], int]


@dataclass(frozen=True, slots=True)
class Face:
    """How a kind of tile looks that shows something else than its track's own symbol."""

    #: The name of an icon.
    icon: str | None = None
    #: The party whose symbol is shown crossed out instead.
    against: str | None = None


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables that pages of the rules are for: one, or those of a ruleset in every size and option."""

    setups: tuple[Setup, ...]
    #: Of these, the ones without a chosen option: one of each size.
    plain: tuple[Setup, ...]

    @property
    def whole(self) -> bool:
        """Return whether they are all tables of a ruleset, rather than one."""
        return len(self.setups) > 1

    @property
    def boards(self) -> tuple[Board, ...]:
        """The boards of all of them."""
        return tuple(map(board_of, self.setups))

    @property
    def deck(self) -> tuple[str, ...]:
        """Every tile that is in the deck of one of them."""
        return tuple(dict.fromkeys(tile for board in self.boards for tile in board.deck))

    def sizes(self, holds: Callable[[Board], bool]) -> tuple[int, ...]:
        """The numbers of players with whom something may hold of the board."""
        return tuple(sorted({setup.players for setup in self.setups if holds(board_of(setup))}))


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the rules: what it is about, its text, and the powers that are explained below it.

    A power that an earlier page explains is not explained again.
    """

    key: str
    text: Html
    powers: tuple[str, ...] = ()


#: A page of the rules for some tables, or None where there is nothing of it.
PageOf = Callable[[Words, Tables], Page | None]


@dataclass(frozen=True, slots=True)
class Expansion:
    """One expansion's share of what people see.

    Every fact has a line, or none on purpose. A history remembers it, or leaves it out on purpose.
    """

    #: What the group is told about a fact, when it happens.
    lines: Mapping[type[Fact], Line] = field(default_factory=dict)
    #: Facts that the group is told nothing about when they happen.
    without_line: frozenset[type[Fact]] = frozenset()
    #: What a seat is told in private about a fact that it may know whole, unless its prompts say enough.
    whispers: Mapping[type[Fact], Line] = field(default_factory=dict)
    #: What a history says of a fact, within its round and as far as the hearer knows it, in the third person.
    #: Of a fact that has nothing here it says what the group was told when it happened.
    remembered: Mapping[type[Fact], Line] = field(default_factory=dict)
    #: Facts that need no line of a history: others say the same.
    forgotten: frozenset[type[Fact]] = frozenset()
    marks: tuple[Mark, ...] = ()
    #: By power, what the rules say of it where that depends on the table; else ``rules.power.<power>``.
    explained: Mapping[str, Callable[[Words, Tables], Html]] = field(default_factory=dict)
    #: By name: ``power/<power>`` for each power, ``role/<role>`` for each secret role, and whatever faces
    #: and marks name.
    icons: Mapping[str, Shapes] = field(default_factory=dict)
    #: By ending, the icons that say how it was won, side by side; a full track needs none.
    endings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: By kind of tile.
    faces: Mapping[str, Face] = field(default_factory=dict)
    #: Facts by which somebody was shown a party, all knowing to whom: who saw it (None: everybody), whose it
    #: is, and which (None: the hearer does not know it).
    showings: Mapping[type[Fact], Callable[[Any], tuple[int | None, int, str | None]]] = field(
        default_factory=dict
    )
    #: Questions whose options everybody knows, and whose answer everybody learns (or, ballots, learns
    #: together): they may be asked under the group's message.
    open_choices: frozenset[str] = frozenset()
    #: Questions whose answer kills somebody at once. A tap on one counts only when it is repeated.
    fatal: frozenset[str] = frozenset()
    #: Questions whose answers may be changed until they close: these leave no record in private chats.
    without_record: frozenset[str] = frozenset()
    #: Options that are words of their own rather than tiles.
    verbs: frozenset[str] = frozenset()
    #: Pages of the rules, in order.
    pages: tuple[PageOf, ...] = ()


class Clash(ValueError):
    """Two expansions say something about the same thing."""


def together(expansions: Iterable[Expansion]) -> Expansion:
    """Several expansions as one, in their order. Raises Clash, naming what two of them lay claim to."""
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
    """Return the powers that these tiles carry or, if drawn by lot, may carry; each once."""
    may_carry = ruleset(tables.setups[0].ruleset).tiles
    named: list[str | None] = []
    for tile in tiles:
        named += may_carry[kind(tile)] if power(tile) == UNKNOWN else [power(tile)]
    return tuple(dict.fromkeys(name for name in named if name))
