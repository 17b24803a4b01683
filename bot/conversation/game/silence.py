"""Silence: messages in the group are deleted while a government legislates, and those of the dead.

It works only if the bot may delete messages and hears them at all. It never keeps anyone from answering the
bot, or from giving it a plain command. Sources: the rules of the game as played on the web; elsewhere the
group's setting.
"""

from dataclasses import replace

from bot.conversation.incoming import Chatter, Command
from bot.conversation.outcome import Context, Delete, Need, Outcome, found
from bot.conversation.posting import to_group, words_of
from bot.rooms.model import Match, Room
from engine import question_for, ruleset

#: Questions during which President and Chancellor must be quiet.
LEGISLATION = frozenset({"discard", "enact", "select", "veto", "sealed-veto"})


def chatter(room: Room, said: Chatter | Command, context: Context) -> Outcome:
    """Delete a message in the group, new or edited, if its author has to be quiet now.

    If the bot may not delete it, tell the group, once a game. Raises Needs.
    """
    match = room.playing
    if match is None or not hushed(room, said, context):
        return Outcome(room)
    if not match.loud and found(context.may_delete, Need.MAY_DELETE) is False:
        room = replace(room, match=replace(match, loud=True))
        return Outcome(room, (to_group(words_of(room).html("silence.cannot")),))
    return Outcome(room, delete=Delete(room.chat, said.message))


def hushed(room: Room, said: Chatter | Command, context: Context) -> bool:
    """Return True if the author of a message in the group has to be quiet now.

    A channel can hide any person. So while anybody has to be quiet, all channels have to, except the one that
    the group is linked to. Raises Needs if that must be looked up.
    """
    match = room.playing
    if match is None or not silent(room, match.game.setup.ruleset):
        return False
    if not said.channel:
        seat = match.seat_of(said.person.id)
        return said.person.id in match.hushed or (seat is not None and _quiet(match, seat))
    anybody = bool(match.hushed) or any(_quiet(match, seat) for seat in match.people)
    return anybody and found(context.linked, Need.LINKED) != said.channel


def with_hushed(match: Match, seat: int) -> Match:
    """Return the game before a seat is another's: silence stays with the person who was dead."""
    user = match.people.get(seat)
    dead = not match.view(None).table.alive[seat]
    return match if user is None or not dead else replace(match, hushed=(*match.hushed, user))


def silent(room: Room, ruleset_id: str) -> bool:
    """Return whether games of a ruleset are played in silence here."""
    if room.settings.silence == "ruleset":
        return ruleset(ruleset_id).silent
    return room.settings.silence == "on"


def _quiet(match: Match, seat: int) -> bool:
    """Return whether a seat is dead, or legislating."""
    table = match.view(None).table
    if not table.alive[seat]:
        return True
    question = question_for(match.game, None)
    legislating = question is not None and question.step in LEGISLATION
    return legislating and seat in (table.president, table.chancellor)


def claims_nothing(room: Room, match: Match, seat: int) -> bool:
    """Return whether a seat may make and change no claims now: where it is silent, they are talk too."""
    return silent(room, match.game.setup.ruleset) and _quiet(match, seat)
