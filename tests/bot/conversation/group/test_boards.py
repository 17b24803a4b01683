"""Boards of a group's own: built by taps, pasted, renamed, shared, deleted; by its admins alone."""

import json
import re
from dataclasses import replace
from html import unescape

import pytest

from bot.conversation.outcome import Lookup, Outcome, Toast
from bot.display import board_panels as panels
from bot.display.own_board import KNOWLEDGE, THRESHOLDS
from bot.rooms.model import Room
from bot.rooms.own_board import LONGEST_NAME, MOST_BOARDS, MOST_SLOTS, OwnBoard
from engine import OFFERED
from engine.board import PARTIES
from tests.bot.conversation.acts import needs, says, tap
from tests.bot.conversation.people import person
from tests.bot.conversation.replies import buttons, edits, posts, refuses, toast, unchanged
from tests.bot.conversation.rooms import room
from tests.bot.conversation.texts import plain, words

LIBERAL, FASCIST, COMMUNIST = (PARTIES.index(party) for party in ("liberal", "fascist", "communist"))
OURS = OwnBoard(7, "Ours", "classic@1", 5)


def group(*boards: OwnBoard) -> Room:
    return room(boards=boards or (OURS,))


def change(room: Room, panel: int, thing: int, by: int, number: int = 7) -> Outcome:
    """Tap in the panels of a board, as an admin."""
    return tap(room, "board", person(3), number, panel, thing, by, is_admin=True)


def only(after: Outcome) -> OwnBoard:
    (own,) = after.room.boards
    return own


def test_a_new_board_begins_as_the_printed_one_of_a_ruleset() -> None:
    asked = change(room(), panels.NEW, 0, 0, number=0)
    numbers = range(1, len(OFFERED) + 1)
    assert [args for args in buttons(asked, "board") if args[3]] == [(0, panels.NEW, n, 1) for n in numbers]
    own = only(change(room(), panels.NEW, 2, 1, number=0))
    assert (own.ruleset, own.size) == (OFFERED[1].id, min(OFFERED[1].players))
    assert own.board() == own.printed(own.size)


def test_new_boards_are_called_by_the_first_number_that_is_free() -> None:
    first = change(room(), panels.NEW, 1, 1, number=0).room
    second = change(first, panels.NEW, 1, 1, number=0).room
    assert [own.name for own in second.boards] == ["Board 1", "Board 2"]
    renamed = replace(second, boards=(replace(second.boards[0], name="Ours"), second.boards[1]))
    assert change(renamed, panels.NEW, 1, 1, number=0).room.boards[-1].name == "Board 1"


def test_a_board_of_no_ruleset_is_not_made() -> None:
    for thing in (0, -1, len(OFFERED) + 1):
        assert change(room(), panels.NEW, thing, 1, number=0).room.boards == ()


def test_a_group_has_only_so_many() -> None:
    full = group(*(replace(OURS, number=n, name=f"Board {n}") for n in range(MOST_BOARDS)))
    refuses(change(full, panels.NEW, 1, 1, number=0), full, "boards.too-many", most=MOST_BOARDS)
    pasted = says(full, person(3), '/settings board New {"ruleset": "classic@1"}', is_admin=True)
    assert posts(pasted) == [words("boards.too-many", most=MOST_BOARDS)]


def test_the_boards_are_listed() -> None:
    after = change(group(), panels.LIST, 0, 0, number=0)
    assert "Ours" in edits(after)["settings"]
    assert (7, panels.SHOW, 0, 0) in buttons(after, "board")


def test_a_track_grows_and_shrinks_by_a_slot() -> None:
    before = OURS.board().tracks["fascist"]
    longer = only(change(group(), panels.TRACK, FASCIST, 1)).board().tracks["fascist"]
    assert longer == (*before[:-1], None, None)
    shorter = only(change(group(), panels.TRACK, FASCIST, -1)).board().tracks["fascist"]
    assert shorter == (*before[:-2], None)


def test_a_third_track_comes_and_goes_with_one_slot() -> None:
    one = change(group(), panels.TRACK, COMMUNIST, 1)
    assert only(one).board().tracks["communist"] == (None,)
    assert "communist" not in only(change(one.room, panels.TRACK, COMMUNIST, -1)).board().tracks


def test_no_track_is_longer_than_fits() -> None:
    after = Outcome(group())
    for _ in range(MOST_SLOTS):
        after = change(after.room, panels.TRACK, LIBERAL, 1)
    assert len(only(after).board().tracks["liberal"]) == MOST_SLOTS
    assert toast(after) == plain("boards.limit")


def test_a_slot_is_given_another_power_and_its_track_is_shown() -> None:
    place = panels.slot_powers(OURS).index("kill")
    after = change(group(), panels.SLOT, FASCIST * panels.SLOTS + 1, place + 1)
    assert only(after).board().tracks["fascist"][1] == "kill"
    assert (7, panels.SLOT, FASCIST * panels.SLOTS, 0) in buttons(after, "board")
    back = change(after.room, panels.SLOT, FASCIST * panels.SLOTS + 1, 1)
    assert only(back).board().tracks["fascist"][1] is None


def test_the_last_slot_has_no_power() -> None:
    last = len(OURS.board().tracks["fascist"]) - 1
    after = change(group(), panels.SLOT, FASCIST * panels.SLOTS + last, 2)
    assert only(after) == OURS
    assert toast(after) == plain("boards.limit")


def test_tiles_and_roles_are_counted_up_and_down() -> None:
    tile = panels.tiles(OURS, OURS.board())[0]
    assert only(change(group(), panels.DECK, 0, 1)).board().deck[tile] == OURS.board().deck[tile] + 1
    assert only(change(group(), panels.DECK, 0, -1)).board().deck[tile] == OURS.board().deck[tile] - 1
    role = only(change(group(), panels.ROLES, LIBERAL, 1)).board().roles["liberal"]
    assert role == OURS.board().roles["liberal"] + 1


def test_no_count_falls_below_none() -> None:
    assert OURS.board().roles["fascist"] == 1
    none = change(group(), panels.ROLES, FASCIST, -1)
    assert "fascist" not in only(none).board().roles
    assert toast(change(none.room, panels.ROLES, FASCIST, -1)) == plain("boards.limit")


def test_who_knows_whom_and_the_thresholds_are_changed() -> None:
    field = KNOWLEDGE[0]
    assert getattr(only(change(group(), panels.KNOWS, 0, 1)).board(), field) != getattr(OURS.board(), field)
    limit = THRESHOLDS[0]
    raised = getattr(only(change(group(), panels.LIMITS, 0, 1)).board(), limit)
    assert raised == getattr(OURS.board(), limit) + 1
    low = Outcome(group())
    for _ in range(9):
        low = change(low.room, panels.LIMITS, 0, -1)
    assert getattr(only(low).board(), limit) == 1


def test_secret_roles_are_put_in_and_taken_out() -> None:
    dawn = OwnBoard(7, "Ours", "red-dawn@1", 7)
    card = panels.secret_cards(dawn)[0]
    there = change(group(dawn), panels.SECRET, 0, 1)
    assert (card in only(there).board().secret_roles) != (card in dawn.board().secret_roles)
    assert only(change(there.room, panels.SECRET, 0, 1)).board() == dawn.board()


def test_the_size_is_shown_for_as_many_as_can_play() -> None:
    assert only(change(group(), panels.SIZE, 0, 1)).size == 6
    assert toast(change(group(), panels.SIZE, 0, -1)) == plain("boards.limit")


@pytest.mark.parametrize("panel", [panels.TRACK, panels.SLOT, panels.DECK, panels.ROLES, panels.KNOWS])
def test_forged_things_change_nothing(panel: int) -> None:
    for thing in (-1, 99, 9999):
        after = change(group(), panel, thing, 1)
        assert only(after) == OURS
        assert toast(after) == plain("boards.limit")


def test_forged_numbers_leave_the_board_alone() -> None:
    everything = [(panel, thing, 0) for panel in range(-1, 15) for thing in (-1, 99)]
    for panel, thing, by in (*everything, (panels.SLOT, 199, 1), (panels.SLOT, 0, 999), (99, 0, 1)):
        assert only(change(group(), panel, thing, by)) == OURS
    for panel, thing in ((panels.DELETE, 0), (panels.NEW, 99)):
        assert only(change(group(), panel, thing, 1, number=12345678)) == OURS


def test_a_forged_panel_shows_the_board() -> None:
    for panel, thing in ((99, 0), (panels.TRACK, 99), (panels.SLOT, 9999)):
        assert (7, panels.SHARE, 0, 0) in buttons(change(group(), panel, thing, 0), "board")


def test_a_board_that_is_not_there_any_more_shows_the_others() -> None:
    assert (7, panels.SHOW, 0, 0) in buttons(change(group(), panels.SHOW, 0, 0, number=8), "board")


def test_a_board_is_deleted_after_asking() -> None:
    asked = change(group(), panels.DELETE, 0, 0)
    assert asked.room.boards == (OURS,)
    assert (7, panels.DELETE, 0, 1) in buttons(asked, "board")
    assert change(group(), panels.DELETE, 0, 1).room.boards == ()


def test_a_board_whose_rules_are_gone_can_only_be_deleted() -> None:
    gone = replace(OURS, ruleset="gone@1")
    after = change(group(gone), panels.TRACK, FASCIST, 1)
    assert only(after) == gone
    assert [args[1] for args in buttons(after, "board")] == [panels.DELETE, panels.LIST]
    assert (7, panels.DELETE, 0, 1) in buttons(change(group(gone), panels.DELETE, 0, 0), "board")


# --- pasted and renamed -------------------------------------------------------------------------------------


def test_a_shared_board_is_the_same_one_in_another_group() -> None:
    longer = only(change(group(), panels.TRACK, FASCIST, -1))
    shared = posts(change(group(longer), panels.SHARE, 0, 0))[0]
    command = unescape(re.findall(r"<code>(/settings board.*?)</code>", shared, re.DOTALL)[0])
    after = says(room(), person(3), command, is_admin=True)
    assert only(after).board() == longer.board()
    assert only(after).name == "Ours"
    assert (only(after).number, panels.SHARE, 0, 0) in buttons(after, "board")


def test_a_board_of_the_same_name_takes_the_old_ones_place() -> None:
    text = json.dumps({"ruleset": "online@1"})
    after = says(group(), person(3), f"/settings board Ours {text}", is_admin=True)
    assert (only(after).number, only(after).ruleset) == (7, "online@1")


def test_phones_quotes_and_line_breaks_are_understood() -> None:
    command = "/settings board Our  war {“ruleset”: “classic@1”, “zone”: 1}"
    after = says(group(), person(3), command, is_admin=True)
    assert [(own.name, own.changes) for own in after.room.boards[1:]] == [("Our war", {"zone": 1})]


@pytest.mark.parametrize("text", [
    "{", "{}", "{nonsense}", '{"ruleset": "gone@1"}', "{[]}", '{"ruleset": 7}', "{" + '"a":{' * 500,
    '{"ruleset":"classic@1"} x',
])  # fmt: skip
def test_what_is_no_board_is_not_taken_in(text: str) -> None:
    after = says(group(), person(3), f"/settings board New {text}", is_admin=True)
    assert only(after) == OURS
    (said,) = posts(after)
    assert words("illegal.malformed-board") in said or words("illegal.unknown-ruleset") in said


REFUSED = {
    "R6.2 one": ({"roles": {"liberal": 4, "fascist": 1, "hitler": 2}}, "exactly one Hitler"),
    "R6.2 players": ({"players": 7, "roles": {"liberal": 4, "fascist": 1, "hitler": 1}}, "as many roles"),
    "R6.3": ({"zone": 0}, "No threshold"),
    "R6.4": ({"tracks": {"liberal": [None], "fascist": [None]}}, "too few slots"),
    "R6.5": ({"deck": {"liberal": 6, "fascist": 11, "communist": 1}}, "colour that has no track"),
    "R6.6": ({"deck": {"liberal": 6, "fascist": 4}}, "too few tiles"),
    "R6.7 power": ({"tracks": {"liberal": ["bugging", None]}}, "does not have one of these powers"),
    "R6.7 track": ({"tracks": {"anarchist": [None]}}, "no track of that colour"),
    "R6.7 tile": ({"deck": {"liberal": 9, "anti-fascist": 9}}, "does not have one of these tiles"),
    "R6.7 role": ({"roles": {"liberal": 3, "spy": 1, "hitler": 1}}, "does not have one of these roles"),
    "R6.7 ending": ({"endings": {"hitler-bored": ["liberal"]}}, "does not have one of these endings"),
    "R6.7 nobody wins": ({"endings": {"hitler-killed": []}}, "does not have one of these endings"),
    "no fascists": ({"tracks": {"fascist": []}, "deck": {"liberal": 20}}, "both need a track"),
    "below zero": ({"deck": {"liberal": 20, "fascist": -1}}, "below zero"),
    "eleven slots": ({"tracks": {"liberal": [None] * 11}, "deck": {"liberal": 30}}, "at most 10"),
    "many tiles": ({"deck": {"liberal": 10**12, "fascist": 9}}, "at most 10"),
    "a threshold": ({"chaos": 21}, "at most 10"),
    "twelve players": ({"players": 12, "roles": {"liberal": 11, "hitler": 1}}, "too many players"),
    "two players": ({"roles": {"liberal": 1, "hitler": 1}}, "too few players"),
    "secret role": ({"ruleset": "red-dawn@1", "secret_roles": ["*:anarchist"] * 2}, "only one of each"),
    "no ruleset": ({"ruleset": "chess@1"}, "no such ruleset"),
    "no such field": ({"colour": "red"}, "not the text of a board"),
    "no name of a power": (
        {"deck": {"liberal": 6, "liberal:": 6, "fascist": 11}},
        "does not have one of these tiles",
    ),
    "a slot without a name": ({"tracks": {"liberal": ["", None]}}, "not the text of a board"),
    "somebody wins twice": ({"endings": {"hitler-killed": ["liberal"] * 2}}, "not the text of a board"),
    "not a number": ({"zone": "3"}, "not the text of a board"),
    "players": ({"players": "7"}, "not the text of a board"),
}


@pytest.mark.rule("R6.2", "R6.3", "R6.4", "R6.5", "R6.6", "R6.7", "R6.10")
@pytest.mark.parametrize(("changes", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_a_board_that_must_not_be_is_refused_with_its_reason(changes: dict[str, object], reason: str) -> None:
    text = json.dumps({"ruleset": "classic@1", **changes})
    after = says(room(), person(3), f"/settings board Odd {text}", is_admin=True)
    (said,) = posts(after)
    assert reason in said
    assert after.room.boards == ()


@pytest.mark.parametrize("command", [
    "board", "board Ours", 'board {"ruleset": "classic@1"}', "name", "name 1", "name x Y", "name 0 Y",
    "name 3 Y", "board {}",
])  # fmt: skip
def test_how_it_is_meant_is_said_where_something_is_missing(command: str) -> None:
    after = says(group(), person(3), f"/settings {command}", is_admin=True)
    assert posts(after) == [words("boards.usage")]
    assert only(after) == OURS


def test_a_board_is_renamed() -> None:
    after = says(group(), person(3), "/settings name 1 Weimar {the} long", is_admin=True)
    assert only(after).name == "Weimar the} long"
    assert "Weimar the} long" in posts(after)[0]
    long = says(group(), person(3), f"/settings name 1 {'x' * 99}", is_admin=True)
    assert only(long).name == "x" * LONGEST_NAME


def test_a_renamed_board_keeps_its_place() -> None:
    three = group(*(replace(OURS, number=n, name=f"Board {n}") for n in (1, 2, 3)))
    after = says(three, person(3), "/settings name 2 Midnight", is_admin=True)
    assert [own.name for own in after.room.boards] == ["Board 1", "Midnight", "Board 3"]


@pytest.mark.parametrize("place", ["0", "4", "00030", "9" * 5000, "²", "-1", "one"])
def test_only_a_board_that_there_is_can_be_renamed(place: str) -> None:
    three = group(*(replace(OURS, number=n, name=f"Board {n}") for n in (1, 2, 3)))
    after = says(three, person(3), f"/settings name {place} Midnight", is_admin=True)
    assert posts(after) == [words("boards.usage")]
    assert after.room.boards == three.boards


def test_no_two_boards_have_one_name() -> None:
    both = group(OURS, replace(OURS, number=8, name="Theirs"))
    after = says(both, person(3), "/settings name 2 Ours", is_admin=True)
    assert posts(after) == [words("boards.name-taken")]
    assert after.room.boards == both.boards


def test_every_tap_and_every_command_asks_for_the_right() -> None:
    refused = tap(group(), "board", person(3), 7, panels.DELETE, 0, 1)
    assert unchanged(refused, group())
    assert refused.toast == Toast(plain("only-admin"), alert=True)
    by_command = says(group(), person(3), "/settings name 1 Mine")
    assert posts(by_command) == [words("only-admin")]
    assert only(by_command) == OURS
    needs(Lookup.IS_ADMIN, tap, group(), "board", person(3), 7, panels.SHOW, 0, 0)
    needs(Lookup.IS_ADMIN, says, group(), person(3), "/settings name 1 Mine")


def test_an_anonymous_admin_is_asked_for_their_name() -> None:
    after = says(group(), person(3), "/settings name 1 Mine", anonymous=True, is_admin=True)
    assert posts(after) == [words("boards.anonymous")]
    assert only(after) == OURS
