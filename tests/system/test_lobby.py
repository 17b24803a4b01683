"""Before a game: the lobby, through the webhook's entry."""

from dataclasses import replace

import pytest

from engine import Setup
from engine.proof import commitment
from handlers.conversation.lobby import LIFETIME
from sandbox.telegram import Call, User
from tests.system.table import Table, answered


def test_newgame_posts_one_lobby_with_its_hash_and_edits_it_as_people_join(table: Table) -> None:
    table.gather(5)
    assert len(table.group_views()) == 1
    text = table.lobby_text()
    assert "5 of at most 10" in text
    assert [name for name in ("Anna", "Ben", "Clara", "David", "Emma") if name in text] == [
        user.first_name for user in table.people
    ]
    lobby = table.room().lobby
    assert lobby is not None
    assert commitment(bytes.fromhex(lobby.seed)) in text
    assert lobby.seed not in text


def test_a_join_is_confirmed_by_a_toast_and_posts_nothing(table: Table) -> None:
    anna = table.person("Anna")
    table.say(anna, "/newgame")
    posts = table.tg.journal.counts(table.group.id).posts
    assert answered(table.press(anna, "join")) == "You are in."
    assert table.tg.journal.counts(table.group.id).posts == posts


def test_nobody_sits_twice(table: Table) -> None:
    table.gather(2)
    assert answered(table.press(table.people[1], "join")) == "You are in already."
    assert "2 of at most 10" in table.lobby_text()


def test_the_eleventh_player_is_told_that_all_seats_are_taken(table: Table) -> None:
    table.gather(10)
    assert answered(table.press(table.person("Kurt"), "join")) == "All seats are taken."
    room = table.room()
    assert room.lobby is not None
    assert len(room.lobby.players) == 10


def test_leaving_gives_the_seat_up_and_the_host_who_leaves_hands_over(table: Table) -> None:
    table.gather(3)
    assert answered(table.press(table.people[0], "leave")) == "You gave up your seat."
    assert "Anna" not in table.lobby_text()
    room = table.room()
    assert room.lobby is not None
    assert room.lobby.host == table.people[1].id


def test_the_lobby_shows_whose_it_is_to_start(table: Table) -> None:
    table.gather(3)
    crowned = [line for line in table.lobby_text().splitlines() if "👑" in line]
    assert [line.startswith("1. ⁨Anna⁩") for line in crowned] == [True]
    table.forge(table.people[0], f"host|{table.name.short}|1|{table.people[2].id}")
    crowned = [line for line in table.lobby_text().splitlines() if "👑" in line]
    assert [line.startswith("3. ⁨Clara⁩") for line in crowned] == [True]


@pytest.mark.parametrize("how", ["button", "command"])
def test_nobody_is_dealt_in_who_left_or_was_banned_since_they_joined(table: Table, how: str) -> None:
    table.gather(7)
    anna = table.people[0]
    table.tg.leave(table.people[3], table.group)
    table.tg.kick(table.people[4], table.group)
    table.desk.settle()
    start(table, anna, how)
    assert table.room().playing is None, "so many fewer may be another game than they wanted"
    assert (
        table.group_text()
        == "🚪 No longer in the group, so without a seat here: \u2068David\u2069, \u2068Emma\u2069"
    )
    assert "5 of at most 10" in table.lobby_text()
    start(table, anna, how)
    assert [player.name for player in table.match().players] == ["Anna", "Ben", "Clara", "Felix", "Greta"]


def test_who_cannot_be_asked_about_is_taken_to_be_there(table: Table) -> None:
    table.gather(5)

    def refuse(call: Call) -> dict[str, object] | None:
        if call.method == "getChatMember":
            return {"ok": False, "error_code": 400, "description": "Bad Request: member list is inaccessible"}
        return None

    table.tg.before_call.append(refuse)
    table.press(table.people[0], "start")
    assert table.room().playing is not None


def test_who_is_there_is_asked_only_where_a_game_can_start(table: Table) -> None:
    table.gather(4)
    asked = len(table.tg.journal.of("getChatMember"))
    table.press(table.people[0], "start")
    table.press(table.people[0], "shake")
    assert len(table.tg.journal.of("getChatMember")) == asked


def test_the_lobby_says_when_a_game_is_played_in_silence(table: Table) -> None:
    table.gather(2)
    assert "Silence" not in table.lobby_text()
    table.rewrite(replace(table.room(), settings=replace(table.room().settings, silence="on")))
    table.press(table.people[0], "shake")
    assert "Silence for the dead and the government: on" in table.lobby_text()


def test_who_has_no_seat_can_neither_leave_nor_shake(table: Table) -> None:
    table.gather(2)
    stranger = table.person("Kurt")
    assert answered(table.press(stranger, "leave")) == "You have no seat here."
    assert answered(table.press(stranger, "shake")) == "You have no seat here."


def test_shakes_are_counted_beside_the_names_and_go_into_the_deal(table: Table) -> None:
    table.gather(5)
    for _ in range(3):
        table.press(table.people[1], "shake")
    table.press(table.people[4], "shake")
    lines = table.lobby_text().splitlines()
    assert next(line for line in lines if "Ben" in line).endswith("🎲 3")
    assert next(line for line in lines if "Emma" in line).endswith("🎲 1")
    table.press(table.people[0], "start")
    assert table.match().shakes == (0, 3, 0, 0, 1)


def test_who_leaves_takes_the_shakes_along(table: Table) -> None:
    table.gather(5)
    table.press(table.people[1], "shake")
    table.press(table.people[1], "leave")
    table.press(table.people[1], "join")
    assert "🎲" not in next(line for line in table.lobby_text().splitlines() if "Ben" in line)


def test_start_below_the_minimum_says_how_many_are_missing(table: Table) -> None:
    table.gather(3)
    assert answered(table.press(table.people[0], "start")) == "2 more players are needed."
    table.say(table.people[0], "/start")
    assert table.group_text() == "2 more players are needed."
    table.press(table.person("Dora"), "join")
    assert answered(table.press(table.people[0], "start")) == "One more player is needed."
    assert table.room().match is None


@pytest.mark.parametrize("how", ["button", "command"])
@pytest.mark.parametrize("who", ["host", "admin"])
def test_the_host_and_admins_may_start(table: Table, who: str, how: str) -> None:
    table.gather(6)
    user = table.people[0] if who == "host" else table.people[3]
    if who == "admin":
        table.tg.promote(user, table.group)
    start(table, user, how)
    assert table.room().playing is not None
    assert table.room().lobby is None
    assert table.button_gone("start")


def test_once_the_game_has_started_the_lobbys_message_offers_no_start(table: Table) -> None:
    table.gather(6)
    assert "can start" in table.lobby_text()
    table.press(table.people[0], "start")
    assert "can start" not in table.lobby_text()
    assert "6 of at most 10" in table.lobby_text()


@pytest.mark.parametrize("how", ["button", "command"])
def test_others_may_not_start(table: Table, how: str) -> None:
    table.gather(6)
    said = start(table, table.people[3], how)
    assert said == "Only the host or an admin can do that."
    assert table.room().playing is None


def test_a_former_admin_may_not_start_from_an_old_lobby(table: Table) -> None:
    table.gather(6)
    table.tg.promote(table.people[3], table.group)
    table.tg.demote(table.people[3], table.group)
    assert start(table, table.people[3], "button") == "Only the host or an admin can do that."


def test_cancel_closes_the_lobby_by_host_or_admin_and_by_nobody_else(table: Table) -> None:
    table.gather(4)
    table.say(table.people[2], "/cancel")
    assert table.group_text() == "Only the host or an admin can do that."
    table.say(table.people[0], "/cancel")
    assert "The lobby was closed." in table.group_texts()[0]
    assert table.button_gone("join")
    assert table.room().lobby is None


def test_cancel_calls_a_running_game_off(table: Table) -> None:
    table.open(5)
    prompt = table.asked().prompt()
    table.say(table.people[0], "/cancel")
    assert "called off" in table.group_text()
    query = table.tg.tap(prompt.seat.user, prompt.message, prompt.data()[0])
    table.desk.settle()
    assert answered(query) == "That game is over."
    table.say(table.people[0], "/newgame")
    assert table.room().lobby is not None


def test_cancel_where_there_is_nothing_says_so(table: Table) -> None:
    anna = table.person("Anna")
    table.say(anna, "/cancel")
    assert table.group_text() == "No game here. /newgame opens one."


def test_a_lobby_that_nobody_touches_for_an_hour_closes_itself(table: Table) -> None:
    table.gather(3)
    table.pass_time(LIFETIME - 60)
    table.desk.watch()
    assert table.room().lobby is not None
    table.press(table.people[0], "shake")
    table.pass_time(LIFETIME - 60)
    table.desk.watch()
    assert table.room().lobby is not None, "a touch gives it another hour"
    table.pass_time(120)
    table.desk.watch()
    assert table.room().lobby is None
    assert "closed" in table.group_texts()[0]
    assert table.button_gone("join")


def test_a_button_of_an_expired_lobby_does_nothing(table: Table) -> None:
    table.gather(3)
    message, data = table.button("join")
    table.pass_time(LIFETIME + 60)
    table.desk.watch()
    assert table.forge(table.people[0], data, message) == "That lobby is closed."
    assert table.room().lobby is None


def test_a_second_newgame_shows_the_same_lobby_again_below(table: Table) -> None:
    table.gather(3)
    number = table.room().games
    table.say(table.people[1], "/newgame")
    room = table.room()
    assert room.lobby is not None
    assert (room.games, len(room.lobby.players), room.lobby.host) == (number, 3, table.people[0].id)
    assert len(table.group_views()) == 2
    message, _ = table.button("join")
    assert message.id == table.group_views()[-1].id
    assert [bool(view.keyboard) for view in table.group_views()] == [False, True], "two would be one too many"
    table.press(table.person("Dora"), "join")
    assert "Dora" in table.group_text(), "the new message is the one that is kept up to date"


def test_a_new_lobby_begins_with_the_rules_of_the_groups_last_game(table: Table) -> None:
    table.open(6, ruleset="red-dawn@1", options={"veto": "sealed"})
    table.say(table.people[0], "/cancel")
    table.say(table.people[3], "/newgame")
    lobby = table.room().lobby
    assert lobby is not None
    assert lobby.setup == Setup("red-dawn@1", 0, {"veto": "sealed"})
    assert lobby.players == (), "only Again keeps the people"


def test_newgame_during_a_game_opens_none(table: Table) -> None:
    table.open(5)
    table.say(table.people[0], "/newgame")
    assert table.group_text() == "A game is going on here. /status says whom it is waiting for."
    assert table.room().lobby is None


def test_a_button_of_an_older_lobby_does_nothing_to_the_newer_one(table: Table) -> None:
    table.gather(2)
    message, data = table.button("join")
    table.say(table.people[0], "/cancel")
    table.say(table.people[0], "/newgame")
    assert table.forge(table.people[1], data, message) == "That lobby is closed."
    room = table.room()
    assert room.lobby is not None
    assert room.lobby.players == ()


def start(table: Table, user: User, how: str) -> str:
    """Start by button or command; what the bot said to it."""
    if how == "button":
        return answered(table.press(user, "start"))
    table.say(user, "/start")
    return table.group_text()
