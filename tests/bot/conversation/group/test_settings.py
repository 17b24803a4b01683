"""A group's settings: shown to all, set by its admins, whose right is asked at every tap."""

import pytest

from bot.conversation.group.settings import BALLOTS, MEETINGS, SILENCE, items
from bot.conversation.outcome import Lookup, Toast
from bot.display.words import Words
from tests.bot.conversation.acts import needs, press, says, tap
from tests.bot.conversation.people import person
from tests.bot.conversation.replies import buttons, edits, posts, toast, unchanged
from tests.bot.conversation.rooms import lobby, room
from tests.bot.conversation.texts import plain, words

LANGUAGE, THEME, CLOCK, MEETING, BALLOT, QUIET = range(1, 7)


def test_everybody_may_see_the_settings_with_all_their_buttons() -> None:
    after = says(room(), person(3), "/settings")
    assert words("settings.title") in posts(after)[0]
    assert {item for item, _ in buttons(after, "set")} == {-1, *range(1, 1 + len(items(room())))}
    assert buttons(after, "board") == [(0, 0, 0, 0)]


@pytest.mark.parametrize(("item", "place", "name", "value"), [
    (THEME, 2, "theme", "cold-war"), (CLOCK, 2, "clock", "relaxed"),
    (MEETING, 3, "meeting", MEETINGS[2]), (BALLOT, 2, "ballots", BALLOTS[1]),
    (QUIET, 3, "silence", SILENCE[2]),
])  # fmt: skip
def test_an_admin_sets_each_of_them(item: int, place: int, name: str, value: object) -> None:
    after = tap(room(), "set", person(3), item, place, is_admin=True)
    assert getattr(after.room.settings, name) == value
    assert toast(after) == items(after.room)[item - 1].now(Words())
    assert list(edits(after)) == ["settings"]


def test_the_language_shows_at_once() -> None:
    assert len(buttons(tap(room(), "set", person(3), LANGUAGE, 0, is_admin=True), "set")) == 14
    after = tap(room(), "set", person(3), LANGUAGE, 1, is_admin=True)
    assert after.room.settings.language == "de"
    assert words("settings.title") not in edits(after)["settings"]


def test_a_tap_on_one_thing_shows_its_values_and_sets_nothing() -> None:
    after = tap(room(), "set", person(3), CLOCK, 0, is_admin=True)
    assert after.room == room()
    assert buttons(after, "set") == [(CLOCK, 1), (CLOCK, 2), (CLOCK, 3), (0, 0)]


@pytest.mark.parametrize(("item", "place"), [(THEME, 99), (THEME, -1), (99, 1), (-7, 1), (0, 1)])
def test_forged_numbers_set_nothing(item: int, place: int) -> None:
    assert tap(room(), "set", person(3), item, place, is_admin=True).room == room()


def test_the_menu_closes() -> None:
    after = tap(room(), "set", person(3), -1, 0, is_admin=True)
    assert buttons(after, "set") == []
    assert list(edits(after)) == ["settings"]


def test_the_right_is_asked_anew_at_every_tap() -> None:
    for item, place in ((THEME, 0), (THEME, 2), (-1, 0)):
        after = tap(lobby(), "set", person(0), item, place)
        assert unchanged(after, lobby())
        assert after.toast == Toast(plain("only-admin"), alert=True)
        needs(Lookup.IS_ADMIN, tap, lobby(), "set", person(0), item, place)


def test_silence_without_the_right_says_what_it_takes() -> None:
    after = tap(room(), "set", person(3), QUIET, 2, is_admin=True, may_delete=False)
    assert after.room.settings.silence == "on"
    assert after.toast == Toast(plain("silence.needs"), alert=True)
    told = toast(tap(room(), "set", person(3), QUIET, 2, is_admin=True))
    assert told == "Silence for the dead and the government: on"
    needs(Lookup.MAY_DELETE, tap, room(), "set", person(3), QUIET, 2, is_admin=True)
    assert tap(room(), "set", person(3), QUIET, 3, is_admin=True, unknown=Lookup.MAY_DELETE).toast


def test_whatever_is_no_verb_of_a_group_is_let_go() -> None:
    assert unchanged(press(room(), "forget", person(0), 1), room())
    assert unchanged(press(room(), "fair", person(0), 1), room())
