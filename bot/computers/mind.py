"""Deciding for computers, so many times an invocation at most, and for each question once."""

from bot.computers.chance import seat_chance, shared_chance
from bot.rooms.model import Match
from engine import question_for

#: So many decisions are made in one invocation at most: what is left is the next one's.
MOST = 8


class Mind:
    """Decides for computers. A decision stays what it was, however often a lost race is run again."""

    def __init__(self) -> None:
        self._decided: dict[tuple[int, int, int], int] = {}

    def choice(self, match: Match, seat: int, level: str) -> int | None:
        """The place of the option that a seat which is asked chooses; None where it has been enough for now.

        It knows what the seat may know, and what was claimed. ``level``: ``novice`` or ``seasoned``.
        """
        question = question_for(match.game, seat)
        assert question is not None, "who is not asked decides nothing"
        about = (match.number, question.number, seat)
        if about not in self._decided:
            if len(self._decided) >= MOST:
                return None
            # Imported where a computer decides: no other start of a process should pay for it.
            import ai

            chance = seat_chance(match, seat, question.number)
            shared = shared_chance(match, question.number)
            self._decided[about] = ai.choose(match.view(seat), question, match.claims, chance, level, shared)
        return self._decided[about]
