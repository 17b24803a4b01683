"""A game for the simulators: its ruleset, players, options and settings."""

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
class Plan:
    """The game to play: players, options, and the group's settings."""

    rules: Ruleset
    players: int
    options: dict[str, str]
    settings: Settings

    @property
    def game(self) -> str:
        """Return the game in a few words, for a report."""
        return " ".join(
            [self.rules.id, f"x{self.players}", *(f"{name}={value}" for name, value in self.options.items())]
        )

    def furnish(self, rooms: Rooms, chat: Chat) -> None:
        """Store the group's room with its settings."""
        room = Room(chat.id, title=chat.title, settings=self.settings)
        rooms.create(RoomName(chat.id).key, Change(body=encode(room), schema=SCHEMA))
