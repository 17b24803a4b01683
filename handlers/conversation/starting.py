"""From a lobby to a game, from a game to the next one; and calling either off."""

from collections.abc import Sequence
from dataclasses import replace

from engine import Illegal, start
from engine.proof import chance
from handlers.conversation.announce import announce, announce_cancelled, announce_start, role_button
from handlers.conversation.incoming import Command, Person, Tap
from handlers.conversation.lobby import (
    MESSAGE,
    close_lobby,
    edited,
    last_played,
    on_lobby,
    opened,
    without,
)
from handlers.conversation.outcome import Known, Outcome, Toast, Unknown
from handlers.conversation.places import edit_in_group, to_group, words_of
from handlers.conversation.rights import may_lead
from handlers.conversation.silence import silent
from handlers.display.lobby import lobby_text
from handlers.display.words import Html, Words, closest, name
from handlers.rooms.model import Lobby, Match, Player, Room


@on_lobby
def start_tap(room: Room, lobby: Lobby, said: Tap, known: Known, words: Words) -> Outcome:
    """Start by button: the host or an admin."""
    words = replace(words, theme=room.settings.theme)
    if refusal := _refusal(words, lobby, said.person, known):
        return Outcome(room, toast=Toast(str(refusal), alert=True))
    if gone := _gone(lobby, known):
        return _unseated(room, lobby, gone, known)
    return replace(_start(room, lobby, known), toast=Toast(words.plain("toast.started")))


def start_command(room: Room, said: Command, known: Known) -> Outcome:
    """Start by /start in the group: the host or an admin."""
    words = words_of(room)
    if room.lobby is None:
        return Outcome(room, (to_group(room, words.html("lobby.none")),))
    if refusal := _refusal(words, room.lobby, said.person, known):
        return Outcome(room, (to_group(room, refusal),))
    if gone := _gone(room.lobby, known):
        return _unseated(room, room.lobby, gone, known)
    return _start(room, room.lobby, known)


def cancel(room: Room, said: Command, known: Known) -> Outcome:
    """Close the lobby, or call the game off: the host or an admin."""
    words = words_of(room)
    current = room.lobby or room.playing
    if current is None:
        return Outcome(room, (to_group(room, words.html("lobby.none")),))
    if not may_lead(current.host, said.person, known):
        return Outcome(room, (to_group(room, words.html("only-host")),))
    if room.lobby is not None:
        return close_lobby(room, "lobby.cancelled")
    assert room.playing is not None
    over = replace(room.playing, cancelled=True, former={})
    return Outcome(replace(room, match=over), announce_cancelled(room, over))


def rematch(room: Room, said: Tap, known: Known) -> Outcome:
    """Again: a lobby for the same game with the same people. Anyone who played may open it."""
    match = room.match
    words = Words(closest(said.person.language))
    if match is None or match.number != said.args[0] or match.seat_of(said.person.id) is None:
        return Outcome(room, toast=Toast(words.plain("toast.not-your-game")))
    if room.lobby is not None or not match.over:
        return Outcome(room, toast=Toast(words.plain("toast.already-open")))
    if known.draining:
        return Outcome(room, toast=Toast(words.plain("game.draining"), alert=True))
    if known.present is None:
        raise Unknown("present")
    gone = {*match.away, *match.unreached}
    seats = enumerate(match.players)
    players = tuple(player for seat, player in seats if seat not in gone and player.id in known.present)
    lobby = opened(room, said.person.id, players, *last_played(room), known)
    return replace(lobby, toast=Toast(words.plain("toast.set")))


def _refusal(words: Words, lobby: Lobby, person: Person, known: Known) -> Html | None:
    """Why a person may not start now, or None."""
    if not may_lead(lobby.host, person, known):
        return words.html("only-host")
    missing = min(lobby.sizes) - len(lobby.players)
    if missing > 0:
        return words.counted("start.missing", missing)
    try:
        lobby.setup_for(len(lobby.players))
    except Illegal as illegal:
        return words.html(f"illegal.{illegal.reason}")
    return None


def _gone(lobby: Lobby, known: Known) -> tuple[Player, ...]:
    """Who joined and has left the group since."""
    if known.gone is None:
        raise Unknown("gone")
    return tuple(player for player in lobby.players if player.id in known.gone)


def _unseated(room: Room, lobby: Lobby, gone: Sequence[Player], known: Known) -> Outcome:
    """They lose their seats, and nothing starts yet: for so many fewer it is another game."""
    for player in gone:
        lobby = without(lobby, player.id, known)
    left = edited(replace(room, lobby=lobby))
    words = words_of(room)
    names = words.listed(name(player.name) for player in gone)
    told = to_group(room, words.html("lobby.gone", names=names))
    return replace(left, effects=(*left.effects, told))


def _start(room: Room, lobby: Lobby, known: Known) -> Outcome:
    words = words_of(room)
    quiet = silent(room, lobby.setup.ruleset)
    if quiet and known.may_delete is None:
        raise Unknown("may_delete")
    players = lobby.players
    shakes = tuple(lobby.shakes.get(player.id, 0) for player in players)
    game, events = start(lobby.setup_for(len(players)), chance(bytes.fromhex(lobby.seed), shakes))
    match = Match(
        lobby.number,
        lobby.host,
        lobby.seed,
        players,
        shakes,
        game,
        events,
        asked_at=known.now,
        own=lobby.own,
    )
    started = replace(room, lobby=None, match=match, pictures=True)
    text = lobby_text(words, lobby, quiet=quiet, started=True)
    if quiet and not known.may_delete:
        text = Html(f"{text}\n\n{words.html('silence.by-yourselves')}")
    closed = edit_in_group(room, MESSAGE, text, role_button(started, match))
    roles = announce_start(started, match)
    room, told = announce(started, events)
    return Outcome(room, (closed, *roles, *told))
