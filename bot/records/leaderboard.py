"""A group's leaderboard: a rating, games and wins for each player, as one document.

It has standings for all games and for the present quarter of the year (a season, in UTC). In a new season
everybody starts again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final

from pydantic_core import from_json, to_json

from bot.records.ratings import NEWCOMER, SETTLED, Rating, Result, rated
from bot.rooms.names import UserId
from engine import SEATS, Seat
from engine.frozen import frozen

#: The sort key of the document; its partition is the archives'.
SORT: Final = "leaderboard"
#: The schema that this code writes.
SCHEMA: Final = 1
#: The most people in a season's standings, and how many of the last season's best are kept.
SEASON_MOST, KEPT = 400, 3


@frozen
class Standing:
    """A player's standing in one group."""

    rating: Rating = NEWCOMER
    games: int = 0
    wins: int = 0
    #: The name as known at their last game here. Archives do not have it.
    name: str = field(default="", compare=False)


@frozen
class Leaderboard:
    """The standings by user id. Numbers below 0 are aliases of people who wanted to be forgotten."""

    entries: Mapping[UserId, Standing] = field(default_factory=dict)
    #: The id of the last game counted.
    last: str = ""
    #: People who are being forgotten: the alias that their archives will get, and the last game to change.
    leaving: Mapping[UserId, tuple[UserId, str]] = field(default_factory=dict)
    #: The season of the last rated game, as ``2026/4`` for its fourth quarter, and its standings.
    season: str = ""
    current: Mapping[UserId, Standing] = field(default_factory=dict)
    #: The last earlier season with games, and its best players, the best first.
    before: str = ""
    best_before: tuple[tuple[UserId, Standing], ...] = ()


@frozen
class Shown:
    """The part of a leaderboard that a group reads, best first: of all games, this season, the last one."""

    overall: tuple[Standing, ...] = ()
    season: str = ""
    current: tuple[Standing, ...] = ()
    before: str = ""
    best_before: tuple[Standing, ...] = ()


def season_at(seconds: float) -> str:
    """Return the season of a moment, in seconds since 1970."""
    at = datetime.fromtimestamp(seconds, UTC)
    return f"{at.year}/{(at.month + 2) // 3}"


def in_season(board: Leaderboard, season: str) -> Leaderboard:
    """Return the leaderboard in this season. If it was in another one, keep only that season's best."""
    if season == board.season:
        return board
    best = tuple(standings(board.current)[:KEPT])
    if not best:
        return replace(board, season=season, current={})
    return replace(board, season=season, current={}, before=board.season, best_before=best)


def renamed(board: Leaderboard, aliases: Mapping[UserId, UserId]) -> Leaderboard:
    """Return the leaderboard with aliases instead of people, by user id; their names are gone."""

    def other(entries: Iterable[tuple[UserId, Standing]]) -> Iterator[tuple[UserId, Standing]]:
        for user, entry in entries:
            yield (aliases[user], replace(entry, name="")) if user in aliases else (user, entry)

    return replace(
        board,
        entries=dict(other(board.entries.items())),
        current=dict(other(board.current.items())),
        best_before=tuple(other(board.best_before)),
    )


def with_game(
    board: Leaderboard,
    game: str,
    result: Result,
    people: Mapping[Seat, UserId],
    names: Mapping[UserId, str],
    *,
    computers: bool = False,
) -> Leaderboard:
    """Return the leaderboard after one more game.

    ``people``: user ids by seat; missing seats count as newcomers and get no entry. ``names`` are by user id.
    A game with ``computers`` changes no standing. But people without a standing get one with no games,
    because /forget looks for them here.
    """
    if computers:
        entries = dict(board.entries)
        for user in people.values():
            old = entries.get(user, Standing())
            entries[user] = replace(old, name=names.get(user, old.name))
        return replace(board, entries=entries, last=game)
    board = in_season(board, season_at(int(game[:12], 16) / 1000))
    current = _after(board.current, result, people, names)
    fits = dict(islice(current.items(), SEASON_MOST))
    return replace(board, entries=_after(board.entries, result, people, names), current=fits, last=game)


def _after(
    entries: Mapping[UserId, Standing],
    result: Result,
    people: Mapping[Seat, UserId],
    names: Mapping[UserId, str],
) -> dict[UserId, Standing]:
    seats = SEATS[: len(result.sides)]
    before = [entries.get(people[seat], Standing()) if seat in people else Standing() for seat in seats]
    after = rated([entry.rating for entry in before], result.sides, result.winners)
    changed = dict(entries)
    for seat, user in people.items():
        old = before[seat]
        wins = old.wins + result.won(seat)
        changed[user] = Standing(after[seat], old.games + 1, wins, names.get(user, old.name))
    return changed


def standings(entries: Mapping[UserId, Standing]) -> list[tuple[UserId, Standing]]:
    """Return the people with a rated game (no aliases), best first; provisional ratings come last."""
    shown = [(user, entry) for user, entry in entries.items() if user > 0 and entry.games]

    def rank(row: tuple[UserId, Standing]) -> tuple[bool, int, int, int, int]:
        user, entry = row
        return entry.games < SETTLED, -entry.rating.shown, -entry.wins, entry.games, user

    return sorted(shown, key=rank)


def alias_of(entropy: str) -> UserId:
    """Return a new alias: a number below 0 that nobody has, from random bytes as hexadecimal digits."""
    return UserId(-int(entropy[:12], 16) - 1)


def encode_board(board: Leaderboard) -> bytes:
    """Return the document's body."""
    return to_json(
        {
            "schema": SCHEMA,
            "last": board.last,
            "entries": _rows(board.entries.items()),
            "season": board.season,
            "current": _rows(board.current.items()),
            "before": board.before,
            "best_before": _rows(board.best_before),
            "leaving": [(user, alias, upto) for user, (alias, upto) in board.leaving.items()],
        }
    )


def decode_board(body: bytes) -> Leaderboard:
    """Return the leaderboard in a document's body, or an empty one for no bytes."""
    if not body:
        return Leaderboard()
    stored: dict[str, Any] = from_json(body)
    return Leaderboard(
        dict(_read(stored["entries"])),
        stored["last"],
        {user: (alias, upto) for user, alias, upto in stored["leaving"]},
        stored["season"],
        dict(_read(stored["current"])),
        stored["before"],
        tuple(_read(stored["best_before"])),
    )


def _rows(entries: Iterable[tuple[UserId, Standing]]) -> list[tuple[Any, ...]]:
    return [
        (user, entry.rating.mu, entry.rating.sigma, entry.games, entry.wins, entry.name)
        for user, entry in entries
    ]


def _read(rows: Iterable[Sequence[Any]]) -> Iterator[tuple[UserId, Standing]]:
    for user, mu, sigma, games, wins, name in rows:
        yield user, Standing(Rating(mu, sigma), games, wins, name)
