"""Start the game of a lobby, and open a lobby for another game."""

from collections.abc import Mapping
from dataclasses import replace

from markupsafe import Markup

from bot.conversation.game import info
from bot.conversation.incoming import Command, Person, Tap
from bot.conversation.lobby.lobby import (
    last_played,
    on_lobby,
    open_lobby,
    show_lobby,
    why_none_opens,
    without,
)
from bot.conversation.lobby.sealing import begin
from bot.conversation.outcome import Context, Lookup, Outcome, Post, Private, Toast, require
from bot.conversation.posting import group_link, group_row, no_game, to_group, words_of
from bot.conversation.rights import may_lead, refusal_key
from bot.display.buttons import Button
from bot.display.commands import GREETING
from bot.display.lobby import computers_row
from bot.display.words import Words, bold, closest, name
from bot.records.own_record import ADVISED_GAMES
from bot.rooms.model import Lobby, Match, Player, Room
from bot.rooms.names import UserId, sign_lobby
from engine import Illegal


@on_lobby
def start_tap(room: Room, lobby: Lobby, incoming: Tap, context: Context, words: Words) -> Outcome:
    """Start by button, if the host or an admin taps."""
    words = replace(words, theme=room.settings.theme)
    if refusal := _refusal(words, lobby, incoming.person, context):
        return Outcome(room, toast=Toast(str(refusal), alert=True))
    if gone := _gone(lobby, context):
        return _unseated(room, lobby, gone, context)
    return replace(begin(room, lobby, context), toast=Toast(words.plain("toast.started")))


def start_command(room: Room, incoming: Command, context: Context) -> Outcome:
    """Answer /start in the group: start the game for the host or an admin."""
    words = words_of(room)
    if incoming.argument == GREETING:
        # Telegram sends it when somebody adds the bot to the group.
        return info.help_in_group(room, incoming, context)
    if room.lobby is None:
        return Outcome(room, (no_game(room),))
    if refusal := _refusal(words, room.lobby, incoming.person, context):
        too_few = len(room.lobby.players) < min(room.lobby.sizes)
        missing = too_few and may_lead(room.lobby.host, incoming.person, context)
        rows = computers_row(words, room.name, room.lobby) if missing else ()
        return Outcome(room, (to_group(refusal, rows),))
    if gone := _gone(room.lobby, context):
        return _unseated(room, room.lobby, gone, context)
    return begin(room, room.lobby, context)


def rematch(room: Room, incoming: Tap, context: Context) -> Outcome:
    """Open a lobby for the same game, seat the person who tapped, and ask the others in private to join.

    Anybody who played may open it.
    """
    match = room.match
    words = Words(closest(incoming.person.language))
    if match is None or match.number != incoming.args[0] or match.seat_of(incoming.person.id) is None:
        return Outcome(room, toast=Toast(words.plain("toast.not-your-game")))
    if room.lobby is not None or not match.over:
        return Outcome(room, toast=Toast(words.plain("toast.already-open")))
    if why := why_none_opens(context, group=True):
        return Outcome(room, toast=Toast(words.plain(why), alert=True))
    present = require(context.present, Lookup.PRESENT)
    if incoming.person.id not in present:  # banned since, and still looking at the message
        return Outcome(room, toast=Toast(words.plain("toast.not-member"), alert=True))
    gone = {*match.away, *match.unreached}
    here = [player for seat, player in enumerate(match.players) if seat not in gone]
    own = incoming.person.id
    # Computers are always present.
    seated = (one for one in here if one.id in (None, own))
    players = tuple(_for_next_game(one, match) if one.id == own else one for one in seated)
    lobby = open_lobby(room, own, players, *last_played(room), context)
    asked = [one for one in here if one.id in present and one.id != own]
    told, host, link = [], bold(name(incoming.person.name)), group_link(lobby.room)
    for one in asked:
        text = Words(one.language).html("again.ask", who=host, group=link)
        told.append(ask_to_join(lobby.room, one, text, context))
    toast = words.plain("toast.again.asked" if asked else "toast.again")
    return replace(lobby, effects=(*lobby.effects, *told), toast=Toast(toast))


def _for_next_game(player: Player, match: Match) -> Player:
    """Return a player of the last game as they begin the next one.

    If the last game was played to its end, a newcomer has one game less of advice.
    """
    counts_down = match.won and 0 < player.advised <= ADVISED_GAMES
    return replace(player, computer=False, advised=player.advised - counts_down)


def ask_to_join(room: Room, player: Player, text: Markup, context: Context) -> Post:
    """Ask somebody in private to join the open lobby. One tap on the button seats them."""
    assert player.id is not None
    assert room.lobby is not None
    words = Words(player.language)
    payload = sign_lobby(room.name, room.lobby.number, context.link_key)
    join = Button(words.plain("button.join"), url=context.deep_link(payload))
    return Post(Private(player.id), text, ((join,), *group_row(words, room)))


def _refusal(words: Words, lobby: Lobby, person: Person, context: Context) -> Markup | None:
    """Return the text that says why a person may not start the game now; None if they may."""
    if not may_lead(lobby.host, person, context):
        return words.html(refusal_key("only-host", context))
    if lobby.host_is_unseated:
        return words.html("start.hostless")
    missing = min(lobby.sizes) - len(lobby.players)
    if missing > 0:
        return words.counted("start.missing", missing)
    try:
        lobby.setup_for(len(lobby.players))
    except Illegal as illegal:
        return words.html(f"illegal.{illegal.reason}")
    return None


def _gone(lobby: Lobby, context: Context) -> Mapping[UserId, str]:
    """Return, by user id, the names of players who have left the group since they joined the lobby."""
    gone = require(context.gone, Lookup.GONE)
    return {user: lobby.players[place].name for place, user in lobby.people.items() if user in gone}


def _unseated(room: Room, lobby: Lobby, gone: Mapping[UserId, str], context: Context) -> Outcome:
    """Free the seats of players who left the group. Do not start, because fewer players are another game."""
    for user in gone:
        lobby = without(lobby, user, context)
    left, words = show_lobby(replace(room, lobby=lobby)), words_of(room)
    told = to_group(words.html("lobby.gone", names=words.listed(map(name, gone.values()))))
    return replace(left, effects=(*left.effects, told))
