"""The bot is removed from a group during a lobby or a game: the players are told, and everything waits."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.conversation.game.deadlines import CLOCKS, OPEN
from bot.conversation.waking import LIFETIME
from tests.system.table import Table, answered
from tests.system.test_calling import forged_call
from tests.system.test_seats import clock, wait

GONE = "was taken out of"
OUT = "The bot is out of the group. Everything goes on when somebody adds it again."


def throw_out(table: Table) -> None:
    table.pass_time()
    table.tg.kick(table.tg.bot, table.group)
    table.harness.settle()


def add(table: Table) -> None:
    table.pass_time()
    table.tg.set_status(table.tg.bot, table.group, "left")
    table.tg.join(table.tg.bot, table.group)
    table.harness.settle()


def told(table: Table) -> list[int]:
    """Return how often each person has read that the bot is out."""
    return [sum(GONE in text for text in table.seat(n).texts()) for n in range(len(table.people))]


def to_group(table: Table) -> int:
    """Return how many calls to the group Telegram has had, accepted or refused."""
    return sum(call.params.get("chat_id") == table.group.id for call in table.tg.journal)


def test_nothing_is_sent_into_nowhere_while_the_bot_is_out(table: Table) -> None:
    clock(table, "fast").open(5)
    throw_out(table)
    calls, asks = to_group(table), [len(table.seat(seat).views()) for seat in range(5)]
    table.seat(0).prompt().tap("Ben")
    table.block(table.people[2])
    table.block(table.people[2], blocked=False)
    table.seat(4).say("/language")
    wait(table, 5000)
    table.harness.watch()
    table.harness.settle()
    sent = [call for call in table.tg.journal if call.params.get("chat_id") == table.group.id][calls:]
    assert {call.method for call in sent} <= {"getChatMember"}, "it only looks whether it is back"
    assert [len(table.seat(seat).views()) for seat in range(4)] == asks[:4], "and nobody is asked anything"


@pytest.mark.parametrize("setting", ["off", "fast"])
def test_clocks_stand_still_while_the_bot_is_out(table: Table, setting: str) -> None:
    clock(table, setting).open(5)
    throw_out(table)
    wait(table, 90_000)
    assert table.waiting() == (0,)
    assert table.harness.queue.next_at is None
    add(table)
    assert table.match().time_began_at == int(table.harness.clock())
    if setting == "off":
        assert forged_call(table, table.people[1]).startswith("Not yet:")
        wait(table, OPEN)
        assert table.waiting() == (0,)
        return
    wait(table, (CLOCKS["fast"] or 0) - 10)
    assert table.waiting() == (0,)
    wait(table, 10)
    assert table.question().step == "ballot"


def test_a_call_for_the_clock_lapses(table: Table) -> None:
    table.open(5)
    wait(table, OPEN)
    forged_call(table, table.people[1])
    throw_out(table)
    add(table)
    wait(table, 1000)
    assert table.waiting() == (0,)


def test_a_returning_bot_says_where_the_game_stands(table: Table) -> None:
    table.open(5).nominate(1).vote("jjjj.")
    throw_out(table)
    add(table)
    assert "Everyone votes now" in table.group_text()
    assert not table.room().bot_removed
    table.seat(4).prompt().tap("Ja")
    assert table.question().step == "discard"


def test_that_the_bot_is_out_is_learned_from_a_refusal_too(table: Table) -> None:
    table.open(5)
    throw_out(table)
    table.rewrite(replace(table.room(), bot_removed=False))  # as if the notice had been lost
    table.nominate(1)
    assert table.room().bot_removed
    assert told(table) == [2] * 5
    assert answered(table.seat(3).prompt().tap("Ja")) == OUT
    assert table.item().outbox == {}
    add(table)
    assert "Everyone votes now" in table.group_text()
    table.vote("jjjjj")
    assert table.question().step == "discard"


def test_a_notice_that_came_too_late_keeps_nobody_waiting(table: Table) -> None:
    """Telegram's two notices came in the wrong order, so the room takes the bot as out."""
    table.open(5).rewrite(replace(table.room(), bot_removed=True))
    table.nominate(1)
    assert not table.room().bot_removed
    assert table.waiting() == (0, 1, 2, 3, 4)
    assert "nominates" in table.group_text()


def test_a_lobby_waits_as_well_and_is_shown_anew(table: Table) -> None:
    table.gather(3)
    throw_out(table)
    assert told(table) == [1, 1, 1]
    assert "The lobby there is paused" in table.seat(0).text()
    wait(table, 10 * LIFETIME)
    assert table.room().lobby is not None
    add(table)
    for name in ("David", "Emma"):
        table.press(table.person(name), "join")
    table.start_dealt()
    assert table.room().playing is not None
    assert told(table)[:3] == [1, 1, 1]


def test_where_nothing_is_going_on_nobody_hears_anything(table: Table) -> None:
    table.open(5).hurry()
    throw_out(table)
    assert told(table) == [0] * 5
    assert not table.room().bot_removed
    add(table)
    assert not table.room().bot_removed


def test_who_is_forgotten_or_chooses_a_language_meanwhile_is(table: Table) -> None:
    table.open(5)
    throw_out(table)
    table.seat(1).say("/language").press(label="Deutsch")
    assert table.match().players[1].language == "de"
    assert table.room().bot_removed


def test_in_a_forum_every_topic_waits(another: Callable[..., Table]) -> None:
    forum = another(title="Forum", forum=True)
    topics = [forum.tg.add_topic(forum.group, name).id for name in ("Red table", "Blue table")]
    for forum.topic in topics:
        forum.open(5)
    throw_out(forum)
    for forum.topic in topics:
        assert forum.room().bot_removed
    assert told(forum) == [2] * 5
    add(forum)
    for forum.topic in topics:
        assert not forum.room().bot_removed
        assert "nominates a Chancellor" in forum.group_text()


def test_a_forged_tap_in_another_group_wakes_nothing(table: Table, another: Callable[..., Table]) -> None:
    table.open(5)
    throw_out(table)
    elsewhere = another(title="UpdatesElsewhere")
    stranger = elsewhere.person("Kurt")
    elsewhere.gather(2)
    for verb in ("join|1", "start|1", "cancel|1|1|1", "clock|1|1"):
        name, _, rest = verb.partition("|")
        elsewhere.forge(stranger, f"{name}|{table.name.short}|{rest}")
    assert table.room().bot_removed


def test_in_a_forum_of_many_topics_every_lobby_waits(another: Callable[..., Table]) -> None:
    forum = another(title="Forum", forum=True)
    topics = [forum.tg.add_topic(forum.group, f"Table {number}").id for number in range(12)]
    for forum.topic in topics:
        forum.say(forum.owner, "/newgame")
    throw_out(forum)
    for forum.topic in topics:
        assert forum.room().bot_removed
