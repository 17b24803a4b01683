"""Rights, checked at every tap: a former admin's old menu no longer works.

Telegram has three answers: yes, no, and none at all. If members are hidden, a bot that is not an
admin learns nothing about anybody else, and any question can fail.
"""

from bot.conversation.incoming import Command, DeepLink, Person, Tap
from bot.conversation.outcome import UNKNOWN, Context, Lookup, require
from bot.display.words import Words
from bot.rooms.model import Match, Room
from bot.rooms.player import Player


def may_lead(host: int | None, person: Person, context: Context) -> bool:
    """Return True if a person may lead a lobby or a game, as its host or as an admin of the group."""
    return person.id == host or is_admin(context)


def may_call_off(match: Match, person: Person, context: Context) -> bool:
    """Return True if a person may cancel a running game: an admin of the group, or the host if they play."""
    plays = person.id in match.present.values()
    return (person.id == match.host and plays) or is_admin(context)


def plays_or_leads(match: Match, person: Person, context: Context) -> bool:
    """Return True if a person plays this game and has not left it, or is an admin of the group."""
    return person.id in match.present.values() or is_admin(context)


def is_admin(context: Context) -> bool:
    """Return True if the person is surely an admin of the group. Raises LookupNeeded if that is unknown."""
    return require(context.is_admin, Lookup.IS_ADMIN) is True


def refusal_key(key: str, context: Context) -> str:
    """Return the text's key for a person who may not do something.

    It is ``key``, unless Telegram does not say who may. In that case the text asks to make the bot an admin.
    """
    return "admin.unknown" if context.is_admin is UNKNOWN else key


def membership_refusal(room: Room, incoming: Tap | Command | DeepLink, context: Context) -> str | None:
    """Return why somebody does not count as a member of the group, as a key of the catalogue, or None.

    If Telegram does not say, these are signs of membership: writing in the group, tapping under a message
    there, or coming by a link that was shown to this person for such a tap. Raises LookupNeeded.
    """
    answer = require(context.is_member, Lookup.IS_MEMBER)
    if answer is not UNKNOWN:
        return None if answer else "toast.not-member"
    return None if _was_there(room, incoming) else "member.unknown"


def _was_there(room: Room, incoming: Tap | Command | DeepLink) -> bool:
    match incoming:
        case Tap():
            return incoming.group == room.chat
        case DeepLink():
            return incoming.own
    return True


# --- players ------------------------------------------------------------------------------------------------
# People as players, with their name and language at the table; and people without a seat.


def player_of(person: Person, context: Context) -> Player:
    """Return a person as a player, with the language that they chose."""
    language = require(context.language, Lookup.LANGUAGE)
    return Player(person.id, person.name, language, advised=context.advised, confirms=context.confirms)


def no_seat_text(room: Room, incoming: Tap, words: Words) -> str:
    """Return the toast for a tap by somebody without a seat on a button whose first number is the game's.

    A member of the game's group reads how to join the next one. A player who left, and has a computer
    in their place, reads how to get back. Who played reads that the game is over.
    """
    match = room.match
    if match is None or match.number != incoming.args[0]:
        return words.plain("toast.not-your-game")
    seat = match.seat_of(incoming.person.id)
    if match.over:
        return words.plain("toast.not-your-game" if seat is None else "illegal.over")
    if seat is not None and match.players[seat].computer:
        return words.plain("toast.stood-in")
    watching = seat is None and incoming.group == room.chat
    return words.plain("toast.watching" if watching else "toast.not-your-game")
