"""Rooms for tests, and what is in them.

    room = lobby(5)
    after = tap(room, "join", person(5))
    after.room.lobby.players, toast(after), posts(after)

    room = elected(game(5, deck="lff"), 1)
    after = choose(room, "fascist")
    tells(after, seat=1)

``people`` has the people, ``acts`` the taps and commands, ``replies`` and ``texts`` what follows.
"""

from dataclasses import replace
from typing import Any

from bot.rooms.model import Lobby, Match, Player, Room, Settings
from bot.rooms.sealing import Proof
from engine import Setup
from tests.bot.conversation.people import CHAT, NOW, SEED, player
from tests.engine.builders import Play
from tests.engine.rulesets.games import red_dawn


def room(**more: Any) -> Room:
    """Return a group without any game so far."""
    settings = Settings(**{name: more.pop(name) for name in Settings.__dataclass_fields__ if name in more})
    return Room(CHAT, title="The Reichstag", settings=settings, **more)


def lobby(
    players: int = 5, ruleset: str = "classic@1", *, seated: tuple[Player, ...] = (), **more: Any
) -> Room:
    """Return the first person's lobby, with this many players, or these."""
    of_lobby = {name: more.pop(name) for name in Lobby.__dataclass_fields__ if name in more}
    setup, people = Setup(ruleset, 0, dict(more.pop("options", {}))), tuple(map(player, range(players)))
    given = {"number": 1, "host": 100, "setup": setup, "players": seated or people, "touched": NOW}
    open_one = Lobby(**{**given, **of_lobby})
    return room(lobby_count=open_one.number, lobby=open_one, **more)


def game(players: int = 5, *, play: Play | None = None, seated: tuple[Player, ...] = (), **more: Any) -> Room:
    """Return a game in which seat 0 must nominate, or the game of ``play``.

    ``deck``, ``roles``, ``ruleset``, ``options`` and ``board`` are the deal's. Others are fields of the match
    or of the room.
    """
    deal = {name: more.pop(name) for name in ("deck", "roles", "ruleset", "options", "board") if name in more}
    play = play or Play(players, **deal)
    of_match = {name: more.pop(name) for name in Match.__dataclass_fields__ if name in more}
    seated = seated or tuple(map(player, range(play.setup.players)))
    proof = Proof(SEED, round=1000, randomness="ab" * 32)
    of_match = {"number": 1, "host": 100, "time_began_at": NOW, "opened_at": NOW, **of_match}
    match = Match(proof=proof, players=seated, game=play.game, log=tuple(play.events), **of_match)
    return room(lobby_count=1, match=match, **more)


def meeting(players: int = 7, **more: Any) -> Room:
    """Return a game of Red Dawn in which the Communists meet."""
    return game(play=red_dawn(players).govern("c"), **more)


def changed(room: Room, **changes: Any) -> Room:
    return replace(room, match=replace(playing(room), **changes))


def changed_lobby(room: Room, **changes: Any) -> Room:
    return replace(room, lobby=replace(opened(room), **changes))


def playing(room: Room) -> Match:
    assert room.match is not None
    return room.match


def opened(room: Room) -> Lobby:
    assert room.lobby is not None
    return room.lobby


def names(room: Room) -> list[str]:
    table = room.lobby or room.sealed or room.match
    assert table is not None
    return [player.name for player in table.players]


def finished(**more: Any) -> Room:
    """Return an archived game of five that the Liberals won by five policies."""
    return game(play=Play(5).rounds(5, "liberal"), archived=True, **more)
