"""Rows of buttons that a phone shows whole, and counts of roles as people say them."""

import pytest

from bot.conversation.posting import answer_rows
from bot.display.own_board import roles_line
from bot.display.words import Words
from bot.rooms.model import Match, Player, Room
from bot.rooms.names import ChatId, UserId
from bot.rooms.sealing import Proof
from engine import Chance, Question, QuestionNumber, Seat, Setup, board_of, start
from tests.engine.builders import seats

KEY = bytes(32).hex()


def rows_of(language: str, theme: str, options: tuple[Seat | str, ...]) -> list[int]:
    """Return how many buttons each row has, for a seat that is asked to choose one of these."""
    setup = Setup("classic@1", 5)
    players = tuple(Player(UserId(n), f"Player {n}", language) for n in range(5))
    match = Match(1, UserId(0), Proof(KEY), players, *start(setup, Chance(KEY)))
    question = Question(
        QuestionNumber(1), "discard", seats=seats(0), args=(), options=(options,), answers=(None,)
    )
    rows = answer_rows(Room(ChatId(-1)), match, Words(language, theme), question, Seat(0))
    return [len(row) for row in rows]


@pytest.mark.parametrize(
    ("language", "theme", "rows"),
    [("en", "weimar", [3]), ("de", "weimar", [2, 1]), ("de", "cold-war", [2, 1]), ("en", "cold-war", [2, 1])],
)
def test_a_hand_wraps_where_its_words_are_long(language: str, theme: str, rows: list[int]) -> None:
    assert rows_of(language, theme, ("liberal", "fascist", "fascist")) == rows


def test_seats_lie_two_in_a_row() -> None:
    assert rows_of("de", "cold-war", seats(1, 2, 3)) == [2, 1]


def test_roles_are_counted_as_people_say_them() -> None:
    board = board_of(Setup("classic@1", 7))
    assert "4 Liberals, 2 Fascists, Hitler" in roles_line(Words("en"), board)
    assert "4 × Liberaler, 2 × Faschist, Hitler" in roles_line(Words("de"), board)
