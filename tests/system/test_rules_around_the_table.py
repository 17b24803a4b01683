"""Rules in the bot and not in the engine: the group's settings, and the lobby's texts."""

import pytest

from bot.conversation.group.settings import MEETINGS
from engine import Setup
from tests.system.table import Table, answered, data_of

#: The buttons' words for the lengths of meetings.
LENGTHS = {60: "a minute", 180: "3 minutes", 600: "10 minutes", 3600: "an hour", 86400: "a day"}


@pytest.mark.rule("R4.47")
@pytest.mark.parametrize("seconds", MEETINGS)
def test_a_meeting_lasts_as_long_as_the_group_has_set_by_button(table: Table, seconds: int) -> None:
    assert (MEETINGS[0], MEETINGS[-1]) == (60, 86400)
    table.say(table.owner, "/settings")
    for _ in MEETINGS[: MEETINGS.index(seconds)]:  # a minute at first; each tap sets the next length
        message, _ = table.button("set")
        table.tg.tap(table.owner, message, data_of(message, "Communist meetings (Red Dawn, XL) last"))
        table.wait(10)
    message, _ = table.button("set")
    assert f"Communist meetings (Red Dawn, XL) last: {LENGTHS[seconds]}" in message.labels()
    table.open(6, ruleset="red-dawn@1", roles="lllfhc", deck="lcc lll").govern(1, "c")
    question = table.question()
    assert question.meeting
    left = table.match().time_began_at + seconds - table.harness.clock()
    table.wait(left - 5)
    assert table.match().game.question == question, "not a second sooner"
    table.wait(10)
    assert table.match().game.question != question


@pytest.mark.rule("R5.38", "R5.7")
def test_the_lobby_says_sixteen_get_six_liberal_slots(table: Table) -> None:
    table.gather(10).play_by(Setup("xl@1", 10))
    for number in range(10, 15):
        table.press(table.person(f"Player {number}"), "join")
    table.wait(60)
    assert "Liberal track" not in table.lobby_text()
    table.press(table.person("The sixteenth"), "join")
    table.wait(60)
    assert "Liberal track: 6 slots" in table.lobby_text()
    table.start()
    assert len(table.match().game.table.tracks) == 3
    table.say(table.people[0], "/board")
    assert "0/6" in table.group_text()


@pytest.mark.rule("R5.38")
def test_the_lobby_says_six_liberal_slots_were_chosen(table: Table) -> None:
    table.gather(7).play_by(Setup("xl@1", 7, {"liberal-track": "6"}))
    table.say(table.people[0], "/newgame").wait(60)
    assert "Liberal track: 6 slots" in table.lobby_text()


@pytest.mark.rule("R0.2", "R4.3")
def test_the_lobby_always_says_which_rules_theme_and_deck_are_on(table: Table) -> None:
    table.gather(6).play_by(Setup("red-dawn@1", 6, {"secret-roles": "on"}))
    table.say(table.people[0], "/newgame").wait(60)
    text = table.lobby_text()
    assert "Red Dawn · Weimar, 1932" in text
    assert "• Deck: balanced (6 Liberal to 11 Fascist)" in text
    assert "• Extra secret roles: on" in text
    assert "Article 48" not in text
    assert "6 of at most 12" in text


@pytest.mark.rule("R5.22", "R4.29", "R5.7")
@pytest.mark.parametrize(("players", "setup", "reason"), [
    (5, Setup("red-dawn@1", 5, {"secret-roles": "on"}), "Secret roles need at least six players."),
    (10, Setup("xl@1", 10, {"emergency-powers": "more"}), "Emergency powers need at least eleven players."),
    (11, Setup("xl@1", 11), "There are too many players."),
])  # fmt: skip
def test_an_unfit_option_starts_nothing(table: Table, players: int, setup: Setup, reason: str) -> None:
    table.gather(5).play_by(setup)
    for number in range(5, players):
        table.press(table.person(f"Player {number}"), "join")
    if players > 10:
        table.play_by(Setup("classic@1", players))
    table.say(table.people[0], "/newgame").wait(60)
    assert f"This cannot start: {reason}" in table.lobby_text()
    posts = len(table.group_texts())
    query = table.press(table.people[0], "start")
    assert answered(query) == reason, "not that it has started"
    assert query.answer is not None
    assert query.answer.alert
    assert len(table.group_texts()) == posts
    assert table.room().match is None
    table.say(table.people[0], "/start")
    assert table.group_text() == reason
    assert table.room().match is None
