"""The board and the players in words, for groups without pictures: open tiles, and spent powers."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from bot.display.board import board_text, marked_text, players_text
from bot.display.telling import Telling
from bot.display.words import Words
from sandbox.game import NAMES
from scripts.catalogues import compile_all
from tests.bot.conversation.texts import read
from tests.bot.conversation.texts import telling as telling_of
from tests.engine.builders import Play
from tests.engine.rulesets.games import board, red_dawn, xl

compile_all()


def telling(play: Play) -> Telling:
    return telling_of(play, NAMES)


def marks(play: Play, seat: int) -> str:
    lines = read(players_text(telling(play))).splitlines()
    return next(line for line in lines if line.startswith(f"#{seat + 1} ")).partition(NAMES[seat])[2]


@pytest.mark.rule("R5.18")
def test_a_spent_slots_power_is_not_announced_again() -> None:
    play = xl(8, "cfl fcl anti-fascist cl", options={"anti-policies": "on"}).govern("f")
    assert "🔎" in board_text(telling(play)), "the second Fascist slot gives an investigation"
    play.govern("f").target(2)
    assert "📯" in board_text(telling(play)), "the third one a special election"
    play.govern("anti-fascist").clock()
    assert play.track("fascist") == 1, "the second slot is free again"
    assert "🔎" not in board_text(telling(play)), "but its power is spent"


def test_after_the_end_the_board_warns_of_nothing() -> None:
    play = Play(7).until_fascist(3)
    assert "The Fascists now win" in board_text(telling(play))
    over = replace(play.view(None), table=replace(play.view(None).table, winners=("fascist",)))
    text = board_text(Telling(over, telling(play).players, Words("en")))
    assert "now win if" not in text
    assert "next one" not in text
    assert "3/6" in text


def test_nobody_is_warned_of_a_harmless_hitler() -> None:
    harmless = board("classic@1", 7, endings={"hitler-killed": ("liberal",)})
    assert "now win if" not in board_text(telling(Play(7, board=harmless).until_fascist(3)))


@pytest.mark.rule("R4.27", "R5.29")
def test_the_players_list_says_who_sits_out_and_is_marked() -> None:
    play = red_dawn(6, "cll cll cll").govern("c").clock().govern("c").clock().govern("c").target(0)
    assert "⏸ sits out (elections left: 2)" in marks(play, 0)
    play.reject()
    assert "⏸ sits out (elections left: 1)" in marks(play, 0)
    play.reject()
    assert "⏸" not in marks(play, 0)
    play = xl(11, "article-48:mark cl fcc", options={"emergency-powers": "more"}).govern("article-48:mark")
    play.target(10)
    assert "🎯 marked, dies after 3 more 🟥" in marks(play, 10)
    play.govern("f").target(4)
    assert "🎯 marked, dies after 2 more 🟥" in marks(play, 10)
    assert "🎯" not in marks(play, 9)


def marked(play: Play, room: int = 1000) -> list[str]:
    """Return what a caption says of marks, line by line."""
    return read(marked_text(telling(play), room)).splitlines()


def called(seats: Iterable[int]) -> str:
    """Return seats as a line names them."""
    return ", ".join(f"#{seat + 1} {NAMES[seat]}" for seat in sorted(seats))


def test_a_caption_names_the_barred_confirmed_seen_and_dead() -> None:
    play = Play(7).until_fascist(4)
    dead = next(seat for seat in play.choices if seat not in play.table.tagged("not-hitler"))
    play.target(dead)
    confirmed = set(play.table.tagged("not-hitler")) - {dead}
    assert marked(play) == [
        f"🚫 term limits: {called(play.table.last_elected)}",
        f"☑️ not Hitler: {called(confirmed)}",
        f"🔎 investigated: {called(play.table.tagged('investigated'))}",
        f"☠️ dead: {called([dead])}",
    ]


def test_long_names_become_seat_numbers_in_captions() -> None:
    play = Play(7).until_fascist(4)
    lines = marked(play, 20)
    assert lines
    assert not any(name in line for line in lines for name in NAMES)
    (seat,) = play.table.tagged("investigated")
    assert f"🔎 investigated: #{seat + 1}" in lines


def test_a_caption_says_what_runs_out() -> None:
    play = red_dawn(6, "cll cll cll cff").govern("c").clock().govern("c").clock().govern("c").target(0)
    assert f"⏸ sits out (elections left: 2): {called([0])}" in marked(play)
    over = replace(play.view(None), table=replace(play.view(None).table, winners=("fascist",)))
    assert marked_text(replace(telling(play), view=over), 1000) == ""


def test_a_caption_lists_seats_in_their_order() -> None:
    play = Play(7).reject(3).govern("l", 0)
    assert play.table.last_elected == (1, 0)
    assert marked(play) == [f"🚫 term limits: {called([0, 1])}"]


def test_who_stands_for_president_is_not_called_one_yet() -> None:
    play = Play(7)
    president = play.table.president
    assert president is not None
    assert "🎩 candidate for President" in marks(play, president)
    assert "🎩 President" in marks(play.elect(), president)
    over = replace(play.view(None), table=replace(play.view(None).table, winners=("fascist",)))
    text = players_text(Telling(over, telling(play).players, Words("en")))
    assert "🎩" not in text, "nobody governs any more"
