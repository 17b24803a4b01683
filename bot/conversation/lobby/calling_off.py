"""/cancel: close the lobby, or call the game off.

The bot asks for confirmation. At the command and again at the tap, it checks that the person may do this.

From the third policy on, a player cannot call the game off alone, because that would be a way out of a loss.
A majority of the people seated must want it within two minutes. An admin who does not play may always do so.
"""

from dataclasses import replace

from bot.conversation.game.endings import announce_cancelled, endings
from bot.conversation.incoming import Command, Tap
from bot.conversation.lobby.lobby import close_lobby
from bot.conversation.outcome import GROUP, ClearButtons, Context, Outcome, Toast
from bot.conversation.posting import edit_in_group, no_game, telling_for_group, to_group, words_of
from bot.conversation.rights import may_call_off, may_lead, refusal_key
from bot.display.buttons import Button, Row, data
from bot.display.words import Words, closest
from bot.rooms.model import CallingOff, Match, Room
from engine import Seat
from engine.facts import Enacted

#: The name of the message that asks for confirmation.
MESSAGE = "cancel"
#: A button about a game has the number of the open question. A button about a lobby has this instead.
LOBBY = 0
NO, YES = 0, 1
#: From this many policies on, calling off needs a vote.
POLICIES = 3


def cancel(room: Room, incoming: Command, context: Context) -> Outcome:
    """Ask the host, or an admin, for confirmation. A host without a seat cannot call off a running game."""
    words = words_of(room)
    if room.lobby is None and room.playing is None:
        return Outcome(room, (no_game(room),))
    if reason := refusal(room, incoming, context):
        return Outcome(room, (to_group(words.html(reason)),))
    ask = "cancel.ask.lobby" if room.lobby is not None else "cancel.ask"
    return Outcome(room, (to_group(words.html(ask), _keyboard(room), MESSAGE),))


def cancel_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Handle the answer to the request for confirmation.

    The button names the lobby, or the game and the question that was open then. If that lobby or question is
    closed by now, the answer does not count.
    """
    words = Words(closest(incoming.person.language), room.settings.theme)
    *meant, answer = incoming.args
    if tuple(meant) != _meant(room):
        return Outcome(room, toast=Toast(words.plain("cancel.stale"), alert=True))
    if reason := refusal(room, incoming, context):
        return Outcome(room, toast=Toast(words.plain(reason), alert=True))
    if answer != YES:
        return Outcome(room, (edit_in_group(MESSAGE, words_of(room).html("cancel.kept")),))
    if room.lobby is not None:
        closed = close_lobby(room, "lobby.cancelled")
        gone = edit_in_group(MESSAGE, words_of(room).html("lobby.cancelled"))
        return replace(closed, effects=(*closed.effects, gone))
    match = room.playing
    assert match is not None
    seat = match.seat_of(incoming.person.id)
    # The result may also count for a player who left, so they cannot call the game off alone either.
    played = seat is not None or incoming.person.id in match.former
    policies = [event for event in match.log if isinstance(event.fact, Enacted)]
    if not played or len(policies) < POLICIES:
        return cancel_game(room, match)
    votes = (seat,) if seat is not None and seat in match.present else ()
    if match.calling_off is not None:
        return _voted(room, match, votes, Toast(words.plain("cancel.voted")))
    return _voted(room, replace(match, calling_off=CallingOff(context.now, ())), votes, None)


def vote_tap(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Count a player's vote to call the game off."""
    match = room.playing
    words = Words(closest(incoming.person.language), room.settings.theme)
    if match is None or match.number != incoming.args[0] or match.calling_off is None:
        return Outcome(room, toast=Toast(words.plain("cancel.stale"), alert=True))
    seat = match.seat_of(incoming.person.id)
    if seat not in match.present:
        return Outcome(room, toast=Toast(words.plain("only-players"), alert=True))
    assert seat is not None
    return _voted(room, match, (seat,), Toast(words.plain("cancel.voted")))


def vote_failed(room: Room, match: Match) -> Outcome:
    """End the vote, because too few players voted in time. The game goes on."""
    room = replace(room, match=replace(match, calling_off=None))
    return Outcome(room, (edit_in_group(MESSAGE, words_of(room).html("cancel.failed")),))


def _voted(room: Room, match: Match, more: tuple[Seat, ...], toast: Toast | None) -> Outcome:
    """Add votes to call the game off. It takes more than half of the people seated, including the dead."""
    assert match.calling_off is not None
    votes, needed = tuple(sorted({*match.calling_off.votes, *more})), len(match.present) // 2 + 1
    match = replace(match, calling_off=replace(match.calling_off, votes=votes))
    if len(match.present.keys() & set(votes)) >= needed:
        return cancel_game(room, match)
    room = replace(room, match=match)
    telling = telling_for_group(room, match)
    text = telling.html("cancel.vote", who=telling.seats(votes), votes=len(votes), needed=needed)
    button = Button(telling.words.plain("button.cancel.game"), data(room.name, "off", match.number))
    return Outcome(room, (edit_in_group(MESSAGE, text, ((button,),)),), toast)


def refusal(room: Room, incoming: Command | Tap, context: Context) -> str | None:
    """Return the catalogue's key for why a person may not call the lobby or game off; None if they may."""
    if room.lobby is not None:
        may, key = may_lead(room.lobby.host, incoming.person, context), "only-host"
    elif room.playing is not None:
        may, key = may_call_off(room.playing, incoming.person, context), "cancel.only"
    else:
        return None
    return None if may else refusal_key(key, context)


def cancel_game(room: Room, match: Match) -> Outcome:
    """End the game without a result, so that it counts for nobody."""
    over = replace(match, cancelled=True, former={}, silent_leavers=(), rated={}, calling_off=None)
    bare = ClearButtons(GROUP, MESSAGE)
    return Outcome(replace(room, match=over), (bare, *announce_cancelled(room, over), *endings(room, over)))


def _meant(room: Room) -> tuple[int, int] | None:
    """Return the lobby's number and ``LOBBY``, or the numbers of the game and its open question, or None."""
    if room.lobby is not None:
        return room.lobby.number, LOBBY
    return None if room.playing is None else (room.playing.number, room.playing.game.asked)


def _keyboard(room: Room) -> tuple[Row, ...]:
    words, meant = words_of(room), _meant(room)
    assert meant is not None
    what = "lobby" if room.lobby is not None else "game"
    yes = Button(words.plain(f"button.cancel.{what}"), data(room.name, "cancel", *meant, YES))
    no = Button(words.plain(f"button.keep.{what}"), data(room.name, "cancel", *meant, NO))
    return ((yes, no),)
