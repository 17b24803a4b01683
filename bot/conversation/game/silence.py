"""Silence: while a government legislates, and for the dead, what is written in the group is taken away.

It works only where the bot may delete messages and hears them at all; it never keeps anyone from
answering the bot, or from giving it a command that says nothing beside. Sources: the rules of the game as
played on the web; the group's setting elsewhere.
"""

from dataclasses import replace

from bot.conversation.incoming import Chatter, Command
from bot.conversation.outcome import Context, Delete, Need, Outcome, found
from bot.conversation.posting import to_group, words_of
from bot.rooms.model import Match, Room
from engine import question_for, ruleset

#: Questions during which President and Chancellor are quiet.
LEGISLATION = frozenset({"discard", "enact", "select", "veto", "sealed-veto"})


def chatter(room: Room, said: Chatter | Command, context: Context) -> Outcome:
    """A message in the group, or a changed one: taken away where its author has to be quiet now.

    Where the bot may not do that, the group hears so, once a game. Raises Needs.
    """
    match = room.playing
    if match is None or not hushed(room, said, context):
        return Outcome(room)
    if not match.loud and found(context.may_delete, Need.MAY_DELETE) is False:
        room = replace(room, match=replace(match, loud=True))
        return Outcome(room, (to_group(words_of(room).html("silence.cannot")),))
    return Outcome(room, delete=Delete(room.chat, said.message))


def hushed(room: Room, said: Chatter | Command, context: Context) -> bool:
    """Whether who wrote this in the group has to be quiet there now.

    Who writes in a channel's name may be anybody: as long as somebody has to be quiet, they all have to, but
    for the channel that the group belongs to. Raises Needs where that must be found out.
    """
    match = room.playing
    if match is None or not silent(room, match.game.setup.ruleset):
        return False
    quiet = quiet_seats(room, match)
    if not said.channel:
        return said.person.id in match.hushed or match.seat_of(said.person.id) in quiet
    anybody = bool(match.hushed) or any(seat in quiet for seat in match.people)
    return anybody and found(context.linked, Need.LINKED) != said.channel


def quiet_seats(room: Room, match: Match) -> frozenset[int]:
    """The seats that have to be quiet now, and make no claims: the dead, and those who legislate."""
    if not silent(room, match.game.setup.ruleset):
        return frozenset()
    table, question = match.view(None).table, question_for(match.game, None)
    dead = {seat for seat, alive in enumerate(table.alive) if not alive}
    legislating = question is not None and question.step in LEGISLATION
    government = {table.president, table.chancellor} if legislating else set()
    return frozenset(seat for seat in dead | government if seat is not None)


def with_hushed(match: Match, seat: int) -> Match:
    """Return the game before a seat is another's: silence stays with the person who was dead."""
    user = match.people.get(seat)
    dead = not match.view(None).table.alive[seat]
    return match if user is None or not dead else replace(match, hushed=(*match.hushed, user))


def silent(room: Room, ruleset_id: str) -> bool:
    """Whether games of a ruleset are played in silence here."""
    if room.settings.silence == "ruleset":
        return ruleset(ruleset_id).silent
    return room.settings.silence == "on"
