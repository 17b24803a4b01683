"""Few posts and edits in a game, and no buttons under old questions."""

from __future__ import annotations

import random

import pytest

from bot.display.buttons import data
from bot.rooms.model import Ballots
from engine import Chance, Setup, waiting_on
from infra.outbox.plan import LIMIT_FOR_EDITS
from infra.store.items import Change, RoomItem
from sandbox.telegram import Message
from tests.engine.builders import open_question
from tests.system.table import Table


def ballot(table: Table) -> Message:
    """Return the message of one round's ballot in the group, after all voted Nein."""
    table.press(table.people[table.waiting()[0]], "answer")
    message, _ = table.button("answer")
    nein = message.buttons()[1]["callback_data"]
    for seat in table.waiting():
        table.tap(table.people[seat], message, nein)
    table.pass_time(60)
    return message


def test_made_choices_lose_their_buttons_in_the_group(table: Table) -> None:
    table.gather(5).set_ballots("group").start_dealt()
    nomination, _ = table.button("answer")
    message = ballot(table)
    assert nomination.buttons() == []
    assert message.buttons() == []
    assert "nominates" in message.text, "and it goes on saying whom they were about"
    assert table.button("answer")[0] is not message, "while the next question has its own"


def test_a_long_games_group_ballots_lose_their_buttons(table: Table) -> None:
    table.gather(5).set_ballots("group").start_dealt()
    assert not [message for message in [ballot(table) for _ in range(9)] if message.buttons()]


def test_a_full_minute_keeps_old_buttons(table: Table) -> None:
    table.gather(5).set_ballots("group").start_dealt()
    table.press(table.people[0], "answer")
    message, _ = table.button("answer")
    *others, last = table.waiting()
    for seat in others:
        table.press(table.people[seat], "answer")
    busy = Change(remembered={"group_sends": {table.group.id: [table.harness.clock()] * LIMIT_FOR_EDITS}})
    assert isinstance(table.harness.built.app.rooms.save(table.item(), busy), RoomItem)
    table.press(table.people[last], "answer")
    assert message.buttons(), "an edit waits, and is dropped where a post takes its place"
    assert table.group_text() != message.text
    assert not table.item().outbox


ADDED = {"anti-policies": "on", "oktoberfest": "on", "social-democratic": "on"}
ALL_OF_XL = {"emergency-powers": "more", **ADDED}
SIZES = [
    Setup("classic@1", 5), Setup("classic@1", 7), Setup("classic@1", 10), Setup("online@1", 8),
    Setup("red-dawn@1", 12, {"secret-roles": "on", "article-48": "on"}), Setup("xl@1", 16, ALL_OF_XL),
]  # fmt: skip


def tap_anything(table: Table, rng: random.Random) -> None:
    """Answer at random for all who are asked, wherever the buttons are. A meeting lasts its time."""
    match = table.match()
    question = open_question(match.game)
    if question.meeting:
        table.step_on(rng)
        return
    for seat in waiting_on(match.game):
        choice = rng.randrange(len(question.options[question.seats.index(seat)]))
        table.forge(table.people[seat], data(table.name, "answer", match.number, question.number, choice))


#: Whole games of the largest tables take long, so each of these has one way to cast ballots.
LARGEST = {("red-dawn@1", "private"), ("xl@1", "group")}
ROUNDS = [
    pytest.param(
        setup,
        ballots,
        id=f"{setup.ruleset}-{setup.players}-{ballots}",
        marks=[pytest.mark.thorough] if (setup.ruleset, ballots) in LARGEST else [],
    )
    for setup in SIZES
    for ballots in ("private", "group")
]

#: The questions that every government asks.
GOVERNING = frozenset({"nominate", "ballot", "discard", "enact", "select", "veto", "sealed-veto"})


@pytest.mark.parametrize(("setup", "ballots"), ROUNDS)
@pytest.mark.quick("classic@1-7-private", "classic@1-7-group")
def test_a_round_costs_at_most_four_posts_and_edits(table: Table, setup: Setup, ballots: Ballots) -> None:
    table.gather(setup.players, setup).set_ballots(ballots).start(Chance("7f" * 32))
    rng, rounds = random.Random(4), 0
    match = table.match()
    while not match.over:
        calls, number = len(list(table.tg.journal)), match.round
        powers: set[int] = set()
        while not match.over and match.round == number:
            question = match.game.question
            if question is not None and question.step not in GOVERNING:
                powers.add(question.number)
            tap_anything(table, rng)
            match = table.match()
        made = [call.method for call in list(table.tg.journal)[calls:] if call.chat == table.group.id]
        if not match.over:
            rounds += 1
            # Removals of buttons are counted separately: they happen only if there is room. A tile's power
            # besides its slot's, or one power after another, has a post each.
            assert len([method for method in made if method.startswith("send")]) <= 3 + max(1, len(powers))
            edits = [method for method in made if method in ("editMessageText", "editMessageCaption")]
            assert len(edits) <= 4
    assert rounds > 4


def test_a_refused_veto_stands_in_the_governments_post(table: Table) -> None:
    table.open(5, roles="lllhf", deck="lff lff lff lff lff")
    table.govern(1, "f").govern(2, "f").govern(4, "f").elect(2)
    table.discard("l").enact("f").target(0)
    table.elect(1).discard("l").enact("f").target(2)
    table.nominate(4).vote("jjj").discard("f")
    posts = len(table.group_views())
    table.asked().prompt().tap("veto")
    table.asked().prompt().tap("Nein")
    assert len(table.group_views()) == posts
    text = table.group_text()
    assert "asks to veto this agenda" in text
    assert text.index("asks to veto") > text.index("Ja (3)")
    table.choose()
    assert len(table.group_views()) == posts + 1
