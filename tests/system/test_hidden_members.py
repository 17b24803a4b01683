"""Groups whose members or admins Telegram does not tell the bot, which is neither yes nor no."""

import pytest

from sandbox.telegram import Refusal, User
from tests.refusing import refuse
from tests.system.table import Table, answered, link_of


@pytest.fixture
def hidden(table: Table) -> Table:
    """Return a group whose members are hidden, with a bot that is not an admin."""
    table.group.hidden = True
    return table


def test_a_tap_in_a_group_with_hidden_members_joins(hidden: Table) -> None:
    hidden.gather(3)
    assert hidden.players() == ["Anna", "Ben", "Clara"]


def test_a_link_made_for_somebody_else_seats_nobody(hidden: Table) -> None:
    shy = hidden.gather(1).person("Shy", started=False)
    hidden.follow(hidden.person("Stranger", member=False), link_of(hidden.press(shy, "join")))
    assert hidden.players() == ["Anna"]


def test_the_link_under_a_command_leads_back_to_the_group(hidden: Table) -> None:
    shy = hidden.gather(1).person("Shy", started=False)
    hidden.say(shy, "/join")
    (url,) = [button.get("url") for button in hidden.group_views()[-1].buttons()]
    assert url is not None
    hidden.follow(shy, url)
    assert "Tap Join" in hidden.tg.private_view(shy)[-1].text
    hidden.press(shy, "join")
    assert hidden.players() == ["Anna", "Shy"]


def test_a_banned_person_stays_out_once_the_bot_is_an_admin(hidden: Table) -> None:
    hidden.gather(1).tg.set_bot_rights(hidden.group, can_delete_messages=False)
    stranger = hidden.person("Stranger", member=False)
    _, data = hidden.button("join")
    assert hidden.forge(stranger, data) == "Only members of the group can join."


def test_the_owner_hears_how_to_make_the_bot_an_admin(hidden: Table) -> None:
    hidden.gather(1).say(hidden.owner, "/settings")
    said = answered(hidden.press(hidden.owner, "set"))
    assert said.startswith("Telegram doesn't tell me who the admins are")
    hidden.say(hidden.owner, "/start")
    assert "Administrators → Add" in hidden.group_text()
    hidden.say(hidden.owner, "/cancel")
    assert "Administrators → Add" in hidden.group_text()
    hidden.tg.set_bot_rights(hidden.group, can_delete_messages=False)
    assert "admins are" not in answered(hidden.press(hidden.owner, "set"))


def asked_again(table: Table) -> list[tuple[User, str]]:
    """Return whom Ben's tap on Again asked to play again, each with the address under Join."""
    newest = [(user, table.tg.private_view(user)[-1]) for user in table.people]
    asked = [(user, view) for user, view in newest if "⁨Ben⁩ wants to play again" in view.text]
    return [(user, next(b["url"] for b in m.buttons() if "start=" in b["url"])) for user, m in asked]


def test_again_asks_those_who_played_where_members_are_hidden(hidden: Table) -> None:
    hidden.open(5).hurry().press(hidden.people[1], "rematch")
    assert hidden.players() == ["Ben"]
    asked = asked_again(hidden)
    assert [user.first_name for user, _ in asked] == ["Anna", "Clara", "David", "Emma"]
    for user, url in asked:
        hidden.follow(user, url)
        assert "Tap Join" in hidden.tg.private_view(user)[-1].text, "the link is nobody's own"
        hidden.press(user, "join")
    assert hidden.players() == ["Ben", "Anna", "Clara", "David", "Emma"]


def bad_gateway(table: Table) -> None:
    refuse(table.tg, Refusal(502, "Bad Gateway"), "getChatMember")


def test_a_single_502_keeps_nobody_from_joining(table: Table) -> None:
    ben = table.gather(1).person("Ben")
    bad_gateway(table)
    table.press(ben, "join")
    assert table.players() == ["Anna", "Ben"]


def test_a_single_502_is_no_word_against_the_owner(table: Table) -> None:
    table.gather(5)
    bad_gateway(table)
    assert "Try again" in answered(table.press(table.owner, "start"))
    table.tg.before_call.clear()
    table.press(table.owner, "start")
    assert table.room().sealed is not None


def test_a_single_502_takes_nobody_out_of_again(table: Table) -> None:
    table.open(5).hurry()
    bad_gateway(table)
    table.press(table.people[1], "rematch")
    assert table.players() == ["Ben"]
    asked = asked_again(table)
    assert [user.first_name for user, _ in asked] == ["Anna", "Clara", "David", "Emma"]
    table.tg.before_call.clear()
    for user, url in asked:
        table.follow(user, url)
    assert table.players() == ["Ben", "Anna", "Clara", "David", "Emma"]


def test_again_opens_nothing_for_who_was_banned(table: Table) -> None:
    table.open(5).hurry().tg.kick(table.people[1], table.group)
    table.harness.settle()
    message, data = table.button("rematch")
    assert table.forge(table.people[1], data, message) == "Only members of the group can join."
    assert table.room().lobby is None
