"""/cancel: who may close a lobby or cancel a game, and the second question."""

from sandbox.telegram import User
from tests.system.table import Table, answered, data_of

HOST = "Only the host or an admin can do that."
PLAYING_HOST = "Only an admin, or a host who plays, can call off a running game."


def tap(table: Table, user: User, label: str) -> str:
    """Tap a button of the newest second question, by its text; return the toast."""
    message, _ = table.button("cancel")
    table.pass_time()
    return answered(table.tap(user, message, data_of(message, label)))


def test_cancel_closes_the_lobby_by_host_or_admin(table: Table) -> None:
    table.gather(4).say(table.people[2], "/cancel")
    assert table.group_text() == HOST
    table.say(table.people[0], "/cancel")
    assert table.room().lobby is not None, "it is asked first"
    assert tap(table, table.people[2], "Close it") == HOST
    tap(table, table.people[0], "Close it")
    assert "The lobby was closed." in table.group_texts()[0]
    assert table.button_gone("join")
    assert table.button_gone("cancel")
    assert table.room().lobby is None


def test_cancel_calls_a_running_game_off_once_it_is_said_twice(table: Table) -> None:
    prompt = table.open(5).asked().prompt()
    nomination = prompt.data()[0]
    table.say(table.people[0], "/cancel")
    assert not table.match().over, "one slip ends no game"
    assert "Call this game off?" in table.group_text()
    tap(table, table.people[0], "Call it off")
    assert table.match().cancelled
    assert "called off" in "".join(table.group_texts())
    assert table.button_gone("cancel")
    query = table.tap(prompt.seat.user, prompt.message, nomination, forged=True)
    assert answered(query) == "That game is over."
    table.say(table.people[0], "/newgame")
    assert table.room().lobby is not None


def test_after_a_game_called_off_again_opens_a_lobby(table: Table) -> None:
    table.open(5).say(table.people[0], "/cancel")
    tap(table, table.people[0], "Call it off")
    table.press(table.people[2], "rematch")
    assert [player.id for player in table.lobby().players] == [table.people[2].id]


def test_who_is_an_admin_no_more_when_tapping_calls_nothing_off(table: Table) -> None:
    admin = table.open(5).people[3]
    table.tg.promote(admin, table.group)
    table.say(admin, "/cancel").tg.set_status(admin, table.group, "member")
    assert tap(table, admin, "Call it off") == PLAYING_HOST
    assert not table.match().over
