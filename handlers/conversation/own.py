"""What is a person's own wherever they sit: their language, and the wish to be forgotten."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from handlers.conversation import lobby
from handlers.conversation.incoming import Chose, Command, Forgotten, Person, Said, Tap
from handlers.conversation.outcome import Known, Outcome, Unknown
from handlers.display.words import closest
from handlers.rooms.model import Match, Player, Room

#: Who sat where somebody was forgotten: nobody's id, and a sign for a name.
NOBODY = Player(0, "👤", "en")

Speech = TypeVar("Speech", bound=Said)


def player_of(person: Person, known: Known) -> Player:
    """A person as a player, speaking the language that they chose."""
    if known.language is None:
        raise Unknown("language")
    return Player(person.id, person.name, known.language)


def as_seated(room: Room, said: Speech) -> Speech:
    """The same, in the language in which who spoke is at this table. Elsewhere Telegram's word holds."""
    if not isinstance(said, Tap | Command):
        return said
    for player in (*(room.match.players if room.match else ()), *(room.lobby.players if room.lobby else ())):
        if player.id == said.person.id:
            return replace(said, person=replace(said.person, language=player.language))
    return said


def chose(room: Room, said: Chose) -> Outcome:
    """Somebody chose a language: from now on they are told everything here in it."""

    def changed(player: Player) -> Player:
        return replace(player, language=said.language) if player.id == said.person.id else player

    return Outcome(_with_players(room, changed))


def forgotten(room: Room, said: Forgotten) -> Outcome:
    """Somebody wants to be forgotten: where they only wait or lead, or have played, they go.

    A seat stays theirs; one that they had before is noted until the game is over: it bars them from others.
    """
    user = said.person.id
    room = replace(room, next_game=tuple(player for player in room.next_game if player.id != user))
    if room.match is not None:
        room = replace(room, match=_without(room.match, user))
    if room.lobby is None or room.lobby.host != user or room.lobby.seats(user):
        return Outcome(room)
    first = next((player.id for player in room.lobby.players), 0)
    return lobby.edited(replace(room, lobby=replace(room.lobby, host=first)))


def _without(match: Match, user: int) -> Match:
    """The game without a person, but for a seat in it while it goes on."""
    seat = match.seat_of(user)
    if seat is not None and not match.over:
        return match
    if match.host == user:
        match = replace(match, host=0)
    if seat is None:
        return match
    players = (*match.players[:seat], NOBODY, *match.players[seat + 1 :])
    # Nobody asks them to play again.
    return replace(match, players=players, away=(*(other for other in match.away if other != seat), seat))


def _with_players(room: Room, changed: Callable[[Player], Player]) -> Room:
    room = replace(room, next_game=tuple(map(changed, room.next_game)))
    if room.lobby is not None:
        room = replace(room, lobby=replace(room.lobby, players=tuple(map(changed, room.lobby.players))))
    if room.match is not None:
        room = replace(room, match=replace(room.match, players=tuple(map(changed, room.match.players))))
    return room


def spoken(code: str | None, person: Person) -> str:
    """The language for a person who chose this one, or none: then the closest to Telegram's word."""
    return code or closest(person.language)
