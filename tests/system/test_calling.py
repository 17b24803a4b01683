"""Call for the clock when the group's clock is off: who may, when, and how it decides."""

import pytest

from bot.conversation.game.deadlines import CLOCKS, NOTICE, OPEN
from engine.facts import Voted
from sandbox.telegram import User
from tests.system.table import Table, answered
from tests.system.test_seats import wait


def forged_call(table: Table, user: User) -> str:
    """Call for the clock on the open question without a button; return the toast."""
    match = table.match()
    return table.forge(user, f"clock|{table.name.short}|{match.number}|{match.game.asked}")


def call(table: Table, caller: int) -> str:
    """Call for the clock as a player after two minutes, by the button under /status."""
    wait(table, OPEN)
    table.say(table.people[caller], "/status")
    return answered(table.press(table.people[caller], "clock"))


def ballots(table: Table) -> tuple[str | None, ...]:
    return next(event.fact for event in reversed(table.match().log) if isinstance(event.fact, Voted)).ballots


@pytest.mark.rule("R7.6", "R7.7")
def test_a_fascist_host_cannot_win_a_whole_game_by_the_button(table: Table) -> None:
    """The attack: when only the Fascists have voted, the host calls for the clock to close the ballot."""
    table.open(5, roles="flhll", deck="fff fff fff lll lll")
    for chancellor in (1, 3, 4):
        table.govern(chancellor, "f")
    while table.asked().user is not table.people[0]:
        table.reject(1)
    table.nominate(2).vote("j.j..")
    forged_call(table, table.people[0])
    assert table.question().step == "ballot", "the clock never answers at once"
    call(table, 0)
    wait(table, NOTICE)
    assert ballots(table) == ("ja", None, "ja", None, None)
    assert not table.match().over


def test_status_warns_of_what_a_call_does_before_anybody_taps(table: Table) -> None:
    table.open(5).say(table.people[3], "/status")
    assert table.button_gone("clock"), "nobody can call it yet"
    wait(table, OPEN)
    table.say(table.people[3], "/status")
    assert "The group reads who did. A minute later it decides" in table.group_text()


def test_the_second_caller_reads_that_it_is_done(table: Table) -> None:
    table.open(5)
    wait(table, OPEN)
    table.say(table.people[3], "/status")
    for user in table.people[3:5]:
        table.press(user, "clock", settle=False)
    table.harness.settle()
    toasts = [table.tg.toasts(user)[-1].text for user in table.people[3:5]]
    assert toasts == ["The clock is called: in a minute it decides.", "The clock has already been called."]
    assert sum("called the clock" in text for text in table.group_texts()) == 1
    assert sum("Somebody called the clock" in text for text in table.seat(0).texts()) == 1


@pytest.mark.rule("R7.7")
def test_an_admin_cuts_no_ballots_short_by_the_clock(table: Table) -> None:
    table.open(5).nominate(1).vote("jj...")
    wait(table, OPEN)
    room = table.room()
    table.say(table.owner, "/settings")
    table.forge(table.owner, f"set|{table.name.short}|3|{list(CLOCKS).index('fast') + 1}")
    assert table.room().settings.clock == "fast"
    wait(table, CLOCKS["fast"] or 0)
    assert ballots(table) == ("ja", "ja", None, None, None)
    assert table.question().step == "nominate", "two of five elect nobody"
    assert room.settings.clock == "off"


def test_a_call_under_the_groups_message_has_its_buttons(table: Table) -> None:
    table.gather(5).set_ballots("group").start_dealt().press(table.people[0], "answer")
    call(table, 3)
    assert next(view for view in table.group_views() if "called the clock" in view.text).keyboard
    assert "please answer in the group." in table.seat(4).text()


def test_a_calls_notice_comes_by_queue_or_watchdog(table: Table) -> None:
    table.open(5)
    call(table, 3)
    table.harness.queue._waiting.clear()
    table.wait(200)
    assert table.waiting() == (0,), "the wake-up was lost"
    table.harness.watch()
    table.harness.settle()
    assert table.question().step == "ballot"
