"""Plan a game for the simulators: ruleset, players, options and settings."""

from __future__ import annotations

from dataclasses import dataclass

from bot.rooms.codec import SCHEMA, encode
from bot.rooms.model import Room, Settings
from bot.rooms.names import RoomName
from engine import Ruleset
from infra.store.items import Change
from infra.store.rooms import Rooms
from sandbox.telegram import Chat


@dataclass(frozen=True, slots=True)
class GamePlan:
    """A game to play, and the settings of its group."""

    rules: Ruleset
    players: int
    options: dict[str, str]
    settings: Settings

    @property
    def game(self) -> str:
        """Describe the game in a few words, for reports."""
        return " ".join(
            [self.rules.id, f"x{self.players}", *(f"{name}={value}" for name, value in self.options.items())]
        )

    def store_room(self, rooms: Rooms, chat: Chat) -> None:
        """Store a room with these settings for the group."""
        room = Room(chat.id, title=chat.title, settings=self.settings)
        rooms.create(RoomName(chat.id).key, Change(body=encode(room), schema=SCHEMA))
