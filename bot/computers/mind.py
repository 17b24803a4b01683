"""Decide for computers: each question once, with a limit per invocation."""

from bot.computers.chance import seat_chance, shared_chance
from bot.rooms.model import Match
from engine import question_for

#: The most decisions in one invocation; the next one makes the rest.
MOST = 8


class Mind:
    """Decides for computers. A decision stays what it was, however often a lost race is run again."""

    def __init__(self) -> None:
        self._decided: dict[tuple[int, int, int], int] = {}

    def choice(self, match: Match, seat: int, level: str) -> int | None:
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
            shared = shared_chance(match, question.number)
            character = ai.character_of(match.players[seat].name)
            self._decided[about] = ai.choose(
                match.view(seat), question, match.claims, chance, level, shared, character
            )
        return self._decided[about]
