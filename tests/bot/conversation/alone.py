"""Rooms with computers that decide by a script.

mind = Scripted(ballot="ja")
after = thinks(choose(game(seated=table(2, 3)), 1).room, mind)
mind.asked, waiting_on(playing(after.room).game)

room = practising(deck="lff")
after = replay_steps(choose(room, 1).room, Scripted(ballot="ja"))
reads(after)
"""

from dataclasses import replace
from typing import Any

from bot.computers import Mind
from bot.conversation.incoming import Practise, Think
from bot.conversation.outcome import GROUP, Edit, Outcome, Post, ToSeat
from bot.rooms.model import Match, Player, Practice, Room
from bot.rooms.names import ChatId, RoomName
from engine import Seat, question_for
from tests.bot.conversation.acts import hears
from tests.bot.conversation.people import person, player
from tests.bot.conversation.rooms import game

#: The person who practises: a private chat has its person's number.
ANNA = person(0)


class Scripted(Mind):
    """Choose a step's scripted option, or else the first one; stop after ``most`` decisions."""

    def __init__(self, most: int = 99, **wanted: int | str) -> None:
        super().__init__()
        self.most, self.wanted = most, wanted
        #: The seats for which it had to decide, and their levels.
        self.asked: list[int] = []
        self.levels: set[str] = set()

    def choice(self, match: Match, seat: int, level: str) -> int | None:
        question = question_for(match.game, Seat(seat))
        assert question is not None, "who is not asked decides nothing"
        if len(self.asked) >= self.most:
            return None
        self.asked.append(seat)
        self.levels.add(level)
        options = question.options[question.seats.index(seat)]
        wanted = self.wanted.get(question.step)
        return options.index(wanted) if wanted in options else 0


def computer(number: int) -> Player:
    return Player(None, f"C{number}", "en", computer=True)


def table(people: int, computers: int) -> tuple[Player, ...]:
    """Seat that many people, and then that many computers."""
    return (*map(player, range(people)), *map(computer, range(people, people + computers)))


def thinks(room: Room, mind: Mind | None, **facts: Any) -> Outcome:
    return hears(room, Think(RoomName(room.chat, room.topic)), mind=mind, **facts)


# --- practice -----------------------------------------------------------------------------------------------


def own() -> Room:
    """Return the room of a person who has never practised."""
    return Room(ChatId(ANNA.id))


def practises(room: Room, which: int = 0, theme: str = "", *, newcomer: bool = True, **facts: Any) -> Outcome:
    return hears(room, Practise(ANNA, which, theme, newcomer), **facts)


def practising(players: int = 5, *, seat: int = 0, advice: bool = False, **more: Any) -> Room:
    """Return a game that Anna practises from this seat; ``more`` as for ``game``."""
    play = more.get("play")
    players = players if play is None else play.setup.players
    seated = tuple(player(0) if other == seat else computer(other) for other in range(players))
    room = game(players, seated=seated, practice=Practice(advice), **more)
    return replace(room, chat=ChatId(ANNA.id), title="")


def reads(after: Outcome, seat: int = 0) -> list[str]:
    """Return everything that the practising person reads, in posts and edits."""
    to = (GROUP, ToSeat(Seat(seat)))
    return [e.text for e in after.effects if isinstance(e, Post | Edit) and e.to in to]
