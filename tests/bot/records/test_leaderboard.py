"""Results of games, and the leaderboard that they make."""

import pytest

from bot.records.leaderboard import (
    Leaderboard,
    Standing,
    decode_board,
    encode_board,
    in_season,
    renamed,
    season_at,
    standings,
    with_game,
)
from bot.records.ratings import NEWCOMER, Rating, Result, counts_of, result_of
from bot.rooms.names import UserId
from engine import Chance, Seat, Setup, start
from engine.board import Role, Side

RESULT = Result(
    "xl@3", ("liberal", "communist"), "hitler-killed", ("liberal", "communist", "fascist"),
    tuple(map(Role, ("liberal", "liberal", "hitler"))),
)  # fmt: skip
ANNA, BEN, CLARA, DORA, ALIAS = map(UserId, (11, 12, 13, 14, -5))
PEOPLE = {Seat(0): ANNA, Seat(1): BEN, Seat(2): CLARA}
NAMES = {ANNA: "Anna", BEN: "Ben", CLARA: "Clara"}


def test_everyone_wins_with_the_party_they_have_at_the_end() -> None:
    assert [RESULT.won(Seat(seat)) for seat in range(3)] == [True, True, False]


def test_a_game_counts_by_side_role_and_ruleset() -> None:
    assert counts_of(RESULT, Seat(1)) == {
        "games": 1, "games/side/communist": 1, "games/role/liberal": 1, "games/ruleset/xl": 1, "wins": 1,
        "wins/side/communist": 1, "wins/role/liberal": 1, "wins/ruleset/xl": 1,
    }  # fmt: skip
    assert set(counts_of(RESULT, Seat(2))) == {
        "games", "games/side/fascist", "games/role/hitler", "games/ruleset/xl",
    }  # fmt: skip


def test_a_game_that_goes_on_has_no_result() -> None:
    _, events = start(Setup("classic@1", 5), Chance("00"))
    for log in (events, ()):
        with pytest.raises(ValueError, match="not a finished game"):
            result_of(log)


def test_a_game_adds_to_everyones_standing() -> None:
    board = with_game(Leaderboard(), "0001", RESULT, PEOPLE, NAMES)
    again = with_game(board, "0002", RESULT, PEOPLE, {**NAMES, ANNA: "Anna B."})
    assert board.last == "0001"
    assert again.last == "0002"
    assert [(entry.games, entry.wins) for entry in again.entries.values()] == [(2, 2), (2, 2), (2, 0)]
    assert [entry.name for entry in again.entries.values()] == ["Anna B.", "Ben", "Clara"]


def test_who_is_nobody_counts_as_a_newcomer_and_gets_no_entry() -> None:
    known = with_game(Leaderboard(), "0001", RESULT, PEOPLE, NAMES)
    without = with_game(known, "0002", RESULT, {Seat(0): ANNA, Seat(2): CLARA}, NAMES)
    assert without.entries[BEN] == known.entries[BEN]
    fresh = with_game(Leaderboard(), "0001", RESULT, {Seat(0): ANNA, Seat(2): CLARA}, NAMES)
    assert fresh.entries[ANNA].rating == known.entries[ANNA].rating
    assert set(fresh.entries) == {ANNA, CLARA}


def test_the_best_come_first_and_aliases_not_at_all() -> None:
    board = Leaderboard({
        ANNA: Standing(Rating(20.0, 2.0), 9, 3, "low"),
        BEN: Standing(Rating(30.0, 2.0), 9, 3, "high"),
        CLARA: Standing(NEWCOMER, 4, 2, "more wins"),
        DORA: Standing(NEWCOMER, 4, 1, "fewer wins"),
        ALIAS: Standing(Rating(40.0, 1.0), 9, 9),
    })  # fmt: skip
    assert [entry.name for _, entry in standings(board.entries)] == ["high", "low", "more wins", "fewer wins"]


def game_at(seconds: int, number: int = 0) -> str:
    return f"{seconds * 1000:012x}{number:02x}"


#: 1 October 2026, 00:00 UTC.
OCTOBER = 1790812800


def test_a_season_is_a_quarter_of_the_year_in_utc() -> None:
    assert season_at(OCTOBER - 1) == "2026/3"
    assert season_at(OCTOBER) == "2026/4"
    seasons = [season_at(OCTOBER + 86400 * days) for days in (91, 92, 181, 182)]
    assert seasons == ["2026/4", "2027/1", "2027/1", "2027/2"]


def test_a_season_counts_only_its_own_games() -> None:
    board = Leaderboard()
    for number, at in enumerate((OCTOBER - 2, OCTOBER - 1, OCTOBER, OCTOBER + 1)):
        board = with_game(board, game_at(at, number), RESULT, PEOPLE, NAMES)
    alone = Leaderboard()
    for number, at in enumerate((OCTOBER, OCTOBER + 1)):
        alone = with_game(alone, game_at(at, number), RESULT, PEOPLE, NAMES)
    assert board.current == alone.entries
    assert (board.season, board.before) == ("2026/4", "2026/3")
    assert [entry.games for entry in board.entries.values()] == [4, 4, 4]
    assert [(user, entry.games) for user, entry in board.best_before] == [(ANNA, 2), (BEN, 2), (CLARA, 2)]


def test_three_stay_of_the_last_season_that_was_played() -> None:
    people = {Seat(seat): UserId(11 + seat) for seat in range(5)}
    sides: tuple[Side, ...] = ("liberal",) * 3 + ("fascist",) * 2
    result = Result("classic@1", ("liberal",), "tiles", sides, (Role("liberal"),) * 5)
    board = with_game(Leaderboard(), game_at(OCTOBER), result, people, {})
    later = in_season(in_season(board, "2027/1"), "2027/2")
    assert (later.before, [user for user, _ in later.best_before]) == ("2026/4", [ANNA, BEN, CLARA])
    assert not later.current


def test_games_with_computers_are_in_no_season() -> None:
    board = with_game(Leaderboard(), game_at(OCTOBER), RESULT, PEOPLE, NAMES, computers=True)
    assert not board.current


def test_a_forgotten_person_is_an_alias_in_every_season() -> None:
    board = with_game(Leaderboard(), game_at(OCTOBER - 1), RESULT, PEOPLE, NAMES)
    board = with_game(board, game_at(OCTOBER), RESULT, PEOPLE, NAMES)
    board = renamed(board, {ANNA: ALIAS})
    assert b"Anna" not in encode_board(board)
    assert all(ANNA not in dict(rows) for rows in (board.entries, board.current, board.best_before))
    assert all(ALIAS in dict(rows) for rows in (board.entries, board.current, board.best_before))
    assert decode_board(encode_board(board)) == board


def test_provisional_ratings_come_after_settled_ones() -> None:
    entries = {
        ANNA: Standing(Rating(40.0, 2.0), 9, 9, "lucky"),
        BEN: Standing(Rating(20.0, 2.0), 10, 2, "settled"),
    }
    assert [entry.name for _, entry in standings(entries)] == ["settled", "lucky"]


def test_a_leaderboard_is_stored_to_the_last_bit() -> None:
    board = with_game(Leaderboard(), "0001", RESULT, PEOPLE, {**NAMES, BEN: "<b>&\u202e"})
    entries = {**board.entries, ALIAS: Standing(Rating(0.1 + 0.2, 1 / 3))}
    board = Leaderboard(entries, "0001", {DORA: (ALIAS, "0001")})
    read = decode_board(encode_board(board))
    assert read == board
    assert [entry.name for entry in read.entries.values()] == ["Anna", "<b>&\u202e", "Clara", ""]
    assert decode_board(b"") == Leaderboard()
