"""Ratings of players after games between sides."""

import random

import pytest

from bot.records.ratings import NEWCOMER, Rating, rated

LIBERALS, FASCISTS = ("liberal",) * 4, ("fascist",) * 3
SEATS = LIBERALS + FASCISTS


def newcomers(count: int) -> list[Rating]:
    return [NEWCOMER] * count


def test_a_newcomer_is_shown_as_1000() -> None:
    assert NEWCOMER.shown == 1000


@pytest.mark.parametrize("winner", ["liberal", "fascist"])
def test_winners_gain_losers_lose_and_all_become_more_certain(winner: str) -> None:
    for side, rating in zip(SEATS, rated(newcomers(7), SEATS, (winner,)), strict=True):
        assert (rating.mu > NEWCOMER.mu) == (side == winner)
        assert rating.sigma < NEWCOMER.sigma


def test_the_larger_side_is_not_expected_to_win() -> None:
    """With four against three newcomers, either side gains as much by a win."""
    by_liberals = rated(newcomers(7), SEATS, ("liberal",))
    by_fascists = rated(newcomers(7), SEATS, ("fascist",))
    assert by_liberals[0].mu - NEWCOMER.mu == pytest.approx(by_fascists[4].mu - NEWCOMER.mu)
    assert by_liberals[0].mu - NEWCOMER.mu == pytest.approx(NEWCOMER.mu - by_liberals[4].mu)


def test_a_win_against_the_better_counts_more() -> None:
    strong, weak = Rating(32.0, 3.0), Rating(18.0, 3.0)
    against_strong = rated([NEWCOMER] * 4 + [strong] * 3, SEATS, ("liberal",))
    against_weak = rated([NEWCOMER] * 4 + [weak] * 3, SEATS, ("liberal",))
    assert against_strong[0].mu > against_weak[0].mu > NEWCOMER.mu


def test_sides_that_win_together_gain_alike() -> None:
    sides = ("liberal", "liberal", "communist", "communist", "fascist", "fascist")
    both = rated(newcomers(6), sides, ("liberal", "communist"))
    assert both[0] == both[1]
    assert both[0].mu == pytest.approx(both[2].mu)
    assert both[0].mu > NEWCOMER.mu > both[4].mu
    one = rated(newcomers(6), sides, ("communist",))
    assert one[0].mu == pytest.approx(one[4].mu)
    assert one[2].mu > NEWCOMER.mu > one[0].mu


@pytest.mark.parametrize("winners", [("liberal", "fascist"), ("communist",), ()])
def test_where_all_win_or_all_lose_nothing_is_learned(winners: tuple[str, ...]) -> None:
    assert rated(newcomers(7), SEATS, winners) == tuple(newcomers(7))


def test_ratings_do_not_depend_on_who_sits_where() -> None:
    rng = random.Random(4)
    ratings = [Rating(rng.uniform(15, 35), rng.uniform(2, 8)) for _ in SEATS]
    straight = rated(ratings, SEATS, ("fascist",))
    order = rng.sample(range(7), 7)
    shuffled = rated([ratings[seat] for seat in order], [SEATS[seat] for seat in order], ("fascist",))
    for place, seat in enumerate(order):
        assert shuffled[place].mu == pytest.approx(straight[seat].mu)
        assert shuffled[place].sigma == pytest.approx(straight[seat].sigma)


def test_the_better_players_come_out_above_the_others() -> None:
    """After 300 games the ratings know which five of ten players win twice as often."""
    rng = random.Random(7)
    ratings = newcomers(10)
    for _ in range(300):
        seats = rng.sample(range(10), 7)
        skill = [2.0 if player < 5 else 1.0 for player in seats]
        odds = [(sum(side) / len(side)) ** 2 for side in (skill[:4], skill[4:])]
        winner = "liberal" if rng.random() < odds[0] / sum(odds) else "fascist"
        after = rated([ratings[player] for player in seats], SEATS, (winner,))
        for player, rating in zip(seats, after, strict=True):
            ratings[player] = rating
    shown = [rating.shown for rating in ratings]
    assert min(shown[:5]) > max(shown[5:])
    assert 22 < sum(rating.mu for rating in ratings) / 10 < 28
