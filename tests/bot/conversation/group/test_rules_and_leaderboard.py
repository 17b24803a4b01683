"""The rules of what is played here, in pages; the leaderboard."""

from dataclasses import replace

import pytest

from bot.conversation.group.rules import Pictured, first_page, in_private, setup_here, tap_in_private
from bot.conversation.incoming import Tap
from bot.conversation.outcome import Lookup, Post, Private, Toast
from bot.display import guide
from bot.display.buttons import read
from bot.rooms.model import Room
from bot.rooms.names import RoomName, UserId
from engine import OFFERED, Setup
from tests.bot.conversation.acts import needs, says, tap
from tests.bot.conversation.people import BEACON, CHAT, person
from tests.bot.conversation.replies import posts
from tests.bot.conversation.rooms import changed_lobby, finished, game, lobby, room
from tests.bot.conversation.texts import words


def turned(where: Room, *args: int) -> Post | Pictured:
    """Return what a button under the rules brings in private."""
    return tap_in_private(where, Tap(person(3), RoomName(CHAT), "q", "own-rules", args))


def page(where: Room, *args: int) -> Post:
    found = turned(where, *args)
    assert isinstance(found, Post)
    return found


def carried(post: Post) -> set[tuple[int, ...]]:
    read_all = [read(button.data) for row in post.keyboard for button in row if button.data]
    return {found[2] for found in read_all if found is not None}


def test_a_group_gets_a_link_to_the_rules_and_no_page() -> None:
    first = says(lobby(7, "red-dawn@1"), person(3), "/rules")
    assert posts(first) == [words("rules.here", ruleset=words("ruleset.red-dawn"))]
    (effect,) = first.effects
    assert isinstance(effect, Post)
    address = effect.keyboard[0][0].url
    assert address is not None
    assert guide.room_of_rules(address.partition("?start=")[2]) == RoomName(CHAT)
    old = tap(lobby(7, "red-dawn@1"), "rules", person(3), 0, 1, 0)
    assert (old.effects, old.toast) == ((), Toast(url=address))


@pytest.mark.parametrize(
    "text", ["", "rules_", "rules_5", "rules_-1__2", "rules_-zzzzzzzzzzzz", "play_1_0_-5"]
)
def test_a_payload_that_is_none_of_these_links_names_no_room(text: str) -> None:
    assert guide.room_of_rules(text) is None


def test_the_rules_begin_on_the_first_page_and_turn_to_the_next() -> None:
    first = first_page(person(3), room())
    assert "1/" in first.text
    assert (0, 1, 0) in carried(first)
    second = page(room(), 0, 1, 0)
    assert "2/" in second.text
    assert {(0, 0, 0), (0, 2, 0)} <= carried(second)


def test_a_page_that_there_is_not_is_the_nearest_one() -> None:
    assert "1/" in page(room(), 0, -9, 0).text
    assert (0, -1, 0) in carried(page(room(), 0, 999, 0))


def test_a_number_that_means_nothing_any_more_shows_the_page() -> None:
    assert page(room(), 0, 1, 4).text == page(room(), 0, 1, 0).text


def test_other_rules_can_be_chosen() -> None:
    chooser = page(room(), 0, -1, 0)
    assert chooser.text == words("rules.choose")
    assert carried(chooser) == {(n, 0, 0) for n in range(1, len(OFFERED) + 1)}
    assert (0, 0, 0) in carried(page(lobby(), 0, -1, 0))
    assert page(room(), len(OFFERED), 0, 0).text != first_page(person(3), room()).text


def test_the_rules_are_those_of_what_is_played_here() -> None:
    assert setup_here(room()) == Setup(OFFERED[0].id, 5)
    assert setup_here(game(7)) == Setup("classic@1", 7)
    assert setup_here(game(7, ruleset="red-dawn@1", cancelled=True)).ruleset == "red-dawn@1"
    assert setup_here(finished()).players == 5
    assert setup_here(lobby(8)).players == 8


def test_between_seal_and_deal_rules_are_the_new_games() -> None:
    before = replace(lobby(7, "red-dawn@1"), match=finished().match)
    began = tap(before, "start", person(0), beacon=BEACON).room
    assert began.sealed is not None
    assert setup_here(began) == Setup("red-dawn@1", 7)
    assert in_private(person(1), (began,)).text != in_private(person(9), (began,)).text
    assert (0, 0, 0) in carried(page(began, 0, -1, 0)), "and the way back to them"


def test_a_small_lobby_shows_the_rules_of_the_next_size() -> None:
    assert setup_here(lobby(2)).players == 5
    assert setup_here(lobby(5, "red-dawn@1", options={"secret-roles": "on"})).players == 6


def test_options_nobody_can_play_are_left_out() -> None:
    none = changed_lobby(lobby(5), setup=Setup("classic@1", 0, {"veto": "never heard of"}))
    assert setup_here(none) == Setup("classic@1", 5)


def test_in_private_the_rules_are_those_of_ones_own_game() -> None:
    for own in (game(7, ruleset="red-dawn@1"), lobby(7, "red-dawn@1")):
        mine = in_private(person(1), (room(), own))
        assert mine.to == Private(UserId(101))
        assert "1/" in mine.text
        assert all(button.data for row in mine.keyboard for button in row)
        assert {read(b.data)[0] for row in mine.keyboard for b in row if b.data} == {RoomName(CHAT)}  # type: ignore[index]
        assert "The Reichstag" in mine.text.splitlines()[0], "whose rules"
    assert in_private(person(9), (game(7),)).text == words("rules.choose")


def test_in_private_pages_turn() -> None:
    page = tap_in_private(game(), Tap(person(1), RoomName(CHAT), "q", "own-rules", (0, 1, 0)))
    assert isinstance(page, Post)
    assert "2/" in page.text


def test_the_leaderboard_must_be_read_first() -> None:
    needs(Lookup.LEADERBOARD, says, room(), person(3), "/stats")
    assert len(posts(says(room(), person(3), "/stats"))) == 1
