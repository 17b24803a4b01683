"""Numbers by size in the rules: what a table has, and for how many players a ruleset has it."""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import TypeVar

from bot.display.expansion import Tables, carried_powers
from bot.display.words import Html, Words, bold
from engine import Board, Setup, board_of
from engine.tiles import kind

#: The sign for the number of players.
PLAYERS = "👥"
T = TypeVar("T", bound=Hashable)


def numbers(words: Words, counts: Sequence[int]) -> Html:
    """Return numbers in order, with ranges for successive ones: ``5–7, 9``."""
    ranges: list[list[int]] = []
    for count in counts:
        if ranges and ranges[-1][-1] == count - 1:
            ranges[-1] = [ranges[-1][0], count]
        else:
            ranges.append([count])
    return words.listed(Html("–".join(map(str, ends))) for ends in ranges)


def sign(words: Words, power: str) -> str:
    """Return the sign of a power."""
    return words.plain(f"power.{power}").partition(" ")[0]


def grouped(setups: Iterable[Setup], value: Callable[[Board], T]) -> dict[T, list[int]]:
    """Return the numbers of players by a value that their boards share."""
    found: dict[T, list[int]] = {}
    for setup in setups:
        found.setdefault(value(board_of(setup)), []).append(setup.players)
    return found


def sizes_label(words: Words, sizes: Sequence[int]) -> Html:
    """Return the sign for players, and their numbers."""
    return Html(f"{PLAYERS} {numbers(words, sizes)}")


def roles_lines(words: Words, tables: Tables, roles: Collection[str]) -> list[Html]:
    """Say what each secret role in the deal does; for a whole ruleset, in which sizes."""
    dealt = dict.fromkeys(card.partition(":")[2] for board in tables.boards for card in board.secret_roles)
    lines = []
    for role in [role for role in dealt if role in roles]:
        sizes = tables.sizes(lambda board, role=role: _has(board, role))  # type: ignore[misc]
        name = bold(words.plain(f"role.{role}"))
        name = Html(f"{name} ({sizes_label(words, sizes)})") if tables.whole else name
        text = words.html(f"rules.secret.{role}", zone=tables.boards[0].zone)
        lines.append(words.html("named", name=name, value=text))
    return lines


def _has(board: Board, role: str) -> bool:
    return any(card.partition(":")[2] == role for card in board.secret_roles)


def table_by_size(words: Words, rows: Iterable[tuple[Sequence[int], Sequence[int]]]) -> Html:
    """Return rows of numbers, each with its numbers of players."""
    labelled = [(sizes_label(words, sizes), counts) for sizes, counts in rows]
    width = max(len(label) for label, _ in labelled)
    lines = [
        f"{label:<{width}}  " + " · ".join(f"{count:>2}" for count in counts) for label, counts in labelled
    ]
    return Html("<pre>" + "\n".join(lines) + "</pre>")


def tile_lines(words: Words, tables: Tables, tiles: Sequence[str]) -> list[Html]:
    """Return tiles that carry powers, with their signs; for a whole ruleset, how many there are.

    The number may depend on an option. Then each of its values has a table of its own.
    """
    kinds = tuple(dict.fromkeys(map(kind, tiles)))
    named = []
    for each in kinds:
        carried = carried_powers(tables, [tile for tile in tiles if kind(tile) == each])
        signs = Html(" ".join(sign(words, power) for power in carried))
        named.append(words.html("named", name=words.html(f"tile.{each}"), value=signs))
    lines = [Html("\n".join(named))]
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
        rows = [(sizes, found) for found, sizes in grouped(setups, counts).items()]
        title = [words.html("rules.option", value=words.html(f"value.{value}"))] if len(by_option) > 1 else []
        names = Html(" · ".join(words.html(f"tile.{each}") for each in kinds))
        lines.append(Html("\n".join([*title, names, table_by_size(words, rows)])))
    return lines
