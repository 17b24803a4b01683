"""A group's leaderboard: a rating, games and wins for each player, as one document."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pydantic_core import from_json, to_json

from bot.records.ratings import NEWCOMER, Rating, rated
from bot.records.result import Result

#: The sort key of the document; its partition is the archives'.
SORT: Final = "leaderboard"
#: The shape that this code writes.
SCHEMA: Final = 1


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's standing in one group."""

    rating: Rating = NEWCOMER
    games: int = 0
    wins: int = 0
    #: As known at their last game here. Not part of what the archives can say.
    name: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The standings by user id. Numbers below 0 are aliases of people who wanted to be forgotten."""

    entries: Mapping[int, Standing] = field(default_factory=dict)
    #: The id of the last game that is in it.
    last: str = ""
    #: Who is being forgotten: the alias that their archives are still to get, up to which game.
    leaving: Mapping[int, tuple[int, str]] = field(default_factory=dict)


def with_game(
    board: Leaderboard,
    game: str,
    result: Result,
    people: Mapping[int, int],
    names: Mapping[int, str],
    *,
    computers: bool = False,
) -> Leaderboard:
    """The leaderboard after one more game.

    ``people``: user ids by seat; seats that are missing there count as newcomers and get no entry. ``names``
    by user id. A game with ``computers`` changes nobody's standing; who had none is noted with no game, as
    whoever is forgotten is looked for here.
    """
    seats = range(len(result.sides))
    before = [board.entries.get(people[seat], Standing()) if seat in people else Standing() for seat in seats]
    after = rated([entry.rating for entry in before], result.sides, result.winners)
    entries = dict(board.entries)
    for seat, user in people.items():
        old = before[seat]
        if computers:
            entries[user] = replace(old, name=names.get(user, old.name))
            continue
        wins = old.wins + result.won(seat)
        entries[user] = Standing(after[seat], old.games + 1, wins, names.get(user, old.name))
    return replace(board, entries=entries, last=game)


def standings(board: Leaderboard) -> list[tuple[int, Standing]]:
    """Everyone who has a name to show, best first."""
    shown = [(user, entry) for user, entry in board.entries.items() if user > 0 and entry.games]
    return sorted(shown, key=lambda row: (-row[1].rating.shown, -row[1].wins, row[1].games, row[0]))


def alias_of(entropy: str) -> int:
    """A new alias: a number below 0, which nobody has, of fresh random bytes as hexadecimal digits."""
    return -int(entropy[:12], 16) - 1


def encode_board(board: Leaderboard) -> bytes:
    """The document's body."""
    return to_json(
        {
            "schema": SCHEMA,
            "last": board.last,
            "entries": [
                (user, entry.rating.mu, entry.rating.sigma, entry.games, entry.wins, entry.name)
                for user, entry in board.entries.items()
            ],
            "leaving": [(user, alias, upto) for user, (alias, upto) in board.leaving.items()],
        }
    )


def decode_board(body: bytes) -> Leaderboard:
    """The leaderboard of a document's body; an empty one where there is no document yet."""
    if not body:
        return Leaderboard()
    stored: dict[str, Any] = from_json(body)
    return Leaderboard(
        {
            user: Standing(Rating(mu, sigma), games, wins, name)
            for user, mu, sigma, games, wins, name in stored["entries"]
        },
        stored["last"],
        {user: (alias, upto) for user, alias, upto in stored["leaving"]},
    )
