"""Seats without a person, whose questions are answered without a tap, as computers answer."""

import random
from collections.abc import Collection
from dataclasses import replace

from bot.conversation.game.answering import answer_question
from bot.conversation.game.clock import with_new_deadline
from bot.conversation.game.tidying import with_old_buttons_cleared
from bot.conversation.incoming import Wake
from bot.conversation.waking import with_next_times
from bot.rooms.codec import decode
from bot.rooms.model import Player
from engine import Chance, Reply, Setup, dealt, question_for
from handlers.service.effects import RoomRequest
from infra.store.items import RoomItem
from tests.system.table import Table


class Somebody:
    """Answer at random for seats without a person."""

    def __init__(self, table: Table, seed: int = 0) -> None:
        self.table = table
        self.rng = random.Random(seed)

    def answer(self, seat: int, choice: int | None = None) -> None:
        """Answer a seat's question with this option, or at random."""
        self.table.pass_time()
        app, item = self.table.harness.built.app, self.table.item()
        room = decode(item.body, item.schema)
        assert room.match is not None
        assert seat not in room.match.people
        question = question_for(room.match.game, seat)
        assert question is not None
        options = question.options[question.seats.index(seat)]
        chosen = self.rng.randrange(len(options)) if choice is None else choice
        known = app.room_service.base_context()
        outcome = answer_question(room, Reply(seat, question.number, chosen), known)
        outcome = with_next_times(
            room, with_old_buttons_cleared(room, with_new_deadline(room, outcome, known))
        )
        heard = RoomRequest(Wake(self.table.name), self.table.name, None, self.table.harness.clock() + 10)
        saved = app.room_service.save(item, room, outcome, heard)
        assert isinstance(saved, RoomItem)
        app.follow_up.run(outcome, saved, heard)
        self.table.harness.settle()

    def step_on(self) -> None:
        """Answer at random for all seats that must answer. If they meet, let the meeting's time pass."""
        table, match = self.table, self.table.match()
        question = match.game.question
        assert question is not None, "nothing is asked"
        for seat in question.seats if question.meeting else table.waiting():
            if seat in match.people:
                prompt = table.seat(seat).prompt()
                prompt.tap(self.rng.choice(prompt.labels()))
            else:
                self.answer(seat)
        if question.meeting:
            table.pass_time(
                max(0.0, match.time_began_at + table.room().settings.meeting + 1 - table.harness.clock())
            )
            table.harness.settle()

    def finish(self) -> None:
        """Play to the end."""
        while not self.table.match().over:
            self.step_on()


def empty(table: Table, places: Collection[int]) -> Table:
    """Replace the people in these seats of the open lobby by players who are not people.

    The people stay in the group. If the host is replaced, an admin starts the game.
    """
    room = table.room()
    assert room.lobby is not None
    players = tuple(
        Player(None, player.name, player.language) if place in places else player
        for place, player in enumerate(room.lobby.players)
    )
    host = room.lobby.host if room.lobby.host in [player.id for player in players] else None
    table.rewrite(replace(room, lobby=replace(room.lobby, players=players, host=host)))
    return table


def open_with(
    table: Table,
    players: int,
    places: Collection[int],
    setup: Setup | None = None,
    chance: Chance | None = None,
) -> Somebody:
    """Open a lobby for ``players``, and start a game in which these seats have no person."""
    empty(table.gather(players, setup), places).start(chance or dealt((), 0))
    return Somebody(table)
