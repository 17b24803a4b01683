"""What a long game no longer writes."""

from __future__ import annotations

from dataclasses import replace

from handlers.conversation.game.announce import NOMINATIONS_RECORDED
from infra.outbox.budget import FOR_EDITS, SENT
from infra.store.items import Change, RoomItem
from sandbox.telegram import Message
from tests.system.table import Table


def test_in_a_long_game_nominations_are_no_longer_recorded_in_private_and_only_lose_their_buttons(
    table: Table,
) -> None:
    table.open(5)
    for _ in range(NOMINATIONS_RECORDED):
        prompt = table.asked().prompt()
        prompt.tap(prompt.labels()[0])
        assert "You nominated" in prompt.text
        assert prompt.labels() == []
        table.vote("n" * len(table.waiting()))
    candidate = table.asked()
    prompt = candidate.prompt()
    first, *_ = prompt.labels()
    _, second, *_ = prompt.data()
    prompt.tap(first)
    assert "You nominated" not in prompt.text
    assert prompt.labels() == []
    assert f"nominates {first}" in table.group_text()
    votes = table.waiting()
    assert table.forge(candidate.user, second, prompt.message) == "That is decided already."
    assert f"nominates {first}" in table.group_text()
    assert table.waiting() == votes
    assert table.tg.violations == []


def ballot(table: Table) -> Message:
    """One round's ballot under the group's message, voted down by all; that message."""
    table.press(table.people[table.waiting()[0]], "answer")
    message, _ = table.button("answer")
    nein = message.buttons()[1]["callback_data"]
    for seat in table.waiting():
        table.tg.tap(table.people[seat], message, nein)
        table.desk.settle()
    table.pass_time(60)
    return message


def test_nominations_and_ballots_in_the_group_lose_their_buttons_once_they_are_made(table: Table) -> None:
    table.gather(5)
    table.rewrite(replace(table.room(), settings=replace(table.room().settings, ballots="group")))
    table.start_dealt()
    nomination, _ = table.button("answer")
    message = ballot(table)
    assert nomination.buttons() == []
    assert message.buttons() == []
    assert "nominates" in message.text, "and it goes on saying whom they were about"
    assert table.button("answer")[0] is not message, "while the next question has its own"


def test_in_a_long_game_the_group_s_ballots_lose_their_buttons_as_well(table: Table) -> None:
    table.gather(5)
    table.rewrite(replace(table.room(), settings=replace(table.room().settings, ballots="group")))
    table.start_dealt()
    assert not [message for message in [ballot(table) for _ in range(9)] if message.buttons()]


def test_where_the_group_s_minute_is_used_up_the_buttons_stay_for_the_sake_of_the_news(table: Table) -> None:
    table.gather(5)
    table.rewrite(replace(table.room(), settings=replace(table.room().settings, ballots="group")))
    table.start_dealt()
    table.press(table.people[0], "answer")
    message, _ = table.button("answer")
    *others, last = table.waiting()
    for seat in others:
        table.press(table.people[seat], "answer")
    busy = Change(messages={f"{SENT}{table.group.id}": [table.desk.clock()] * FOR_EDITS})
    assert isinstance(table.desk.built.app.rooms.save(table.item(), busy), RoomItem)
    table.press(table.people[last], "answer")
    assert message.buttons(), "an edit waits, and is dropped where a post takes its place"
    assert table.group_text() != message.text
    assert not table.item().outbox
