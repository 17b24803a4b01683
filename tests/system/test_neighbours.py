"""One group or one person never makes another table wait."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.conversation import limits
from bot.rooms.model import Ballots, Settings
from handlers.service.room_service import MAX_OUTBOX_BYTES
from infra.store.items import pack_entry
from sandbox.harness import Harness
from tests.system.table import Table

#: Seconds that another table's messages may wait longer than without its neighbours.
UNNOTICED = 2.0


def longest_wait(table: Table, play: Callable[[], Any]) -> float:
    """Return the longest wait, in seconds, of the messages after ``play``, when nobody taps any more."""
    play()
    began = table.harness.clock()
    while table.item().outbox:
        table.harness.settle()
        if table.item().outbox:
            table.pass_time(0.5)
    return table.harness.clock() - began


def test_a_slow_group_holds_up_no_other_table(another: Callable[..., Table], at: Harness) -> None:
    """A group with an hour of slow mode once stopped all groups for an hour, and each command renewed it."""
    slow, fine = another(title="Slow").open(5), another(title="Fine").open(5)
    at.telegram.flood.count(slow.group.id, at.clock())
    slow.group.slow_mode = 3600
    for _ in range(3):
        slow.say(slow.people[0], "/status").pass_time(20)
    assert slow.item().outbox, "its own messages wait"
    assert longest_wait(fine, lambda: fine.nominate(1)) <= UNNOTICED


def test_two_full_private_chats_hold_up_no_other_table(another: Callable[..., Table], at: Harness) -> None:
    full, fine = another(title="Full").open(5), another(title="Fine").open(5)
    for person in full.people[2:4]:
        at.telegram.flood.closed[person.id] = at.clock() + 600
    full.nominate(1)
    assert len(full.item().outbox) >= 2
    assert longest_wait(fine, lambda: fine.nominate(1)) <= UNNOTICED


def test_a_flood_wait_of_the_whole_bot_is_noticed_by_one_table(table: Table, at: Harness) -> None:
    table.open(7)
    at.telegram.flood.flood_until = at.clock() + 600
    before = len(at.telegram.journal)
    table.nominate(1)
    for _ in range(20):
        table.pass_time(25)
        at.settle()
    calls = list(at.telegram.journal)[before:]
    flood_calls = [call for call in calls if call.answer and not call.answer["ok"]]
    assert 0 < len(flood_calls) <= 8 + 9, "once for each chat at first, and then hardly ever"
    table.pass_time(600)
    at.settle()
    assert table.item().outbox == {}


def test_no_lobby_opens_in_slow_mode_unless_the_bot_is_admin(another: Callable[..., Table]) -> None:
    slow, admin, brisk = another(title="Slow"), another(title="Admin", admin=True), another(title="Brisk")
    slow.group.slow_mode = admin.group.slow_mode = 30
    brisk.group.slow_mode = 10
    for table in (slow, admin, brisk):
        table.say(table.person("Anna"), "/newgame")
    assert slow.room().lobby is None
    assert "Slow mode" in slow.group_text()
    assert admin.room().lobby is not None
    assert brisk.room().lobby is not None


def test_leaving_and_returning_once_a_second_writes_a_few_posts(table: Table, at: Harness) -> None:
    """It once made 420 posts wait, the group was 23 minutes behind, and at 400 KB the game was stuck."""
    table.open(7)
    at.telegram.flood.closed[table.group.id] = at.clock() + 300
    ben = table.people[1]
    for _ in range(120):
        at.telegram.send(ben, table.group, "/leave")
        at.settle()
        at.telegram.tap(ben, *_seat_button(table, "quit", table.match().number, 1, 1), forged=True)
        at.settle()
        if (match := table.match()).away:
            at.telegram.tap(ben, *_seat_button(table, "sit", match.number, 1), forged=True)
            at.settle()
        table.pass_time(0.5)
    item = table.item()
    assert sum(len(pack_entry(entry)) for entry in item.outbox.values()) < MAX_OUTBOX_BYTES
    assert len(item.outbox) < 20


def _seat_button(table: Table, verb: str, *numbers: int) -> tuple[Any, str]:
    message = table.tg.chats[table.group.id].messages[max(table.tg.chats[table.group.id].messages)]
    return message, "|".join((verb, table.name.short, *map(str, numbers)))


def test_blocking_the_bot_again_and_again_is_told_once(table: Table) -> None:
    table.open(5)
    posts = len(table.group_texts())
    for _ in range(10):
        table.block(table.people[1])
        table.block(table.people[1], blocked=False)
        table.pass_time(10)
    assert len(table.group_texts()) <= posts + 1


def test_start_in_many_games_repeats_what_is_owed_once_a_minute(table: Table, at: Harness) -> None:
    table.open(5)
    asked = table.people[table.waiting()[0]]
    table.pass_time(61)
    before = len(at.telegram.journal.of("sendMessage", chat=asked.id))
    for _ in range(10):
        at.telegram.send(asked, at.telegram.private(asked), "/start")
        at.settle()
        table.pass_time(2)
    prompts = at.telegram.journal.of("sendMessage", chat=asked.id)[before:]
    assert sum("reply_markup" in call.params for call in prompts) <= 10 + limits.PER_PERSON


@pytest.mark.parametrize("ballots", ["private", "group"])
@pytest.mark.quick("private")
def test_a_room_that_cannot_send_stands_still(table: Table, at: Harness, ballots: Ballots) -> None:
    table.gather(10).rewrite(replace(table.room(), settings=Settings(ballots=ballots)))
    table.start_dealt()
    for chat in (table.group.id, *(person.id for person in table.people)):
        at.telegram.flood.closed[chat] = at.clock() + 9000
    for number in range(400):
        said = ("/status", "/history", "/leave")[number % 3]
        at.telegram.send(table.people[number % 10], table.group, said)
        at.settle()
        table.pass_time(10)
    assert table.item().waiting_bytes <= MAX_OUTBOX_BYTES + 20_000


def test_a_change_of_language_is_told_to_ten_rooms(table: Table, at: Harness) -> None:
    """With 300 rooms it once took 602 requests."""
    anna = table.person("Anna")
    for number in range(300):
        at.built.app.users.save(anna.id, add_rooms=[f"room#-{number + 1}"])
        table.pass_time(1)
    assert len(at.built.app.users.load(anna.id).rooms) <= 100
    seat = table.seat(0).say("/language")
    before = sum(at.requests.values())
    seat.press("language")
    assert sum(at.requests.values()) - before <= 30
