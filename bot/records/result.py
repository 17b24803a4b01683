"""The result of a game by seats, and its contribution to a player's statistics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine import Event, fold, side_of
from engine.facts import Opened


@dataclass(frozen=True, slots=True)
class Result:
    """A game's winners, and why they won."""

    #: The ruleset's id, with its version.
    ruleset: str
    winners: tuple[str, ...]
    reason: str
    #: For each seat the side at the end, which wins or loses together (a party, or a role that wins apart
    #: from its party), and the role dealt.
    sides: tuple[str, ...]
    roles: tuple[str, ...]

    def won(self, seat: int) -> bool:
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
        sides=tuple(str(side_of(opened.setup, table, seat)) for seat in range(table.seats)),
        roles=tuple(str(role) for role in table.roles),
    )


def counts_of(result: Result, seat: int, *, computers: bool = False) -> Mapping[str, int]:
    """Return a seat's counts from a game, for statistics. A game with ``computers`` is counted apart.

    These are games and wins in all, and by side, role and ruleset (without its version: a balance change does
    not begin a new game).
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
