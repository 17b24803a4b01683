"""Silence is a person's, and covers every way to write in the group."""

import pytest

from sandbox.telegram import Chat, Message, User
from tests.system.table import Table
from tests.system.test_seats import set_to

CANNOT = "I can't delete messages here"


@pytest.fixture
def killed(table: Table) -> Table:
    """Return a silent game in which Clara is dead, with a bot that may delete messages."""
    table.tg.set_bot_rights(table.group, can_delete_messages=True)
    table.harness.settle()
    set_to(table, "silence", "on").open(5, deck="lff lff lff lff", roles="lllfh")
    return table.govern(1, "f").govern(2, "f").govern(3, "f").govern(0, "f").target(2)


def writes(table: Table, user: User, text: str, channel: Chat | None = None) -> Message:
    table.pass_time()
    message = table.tg.send(user, table.group, text, channel=channel)
    table.harness.settle()
    return message


def test_a_dead_player_who_edits_an_old_message_is_silent_too(table: Table) -> None:
    table.tg.set_bot_rights(table.group, can_delete_messages=True)
    set_to(table, "silence", "on").open(5, deck="lff")
    message = writes(table, table.people[0], "good luck")
    table.elect(1)
    assert not message.deleted
    table.tg.edit(table.people[0], message, "I have three Fascists")
    table.harness.settle()
    assert message.deleted


def test_an_edited_message_is_no_command(table: Table) -> None:
    anna = table.person("Anna")
    table.tg.edit(anna, writes(table, anna, "hello"), "/newgame")
    table.harness.settle()
    assert table.group_views() == []


def test_who_gives_up_a_dead_seat_stays_silent(killed: Table) -> None:
    clara = killed.people[2]
    assert not killed.match().game.table.alive[2]
    killed.leave(clara)
    killed.press(killed.person("Kurt"), "sit")
    assert writes(killed, clara, "it was Emma").deleted
    assert not writes(killed, killed.people[0], "quiet, you").deleted
    assert killed.match().silent_leavers == (clara.id,)


def test_a_channels_name_is_no_way_round_silence(killed: Table) -> None:
    news, linked = (killed.tg.add_group(title, type="channel", bot=False) for title in ("News", "Paper"))
    killed.group.linked = linked
    assert writes(killed, killed.people[2], "it was Emma", news).deleted
    assert writes(killed, killed.people[2], "/status it was Emma", news).deleted
    assert not writes(killed, killed.owner, "The paper is out", linked).deleted
    message = killed.tg.forward_automatically(killed.group, "The paper is out")
    killed.harness.settle()
    assert not message.deleted


def test_where_nobody_has_to_be_silent_channels_talk(table: Table) -> None:
    table.tg.set_bot_rights(table.group, can_delete_messages=True)
    set_to(table, "silence", "on").open(5)
    news = table.tg.add_group("News", type="channel", bot=False)
    assert not writes(table, table.people[2], "hello", news).deleted


def test_what_cannot_be_deleted_is_said_once(killed: Table) -> None:
    killed.tg.set_bot_rights(killed.group, can_pin_messages=True)
    killed.harness.settle()
    for text in ("it was Emma", "really"):
        assert not writes(killed, killed.people[2], text).deleted
    assert sum(CANNOT in text for text in killed.group_texts()) == 1
    killed.tg.set_bot_rights(killed.group, can_delete_messages=True)
    killed.harness.settle()
    assert writes(killed, killed.people[2], "again").deleted


def test_the_linked_channels_posts_are_no_commands(table: Table) -> None:
    table.tg.set_bot_rights(table.group, can_delete_messages=True)
    table.group.linked = table.tg.add_group("The paper", type="channel", bot=False)
    table.tg.forward_automatically(table.group, "/newgame")
    table.harness.settle()
    assert table.group_views() == []
