"""Custom boards, and the conditions that every playable board must meet, printed boards included.

A group changes parts of a ruleset's board and inherits the rest (``changed``). Its changes are plain data
(``changes``), short enough to paste into a chat.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Protocol, cast

from engine import tiles
from engine.board import PARTIES, Board, Role
from engine.question import Illegal

ROLES = (*PARTIES, "hitler")
ENDINGS = ("hitler-killed", "hitler-elected", "hitler-smeared")


class Rules(Protocol):
    """The tiles, powers and secret roles that a ruleset has. A board may use no others."""

    @property
    def tiles(self) -> Mapping[str, tuple[str, ...]]:
        """The powers that a tile may carry, by kind of tile."""

    @property
    def powers(self) -> tuple[str, ...]:
        """The powers that a slot may give."""

    @property
    def endings(self) -> tuple[str, ...]:
        """Return the ways to win besides a full track."""

    @property
    def secret_roles(self) -> Mapping[Role, tuple[str, ...]]:
        """Return the parties that may hold each secret role."""


def problems(rules: Rules, board: Board, players: int) -> tuple[str, ...]:
    """Return the codes of the reasons why this many players cannot play on this board, or () if they can.

    ``unknown-track  unknown-tile  unknown-power  unknown-role  unknown-ending``: the board names something
    that the ruleset does not have. ``negative-count``: a number of tiles or roles is below 0.
    ``missing-track``: Liberals and Fascists need a track, and no track may be without slots.
    ``tile-without-track  one-hitler  roles-not-players  threshold  space  too-few-tiles``: see docs/rules.md,
    R6. ``secret-role-twice``: each secret role exists once.
    """
    names = _strange_names(rules, board)
    if names:
        return tuple(names)
    # The most tiles that can be on the tracks before the game ends. A government must still be able to draw.
    laid = sum(len(slots) - 1 for slots in board.tracks.values())
    staying = sum(count for tile, count in board.deck.items() if tiles.ordinary(tile))
    wrong = {
        "negative-count": min((*board.deck.values(), *board.roles.values()), default=0) < 0,
        "missing-track": not {"liberal", "fascist"} <= board.tracks.keys() or () in board.tracks.values(),
        "tile-without-track": any(colour not in board.tracks for colour in _colours(board)),
        "one-hitler": board.roles.get("hitler", 0) != 1,
        "roles-not-players": sum(board.roles.values()) != players or _too_many_secrets(board),
        "threshold": min(board.zone, board.veto, board.chaos, board.few) < 1,
        "secret-role-twice": len(set(board.secret_roles)) < len(board.secret_roles),
        "space": players > spaces(board),
        "too-few-tiles": staying < laid + tiles.HAND,
    }
    return tuple(reason for reason, holds in wrong.items() if holds)


def spaces(board: Board) -> int:
    """Return how many players fit on the board: its slots minus one, or minus two with Communists.

    Source: docs/rules.md, R5.7.
    """
    communists = board.roles.get("communist", 0) > 0
    return sum(len(slots) for slots in board.tracks.values()) - (2 if communists else 1)


def changed(board: Board, changes: Mapping[str, Any]) -> Board:
    """Return the board with some fields replaced, by name. Lists become tuples, because JSON has only lists.

    Tracks are replaced one by one, everything else as a whole. If a changed field is a mapping, its names are
    put in the board's own order, and new names follow sorted. So their order in the changes never influences
    the deal. The order of a list is kept, and the order of the secret roles can influence the deal.

    Raises Illegal ("malformed-board") if the changes do not have a board's shape. ``problems`` says whether
    the board can be played.
    """
    new: dict[str, Any] = {}
    for name, value in changes.items():
        if name not in _SHAPES or not _SHAPES[name](value):
            raise Illegal("malformed-board")
        new[name] = _frozen(_ordered(value, getattr(board, name)))
    if "tracks" in new:
        tracks = {**board.tracks, **new["tracks"]}
        new["tracks"] = {colour: slots for colour, slots in tracks.items() if slots}
    return replace(board, **new)


def changes(board: Board, base: Board) -> dict[str, Any]:
    """Return the changes that turn the base into this board, as plain data for JSON.

    An empty list removes a track.
    """
    new = {f.name: getattr(board, f.name) for f in fields(Board)}
    new = {name: value for name, value in new.items() if value != getattr(base, name)}
    if "tracks" in new:
        lost = {colour: () for colour in base.tracks if colour not in board.tracks}
        tracks = {c: slots for c, slots in board.tracks.items() if slots != base.tracks.get(c)}
        new["tracks"] = {**lost, **tracks}
    return {name: _thawed(value) for name, value in new.items()}


def written(board: Board) -> dict[str, Any]:
    """Return every field of a board as plain data for JSON."""
    return {f.name: _thawed(getattr(board, f.name)) for f in fields(Board)}


def _strange_names(rules: Rules, board: Board) -> list[str]:
    powers = [power for slots in board.tracks.values() for power in slots if power]
    secrets = [card.partition(":")[::2] for card in board.secret_roles]
    strange = {
        "unknown-track": any(colour not in PARTIES for colour in board.tracks),
        "unknown-tile": any(not _playable(rules, tile) for tile in board.deck),
        "unknown-power": any(power not in rules.powers for power in powers),
        "unknown-role": any(role not in ROLES for role in board.roles)
        or any(party not in rules.secret_roles.get(Role(role), ()) for party, role in secrets),
        "unknown-ending": any(
            ending not in rules.endings or not winners or any(party not in PARTIES for party in winners)
            for ending, winners in board.endings.items()
        ),
    }
    return [reason for reason, holds in strange.items() if holds]


def _playable(rules: Rules, tile: str) -> bool:
    powers = rules.tiles.get(tiles.kind(tile))
    if powers is None:
        return False
    power = tiles.power(tile)
    if power is None:
        return tile == tiles.kind(tile) and not tiles.card(tile)
    return power in powers or (power == tiles.UNKNOWN and bool(powers))


def _colours(board: Board) -> Iterable[str]:
    """Return the colours of all tiles that can come into play: those of the deck and of a five-year plan."""
    yield from (colour for tile in board.deck if (colour := tiles.track(tile)))
    if any("five-year-plan" in slots for slots in board.tracks.values()):
        yield "communist"


def _too_many_secrets(board: Board) -> bool:
    """Return True if some secret role has no envelope left to go into."""
    free = {role: count for role, count in board.roles.items() if role != "hitler"}
    for card in board.secret_roles:
        party = card.partition(":")[0]
        free[party] = free.get(party, 0) - 1
    of_any = -free.pop("*", 0)
    return min(free.values(), default=0) < 0 or sum(free.values()) < of_any


def _names(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)


def _slots(value: object) -> bool:
    return isinstance(value, list | tuple) and all(p is None or (isinstance(p, str) and p) for p in value)


def _winners(value: object) -> bool:
    return _names(value) and len(set(cast(Iterable[str], value))) == len(cast(Sequence[str], value))


def _number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _numbers(value: object) -> bool:
    return isinstance(value, Mapping) and bool(value) and all(map(_number, value.values()))


#: For each field of a board, a check that a plain value has the right shape.
_SHAPES: dict[str, Any] = {
    "tracks": lambda value: isinstance(value, Mapping) and all(map(_slots, value.values())),
    "endings": lambda value: isinstance(value, Mapping) and all(map(_winners, value.values())),
    "deck": _numbers,
    "roles": _numbers,
    "secret_roles": _names,
    "hitler_knows": lambda value: isinstance(value, bool),
    "communists_know": lambda value: isinstance(value, bool),
    "zone": _number,
    "veto": _number,
    "chaos": _number,
    "few": _number,
}


def _ordered(value: Any, like: Any) -> Any:
    """Return a mapping in the order of ``like``. Names that ``like`` does not have come last, sorted."""
    if not isinstance(value, Mapping):
        return value
    known = [name for name in like if name in value]
    return {name: value[name] for name in (*known, *sorted(value.keys() - like.keys()))}


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _frozen(part) for name, part in value.items()}
    return tuple(value) if isinstance(value, list) else value


def _thawed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _thawed(part) for name, part in value.items()}
    return list(value) if isinstance(value, tuple) else value
