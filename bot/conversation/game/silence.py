"""Silence: while a government legislates, and for the dead, what is written in the group is taken away.

It works only where the bot may delete messages and hears them at all; it never keeps anyone from
answering the bot, or from giving it a command that says nothing beside. Sources: the rules of the game as
played on the web; the group's setting elsewhere.
"""

from bot.conversation.incoming import Chatter, Command, Person
from bot.conversation.outcome import Context, Delete, Outcome
from bot.rooms.model import Match, Room
from engine import question_for, ruleset

#: Questions during which President and Chancellor are quiet.
LEGISLATION = frozenset({"discard", "enact", "select", "veto", "sealed-veto"})


def chatter(room: Room, said: Chatter | Command, context: Context) -> Outcome:
    """A message in the group: taken away where its author has to be quiet now."""
    if not hushed(room, said.person):
        return Outcome(room)
    return Outcome(room, delete=Delete(room.chat, said.message))


def hushed(room: Room, person: Person) -> bool:
    """Whether a person has to be quiet in the group now."""
    match = room.playing
    seat = None if match is None else match.seat_of(person.id)
    if match is None or seat is None:
        return False
    return silent(room, match.game.setup.ruleset) and _quiet(match, seat)


def silent(room: Room, ruleset_id: str) -> bool:
    """Whether games of a ruleset are played in silence here."""
    if room.settings.silence == "ruleset":
        return ruleset(ruleset_id).silent
    return room.settings.silence == "on"


def _quiet(match: Match, seat: int) -> bool:
    """Whether a seat is dead, or legislating."""
    table = match.view(None).table
    if not table.alive[seat]:
        return True
    question = question_for(match.game, None)
    legislating = question is not None and question.step in LEGISLATION
    return legislating and seat in (table.president, table.chancellor)


def claims_nothing(room: Room, match: Match, seat: int) -> bool:
    """Whether a seat may make and change no claims now: where it is silent, they are talk too."""
    return silent(room, match.game.setup.ruleset) and _quiet(match, seat)
