"""Game nights through the webhook: planned, signed up for, reminded of, and a lobby that opens in time."""

from datetime import UTC, datetime

import pytest

from bot.conversation.nights import LATEST
from bot.display.nights import IN, MAYBE, OUT
from bot.rooms.names import UserId
from bot.rooms.night import Night
from sandbox.telegram import User
from tests.system.table import Seated, Table, answered


def plan(table: Table, hours: float = 26, *, weekly: bool = False) -> int:
    """Plan a night about this many hours from now, as Otto; return its time."""
    at = datetime.fromtimestamp(table.harness.clock() + hours * 3600, UTC)
    word = "weekly " if weekly else ""
    table.say(table.owner, f"/schedule {word}{at:%a %H:%M}")
    return night(table).at


def night(table: Table) -> Night:
    planned = table.room().night
    assert planned is not None
    return planned


def sign_up(table: Table, user: User, what: int = IN) -> str:
    message, data = table.button("night")
    wanted = "|".join((*data.split("|")[:-1], str(what)))
    table.pass_time()
    return answered(table.tap(user, message, wanted))


def until(table: Table, moment: float) -> None:
    table.wait_until(moment)
    table.harness.watch()
    table.harness.settle()


def private(table: Table, user: User) -> list[str]:
    return Seated(table, user).texts()


def join(table: Table, user: User) -> None:
    view = Seated(table, user).views()[-1]
    url = next(key["url"] for key in view.buttons() if "start=" in key.get("url", ""))
    table.pass_time()
    table.tg.send(user, table.tg.private(user), f"/start {url.partition('start=')[2]}")
    table.harness.settle()


@pytest.fixture
def friends(table: Table) -> list[User]:
    return [table.person(name) for name in ("Anna", "Ben", "Clara", "David", "Emma")]


def test_a_whole_night(table: Table, friends: list[User]) -> None:
    at = plan(table)
    anna, ben, clara, david, emma = friends
    for user in (anna, ben, clara, david, emma):
        sign_up(table, user)
    sign_up(table, emma, MAYBE)
    sign_up(table, david, OUT)
    until(table, table.harness.clock() + 10)
    assert "👍 In: \u2068Anna\u2069, \u2068Ben\u2069, \u2068Clara\u2069 (3)" in table.group_text()
    until(table, at - 3600)
    until(table, at - 3000)
    told = [sum("Game night in" in text for text in private(table, user)) for user in friends]
    assert told == [1, 1, 1, 0, 1]
    assert "You said maybe" in private(table, emma)[-1]
    until(table, at - 590)
    told = [sum("Game night in" in text for text in private(table, user)) for user in friends]
    assert told == [2, 2, 2, 0, 2]
    # From here on the queue is early enough, without the watchdog.
    table.wait_until(at + 1)
    assert table.room().lobby is not None
    assert "who is in?" in table.group_text()
    asked = [any(text.startswith("🎲") for text in private(table, user)) for user in friends]
    assert asked == [True, True, True, False, False]
    assert table.button_gone("night")
    join(table, anna)
    join(table, ben)
    assert table.players() == ["Anna", "Ben"]
    assert table.room().night is None


def test_a_night_survives_a_lost_queue(table: Table, friends: list[User]) -> None:
    at = plan(table)
    sign_up(table, friends[0])
    for moment in (at - 3600, at - 600):
        until(table, moment)
    table.harness.queue._waiting.clear()
    table.wait_until(at + 60)
    assert table.room().lobby is None
    table.harness.watch()
    assert table.room().lobby is not None


@pytest.mark.parametrize(("late", "opens"), [(LATEST - 60, True), (LATEST + 60, False)])
def test_a_bot_that_was_down_at_the_hour(table: Table, friends: list[User], late: int, opens: bool) -> None:
    at = plan(table, weekly=True)
    sign_up(table, friends[0])
    before = len(table.group_views())
    until(table, at + late)
    assert (table.room().lobby is not None) == opens
    assert len(table.group_views()) - before == opens
    assert night(table).at == at + 7 * 86400


def test_who_left_or_blocked_the_bot_is_passed_over(table: Table, friends: list[User]) -> None:
    at = plan(table)
    anna, ben, clara, *_ = friends
    for user in (anna, ben, clara):
        sign_up(table, user)
    table.tg.leave(ben, table.group)
    table.harness.settle()
    table.block(clara)
    for moment in (at - 3600, at - 600, at):
        until(table, moment)
    assert table.room().lobby is not None
    assert sum("Game night" in text for text in private(table, anna)) == 3
    assert not any("Game night" in text for text in private(table, ben))


def test_forged_taps_change_nothing(table: Table, friends: list[User]) -> None:
    at = plan(table)
    short = table.name.short
    for what in (0, 4, 5, 6, 7, 8, 9, 99):
        table.forge(friends[0], f"night|{short}|{at}|{what}")
    table.forge(friends[0], f"night|{short}|{at + 60}|1")
    assert night(table) == Night(at, night(table).day, night(table).minutes, host=UserId(table.owner.id))


def test_a_guest_is_forgotten_with_their_name(table: Table, friends: list[User]) -> None:
    plan(table)
    sign_up(table, friends[0])
    sign_up(table, friends[1])
    assert table.names(friends[0])
    Seated(table, friends[0]).say("/forget").press("forget")
    assert not table.names(friends[0])
    assert "Anna" not in table.group_text()
    assert "Ben" in table.group_text()


def test_a_forgotten_group_has_no_night(table: Table, friends: list[User]) -> None:
    plan(table)
    sign_up(table, friends[0])
    table.say(table.owner, "/forget").press(table.owner, "erase")
    assert table.room().night is None
    assert not table.names(friends[0])
