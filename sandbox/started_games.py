"""Store rooms whose game has just started, without playing through a lobby: for runs with many rooms."""

from __future__ import annotations

from collections.abc import Sequence

from bot.conversation.lobby.sealing import begin
from bot.conversation.outcome import Context
from bot.rooms.codec import SCHEMA, encode, first_setup
from bot.rooms.model import Lobby, Room
from bot.rooms.names import RoomName
from bot.rooms.player import Player
from handlers.service import effects
from handlers.service.build import Built
from infra.store.items import Change, RoomItem


def store_started_game(
    built: Built, name: RoomName, title: str, players: Sequence[Player], entropy: str
) -> None:
    """Store a room whose game has just started, and send all players their roles."""
    now = int(built.app.clock())
    lobby = Lobby(1, players[0].id, first_setup(), tuple(players))
    known = Context(now, entropy, "storm_bot", b"key", counted=frozenset())
    begun = begin(Room(name.chat, name.topic, title=title, lobby_count=1), lobby, known)
    entries = effects.entries(begun.room, begun.effects)
    made = built.app.rooms.create(name.key, Change(encode(begun.room), SCHEMA, None, entries))
    assert isinstance(made, RoomItem)
    built.app.outbox_service.deliver(made, "furnishing", built.app.clock() + 60)
