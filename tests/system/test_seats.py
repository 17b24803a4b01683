"""Players come and go in a running game: leaving, substitutes, replacement, blocks, the bot thrown out."""

import pytest

from engine import Question
from handlers.conversation.settings import items
from handlers.conversation.timing import AWAY, CLOCKS
from tests.system.table import Table, answered


def clock(table: Table, setting: str) -> Table:
    """The group's owner sets the clock, before there is a game."""
    table.say(table.owner, "/settings")
    room = table.room()
    number = [item.key for item in items(room)].index("clock") + 1
    assert table.forge(table.owner, f"set|{table.name.short}|{number}|{list(CLOCKS).index(setting) + 1}")
    return table


def asked(table: Table) -> Question:
    """The open question."""
    question = table.match().game.question
    assert question is not None
    return question


def wait(table: Table, seconds: float) -> Table:
    """Let time pass, and the wake-ups and the watchdog do their work."""
    table.pass_time(seconds)
    table.desk.settle()
    table.desk.watch()
    table.desk.settle()
    return table


def test_a_player_who_leaves_in_mid_game_opens_the_seat_and_the_group_can_take_it(table: Table) -> None:
    table.open(7)
    table.say(table.people[3], "/leave")
    assert "David" in table.group_text()
    assert table.match().away == (3,)
    new = table.person("Kurt")
    table.press(new, "sit")
    assert table.match().players[3].id == new.id
    assert table.match().away == ()
    assert "Kurt" in table.group_text()


def test_a_substitute_is_told_all_that_the_seat_knows_and_is_asked_what_it_owes(table: Table) -> None:
    table.open(7, roles="lllffhl").nominate(1)
    table.say(table.people[3], "/leave")
    new = table.person("Kurt")
    table.press(new, "sit")
    texts = [view.text for view in table.tg.private_view(new) if view.mine]
    assert any("Fascist" in text and "Emma" in text for text in texts), "the fascist knows the other one"
    assert "how do you vote" in texts[-1]


def test_whoever_left_may_take_the_seat_back_but_no_other_player_may(table: Table) -> None:
    table.open(5)
    table.say(table.people[2], "/leave")
    assert answered(table.press(table.people[1], "sit")) == "You are in already."
    table.press(table.people[2], "sit")
    assert table.match().away == ()


def test_only_members_whom_the_bot_may_write_to_can_take_a_seat(table: Table) -> None:
    table.open(5)
    table.say(table.people[2], "/leave")
    _, data = table.button("sit")
    outsider = table.tg.add_user("Otto the second", started=True)
    assert table.forge(outsider, data) == "Only members of the group can join."
    shy = table.person("Shy", started=False)
    query = table.press(shy, "sit")
    assert query.answer is not None
    assert query.answer.url is not None
    assert table.match().away == (2,)


def test_the_clock_answers_after_a_minute_where_only_empty_seats_are_waited_for(table: Table) -> None:
    table.open(5)
    table.say(table.people[0], "/leave")
    assert table.match().game.question is not None
    wait(table, AWAY + 1)
    assert table.waiting() == (0, 1, 2, 3, 4), "the empty seat has nominated somebody"


def test_empty_seats_do_not_hurry_those_who_are_there(table: Table) -> None:
    table.open(5).nominate(1)
    table.say(table.people[4], "/leave")
    wait(table, AWAY + 1)
    assert table.waiting() == (0, 1, 2, 3, 4)
    table.vote("jjjj.")
    wait(table, AWAY + 1)
    assert asked(table).step == "discard"


@pytest.mark.parametrize("phase", ["nominate", "ballot", "discard", "enact"])
def test_leaving_at_any_phase_never_hangs_the_game(table: Table, phase: str) -> None:
    table.open(5)
    if phase != "nominate":
        table.nominate(1)
    if phase in ("discard", "enact"):
        table.vote("jjjjj")
    if phase == "enact":
        table.choose()
    for user in table.people[:2]:
        table.say(user, "/leave")
    for _ in range(400):
        if table.match().over:
            break
        waiting = [seat for seat in table.waiting() if seat not in table.match().away]
        for seat in waiting:
            table.seat(seat).prompt().tap(table.seat(seat).prompt().labels()[0])
        if not waiting:
            wait(table, AWAY + 1)
    assert table.match().over


def test_sub_offers_ones_own_seat_and_shows_open_ones_to_others(table: Table) -> None:
    table.open(5)
    stranger = table.person("Kurt")
    table.say(stranger, "/sub")
    assert table.group_text() == "No seat is open."
    table.say(table.people[1], "/sub")
    assert table.match().away == (1,)
    table.say(stranger, "/sub")
    assert "Ben" in table.group_text()
    table.press(stranger, "sit")
    assert table.match().players[1].id == stranger.id


@pytest.mark.parametrize("command", ["/sub", "/leave"])
def test_who_left_is_shown_the_seat_again_to_take_it_back(table: Table, command: str) -> None:
    table.open(5)
    table.say(table.people[1], "/leave")
    seen = len(table.group_texts())
    table.say(table.people[1], command)
    assert len(table.group_texts()) == seen + 1
    assert "Ben" in table.group_text()
    table.press(table.people[1], "sit")
    assert table.match().away == ()


def test_two_missed_decisions_let_the_others_vote_for_a_substitute(table: Table) -> None:
    clock(table, "fast").open(5)
    wait(table, 91)  # Anna misses her nomination
    assert table.button_gone("replace")
    while table.match().missed.get(0, 0) < 2:
        for seat in table.waiting():
            if seat:
                table.seat(seat).prompt().tap(table.seat(seat).prompt().labels()[0])
        wait(table, 91)
    assert "twice in a row" in table.group_text() or not table.button_gone("replace")
    assert answered(table.press(table.people[0], "replace")) == "You have no seat in that game."
    table.press(table.people[1], "replace")
    table.press(table.people[1], "replace")
    assert table.match().away == (), "one voice, however often it is raised"
    table.press(table.people[2], "replace")
    table.press(table.people[3], "replace")
    assert table.match().away == (0,)


def test_answering_again_ends_the_row_of_missed_decisions(table: Table) -> None:
    clock(table, "fast").open(5)
    wait(table, 91)
    assert table.match().missed[0] == 1
    table.vote("jjjjj")
    assert 0 not in table.match().missed


def test_a_block_is_announced_from_telegrams_own_notice(table: Table) -> None:
    table.open(5)
    table.tg.block(table.people[3])
    table.desk.settle()
    assert "I cannot write to" in table.group_text()
    assert "David" in table.group_text()


def test_a_player_who_is_back_is_told_again_what_the_seat_knows_and_owes(table: Table) -> None:
    table.open(5).nominate(1)
    table.tg.block(table.people[3])
    table.desk.settle()
    table.tg.unblock(table.people[3])
    table.desk.settle()
    role, prompt = table.seat(3).texts()[-2:]
    assert "You are" in role
    assert "how do you vote" in prompt


def test_a_bot_that_is_invited_back_says_where_the_game_stands(table: Table) -> None:
    table.open(5).nominate(1)
    table.tg.remove_bot(table.group)
    table.desk.settle()
    table.vote("jjjj.")
    table.tg.add_bot(table.group)
    table.desk.settle()
    assert "Everyone votes now" in table.group_text()
    table.seat(4).prompt().tap("Ja")
    assert asked(table).step == "discard"


@pytest.mark.rule("R7.6")
def test_the_settings_have_a_clock_that_is_off_at_first(table: Table) -> None:
    table.open(5)
    assert CLOCKS[table.room().settings.clock] is None
    wait(table, 90_000)
    assert table.waiting() == (0,)
