"""Computers' claims: of a session once it is over, of the pile or a party once they saw it."""

from collections.abc import Callable, Sequence

from bot.computers.chance import seat_chance
from bot.rooms.governments import governments
from bot.rooms.model import Match
from engine import Event
from engine.facts import Enacted, Investigated, Peeked, Vetoed

#: After these facts somebody may have something to claim.
TELLING = (Enacted, Vetoed, Peeked, Investigated)


def with_claims(
    match: Match, events: Sequence[Event], level: str, now: int, quiet: Callable[[int], bool]
) -> Match:
    """Return the match in which its computers have claimed what they saw in these events, already part of it.

    A President speaks before the Chancellor. ``quiet``: returns True if a seat may claim nothing now.
    """
    if match.over or not match.computer_seats or not any(isinstance(event.fact, TELLING) for event in events):
        return match
    import ai  # imported late, as in ``mind``

    for seat in [seat for seat in _witnesses(match) if not quiet(seat)]:
        chance = seat_chance(match, seat, f"say/{match.game.asked}")
        character = ai.character_of(match.players[seat].name)
        claims = ai.say(match.view(seat), match.claims, chance, level, character)
        match = match.with_claims(claims, now)
    return match


def _witnesses(match: Match) -> list[int]:
    """Return the computers that publicly saw something, in this round or the one before."""
    seen: list[int | None] = []
    for held in governments(match.view(None).facts)[-2:]:
        seen += [held.president, held.chancellor]
        seen += [seat for seat, _ in held.peeked] + [seat for seat, _, _ in held.looked]
    return [seat for seat in dict.fromkeys(seen) if seat is not None and seat in match.computer_seats]
