"""Budgets for a tap, a room and a game that do not depend on the machine."""

from __future__ import annotations

import pytest

from sandbox.bench import cost, messages, sizes, taps
from sandbox.bench.measured_games import MeasuredGame, play
from sandbox.item_size import item_size

LARGE = pytest.param(("xl", 11, "all"), marks=pytest.mark.thorough)


@pytest.fixture(scope="module", params=[("classic", 7, "none"), LARGE], ids=str)
def game(request: pytest.FixtureRequest) -> MeasuredGame:
    """Return a whole game with all requests to the table."""
    ruleset, players, options = request.param
    return play(ruleset, players, 2, options)


@pytest.mark.parametrize("kind", taps.BUDGET)
def test_a_tap_in_a_running_game_makes_few_requests_to_the_table(game: MeasuredGame, kind: str) -> None:
    reads, writes = taps.BUDGET[kind]
    found = taps.by_kind(game.harness.costs)[kind]
    assert len(found) > 3
    assert {one.reads for one in found} == {reads}
    assert {one.writes for one in found} == {writes}


def test_a_silent_tap_is_answered_in_the_reply(game: MeasuredGame) -> None:
    kinds = taps.by_kind(game.harness.costs)
    for kind in ("answer, illegal", "answer, nothing sent"):
        assert all(one.in_reply and one.calls == 0 for one in kinds[kind])


def test_a_lobby_tap_costs_one_read_and_three_writes_at_most(game: MeasuredGame) -> None:
    kinds = taps.by_kind(game.harness.costs)
    assert all(one.reads == 1 and one.writes <= 3 for one in kinds.get("button: setup", ()))
    # The bot's backlog decides which round of the beacon a seal names; now and then the operator's orders
    # are read.
    assert all(one.reads <= 3 and one.writes <= 3 for one in kinds["button: start"])


@pytest.mark.parametrize(
    ("ruleset", "players", "options", "most"), [game for game in sizes.GAMES if game[3] is not None]
)
@pytest.mark.thorough
def test_a_room_stays_small_in_the_largest_games(ruleset: str, players: int, options: str, most: int) -> None:
    assert item_size(play(ruleset, players, 2, options).item()) <= most * 1024


@pytest.mark.thorough
def test_the_largest_game_never_floods_its_group() -> None:
    assert messages.count_messages(messages.GAMES[-1], 2).worst_minute <= 20


@pytest.mark.thorough
def test_a_game_of_seven_costs_less_than_a_fifth_of_a_cent() -> None:
    counted = cost.count(1)
    assert counted["DynamoDB write unit"] > counted["Lambda request"] > 100
    assert counted["DynamoDB read unit"] > 100
    assert 0 < cost.usd(counted) < cost.REACH
    assert cost.rows([counted])[-1][-1] == f"**{cost.usd(counted):.6f}**"


@pytest.mark.thorough
def test_a_tap_among_computers_is_answered_first() -> None:
    costs = play("classic", 7, 2, computers=6).harness.costs
    followed = [one for one in costs if one.kind.startswith("answer") and one.writes > 2]
    assert followed, "computers decided after some of the answers"
    assert all(not one.in_reply and 0 < one.toast_ms < one.ms for one in followed)
