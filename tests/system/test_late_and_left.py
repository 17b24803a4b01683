"""Late commands, cleared chats, changed titles, and games that nobody plays on."""

import pytest

from bot.display.commands import ALLOWED_UPDATES
from sandbox.telegram import Message, User
from tests.system.table import Table, answered, link_of
from tests.system.test_seats import clock, wait

LATE = "🕰 That was a while ago. Send it again if you still mean it."


def typed_then(table: Table, user: User, text: str, seconds: float) -> None:
    """Write as somebody while the bot is away for this long."""
    table.tg.send(user, table.group, text)
    table.wait(seconds)


# --- commands that come late --------------------------------------------------------------------------------


def test_a_start_typed_in_an_outage_deals_no_cards(table: Table) -> None:
    table.gather(5)
    typed_then(table, table.people[0], "/start", 3000)
    assert table.room().sealed is None
    assert table.group_text() == LATE
    typed_then(table, table.people[0], "/start", 299)
    assert table.room().sealed is not None or table.room().match is not None


@pytest.mark.parametrize("command", ["/newgame", "/join", "/leave", "/nextgame"])
def test_a_late_command_changes_nothing(table: Table, command: str) -> None:
    if command in ("/newgame", "/nextgame"):
        table.person("Anna")
        table.say(table.people[0], "/help")
    else:
        table.gather(1)
    person = table.people[0] if command != "/join" else table.person("Ben")
    lobby = table.room().lobby
    typed_then(table, person, command, 301)
    assert table.group_text() == LATE
    assert table.room().lobby == lobby
    assert table.room().next_game == ()


def test_a_link_followed_long_ago_seats_nobody(table: Table) -> None:
    shy = table.gather(1).person("Shy", started=False)
    table.tg.open_link(shy, link_of(table.press(shy, "join")))
    table.wait(301)
    assert len(table.lobby().players) == 1
    assert table.tg.private_view(shy)[-1].text == LATE


# --- reminders ----------------------------------------------------------------------------------------------


def cleared(table: Table, user: User) -> None:
    for message in table.tg.private(user).messages.values():
        message.deleted = True


def test_a_reminder_brings_the_prompt_again(table: Table) -> None:
    clock(table, "fast").open(5)
    cleared(table, table.people[0])
    wait(table, 50)
    reminder = table.seat(0).prompt()
    assert reminder.text.startswith("⏰ The game is waiting for you:")
    reminder.tap("Ben")
    assert table.match().game.table.chancellor == 1


# --- titles -------------------------------------------------------------------------------------------------


def retitled(table: Table, title: str) -> None:
    """Rename the group without a service message to the bot."""
    table.group.title = title


def test_a_command_in_the_group_brings_its_new_title(table: Table) -> None:
    table.open(5)
    retitled(table, "The Bundestag")
    table.say(table.owner, "/status").nominate(1)
    assert "⁨The Bundestag⁩" in table.seat(2).prompt().text


def test_a_renamed_group_is_called_so_at_once(table: Table) -> None:
    table.open(5)
    retitled(table, "The Bundestag")
    renamed = table.tg.post(table.group, table.owner, service={"new_chat_title": "The Bundestag"})
    table.tg.tell_message(renamed)
    table.harness.settle()
    assert table.room().title == "The Bundestag"


# --- games left lying ---------------------------------------------------------------------------------------


def test_after_a_day_any_member_calls_the_clock(table: Table) -> None:
    passer = table.open(5).person("Passer")
    table.say(passer, "/status").pass_time(200)
    table.say(passer, "/status")
    assert "Only" in answered(table.press(passer, "clock"))
    wait(table, 86_400)
    table.say(passer, "/status").press(passer, "clock")
    wait(table, 61)
    assert table.match().game.table.chancellor is not None


def test_after_a_week_anybody_opens_a_new_lobby(table: Table) -> None:
    passer = table.open(5).person("Passer")
    wait(table, 6 * 86_400)
    table.say(passer, "/newgame")
    assert not table.match().cancelled
    wait(table, 86_400)
    table.say(passer, "/newgame")
    assert table.match().cancelled
    assert any("Nothing has happened in this game for a week." in text for text in table.group_texts())
    assert table.lobby().host == passer.id


# --- the wire -----------------------------------------------------------------------------------------------


def test_telegram_is_asked_for_edits_and_for_members(table: Table) -> None:
    assert {"edited_message", "chat_member"} <= {*ALLOWED_UPDATES}
    assert table.tg.delivery.allowed == frozenset(ALLOWED_UPDATES)


def test_what_the_linked_channel_posts_is_no_person(table: Table) -> None:
    table.tg.set_bot_rights(table.group, can_delete_messages=True)
    table.group.linked = table.tg.add_group("The paper", type="channel", bot=False)
    table.open(5)
    message: Message = table.tg.forward_automatically(table.group, "/newgame")
    before = table.item().version
    table.harness.settle()
    assert (table.item().version, message.deleted) == (before, False)
