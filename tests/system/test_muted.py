"""The bot cannot write in the group for a while: the game waits, then tells what happened."""

import random
from collections.abc import Callable

import pytest

from engine import Seat
from sandbox.telegram import Message, forbidden
from tests.refusing import refuse
from tests.system.table import Table, answered
from tests.system.test_seats import clock, wait

TOAST = "I can't write in the group right now. Everything goes on when I can."


def mute(table: Table, *, on: bool = True) -> None:
    """Mute the group as an admin, or let everybody write again."""
    table.tg.set_permissions(table.group, can_send_messages=not on)


def told(table: Table) -> list[int]:
    """Return how often each person has read that the bot may not write."""
    return [sum("I can't write in" in text for text in table.seat(n).texts()) for n in range(5)]


def test_the_game_waits_in_a_muted_group_and_loses_nothing(table: Table) -> None:
    table.open(5)
    mute(table)
    table.nominate(1)
    assert told(table) == [1] * 5
    assert answered(table.seat(3).prompt().tap("Ja")) == TOAST
    assert table.waiting() == (0, 1, 2, 3, 4), "nobody votes on what the group does not know"
    mute(table, on=False)
    table.seat(3).prompt().tap("Ja")
    assert "nominates ⁨#2\u00a0Ben⁩" in table.group_text()
    assert "Everyone votes now" in table.group_text()
    assert table.waiting() == (0, 1, 2, 4), "the tap counts"


def test_all_that_the_group_missed_is_told_at_once(table: Table) -> None:
    table.open(5, deck="lff").nominate(1).vote("jjjj.")
    seen = len(table.group_views())
    mute(table)
    table.seat(4).prompt().tap("Ja")
    assert len(table.group_views()) == seen
    mute(table, on=False)
    wait(table, 61)
    assert "The government is elected" in table.group_text()
    assert "👍 Ja (5)" in table.group_text()
    table.discard("f").enact("f")


def test_several_lost_posts_are_told_in_one(table: Table) -> None:
    # Computers continue at the same time as the first post is refused.
    clock(table, "off").gather(2).computers(3).start()
    mute(table)
    while not (room := table.room()).bot_removed and room.playing is not None:
        seats = [seat for seat in table.waiting() if seat in room.playing.in_person]
        if seats:
            person = table.tg.users[room.playing.people[Seat(seats[0])]]
            prompt = table.seat(table.people.index(person)).prompt()
            prompt.tap(prompt.labels()[0])
        else:
            wait(table, 30)
    posted = table.match().post_start
    mute(table, on=False)
    wait(table, 61)
    assert not table.room().bot_removed
    assert table.match().post_start == posted
    assert "nominates" in table.group_text()


def test_the_clock_stands_still_in_a_muted_group(table: Table) -> None:
    clock(table, "fast").open(5)
    mute(table)
    table.nominate(1)
    wait(table, 8 * 3600)
    assert table.waiting() == (0, 1, 2, 3, 4)
    assert told(table) == [1] * 5
    mute(table, on=False)
    wait(table, 3601)
    assert not table.room().bot_removed, "nobody has to tap in the morning"
    assert "nominates ⁨#2\u00a0Ben⁩" in table.group_texts()[-1] or len(table.waiting()) == 5


def test_a_restricted_bot_waits_and_goes_on(table: Table) -> None:
    table.open(5)
    table.tg.set_status(table.tg.bot, table.group, "restricted", can_send_messages=False)
    table.harness.settle()
    assert told(table) == [1] * 5
    table.tg.promote(table.tg.bot, table.group)
    table.harness.settle()
    assert not table.room().bot_removed
    assert "nominates a Chancellor" in table.group_text()
    table.nominate(1)
    assert "nominates ⁨#2\u00a0Ben⁩" in table.group_text()


def test_a_closed_topic_makes_its_game_wait(another: Callable[..., Table]) -> None:
    forum = another(title="Forum", forum=True)
    topic = forum.tg.add_topic(forum.group, "The table")
    forum.topic = topic.id
    forum.open(5).tg.close_topic(forum.group, topic)
    forum.harness.settle()
    forum.nominate(1)
    assert told(forum) == [1] * 5
    forum.tg.close_topic(forum.group, topic, closed=False)
    forum.seat(2).prompt().tap("Ja")
    assert "nominates ⁨#2\u00a0Ben⁩" in forum.group_text()
    assert forum.waiting() == (0, 1, 3, 4)


def test_where_asking_says_yes_and_writing_no_they_hear_it_once(table: Table) -> None:
    table.open(5)
    refuse(table.tg, forbidden("CHAT_WRITE_FORBIDDEN"), "sendMessage", "sendPhoto", chat=table.group.id)
    table.nominate(1)
    for _ in range(4):
        table.seat(3).prompt().tap("Ja")
    wait(table, 3600)
    assert told(table) == [1] * 5
    table.tg.before_call.clear()
    table.seat(3).prompt().tap("Ja")
    assert not table.room().bot_removed
    assert "nominates ⁨#2\u00a0Ben⁩" in table.group_text()


def test_a_lobby_waits_in_a_muted_group(table: Table) -> None:
    mute(table)
    anna = table.person("Anna")
    table.say(anna, "/newgame")
    assert "The lobby there is paused" in table.seat(0).text()
    mute(table, on=False)
    table.say(anna, "/status")
    assert any("who is in?" in text for text in table.group_texts())


@pytest.mark.thorough
def test_a_game_of_posts_refused_once_is_told_to_its_end(table: Table) -> None:
    table.open(5)
    rng = random.Random(1)
    while not table.match().over:
        mute(table)
        prompt = table.seat(table.waiting()[0]).prompt()
        prompt.tap(rng.choice(prompt.labels()))
        mute(table, on=False)
        if table.room().bot_removed:
            wait(table, 3601)
        assert not table.room().bot_removed
    assert not table.button_gone("rematch")
    assert "🏁" in "\n".join(table.group_texts())


def test_a_game_called_off_while_muted_shows_roles_later(table: Table) -> None:
    table.open(5).say(table.people[0], "/cancel")
    mute(table)
    table.press(table.people[0], "cancel")
    assert table.match().cancelled
    mute(table, on=False)
    wait(table, 61)
    assert any("called off" in text for text in table.group_texts())
    assert not table.button_gone("proof")


def test_pictures_come_back_with_the_right_to_send_them(table: Table) -> None:
    table.open(5, deck="lff lff lff").tg.set_permissions(table.group, can_send_photos=False)
    table.elect(1).discard("f").enact("f")
    assert table.group_views()[-1].photo is None
    assert "Draw pile" in table.group_text(), "the refused picture's board is said in words"
    table.tg.set_permissions(table.group, can_send_photos=True)
    table.elect(2).discard("f").enact("f")
    assert table.group_views()[-1].photo is None, "not tried at once"
    wait(table, 601)
    table.elect(3).discard("f").enact("f")
    assert shown(table)[-1].photo is not None


def shown(table: Table) -> list[Message]:
    return [view for view in table.group_views() if "nacted" in view.text]
