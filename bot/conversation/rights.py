"""Check rights. Every tap checks them again, so a former admin's old menu no longer works.

Telegram answers yes, no, or not at all. Any request can fail, and in a group with hidden members a bot that
is not an admin learns nothing about other people.
"""

from bot.conversation.incoming import Command, DeepLink, Person, Tap
from bot.conversation.outcome import UNKNOWN, Context, Lookup, require
from bot.display.words import Words, closest
from bot.rooms.model import Match, Room
from bot.rooms.names import UserId
from bot.rooms.player import Player


def may_lead(host: UserId | None, person: Person, context: Context) -> bool:
    """Return True if a person may lead a lobby or a game, as its host or as an admin of the group."""
    return person.id == host or is_admin(context)


def may_call_off(match: Match, person: Person, context: Context) -> bool:
    """Return True if a person may cancel a running game: an admin of the group, or the host if they play."""
    return (person.id == match.host and person.id in match.present.values()) or is_admin(context)


def plays_or_leads(match: Match, person: Person, context: Context) -> bool:
    """Return True if a person plays this game and has not left it, or is an admin of the group."""
    return person.id in match.present.values() or is_admin(context)


def is_admin(context: Context) -> bool:
    """Return True if the person is surely an admin of the group. Raises LookupNeeded if that is unknown."""
    return require(context.is_admin, Lookup.IS_ADMIN) is True


def refusal_key(key: str, context: Context) -> str:
    """Return the catalogue's key for refusing a person.

    It is ``key``, unless Telegram does not say whether the person is an admin. Then the text asks to make the
    bot an admin.
    """
    return "admin.unknown" if context.is_admin is UNKNOWN else key


def membership_refusal(room: Room, incoming: Tap | Command | DeepLink, context: Context) -> str | None:
    """Return the catalogue's key for why somebody is not a member of the group; None if they count as one.

    If Telegram does not say, a person counts as a member if they write in the group, tap under a message
    there, or follow a link that they were given for such a tap. Raises LookupNeeded.
    """
    answer = require(context.is_member, Lookup.IS_MEMBER)
    if answer is not UNKNOWN:
        return None if answer else "toast.not-member"
    was_there = True
    if isinstance(incoming, Tap):
        was_there = incoming.group == room.chat
    elif isinstance(incoming, DeepLink):
        was_there = incoming.own
    return None if was_there else "member.unknown"


# --- players ------------------------------------------------------------------------------------------------
# Make players of people, and answer people without a seat.


def player_of(person: Person, context: Context) -> Player:
    """Return a person as a player, with the language that they chose."""
    language = require(context.language, Lookup.LANGUAGE)
    return Player(person.id, person.name, language, advised=context.advised, confirms=context.confirms)


def no_seat_text(room: Room, incoming: Tap) -> str:
    """Return the toast for somebody who taps a game's button but does not play now.

    In the group it says how to join the next game. A player for whom a computer plays reads how to get back.
    A player of a finished game reads that it is over. The button's first number is the game's.
    """
    match, words = room.match, Words(closest(incoming.person.language))
    if match is not None and incoming.args[0] < match.number:
        return words.plain("illegal.over")
    if match is None or match.number != incoming.args[0]:
        return words.plain("toast.not-your-game")
    seat = match.seat_of(incoming.person.id)
    if match.over:
        return words.plain("toast.not-your-game" if seat is None else "illegal.over")
    if seat is not None and match.players[seat].computer:
        return words.plain("toast.stood-in")
    watching = seat is None and incoming.group == room.chat
    return words.plain("toast.watching" if watching else "toast.not-your-game")
