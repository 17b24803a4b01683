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
    return match is not None and match.seat_of(person.id) in quiet_seats(room, match)


def quiet_seats(room: Room, match: Match) -> frozenset[int]:
    """The seats that have to be quiet now, and make no claims: the dead, and those who legislate."""
    if not silent(room, match.game.setup.ruleset):
        return frozenset()
    table, question = match.view(None).table, question_for(match.game, None)
    dead = {seat for seat, alive in enumerate(table.alive) if not alive}
    legislating = question is not None and question.step in LEGISLATION
    government = {table.president, table.chancellor} if legislating else set()
    return frozenset(seat for seat in dead | government if seat is not None)


def silent(room: Room, ruleset_id: str) -> bool:
    """Whether games of a ruleset are played in silence here."""
    if room.settings.silence == "ruleset":
        return ruleset(ruleset_id).silent
    return room.settings.silence == "on"
