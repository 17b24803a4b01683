"""Results of games, and the leaderboard that they make."""

import pytest

from bot.records.leaderboard import (
    Leaderboard,
    Standing,
    decode_board,
    encode_board,
    standings,
    with_game,
)
from bot.records.ratings import NEWCOMER, Rating
from bot.records.result import Result, counts_of, result_of
from engine import Chance, Setup, start

RESULT = Result(
    "xl@3",
    ("liberal", "communist"),
    "hitler-killed",
    ("liberal", "communist", "fascist"),
    ("liberal", "liberal", "hitler"),
)
PEOPLE = {0: 11, 1: 12, 2: 13}
NAMES = {11: "Anna", 12: "Ben", 13: "Clara"}


def test_everyone_wins_with_the_party_they_have_at_the_end() -> None:
    assert [RESULT.won(seat) for seat in range(3)] == [True, True, False]


def test_a_game_counts_by_side_role_and_ruleset() -> None:
    assert counts_of(RESULT, 1) == {
        "games": 1,
        "games/side/communist": 1,
        "games/role/liberal": 1,
        "games/ruleset/xl": 1,
        "wins": 1,
        "wins/side/communist": 1,
        "wins/role/liberal": 1,
        "wins/ruleset/xl": 1,
    }
    assert set(counts_of(RESULT, 2)) == {
        "games",
        "games/side/fascist",
        "games/role/hitler",
        "games/ruleset/xl",
    }


def test_a_game_that_goes_on_has_no_result() -> None:
    _, events = start(Setup("classic@1", 5), Chance("00"))
    for log in (events, ()):
        with pytest.raises(ValueError, match="not a finished game"):
            result_of(log)


def test_a_game_adds_to_everyones_standing() -> None:
    board = with_game(Leaderboard(), "0001", RESULT, PEOPLE, NAMES)
    again = with_game(board, "0002", RESULT, PEOPLE, {**NAMES, 11: "Anna B."})
    assert board.last == "0001"
    assert again.last == "0002"
    assert [(entry.games, entry.wins) for entry in again.entries.values()] == [(2, 2), (2, 2), (2, 0)]
    assert [entry.name for entry in again.entries.values()] == ["Anna B.", "Ben", "Clara"]


def test_who_is_nobody_counts_as_a_newcomer_and_gets_no_entry() -> None:
    known = with_game(Leaderboard(), "0001", RESULT, PEOPLE, NAMES)
    without = with_game(known, "0002", RESULT, {0: 11, 2: 13}, NAMES)
    assert without.entries[12] == known.entries[12]
    fresh = with_game(Leaderboard(), "0001", RESULT, {0: 11, 2: 13}, NAMES)
    assert fresh.entries[11].rating == known.entries[11].rating
    assert set(fresh.entries) == {11, 13}


def test_the_best_come_first_and_aliases_not_at_all() -> None:
    board = Leaderboard(
        {
            1: Standing(Rating(20.0, 2.0), 9, 3, "low"),
            2: Standing(Rating(30.0, 2.0), 9, 3, "high"),
            3: Standing(NEWCOMER, 4, 2, "more wins"),
            4: Standing(NEWCOMER, 4, 1, "fewer wins"),
            -5: Standing(Rating(40.0, 1.0), 9, 9),
        }
    )
    assert [entry.name for _, entry in standings(board)] == ["high", "low", "more wins", "fewer wins"]


def test_a_leaderboard_is_stored_to_the_last_bit() -> None:
    board = with_game(Leaderboard(), "0001", RESULT, PEOPLE, {**NAMES, 12: "<b>&\u202e"})
    board = Leaderboard({**board.entries, -7: Standing(Rating(0.1 + 0.2, 1 / 3))}, "0001", {14: (-7, "0001")})
    read = decode_board(encode_board(board))
    assert read == board
    assert [entry.name for entry in read.entries.values()] == ["Anna", "<b>&\u202e", "Clara", ""]
    assert decode_board(b"") == Leaderboard()
