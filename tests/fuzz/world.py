"""A world of three groups in different states, which follows from a block's number."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from typing import Any

from bot.display.buttons import data
from bot.rooms.codec import decode
from bot.rooms.model import Room
from engine import OFFERED, Chance
from engine.setups import option_sets
from infra.store.items import room_from_attributes
from local.dynamodb import Client
from local.dynamodb.table import Key, LocalTable
from local.dynamodb.values import Item
from sandbox.game import NAMES
from sandbox.harness import SECRET, Harness, harness_in_memory
from sandbox.telegram import Chat, User
from tests.system.table import Table

HEADERS = {"x-telegram-bot-api-secret-token": SECRET}
#: Texts that no log line may contain.
NEVER = (*NAMES, "Reichstag", "Next door", "Last night", SECRET)
Json = dict[str, Any]


class World:
    """A bot with three groups: one plays, one has a lobby, and one has a cancelled game and a planned night.

    Some people are in two of them.
    """

    def __init__(self, harness: Harness, items: LocalTable, rng: random.Random) -> None:
        self.harness = harness
        self.items = items
        self.rng = rng
        self.said = io.StringIO()
        rules = rng.choice(OFFERED)
        size = rng.randint(min(rules.players), min(max(rules.players), 9))
        self.game = Table(harness, title="The Reichstag", forum=rng.random() < 0.3)
        if self.game.group.forum:
            self.game.topic = self.game.tg.add_topic(self.game.group, "The table").id
        options = rng.choice(list(option_sets(rules, size).values()))
        self.game.open(size, ruleset=rules.id, options=options, chance=Chance(rng.randbytes(32).hex()))
        self.lobby = Table(
            harness, self.game.people[:2], title="Next door", type=rng.choice(("group", "supergroup"))
        )
        self.lobby.gather(rng.randint(2, 6))
        self.over = Table(harness, self.game.people[:5], title="Last night")
        self.over.gather(5).start()
        self.over.cancel(self.over.people[0])
        self.over.pass_time(60)
        self.over.say(self.over.owner, "/schedule weekly fri 20:00").press(self.over.people[0], "night")
        self.tables = (self.game, self.lobby, self.over)
        self.boss = self.game.person("Boss")
        for table in self.tables:
            if table is not self.game:
                table.tg.join(self.boss, table.group)
            table.tg.promote(self.boss, table.group)
        self.stranger = self.game.person("Stranger", started=rng.random() < 0.5)
        harness.settle()
        for _ in range(rng.randrange(25)):
            if not self.game.match().over:
                self.game.step_on(rng)

    @property
    def people(self) -> list[User]:
        everyone = [*self.game.people, *self.lobby.people, *self.over.people]
        owners = [table.owner for table in self.tables]
        return list(dict.fromkeys([*everyone, *owners]))

    def admins(self, chat: int) -> frozenset[int]:
        return frozenset(
            user for table in self.tables if table.group.id == chat for user in (table.owner.id, self.boss.id)
        )

    def left(self, chat: int) -> set[int]:
        groups = [table.group for table in self.tables if table.group.id == chat]
        return {user.id for user in self.people for group in groups if not group.member(user).present}

    def room(self, key: str) -> Room | None:
        return room_of(self.items.items.get((key, "room")))

    def buttons(self) -> list[tuple[str, User | None]]:
        """Return the data of all recent buttons, and the person in whose private chat a button is."""
        places: list[tuple[Chat, User | None]] = [(table.group, None) for table in self.tables]
        places += [(self.harness.telegram.private(user), user) for user in self.people]
        return [
            (button["callback_data"], user)
            for chat, user in places
            for message in list(chat.messages.values())[-12:]
            for button in message.buttons()
            if "callback_data" in button
        ]

    def post(self, body: Json) -> tuple[int, list[Json], list[tuple[Key, Item | None, Item | None]]]:
        """Pass an update to the entry; return the status, its log lines, and its writes."""
        changes: list[tuple[Key, Item | None, Item | None]] = []

        def watch(key: Key, before: Item | None, after: Item | None) -> None:
            changes.append((key, before, after))

        self.items.watchers.append(watch)
        try:
            status = self.harness.post(body, HEADERS).status
        finally:
            self.items.watchers.remove(watch)
        text = self.said.getvalue()
        self.said.seek(0)
        self.said.truncate()
        for never in NEVER:
            assert never not in text, f"{never!r} is in a log line"
        lines = [json.loads(line) for line in text.splitlines()]
        return status, [line for line in lines if line["level"] != "METRIC"], changes

    def finish(self) -> None:
        """Play the game to its end, which must be possible after any updates."""
        table = self.game
        for _ in range(3_000):
            match = table.match()
            question = match.game.question
            if match.over or question is None:
                return
            for place, seat in enumerate(question.seats):
                choice = self.rng.randrange(len(question.options[place]))
                carried = data(table.name, "answer", match.number, question.number, choice)
                self.post(tap(match.people[seat], carried))
                if table.match().first_tap is not None:
                    self.harness.clock.advance(2)  # type: ignore[attr-defined]
                    again = tap(match.people[seat], carried)
                    self.post({**again, "update_id": self.rng.getrandbits(30)})
            self.harness.clock.advance(5)  # type: ignore[attr-defined]
            if question.meeting:
                self.harness.clock.advance(table.room().settings.meeting)  # type: ignore[attr-defined]
            self.harness.settle()
            self.harness.watch()
            self.harness.settle()
        raise AssertionError("the game does not end")


@contextmanager
def opened(number: int, *, validated: bool = False) -> Iterator[World]:
    """Yield the world of a block."""
    rng = random.Random(f"world/{number}")
    items = LocalTable()
    with harness_in_memory(seed=number, client=Client(items), validated=validated) as harness:
        with redirect_stderr(io.StringIO()):
            world = World(harness, items, rng)
        with redirect_stderr(world.said):
            yield world


def room_of(item: Item | None) -> Room | None:
    """Return the room of an item; None if there is none, or if it has moved."""
    if item is None:
        return None
    stored = room_from_attributes(item)
    return decode(stored.body, stored.schema) if stored.body else None


def tap(person: int, carried: str, **more: Any) -> Json:
    query = {"id": "1", "from": {"id": person, "is_bot": False, "first_name": "?"}, "chat_instance": "1"}
    number = random.Random(f"{person}/{carried}").getrandbits(30)
    return {"update_id": number, "callback_query": {**query, "data": carried, **more}}
