"""Decide for computers: each question once, with a limit per invocation."""

from collections.abc import Callable, Sequence

from bot.rooms.model import Match
from bot.rooms.rounds import rounds_of
from engine import Chance, Event, QuestionNumber, Seat, question_for
from engine.facts import Enacted, Investigated, Peeked, Vetoed

# --- chance -------------------------------------------------------------------------------------------------
# The randomness for a computer's decisions: a separate stream from the game's.


def seat_chance(match: Match, seat: Seat, about: QuestionNumber | str) -> Chance:
    """Return the chance for one seat's decision on a subject: a question's number, or the claim it makes.

    It is independent of roles and decks: neither side can be derived from the other.
    """
    return match.game.chance.apart(f"ai/{seat}/{about}")


# --- mind ---------------------------------------------------------------------------------------------------

#: The most decisions in one invocation; the next one makes the rest.
MOST = 8


class Mind:
    """Decides for computers. A decision stays what it was, however often a lost race is run again."""

    def __init__(self) -> None:
        self._decided: dict[tuple[int, QuestionNumber, Seat], int] = {}

    def choice(self, match: Match, seat: Seat, level: str) -> int | None:
        """Return the place of the option that a seat chooses; None if this invocation has decided enough.

        The computer knows what the seat may know, and all claims. ``level``: ``novice`` or ``seasoned``.
        """
        question = question_for(match.game, seat)
        assert question is not None, "who is not asked decides nothing"
        about = (match.number, question.number, seat)
        if about not in self._decided:
            if len(self._decided) >= MOST:
                return None
            # Imported only when a computer decides, so that no other start of a process pays for it.
            import ai

            chance = seat_chance(match, seat, question.number)
            # A stream that all computers asked this question share, so that their ballots move together, as
            # people's do. It follows from the game's key, so nobody knows it beforehand.
            shared = match.game.chance.apart(f"ai/shared/{question.number}")
            character = ai.character_of(match.players[seat].name)
            self._decided[about] = ai.choose(
                match.view(seat), question, match.claims, chance, level, shared, character
            )
        return self._decided[about]


# --- speaking -----------------------------------------------------------------------------------------------
# Computers' claims: of a session once it is over, of the pile or a party once they saw it.

#: After these facts somebody may have something to claim.
TELLING = (Enacted, Vetoed, Peeked, Investigated)


def with_claims(
    match: Match, events: Sequence[Event], level: str, now: int, quiet: Callable[[Seat], bool]
) -> Match:
    """Return the match in which its computers have claimed what they saw in these events, already part of it.

    A President speaks before the Chancellor. ``quiet``: returns True if a seat may claim nothing now.
    """
    if match.over or not any(isinstance(event.fact, TELLING) for event in events):
        return match
    import ai  # imported late, as in ``mind``

    # Only those speak who publicly saw something, in this round or the one before.
    saw: list[Seat | None] = []
    for round_ in rounds_of(match.view(None))[-2:]:
        saw += [round_.president, round_.chancellor]
        saw += [seat for seat, _ in round_.peeked] + [seat for seat, _, _ in round_.looked]
    witnesses = [seat for seat in dict.fromkeys(saw) if seat is not None and seat in match.computer_seats]
    for seat in [seat for seat in witnesses if not quiet(seat)]:
        chance = seat_chance(match, seat, f"say/{match.game.asked}")
        character = ai.character_of(match.players[seat].name)
        claims = ai.say(match.view(seat), match.claims, chance, level, character)
        match = match.with_claims(claims, now)
    return match
