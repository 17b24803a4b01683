"""The texts, signs and pictures of an expansion, as one value.

``bot/display/expansions/`` has a file for each expansion, and joins them into one.
"""

import json
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import field, fields
from pathlib import Path
from typing import Any, TypeVar

from markupsafe import Markup

from bot.display.telling import Line
from bot.display.words import Words, bold
from engine import Board, Seat, Setup, board_of, ruleset
from engine.facts import Fact
from engine.frozen import frozen
from engine.table import Table
from engine.tiles import UNKNOWN, kind, power

#: An icon in a box of 100 by 100: kinds of shapes, each with its path data (see ``pictures.svg.icon``).
Shapes = Sequence[Sequence[str]]
#: The name of Hitler's icon, which each theme draws in its own way.
HITLER = "hitler"


@frozen
class Mark:
    """A temporary mark on a living player: ``mark.<tag>`` in lists, and a badge in pictures."""

    #: The tag on the table.
    tag: str
    #: The name of the badge's icon.
    icon: str
    #: Returns how long the mark still lasts, from the table and the tag's number.
    left: Callable[[Table, int], int]


@frozen
class Face:
    """The look of a kind of tile that does not show the symbol of its own track."""

    #: The name of an icon.
    icon: str | None = None
    #: The party whose symbol is shown crossed out instead.
    against: str | None = None


@frozen
class Tables:
    """The tables that the rules' pages describe: one, or all tables of a ruleset by size and option."""

    setups: tuple[Setup, ...]
    #: Those of them with no option chosen, one of each size.
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


@frozen
class Page:
    """A page of the rules: its subject, its text, and the powers that it explains below.

    A power that an earlier page explains is not explained again.
    """

    key: str
    text: Markup
    powers: tuple[str, ...] = ()


#: Returns a page of the rules for these tables, or None if they do not need it.
PageOf = Callable[[Words, Tables], Page | None]


@frozen
class Expansion:
    """Everything of one expansion that people see.

    Each fact has a line or is in ``without_line``. A history tells it, or it is in ``forgotten``.
    """

    #: The line for the group about a fact, when it happens.
    lines: Mapping[type[Fact], Line] = field(default_factory=dict)
    #: Facts without a line for the group.
    without_line: frozenset[type[Fact]] = frozenset()
    #: The private line about a fact for a seat that may know all of it. Facts that prompts tell have none.
    whispers: Mapping[type[Fact], Line] = field(default_factory=dict)
    #: For public facts with a private line, the seat that gets it.
    struck: Mapping[type[Fact], Callable[[Any], Seat]] = field(default_factory=dict)
    #: A history's line about a fact, in the third person, as far as the reader knows the fact. For facts that
    #: are not here a history uses the group's line.
    remembered: Mapping[type[Fact], Line] = field(default_factory=dict)
    #: Facts without a line in a history, because other lines say the same.
    forgotten: frozenset[type[Fact]] = frozenset()
    marks: tuple[Mark, ...] = ()
    #: The rules' text about a power if it depends on the table. Other powers have ``rules.power.<power>``.
    explained: Mapping[str, Callable[[Words, Tables], Markup]] = field(default_factory=dict)
    #: Icons by name: ``power/<power>`` for each power, ``role/<role>`` for each secret role, and those that
    #: faces and marks name.
    icons: Mapping[str, Shapes] = field(default_factory=dict)
    #: By ending, the names of the icons that show how the game was won. A full track needs none.
    endings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: By kind of tile.
    faces: Mapping[str, Face] = field(default_factory=dict)
    #: For facts by which somebody was publicly shown a party: the viewer (None: everybody), the seat, and the
    #: party (None: the reader does not know it).
    showings: Mapping[type[Fact], Callable[[Any], tuple[Seat | None, Seat, str | None]]] = field(
        default_factory=dict
    )
    #: Questions that may be asked below the group's message, because everybody knows the options and learns
    #: the answer (of ballots, all at once).
    open_choices: frozenset[str] = frozenset()
    #: Questions whose answer kills somebody at once. A tap counts only if it is repeated.
    fatal: frozenset[str] = frozenset()
    #: Questions that get no record in private chats, because answers may change until the question closes.
    without_record: frozenset[str] = frozenset()
    #: Options that are words, not tiles.
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
    """Return the powers that these tiles carry, or may carry if powers are drawn by lot. Each comes once."""
    may_carry = ruleset(tables.setups[0].ruleset).tiles
    named: list[str | None] = []
    for tile in tiles:
        named += may_carry[kind(tile)] if power(tile) == UNKNOWN else [power(tile)]
    return tuple(dict.fromkeys(name for name in named if name))


# --- rules tables -------------------------------------------------------------------------------------------
# Show in the rules how many of each thing there are, by the number of players.

#: The sign for the number of players.
PLAYERS = "👥"
T = TypeVar("T", bound=Hashable)


def numbers(words: Words, counts: Sequence[int]) -> Markup:
    """Return numbers as a list, with ranges for successive ones: ``5–7, 9``."""
    ranges: list[list[int]] = []
    for count in counts:
        if ranges and ranges[-1][-1] == count - 1:
            ranges[-1] = [ranges[-1][0], count]
        else:
            ranges.append([count])
    return words.listed(Markup("–").join(map(str, ends)) for ends in ranges)


def sign(words: Words, power: str) -> str:
    """Return the sign of a power."""
    return words.plain(f"power.{power}").partition(" ")[0]


def grouped(setups: Iterable[Setup], value: Callable[[Board], T]) -> dict[T, list[int]]:
    """Group the numbers of players by a value of their boards."""
    found: dict[T, list[int]] = {}
    for setup in setups:
        found.setdefault(value(board_of(setup)), []).append(setup.players)
    return found


def sizes_label(words: Words, sizes: Sequence[int]) -> Markup:
    """Return numbers of players after the sign for players."""
    return Markup("{} {}").format(PLAYERS, numbers(words, sizes))


def roles_lines(words: Words, tables: Tables, roles: Collection[str]) -> list[Markup]:
    """Say what each of these secret roles does that is in the deal; for a whole ruleset, in which sizes."""
    dealt = dict.fromkeys(role for board in tables.boards for role in _secret_roles(board))
    lines = []
    for role in [role for role in dealt if role in roles]:
        held = {setup.players for setup in tables.setups if role in _secret_roles(board_of(setup))}
        sizes, name = sorted(held), bold(words.plain(f"role.{role}"))
        name = Markup("{} ({})").format(name, sizes_label(words, sizes)) if tables.whole else name
        text = words.html(f"rules.secret.{role}", zone=tables.boards[0].zone)
        lines.append(words.html("named", name=name, value=text))
    return lines


def _secret_roles(board: Board) -> list[str]:
    return [card.partition(":")[2] for card in board.secret_roles]


def count_table(words: Words, setups: Iterable[Setup], counts: Callable[[Board], tuple[int, ...]]) -> Markup:
    """Return a table of counts. Each row begins with the numbers of players whose boards have them."""
    labelled = [(sizes_label(words, sizes), found) for found, sizes in grouped(setups, counts).items()]
    width = max(len(label) for label, _ in labelled)
    lines = [
        f"{label:<{width}}  " + " · ".join(f"{count:>2}" for count in counts) for label, counts in labelled
    ]
    return Markup("<pre>{}</pre>").format("\n".join(lines))


def roles_page(words: Words, tables: Tables, key: str, roles: Collection[str]) -> Page | None:
    """Return the page about these secret roles, or None if none of them is in the deal."""
    if not (lines := roles_lines(words, tables, roles)):
        return None
    return Page(key, Markup("\n").join([words.html(f"rules.{key}", zone=tables.boards[0].zone), *lines]))


def tiles_page(words: Words, tables: Tables, key: str, tiles: Sequence[str]) -> Page | None:
    """Return the page about these tiles, which carry powers, or None if there are none."""
    if not tiles:
        return None
    text = Markup("\n\n").join([words.html(f"rules.{key}"), *tile_lines(words, tables, tiles)])
    return Page(key, text, carried_powers(tables, tiles))


def icons_of(expansion: str) -> dict[str, Shapes]:
    """Return the icons in ``expansions/<expansion>.json``."""
    file = Path(__file__).parent / "expansions" / f"{expansion}.json"
    icons: dict[str, Shapes] = json.loads(file.read_text(encoding="utf-8"))
    return icons


def tile_lines(words: Words, tables: Tables, tiles: Sequence[str]) -> list[Markup]:
    """Return tiles that carry powers, with the powers' signs. For a whole ruleset, add how many there are.

    If the number depends on an option, each of the option's values has its own table.
    """
    kinds = tuple(dict.fromkeys(map(kind, tiles)))
    named = []
    for each in kinds:
        carried = carried_powers(tables, [tile for tile in tiles if kind(tile) == each])
        signs = Markup(" ").join(sign(words, power) for power in carried)
        named.append(words.html("named", name=words.html(f"tile.{each}"), value=signs))
    lines = [Markup("\n").join(named)]
    if not tables.whole:
        return lines

    def counts(board: Board) -> tuple[int, ...]:
        there = [(kind(tile), count) for tile, count in board.deck.items() if tile in tiles]
        return tuple(sum(count for name, count in there if name == each) for each in kinds)

    by_option: dict[str, list[Setup]] = {}
    for setup in tables.setups:
        if any(counts(board_of(setup))):
            by_option.setdefault(" ".join(setup.options.values()), []).append(setup)
    for value, setups in by_option.items():
        title = [words.html("rules.option", value=words.html(f"value.{value}"))] if len(by_option) > 1 else []
        names = Markup(" · ").join(words.html(f"tile.{each}") for each in kinds)
        lines.append(Markup("\n").join([*title, names, count_table(words, setups, counts)]))
    return lines
