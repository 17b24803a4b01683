"""The look back's picture, from what was found."""

from ai.lookback import Lookback
from bot.display.pictures.suspicion import SeatSuspicion


def seats_of(found: Lookback, computers: tuple[int, ...] = ()) -> tuple[SeatSuspicion, ...]:
    """Return every seat's small picture. ``computers``: the seats that they played."""
    rounds = found.beliefs[1:]
    return tuple(
        SeatSuspicion(
            party,
            role,
            tuple(row[seat].get("fascist", 0.0) for row in rounds),
            tuple(row[seat].get("communist", 0.0) for row in rounds),
            _died(found, seat),
            tuple(act.round for act in found.acts if act.seat == seat),
            computer=seat in computers,
        )
        for seat, (party, role) in enumerate(zip(found.parties, found.roles, strict=True))
    )


def _died(found: Lookback, seat: int) -> int | None:
    """Return the round in which a seat died for good; None: it was alive at the end."""
    if found.alive[-1][seat]:
        return None
    return max(number for number, alive in enumerate(found.alive) if alive[seat]) + 1
