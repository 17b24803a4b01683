"""Boards of a group's own, as people make them: by taps in /settings, by pasting, and chosen in the lobby."""

import json
import re
from collections.abc import Callable

import pytest

from bot.rooms.own_board import OwnBoard
from engine import Seat, dealt
from sandbox.telegram import Message, Query, User
from tests.system.table import Table, answered, data_of


def panel(table: Table) -> Message:
    """Return the message of the settings, in which boards are built."""
    return next(
        message
        for message in reversed(table.group.messages.values())
        if any(re.match(r"(board|set)\|", b.get("callback_data", "")) for b in message.buttons())
    )


def tap(table: Table, *labels: str, by: User | None = None) -> Query:
    """Tap, one after another, the first button that contains each text; ``➕ X`` is the one after X."""
    for label in labels:
        table.wait(15)
        message = panel(table)
        buttons = message.buttons()
        wanted, sign = (label[2:], label[0]) if label[:1] in "➖➕" and label[1:2] == " " else (label, "")
        at = next(n for n, button in enumerate(buttons) if wanted in button["text"])
        button = buttons[at + {"➖": -1, "": 0, "➕": 1}[sign]]
        query = table.tap(by or table.owner, message, button["callback_data"])
    table.wait(15)
    return query


def build(table: Table, ruleset: str = "Secret Hitler") -> Table:
    table.say(table.owner, "/settings")
    tap(table, "Our own boards", "A new one", ruleset)
    return table


def choose(table: Table, item: str, value: str) -> None:
    tap_lobby(table, "Rules and options")
    while value not in tap_lobby(table, item):
        if f"○ {value}" in table.button("setup")[0].labels():
            tap_lobby(table, f"○ {value}")
            break
    tap_lobby(table, "‹ Back")
    table.wait(15)


def tap_lobby(table: Table, label: str) -> str:
    table.wait(15)
    message, _ = table.button("setup")
    return answered(table.tap(table.people[0], message, data_of(message, label)))


def boards(table: Table) -> tuple[OwnBoard, ...]:
    return table.room().boards


@pytest.mark.rule("R6.10", "R6.1")
def test_an_own_board_is_built_chosen_and_played(table: Table) -> None:
    build(table)
    assert "shown for 5 players" in panel(table).text
    tap(table, "Liberal track", "➖ Slots:", "‹ Back")
    tap(table, "Fascist track", "➖ Slots:", "1. nothing", "Execution", "‹ Back")
    tap(table, "Deck", "➖ Fascist: 11", "‹ Back")
    tap(table, "Thresholds", "➖ Hitler can win", "‹ Back")
    tap(table, "Who knows whom", "Hitler knows the Fascists", "‹ Back")
    (own,) = boards(table)
    assert own.changes == {
        "tracks": {"liberal": [None] * 4, "fascist": ["kill", None, "peek", "kill", None]},
        "deck": {"liberal": 6, "fascist": 10},
        "zone": 2,
        "hitler_knows": False,
    }
    assert "For 5–8 players" in panel(table).text, "nine slots, less one"
    table.gather(5)
    choose(table, "Board: as printed", "Board 1")
    text = table.lobby_text()
    assert "Board: ⁨Board 1⁩, for 5–8 players" in text
    assert "5 of at most 8" in text
    assert "Fascist: 🗡 Execution · – · 👁 Policy peek · 🗡 Execution · 🏁" in text
    table.start(dealt(["liberal", "liberal", "liberal", "fascist", "hitler"], Seat(0), [["fascist"] * 6]))
    assert table.match().game.setup.board == own.board(5)
    assert not [text for text in table.seat(4).texts() if "David⁩: Fascist" in text], "Hitler knows nobody"
    table.govern(1, "f").asked().prompt().tap("Clara")
    assert "Anna⁩ executed ⁨#3\u00a0Clara⁩" in " ".join(table.group_texts()), "the first slot kills now"
    table.hurry()
    assert table.match().game.table.winners


def test_again_opens_a_lobby_with_the_same_own_board(table: Table) -> None:
    build(table)
    tap(table, "Thresholds", "➖ Failed elections")
    table.gather(5)
    choose(table, "Board: as printed", "Board 1")
    table.start().hurry()
    assert table.match().game.setup.board == boards(table)[0].board(5)
    table.press(table.people[1], "rematch")
    lobby = table.lobby()
    assert lobby.own == boards(table)[0]
    assert lobby.setup.board is None


@pytest.mark.rule("R6.10")
def test_roles_of_its_own_fix_how_many_can_play(table: Table) -> None:
    build(table)
    tap(table, "Roles", "➕ Fascist: 1")
    assert "as many roles as players" in panel(table).text
    tap(table, "‹ Back", "➕ 5 players")
    assert "For 6 players" in panel(table).text
    table.gather(5)
    choose(table, "Board: as printed", "Board 1")
    assert answered(table.press(table.people[0], "start")) == "One more player is needed."
    table.press(table.person("Felix"), "join")
    assert "Enough players" in table.lobby_text()
    assert answered(table.press(table.person("Greta"), "join")) == "All seats are taken."
    table.start()
    roles = table.match().game.table.roles
    assert sorted(roles, key=str) == ["fascist", "fascist", "hitler", "liberal", "liberal", "liberal"]


def test_an_unplayable_board_says_why_and_is_not_offered(table: Table) -> None:
    build(table)
    tap(table, "Deck", *["➖ 🟥 Fascist"] * 6)
    assert "The deck has too few tiles" in panel(table).text
    tap(table, "‹ Back", "‹ Back")
    assert "⚠️ not ready" in panel(table).text
    table.gather(5).press(table.people[0], "setup")
    message, _ = table.button("setup")
    assert not any("Board" in button["text"] for button in message.buttons())


def test_an_unfit_option_keeps_the_lobby_from_starting(table: Table) -> None:
    roles = '{"liberal":4,"fascist":1,"hitler":1,"communist":1}'
    table.say(table.owner, f'/settings board Seven {{"ruleset":"xl@1","roles":{roles}}}')
    table.gather(7)
    choose(table, "Rules:", "Secret Hitler XL")
    choose(table, "Board: as printed", "Seven")
    choose(table, "Emergency powers", "as printed")
    assert "emergency powers need at least fourteen players" in table.lobby_text()
    table.start()
    assert table.room().match is None
    choose(table, "Emergency powers", "off")
    assert "This board cannot be played" not in table.lobby_text()
    table.start()
    assert table.match().game.setup.board is not None


def test_an_option_without_room_on_the_board_is_not_on(table: Table) -> None:
    deck = '{"liberal":9,"fascist":9,"communist":5}'
    table.say(table.owner, f'/settings board Even {{"ruleset":"red-dawn@1","deck":{deck},"zone":2}}')
    table.say(table.owner, '/settings board Early {"ruleset":"red-dawn@1","zone":2}').gather(6)
    choose(table, "Rules:", "Red Dawn")
    choose(table, "Article 48", "on")
    choose(table, "Board: ", "Early")
    assert "Deck: balanced" in table.lobby_text()
    assert "Article 48: on" in table.lobby_text()
    choose(table, "Board: ", "Even")
    assert "balanced (6 Liberal" not in table.lobby_text(), "this board's deck is another one"
    assert "Article 48: on" not in table.lobby_text(), "and has no such tiles"
    assert "9 🔵 Liberal, 9 🟥 Fascist, 5 🔶 Communist" in table.lobby_text()


def test_an_open_lobby_keeps_its_board_as_it_was(table: Table) -> None:
    build(table)
    tap(table, "Thresholds", "➖ Failed elections")
    (before,) = boards(table)
    table.gather(5)
    choose(table, "Board: as printed", "Board 1")
    tap(table, "➖ Failed elections", "‹ Back", "Delete", "Delete ⁨Board 1⁩ for good")
    assert boards(table) == ()
    assert table.lobby().own == before
    table.start()
    assert table.match().game.setup.board == before.board(5)


# --- sharing ----------------------------------------------------------------------------------------


@pytest.mark.rule("R6.8", "R6.10")
def test_a_shared_board_is_the_same_elsewhere(table: Table, another: Callable[..., Table]) -> None:
    build(table, "Secret Hitler XL")
    tap(table, "Fascist track", "1. nothing", "Special election", "‹ Back", "Roles", "➕ Communist", "‹ Back")
    tap(table, "➕ 6 players", "Share")
    shared = next(text for text in table.group_texts() if "/settings board" in text)
    command = shared[shared.index("/settings board") :]
    assert len(command) < 400
    other = another()
    other.say(other.owner, command)
    (mine,), (theirs,) = boards(table), boards(other)
    assert theirs.board() == mine.board()
    assert (theirs.name, theirs.ruleset, theirs.size) == ("Board 1", "xl@1", 7)
    assert "For 7 players" in other.group_text()
    assert theirs.as_json() == mine.as_json()


@pytest.mark.rule("R6.1")
def test_the_largest_board_plays_to_its_end(table: Table) -> None:
    most = {
        "ruleset": "xl@1",
        "tracks": {c: ["kill"] * 2 + ["peek"] * 7 + [None] for c in ("liberal", "fascist", "communist")},
        "deck": {"liberal": 20, "fascist": 20, "communist": 18, "anti-fascist": 1, "article-48:?": 1},
    }
    table.say(table.owner, f"/settings board Long war {json.dumps(most)}")
    assert boards(table)[0].sizes() == tuple(range(6, 17))
    table.gather(7)
    choose(table, "Rules:", "Secret Hitler XL")
    choose(table, "Board: as printed", "Long war")
    table.start().finish(3)
    assert table.match().game.table.winners


# --- who may ----------------------------------------------------------------------------------------


def test_a_former_admin_cannot_use_the_old_panel(table: Table) -> None:
    anna = table.person("Anna")
    table.tg.promote(anna, table.group)
    build(table)
    tap(table, "Fascist track", by=anna)
    table.tg.set_status(anna, table.group, "member")
    before = table.room().boards
    refusal = "Only admins of the group can do that."
    assert answered(tap(table, "➕ Slots:", by=anna)) == refusal
    tap(table, "‹ Back")
    for label in ("Deck", "Share", "Delete", "‹ Back"):
        assert answered(tap(table, label, by=anna)) == refusal
    for command in ("board X {}", "name 1 X"):
        table.say(anna, f"/settings {command}")
        assert table.group_text() == refusal
    assert table.room().boards == before
