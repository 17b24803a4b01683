"""A group's settings and their effects: silence, ballots in the group, pictures, limits."""

import pytest

from bot.conversation import limits
from bot.conversation.group.settings import items
from engine import Setup
from sandbox.harness import Harness
from sandbox.telegram import Message, User
from tests.system.table import Table, answered


def choose(table: Table, key: str, value: str, user: User | None = None) -> str:
    """Set something by the buttons of /settings, as the owner or as somebody else; return the toast."""
    user = user or table.owner
    table.say(user, "/settings")
    things = items(table.room())
    number = [item.key for item in things].index(key) + 1
    place = things[number - 1].values.index(value) + 1
    short = table.name.short
    table.forge(user, f"set|{short}|{number}|0")
    return table.forge(user, f"set|{short}|{number}|{place}")


def write(table: Table, user: User, text: str = "I am a Liberal!") -> Message:
    table.pass_time()
    message = table.tg.send(user, table.group, text)
    table.harness.settle()
    return message


def test_a_former_admins_old_menu_is_worth_nothing(table: Table) -> None:
    anna = table.person("Anna")
    table.tg.promote(anna, table.group)
    assert choose(table, "clock", "fast", anna) == "Clock: fast (90 seconds)"
    table.tg.set_status(anna, table.group, "member")
    table.harness.settle()
    assert table.forge(anna, f"set|{table.name.short}|3|1") == "Only admins of the group can do that."
    assert table.room().settings.clock == "fast"


def test_group_ballots_give_nobody_a_prompt(table: Table) -> None:
    choose(table, "ballots", "group")
    table.open(5)
    assert all(not table.seat(seat).prompts() for seat in range(5))
    table.press(table.people[0], "answer")
    assert "nominates" in table.group_text()
    posts = len(table.group_views())
    for user in table.people:
        message, data = table.button("answer")
        assert answered(table.tap(user, message, data)).startswith("✔ 👍 Ja")
    assert len(table.group_views()) == posts + 1
    assert "Ja (5)" in table.group_text()


def test_a_group_ballot_can_be_changed_unseen_until_the_last(table: Table) -> None:
    choose(table, "ballots", "group")
    table.open(5).press(table.people[0], "answer")
    message, ja = table.button("answer")
    nein = message.buttons()[1]["callback_data"]
    before = table.group_texts()
    for data, sign in ((ja, "👍 Ja"), (nein, "👎 Nein"), (ja, "👍 Ja"), (nein, "👎 Nein")):
        assert table.forge(table.people[1], data, message) == f"✔ {sign}. You can still change it."
    assert table.group_texts() == before
    for user in (table.people[0], *table.people[2:]):
        table.forge(user, ja, message)
    assert "Ja (4)" in table.group_text()
    assert "Nein (1): ⁨#2\u00a0Ben⁩" in table.group_text()
    assert table.forge(table.people[1], ja, message) == "You: 👎 Nein · elected 4–1"


def test_ballots_set_to_private_are_asked_for_there(table: Table) -> None:
    choose(table, "ballots", "group")
    table.open(5).press(table.people[0], "answer")
    table.press(table.people[0], "answer")
    choose(table, "ballots", "private")
    table.wait(60)
    assert "in private" in next(text for text in table.group_texts() if "as Chancellor" in text)
    assert table.button_gone("answer")
    assert [len(table.seat(seat).prompts()) for seat in range(5)] == [1] * 5, "who has voted may change it"
    table.seat(0).prompt().tap("Nein")
    table.vote("jjjj")
    assert "Ja (4)" in table.group_text()


def test_a_nomination_made_private_outlives_a_claim(table: Table) -> None:
    choose(table, "ballots", "group")
    table.open(5).wait(60)
    table.press(table.people[0], "answer")
    for user in table.people:
        table.press(user, "answer")
    table.choose().choose()
    choose(table, "ballots", "private")
    table.wait(60)
    table.forge(table.people[0], f"claim|{table.name.short}|{table.match().number}|1|0|0")
    assert table.button_gone("answer")
    assert table.asked() is not None
    assert len(table.asked().prompts()) == 1
    table.nominate(2)
    assert table.match().game.table.chancellor == 2


def test_hands_stay_private_whatever_the_setting(table: Table) -> None:
    choose(table, "ballots", "group")
    table.open(5, deck="lff lff").press(table.people[0], "answer")
    for user in table.people:
        table.press(user, "answer")
    assert table.button_gone("answer") or "Fascist" not in str(table.button("answer")[0].buttons())
    assert table.seat(0).prompt().labels() == ["🔵 Liberal", "🟥 Fascist", "🟥 Fascist"]


@pytest.mark.rule("R2.6")
def test_online_silences_the_dead_and_the_government(at: Harness) -> None:
    table = Table(at, admin=True).open(5, ruleset="online@1", deck="fff fff fff ffl")
    assert not write(table, table.people[0]).deleted
    table.elect(1)
    assert write(table, table.people[0]).deleted
    assert write(table, table.people[1]).deleted
    assert not write(table, table.people[2]).deleted
    table.choose().choose()
    assert not write(table, table.people[0]).deleted
    for chancellor in (0, 3, 0):
        table.elect(chancellor).choose().choose()
    table.target(2)
    assert not table.match().over
    assert write(table, table.people[2]).deleted
    assert answered(table.press(table.people[2], "role")), "silence never keeps anyone from the bot"


@pytest.mark.parametrize("admin", [False, True])
def test_without_the_right_silence_is_up_to_the_group(at: Harness, *, admin: bool) -> None:
    table = Table(at, admin=admin).open(5, ruleset="online@1")
    said = [text for text in table.group_texts() if "I can't delete messages" in text]
    assert len(said) == (0 if admin else 1)


@pytest.mark.rule("R2.6")
def test_silence_elsewhere_is_a_setting_that_needs_a_right(at: Harness) -> None:
    table = Table(at, admin=True).open(5).elect(1)
    assert not write(table, table.people[0]).deleted
    assert choose(table, "silence", "on") == "Silence for the dead and the government: on"
    assert write(table, table.people[0]).deleted
    table.tg.set_bot_rights(table.group, can_delete_messages=False, can_pin_messages=True)
    table.harness.settle()
    assert not write(table, table.people[0]).deleted


@pytest.mark.rule("R2.6")
@pytest.mark.parametrize("text", [
    "/x I have three Fascists", "/three_Fascists", "//three Fascists", "/ three Fascists",
    "/status@another_bot three Fascists", "/help three Fascists", "/help\nthree Fascists",
    "/settings board three Fascists",
])  # fmt: skip
@pytest.mark.quick("/x I have three Fascists", "/help\\nthree Fascists", "/settings board three Fascists")
def test_nobody_breaks_the_silence_behind_a_slash(at: Harness, text: str) -> None:
    table = Table(at, admin=True).open(5, ruleset="online@1").elect(1)
    posts = table.group_texts()
    assert write(table, table.people[0], text).deleted
    assert table.group_texts() == posts
    assert not write(table, table.people[2], text).deleted, "who is not in the government may say it"


def test_silence_is_not_broken_by_many_commands(at: Harness) -> None:
    table = Table(at, admin=True).open(5, ruleset="online@1").elect(1)
    for _ in range(limits.PER_PERSON + 1):
        assert write(table, table.people[0], "/help three Fascists").deleted


def test_in_silence_a_command_alone_is_answered_and_stays(at: Harness) -> None:
    table = Table(at, admin=True).open(5, ruleset="online@1").elect(1)
    for text in ("/status", "/help@chancellery_bot"):
        posts = len(table.group_texts())
        assert not write(table, table.people[0], text).deleted
        assert len(table.group_texts()) == posts + 1


def test_what_is_said_in_the_group_costs_no_write(at: Harness) -> None:
    table = Table(at, admin=True).open(5).elect(1)
    writes = at.writes
    write(table, table.people[0])
    assert at.writes == writes


def test_under_a_picture_the_board_is_not_said_again(table: Table) -> None:
    table.open(5, deck="lff lff").elect(1).discard("l").enact("f")
    post = table.group_views()[-1]
    assert post.photo is not None
    assert "Fascist: 🟥" not in post.text
    assert "nominates a Chancellor" in post.text


def test_the_same_board_is_uploaded_once(table: Table) -> None:
    table.open(5).say(table.people[0], "/board").say(table.people[1], "/board")
    uploads = [call for call in table.tg.journal.of("sendPhoto", chat=table.group.id) if call.files]
    assert len(table.tg.journal.of("sendPhoto", chat=table.group.id)) == 3
    assert len(uploads) == 1


def asked_again(table: Table) -> list[int]:
    return [at for at in range(5) if "wants to play again" in "".join(table.seat(at).texts()[-1:])]


def test_again_asks_the_same_people_about_the_same_game(table: Table) -> None:
    table.open(5, options={"veto": "sealed"}).hurry().press(table.people[2], "rematch")
    lobby = table.lobby()
    assert [player.id for player in lobby.players] == [table.people[2].id]
    assert asked_again(table) == [0, 1, 3, 4]
    link = next(b["url"] for b in table.seat(4).views()[-1].buttons() if "?start=" in b.get("url", ""))
    table.follow(table.people[4], link)
    joined = table.lobby()
    assert [player.id for player in joined.players] == [table.people[2].id, table.people[4].id]
    assert lobby.setup == Setup("classic@1", 0, {"veto": "sealed"})
    assert lobby.host == table.people[2].id
    toast = answered(table.press(table.people[1], "rematch"))
    assert toast == "There is a lobby or a game here already."


def test_again_asks_nobody_who_has_left_or_is_banned(table: Table) -> None:
    table.open(5).hurry().tg.leave(table.people[3], table.group)
    table.tg.kick(table.people[4], table.group)
    table.harness.settle()
    table.press(table.people[2], "rematch")
    assert table.players() == ["Clara"]
    assert asked_again(table) == [0, 1]
