"""People who left the group lose their seats there. Admins can free any seat."""

from sandbox.telegram import User
from tests.system.table import Table, answered
from tests.system.test_seats import set_to, without_stand_ins


def kick(table: Table, user: User) -> None:
    table.pass_time()
    table.tg.kick(user, table.group)
    table.harness.settle()


def test_a_banned_player_loses_the_seat_at_once(table: Table) -> None:
    table.open(5).nominate(1)
    ben = table.people[1]
    prompt = table.seat(1).prompt()
    ja = prompt.data()[0]
    kick(table, ben)
    assert table.match().away == (1,)
    assert table.match().players[1].computer
    assert "⁨#2\u00a0Ben⁩ is no longer in the group" in table.group_text()
    assert "computer" in answered(table.tap(ben, prompt.message, ja, forged=True))
    table.press(table.person("Kurt"), "sit")
    assert table.match().players[1].name == "Kurt"


def test_an_admin_bot_hears_of_a_ban_without_a_service_message(table: Table) -> None:
    table.tg.set_bot_rights(table.group, can_delete_messages=True)
    table.open(5).tg.set_status(table.people[2], table.group, "kicked")
    table.harness.settle()
    assert table.match().away == (2,)


def test_a_banned_player_may_not_sit_down_again(table: Table) -> None:
    table.open(5)
    kick(table, table.people[1])
    message, data = table.button("sit")
    assert table.forge(table.people[1], data, message) == "Only members of the group can join."


def test_who_leaves_the_group_leaves_its_lobby(table: Table) -> None:
    table.gather(3)
    kick(table, table.people[0])
    lobby = table.lobby()
    assert [player.name for player in lobby.players] == ["Ben", "Clara"]
    assert lobby.host == table.people[1].id


def test_a_game_goes_on_in_the_other_groups_of_a_banned_player(table: Table) -> None:
    table.open(5)
    second = Table(table.harness, table.people, title="Next door").open(5)
    kick(table, table.people[1])
    assert second.match().away == ()


def test_coming_and_going_costs_one_read_at_most(table: Table) -> None:
    table.tg.set_bot_rights(table.group, can_delete_messages=True)
    table.open(5)
    strangers = [table.tg.add_user(f"Stranger {number}") for number in range(5)]
    before = table.harness.reads, table.harness.writes
    for user in strangers:
        table.tg.join(user, table.group)
        table.harness.settle()
    assert (table.harness.reads, table.harness.writes) == before
    for user in strangers:
        table.tg.set_status(user, table.group, "left")
        table.harness.settle()
    assert table.harness.reads <= before[0] + len(strangers)
    assert table.harness.writes == before[1]


def unseat(table: Table, by: User) -> None:
    said = table.tg.send(table.people[2], table.group, "brb")
    table.tg.send(by, table.group, "/unseat", reply_to=said)
    table.harness.settle()


def test_an_admin_frees_a_seat_by_a_reply(table: Table) -> None:
    table.open(5)
    unseat(table, table.owner)
    assert table.match().away == (2,)
    assert "⁨Otto⁩ freed the seat of" in table.group_text()


def test_an_admin_frees_a_seat_from_the_list_of_players(table: Table) -> None:
    table.open(5).say(table.people[0], "/players")
    assert answered(table.press(table.people[0], "unseat")) == "Only admins of the group can do that."
    table.press(table.owner, "unseat")
    assert "Whose seat should be freed?" in table.group_text()
    table.press(table.owner, "unseat")
    assert table.match().away == (0,)


def test_players_may_not_unseat_one_another(table: Table) -> None:
    table.open(5)
    unseat(table, table.people[0])
    assert table.match().away == ()


def test_a_banned_dead_player_sees_no_open_cards(table: Table) -> None:
    set_to(table, "open_cards", "on").open(5, deck="lff lff lff lff", roles="lllfh")
    table.govern(1, "f").govern(2, "f").govern(3, "f").govern(0, "f").target(2)
    dead = table.people[2]
    rows = [(view, b.get("callback_data")) for view in table.seat(2).views() for b in view.buttons()]
    message, watch = next((message, data) for message, data in rows if data and data.startswith("watch|"))
    table.group.members[dead.id].status = "kicked"  # nobody told the bot
    table.tap(dead, message, watch)
    assert table.match().watching == ()


def test_without_stand_ins_a_banned_player_does_not_answer(table: Table) -> None:
    without_stand_ins(table).open(5).nominate(1)
    prompt = table.seat(1).prompt()
    ja = prompt.data()[0]
    table.leave(table.people[1])
    kick(table, table.people[1])
    assert table.match().players[1].computer
    table.tap(table.people[1], prompt.message, ja, forged=True)
    assert table.match().away == (1,)


def test_an_admin_takes_somebody_out_of_the_lobby_by_a_reply(table: Table) -> None:
    table.gather(3)
    unseat(table, table.owner)
    assert table.players() == ["Anna", "Ben"]
