"""Deadlines, reminders and meetings, in groups with and without a clock."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.conversation.game.deadlines import AWAY, CLOCKS
from engine import Seat
from infra.queue import Wakeup
from tests.system.table import Table
from tests.system.test_seats import clock, wait, without_stand_ins


def test_a_deadline_is_shown_as_telegrams_own_relative_time(table: Table) -> None:
    clock(table, "relaxed").open(5).nominate(1)
    until = table.match().time_began_at + (CLOCKS["relaxed"] or 0)
    assert f'<tg-time unix="{until}"' in table.group_views()[-1].html


def plain(text: str) -> str:
    return text.replace("\u2068", "").replace("\u2069", "")


def test_the_group_reads_once_who_is_waited_for(table: Table) -> None:
    clock(table, "relaxed").open(5).nominate(1).vote("jj...")
    table.leave(table.people[2])
    posts, until = len(table.group_views()), table.match().time_began_at + 600
    for seconds in (300, 170, 100):
        wait(table, seconds)
    (told,) = table.group_views()[posts:]
    assert plain(told.text).startswith("Still to act: #4 David, #5 Emma ⏰")
    assert f'<tg-time unix="{until}"' in told.html
    assert ["callback_data" in button for button in told.buttons()] == [False], "a link, and nothing else"
    reminded = [sum("waiting for you" in text for text in table.seat(n).texts()) for n in range(5)]
    assert reminded == [0, 0, 0, 1, 1], "nobody who got up"
    wait(table, 31)
    assert table.question().step == "discard"


def test_the_groups_reminder_has_its_buttons(table: Table) -> None:
    clock(table, "fast").gather(5).set_ballots("group").start_dealt()
    posts = len(table.group_views())
    wait(table, 80)
    (told,) = table.group_views()[posts:]
    assert plain(told.text).startswith("Still to act: #1 Anna")
    table.press(table.people[0], "answer")
    assert table.question().step == "ballot"


def test_a_deadline_comes_by_the_queue_or_the_watchdog(table: Table) -> None:
    clock(table, "fast").open(5).nominate(1)
    table.harness.queue._waiting.clear()
    table.wait(200)
    assert len(table.waiting()) == 5, "the wake-up was lost"
    table.harness.watch()
    table.harness.settle()
    assert len(table.waiting()) != 5


def test_an_early_wakeup_comes_again_in_time(table: Table) -> None:
    clock(table, "fast").open(5)
    wait(table, 80)
    until = table.match().time_began_at + 90
    table.harness.clock.until(until - 0.5)  # type: ignore[attr-defined]
    table.harness.queue._waiting.clear()
    body = Wakeup(table.name.key, until, "clock").pack()
    table.harness.wake({"Records": [{"messageId": "1", "body": body}]})
    assert table.waiting() == (0,)
    table.wait(1)
    assert len(table.waiting()) == 5


def meeting(table: Table) -> Table:
    """Return a Red Dawn game of six in which the Communists have just begun to meet."""
    table.open(6, ruleset="red-dawn@1", roles="lllfhc", deck="lcc lll")
    return table.govern(1, "c")


@pytest.mark.rule("R4.48")
def test_waiting_lists_say_the_communists_and_name_nobody(table: Table) -> None:
    meeting(table)
    table.say(table.people[0], "/status")
    assert [text.count("the Communists are meeting") for text in table.group_texts()[-2:]] == [1, 1]
    assert "Felix" not in table.group_text()


def test_a_miss_does_not_tell_of_a_meeting(table: Table) -> None:
    meeting(table)
    room, match = table.room(), table.match()
    table.rewrite(replace(room, match=replace(match, missed={Seat(5): 1})))
    table.seat(5).prompt().tap("Anna")
    assert table.match().missed == {5: 1}


def test_an_unreachable_communist_tells_the_group_nothing(table: Table) -> None:
    table.open(6, ruleset="red-dawn@1", roles="lllfhc", deck="lcc lll").elect(1)
    table.people[5].blocked = True  # without the notice that Telegram would send
    before = len(table.group_views())
    table.asked().prompt().tap("Liberal")
    table.asked().prompt().tap("Communist")
    assert table.question().meeting
    assert all("can't write" not in view.text for view in table.group_views()[before:])


def shown(table: Table) -> int | None:
    """Return the deadline in the game's newest post that names one, in seconds since 1970."""
    found = [re.search(r'<tg-time unix="(\d+)"', view.html) for view in table.group_views()]
    times = [int(match[1]) for match in found if match]
    return times[-1] if times else None


def opens_by_vote(table: Table) -> None:
    """Let Anna block the bot, and the others vote for somebody else in her seat."""
    table.block(table.people[0])
    for user in table.people[1:4]:
        table.press(user, "replace")


def leaves(table: Table) -> None:
    table.leave(table.people[0])


@pytest.mark.parametrize("opens", [leaves, opens_by_vote])
def test_a_seat_opened_late_waits_its_minute(table: Table, opens: Callable[[Table], None]) -> None:
    without_stand_ins(table).open(5)
    table.pass_time(300)
    opens(table)
    assert table.match().away == (0,)
    assert table.waiting() == (0,)
    assert shown(table) == table.match().time_began_at + AWAY, "the group sees how long"
    wait(table, AWAY - 10)
    assert table.waiting() == (0,)
    wait(table, 10)
    assert len(table.waiting()) == 5
