"""Computers that come and go in a lobby."""

from dataclasses import replace

from bot.display.lobby import computer_names
from bot.display.words import Words
from bot.rooms.model import Lobby, Player

#: The default number of seats at a practice table: as few as possible, which is quick.
FEWEST = 5


def with_computers(words: Words, players: tuple[Player, ...], wanted: int) -> tuple[Player, ...]:
    """Return the players with this many computers. The last one goes first; a new one gets a free name."""
    computers = [player for player in players if player.computer]
    gone = computers[wanted:]
    stay = tuple(player for player in players if player not in gone)
    taken = {player.name for player in stay}
    free = [name for name in computer_names(words) if name not in taken]
    new = (Player(None, name, words.language, computer=True) for name in free[: wanted - len(computers)])
    return (*stay, *new) if wanted > len(computers) else stay


def filled(words: Words, lobby: Lobby) -> Lobby:
    """Return a practice lobby with just as many computers as can play, with names from its theme."""
    people = tuple(player for player in lobby.players if not player.computer)
    size = min(max(len(lobby.players), min(lobby.sizes)), max(lobby.sizes))
    return replace(lobby, players=with_computers(words, people, size - len(people)))
