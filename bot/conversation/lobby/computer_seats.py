"""Computers in the lobby. The host or an admin sets their number."""

from dataclasses import replace

from bot.conversation.incoming import Tap
from bot.conversation.lobby.lobby import on_lobby, show_lobby, with_computers
from bot.conversation.outcome import Context, Outcome, Toast
from bot.conversation.posting import words_of
from bot.conversation.rights import may_lead, refusal_key
from bot.display.words import Words
from bot.rooms.model import Lobby, Room


@on_lobby
def set_tap(room: Room, lobby: Lobby, incoming: Tap, context: Context, words: Words) -> Outcome:
    """Set the number of computers. The button carries the total, so a double tap is harmless."""
    if not may_lead(lobby.host, incoming.person, context):
        return Outcome(room, toast=Toast(words.plain(refusal_key("only-host", context)), alert=True))
    others = len(lobby.players) - lobby.computer_count
    # A person who practises has nobody else to play with.
    fewest = 0 if lobby.practice is None else min(lobby.sizes) - others
    # After a change of rules, more people may be in the lobby than the new rules have seats for.
    wanted = max(0, min(max(incoming.args[1], fewest), max(lobby.sizes) - others))
    players = with_computers(words_of(room), lobby.players, wanted)
    told = Toast(words.plain("toast.computers", count=wanted))
    if players == lobby.players:
        return Outcome(room, toast=told)
    return show_lobby(replace(room, lobby=replace(lobby, players=players, touched=context.now)), told)
