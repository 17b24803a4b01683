"""Computers come to the lobby and go, as many as its host wants."""

from tests.bot.conversation.acts import tap
from tests.bot.conversation.people import person, player
from tests.bot.conversation.replies import refuses, toast, unchanged
from tests.bot.conversation.rooms import changed_lobby, lobby, names, opened
from tests.bot.conversation.texts import plain


def test_a_repeated_tap_sets_the_same_number_of_computers() -> None:
    after = tap(lobby(3), "computers", person(0), 2)
    assert opened(after.room).computer_count == 2
    assert toast(after) == plain("toast.computers", count=2)
    assert unchanged(tap(after.room, "computers", person(0), 2), after.room)


def test_who_came_last_of_them_goes_first() -> None:
    three = tap(lobby(3), "computers", person(0), 3).room
    assert names(tap(three, "computers", person(0), 2).room) == names(three)[:-1]


def test_there_are_never_more_than_there_are_seats() -> None:
    assert len(names(tap(lobby(3), "computers", person(0), 99).room)) == 10


def test_fewer_seats_cost_a_computer_not_a_person() -> None:
    people = tuple(player(number) for number in range(11))
    xl = changed_lobby(lobby(ruleset="xl@1"), players=people)
    mixed = tap(xl, "computers", person(0), 2).room
    classic = changed_lobby(mixed, setup=lobby().lobby.setup)  # type: ignore[union-attr]
    after = tap(classic, "computers", person(0), 1)
    assert names(after.room) == [player.name for player in people]
    assert toast(after) == plain("toast.computers", count=0)


def test_nobody_but_the_host_or_an_admin_brings_them() -> None:
    before = lobby(3)
    refuses(tap(before, "computers", person(1), 2), before, "only-host")
    assert opened(tap(before, "computers", person(9), 2, is_admin=True).room).computer_count == 2
