"""Apply a person's own choices in a room: their language, how they are asked, and /forget."""

from collections.abc import Callable
from dataclasses import replace

from bot.conversation import nights
from bot.conversation.game import deadlines, guessing
from bot.conversation.incoming import LanguageChosen, Person, PersonForgotten, SettingsChosen
from bot.conversation.lobby import lobby
from bot.conversation.outcome import Outcome
from bot.conversation.posting import words_of
from bot.conversation.practice import own_room
from bot.display.lobby import computer_names
from bot.display.words import closest
from bot.rooms.model import Match, Player, Room
from bot.rooms.names import UserId
from bot.rooms.player import people_of

#: The player who replaces a forgotten person: without an id, and with a sign for a name.
NOBODY = Player(None, "👤", "en")


def set_language(room: Room, incoming: LanguageChosen) -> Outcome:
    """Note a person's new language for everything that they read about this room."""

    def changed(player: Player) -> Player:
        return replace(player, language=incoming.language) if player.id == incoming.person.id else player

    if room.private:
        room = replace(room, settings=replace(room.settings, language=incoming.language))
    return Outcome(_with_players(room, changed))


def set_options(room: Room, incoming: SettingsChosen) -> Outcome:
    """Change how a person is asked in this room."""

    def changed(player: Player) -> Player:
        if player.id != incoming.person.id:
            return player
        advised = player.advised if incoming.advised is None else incoming.advised
        confirms = player.confirms if incoming.confirms is None else incoming.confirms
        return replace(player, advised=advised, confirms=confirms)

    if incoming.advised is not None and room.match is not None and room.match.practice is not None:
        practice = replace(room.match.practice, advice=incoming.advised > 0)
        room = replace(room, match=replace(room.match, practice=practice))
    return Outcome(_with_players(room, changed))


def forget_person(room: Room, incoming: PersonForgotten) -> Outcome:
    """Remove a person from the room, except from a seat that they still have.

    The running game no longer counts for them. If they have left a seat in it, their id stays with that seat
    until the game is over, so that they cannot take another one.
    """
    user = incoming.person.id
    if room.private:
        return own_room.erase(room)
    signed_off = nights.without(room, user)
    left = _forgotten_at_table(signed_off.room, user)
    return replace(left, effects=(*signed_off.effects, *left.effects))


def _forgotten_at_table(room: Room, user: UserId) -> Outcome:
    waiting = tuple(player for player in room.next_game if player.id != user)
    # An act with a person's negative id is about them as well.
    acts = tuple(act for act in room.acts if abs(act[0]) != user)
    room = replace(room, acts=acts, next_game=waiting)
    if room.match is not None:
        match = room.match
        rated = {seat: player for seat, player in match.rated.items() if player.id != user}
        match = guessing.without_guesser(replace(match, rated=rated), user)
        match = match.without_seat(match.seat_of(user), "notes")
        room = replace(room, match=_without(room, match, user))
    if room.sealed is not None and room.sealed.host == user and not room.sealed.is_seated(user):
        first = next(iter(people_of(room.sealed.players).values()), None)
        room = replace(room, sealed=replace(room.sealed, host=first))
    if room.lobby is None or room.lobby.host != user or room.lobby.is_seated(user):
        return Outcome(room)
    first = next(iter(room.lobby.people.values()), None)
    return lobby.show_lobby(replace(room, lobby=replace(room.lobby, host=first)))


def _without(room: Room, match: Match, user: UserId) -> Match:
    """Return the game without a person, unless they still play in it."""
    seat = match.seat_of(user)
    if seat in match.present and not match.over:
        return match
    if match.host == user:
        match = replace(match, host=None)
    if seat is None:
        return match
    nobody, former, silent_leavers = NOBODY, match.former, match.silent_leavers
    if not match.over:
        former = {**former, user: seat}
        silent_leavers = deadlines.note_silent_leaver(match, seat).silent_leavers
        if match.players[seat].computer:
            taken = {player.name for place, player in enumerate(match.players) if place != seat}
            free = (name for name in computer_names(words_of(room)) if name not in taken)
            nobody = replace(NOBODY, name=next(free), computer=True)
    players = (*match.players[:seat], nobody, *match.players[seat + 1 :])
    # A rematch leaves out the seats in ``away``.
    away = (*(other for other in match.away if other != seat), seat)
    return replace(match, players=players, away=away, former=former, silent_leavers=silent_leavers)


def _with_players(room: Room, changed: Callable[[Player], Player]) -> Room:
    room = replace(room, next_game=tuple(map(changed, room.next_game)))
    if room.night is not None:
        guests = tuple(replace(guest, player=changed(guest.player)) for guest in room.night.guests)
        room = replace(room, night=replace(room.night, guests=guests))
    if room.lobby is not None:
        room = replace(room, lobby=replace(room.lobby, players=tuple(map(changed, room.lobby.players))))
    if room.sealed is not None:
        room = replace(room, sealed=replace(room.sealed, players=tuple(map(changed, room.sealed.players))))
    if room.match is not None:
        guessers = tuple(
            guesser if guesser.player is None else replace(guesser, player=changed(guesser.player))
            for guesser in room.match.guessers
        )
        players = tuple(map(changed, room.match.players))
        room = replace(room, match=replace(room.match, players=players, guessers=guessers))
    return room


def own_language(code: str | None, person: Person) -> str:
    """Return the language that a person chose, or else the closest to the one that Telegram names."""
    return code or closest(person.language)
