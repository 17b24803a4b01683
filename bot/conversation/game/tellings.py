"""The hearer of a game: the group or one seat, each with its view, in its words."""

from dataclasses import replace

from bot.conversation.posting import words_of
from bot.display.telling import Telling
from bot.display.words import Words
from bot.rooms.model import Match, Room


def telling_group(room: Room, match: Match) -> Telling:
    """Telling the group."""
    return Telling(match.view(None), match.players, words_of(room))


def telling_seat(room: Room, match: Match, seat: int) -> Telling:
    """Telling one seat, in its own language."""
    return Telling(match.view(seat), match.players, words_for(room, match, seat))


def telling_asked(room: Room, match: Match, seat: int) -> Telling:
    """Telling one seat what it is asked, with its private notes."""
    return replace(telling_seat(room, match, seat), notes=match.notes.get(seat, {}))


def words_for(room: Room, match: Match, seat: int) -> Words:
    """Return the words of a seat's own language."""
    return Words(match.players[seat].language, room.settings.theme)
