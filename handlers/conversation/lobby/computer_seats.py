"""Computers in the lobby: as many as the host, or an admin, wants of them."""

from dataclasses import replace

from handlers.conversation.incoming import Tap
from handlers.conversation.lobby.lobby import edited, on_lobby
from handlers.conversation.outcome import Known, Outcome, Toast
from handlers.conversation.posting import words_of
from handlers.conversation.rights import may_lead
from handlers.display.lobby import computer_names
from handlers.display.words import Words
from handlers.rooms.model import Lobby, Player, Room


@on_lobby
def set_tap(room: Room, lobby: Lobby, said: Tap, known: Known, words: Words) -> Outcome:
    """So many computers sit here from now on: the button says how many, so that two taps are as one."""
    if not may_lead(lobby.host, said.person, known):
        return Outcome(room, toast=Toast(words.plain("only-host"), alert=True))
    others = len(lobby.players) - lobby.computers
    wanted = min(max(said.args[1], 0), max(lobby.sizes) - others)
    players = _with_computers(words_of(room), lobby.players, wanted)
    told = Toast(words.plain("toast.computers", count=wanted))
    if players == lobby.players:
        return Outcome(room, toast=told)
    return edited(replace(room, lobby=replace(lobby, players=players, touched=known.now)), told)


def _with_computers(words: Words, players: tuple[Player, ...], wanted: int) -> tuple[Player, ...]:
    """These with so many computers: who came last of them goes first, who comes has a name that is free."""
    computers = [player for player in players if player.computer]
    gone = computers[wanted:]
    stay = tuple(player for player in players if player not in gone)
    taken = {player.name for player in stay}
    free = [name for name in computer_names(words) if name not in taken]
    new = (Player(None, name, words.language, computer=True) for name in free[: wanted - len(computers)])
    return (*stay, *new) if wanted > len(computers) else stay
