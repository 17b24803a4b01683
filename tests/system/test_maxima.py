"""A room's item stays below its maximum in each ruleset's worst case: no Telegram, and a flood of acts."""

import random
from dataclasses import replace
from itertools import cycle
from typing import Any

import pytest

from bot.display import buttons
from bot.rooms.model import Ballots, Settings
from engine import OFFERED, Ruleset, Setup
from handlers.service.room_service import MAX_OUTBOX_BYTES
from sandbox.game import chosen_options
from sandbox.harness import Harness
from sandbox.item_size import item_size
from sandbox.telegram import User
from tests.system.store import Store
from tests.system.table import Table

#: Bytes that a room's item may have, and those of the messages that one step adds at most.
MOST, ONE_STEP = 100 * 1024, 20_000
#: The most steps of the game before Telegram is away, and rounds of the flood afterwards.
BEFORE, AFTER = 40, 100
COMMANDS = ("/status", "/history", "/leave", "/board", "/suspect 1 2", "/votes", "/join", "/newgame")


class Flood:
    """Do everything as everybody that makes the bot write, and answer all questions."""

    def __init__(self, table: Table, rng: random.Random) -> None:
        self.table, self.rng, self.tg = table, rng, table.tg
        self.commands = cycle(COMMANDS)
        self.stranger = table.person("Xaver")

    def step(self) -> None:
        """Do one act of each kind, then answer for everybody who is asked."""
        table, rng = self.table, self.rng
        person = rng.choice(table.people)
        self.tg.send(person, table.group, next(self.commands))
        self.tg.send(self.stranger, table.group, next(self.commands))
        self.tg.send(person, self.tg.private(person), "/start")
        seat, number = rng.randrange(len(table.people) - 1), table.match().number
        self._tap(table.people[seat], "quit", number, seat, 1)
        self._tap(table.people[seat], "sit", number, seat)
        self.tg.block(person)
        self.tg.block(person, blocked=False)
        table.harness.settle()
        self.answer()
        table.wait(20)

    def answer(self) -> None:
        match = self.table.match()
        question = match.game.question
        if match.over or question is None:
            return
        for seat, options in zip(question.seats, question.options, strict=True):
            option = self.rng.randrange(len(options))
            self._tap(self.table.people[seat], "answer", match.number, question.number, option)
        self.table.harness.settle()

    def _tap(self, user: User, verb: buttons.Verb, *numbers: int) -> None:
        message = next(iter(self.table.group.messages.values()))
        self.tg.tap(user, message, buttons.data(self.table.name, verb, *numbers), forged=True)


@pytest.mark.parametrize("ballots", ["private", "group"])
@pytest.mark.parametrize("rules", OFFERED, ids=lambda rules: rules.name)
@pytest.mark.thorough
def test_no_item_overflows(table: Table, store: Store, at: Harness, rules: Ruleset, ballots: Ballots) -> None:
    largest, waiting = [0], [0]

    def weigh(key: tuple[str, str], before: Any, after: Any) -> None:
        if key == (table.name.key, "room") and after is not None:
            largest[0] = max(largest[0], item_size(after))
            waiting[0] = max(waiting[0], sum(len(one["B"]) for one in after["outbox"]["M"].values()))

    store.items.watchers.append(weigh)
    players, rng = max(rules.players), random.Random(f"{rules.name}/{ballots}")
    table.gather(players, Setup(rules.id, players, chosen_options(rules.name, players, "all")))
    table.rewrite(replace(table.room(), settings=Settings(ballots=ballots)))
    table.start()
    flood = Flood(table, rng)
    for _ in range(BEFORE):
        if not table.match().over:
            flood.answer()
            table.pass_time(20)
            at.settle()
    at.telegram.flood.flood_until = at.clock() + 1e6
    for _ in range(AFTER):
        if waiting[0] <= MAX_OUTBOX_BYTES:
            flood.step()
    assert waiting[0] > MAX_OUTBOX_BYTES, "the room stands still"
    for _ in range(5):
        flood.step()
    assert waiting[0] <= MAX_OUTBOX_BYTES + ONE_STEP
    assert largest[0] <= MOST
