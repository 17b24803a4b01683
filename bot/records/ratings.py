"""Ratings of players, and how a game between sides changes them.

The model is Plackett-Luce with the updates of Weng and Lin (2011), as the library openskill implements it.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, cast

from engine import Event, Seat, fold, side_of
from engine.board import Role, Side
from engine.facts import Opened
from engine.frozen import frozen

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

#: A rating after fewer games than this is provisional.
SETTLED = 10


@frozen
class Rating:
    """An estimate of somebody's skill: a mean and a standard deviation. The defaults are openskill's."""

    mu: float = 25.0
    sigma: float = 25.0 / 3.0

    @property
    def shown(self) -> int:
        """The rating as one number, which the skill very likely exceeds. Newcomers have 1000."""
        return round(1000 + 40 * (self.mu - 3 * self.sigma))


NEWCOMER = Rating()


def rated(ratings: Sequence[Rating], sides: Sequence[str], winners: Sequence[str]) -> tuple[Rating, ...]:
    """Return the ratings by seat after a game, from those before it, each seat's side, and the winning sides.

    Sides that won together tie, and so do those that lost. The game is designed so that the sides are equally
    strong, although their sizes differ. So a smaller side is filled up with players as good as its mean.
    Nothing changes if all won or all lost.
    """
    seats = {side: [seat for seat, own in enumerate(sides) if own == side] for side in dict.fromkeys(sides)}
    ranks = [1.0 if side in winners else 2.0 for side in seats]
    if len(set(ranks)) < 2:
        return tuple(ratings)
    model = _model()
    most = max(map(len, seats.values()))
    teams = []
    for members in seats.values():
        team = [ratings[seat] for seat in members]
        mu, sigma = sum(one.mu for one in team) / len(team), sum(one.sigma for one in team) / len(team)
        team += [Rating(mu, sigma)] * (most - len(team))
        teams.append([model.rating(rating.mu, rating.sigma) for rating in team])
    after = list(ratings)
    for members, team_after in zip(seats.values(), model.rate(teams, ranks=ranks), strict=True):
        for seat, changed in zip(members, team_after, strict=False):  # without the added players
            after[seat] = Rating(changed.mu, changed.sigma)
    return tuple(after)


@cache
def _model() -> "PlackettLuce":
    # Imported only when a game ends, because the import would slow down every cold start.
    from openskill.models import PlackettLuce

    return PlackettLuce()


# --- result -------------------------------------------------------------------------------------------------
# The result of a game by seats, and its contribution to a player's statistics.


@frozen
class Result:
    """A game's winners, and why they won."""

    #: The ruleset's id, with its version.
    ruleset: str
    winners: tuple[Side, ...]
    reason: str
    #: For each seat, the side at the end (a party, or a role that wins apart from its party), and the role
    #: dealt. The seats of a side win or lose together.
    sides: tuple[Side, ...]
    roles: tuple[Role, ...]

    def won(self, seat: Seat) -> bool:
        """Return whether a seat is among the winners."""
        return self.sides[seat] in self.winners


def result_of(log: Sequence[Event]) -> Result:
    """Return the result of a game from all of its events. Raises ValueError if it is not over."""
    table = fold(event.fact for event in log)
    opened = log[0].fact if log else None
    if table.winners is None or not isinstance(opened, Opened):
        raise ValueError("not a finished game")
    return Result(
        ruleset=opened.setup.ruleset,
        winners=table.winners,
        reason=str(table.reason),
        sides=tuple(cast("Side", side_of(opened.setup, table, seat)) for seat in table.all_seats()),
        roles=cast("tuple[Role, ...]", table.roles),
    )


def counts_of(result: Result, seat: Seat, *, computers: bool = False) -> Mapping[str, int]:
    """Return a seat's counts from a game, for statistics. A game with ``computers`` is counted separately.

    These are games and wins: overall, and by side, role and ruleset (without its version, so that a change of
    the balance does not split the counts).
    """
    kinds: tuple[str, ...] = (
        "",
        f"/side/{result.sides[seat]}",
        f"/role/{result.roles[seat]}",
        f"/ruleset/{result.ruleset.partition('@')[0]}",
    )
    if computers:
        kinds = ("/computers",)
    words = ("games", "wins") if result.won(seat) else ("games",)
    return {f"{word}{kind}": 1 for word in words for kind in kinds}
