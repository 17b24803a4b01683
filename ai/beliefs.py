"""Beliefs of a seat or the table about everybody's party and role.

*The table* is an observer who knows only what everybody may know.
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from ai.likelihoods import CORE, PARTY
from ai.memory import read_view
from ai.state import State
from engine import Seat, View
from engine.board import Party
from engine.claim import Claim
from engine.frozen import frozen

Name = TypeVar("Name", bound=str)


@frozen
class Beliefs:
    """Probabilities of parties and roles, by seat."""

    parties: tuple[Mapping[Party, float], ...]
    roles: tuple[Mapping[str, float], ...]

    def party(self, seat: Seat) -> Mapping[Party, float]:
        """Return how likely a seat is of each party now."""
        return self.parties[seat]

    def role(self, seat: Seat) -> Mapping[str, float]:
        """Return how likely a seat was dealt each role."""
        return self.roles[seat]


def beliefs(view: View, claims: Sequence[Claim]) -> Beliefs:
    """Return the belief of a view's seat (None: the table), given what people claimed.

    Claims made after the view's last fact are ignored. The belief is exact if the roles that the seat does
    not know can be assigned in at most ``likelihoods.MOST_WAYS_FOR_EXACT`` ways. Otherwise it uses a
    sample of worlds, which is the same for the same view and claims.
    """
    state = read_view(view, claims).state
    names = dict.fromkeys(PARTY[role] for role, count in enumerate(state.game.counts) if count)
    rows = [{party: state.party(seat, party) for party in names} for seat in state.table.all_seats()]
    return Beliefs(tuple(map(_scale_to_one, rows)), _roles_of(state))


def _roles_of(state: State) -> tuple[Mapping[str, float], ...]:
    """Return the roles' probabilities by seat; secret roles are spread over the seats that may hold them."""
    roles = [(at, role) for at, role in enumerate(CORE) if state.game.counts[at]]
    core = [{role: state.core(seat, at) for at, role in roles} for seat in state.table.all_seats()]
    for card in state.game.board.secret_roles:
        party, _, role = card.partition(":")
        _place_secret_role(state, core, party, role)
    return tuple(_scale_to_one(row) for row in core)


def _place_secret_role(state: State, roles: list[dict[str, float]], party: str, role: str) -> None:
    """Give one secret role to the seat known to hold it, or spread it over all seats that may hold it."""
    shown = state.table.roles
    may = [name for name in CORE if name != "hitler"] if party == "*" else [party]
    holders = [seat for seat, name in enumerate(shown) if name == role]
    free = holders or [seat for seat, name in enumerate(shown) if name is None]
    total = sum(row.get(name, 0.0) for row in (roles[seat] for seat in free) for name in may)
    for seat in free:
        row = roles[seat]
        taken = {name: row[name] / max(total, 1e-9) for name in may if name in row}
        for name, part in taken.items():
            row[name] -= part
        row[role] = sum(taken.values())


def _scale_to_one(row: Mapping[Name, float]) -> dict[Name, float]:
    kept = {name: max(0.0, value) for name, value in row.items()}
    total = sum(kept.values())
    return {name: value / total for name, value in kept.items()} if total else dict(row)
