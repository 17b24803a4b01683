"""Choices in the lobby, and those that do not fit the number of players."""

import pytest

from engine import KNOWN, Illegal, Setup, board_of, dealt, ruleset, start
from engine.ruleset import Ruleset
from tests.engine.rulesets.games import board, xl
from tests.expected import EXPECTED


def refusal(setup: Setup) -> str:
    with pytest.raises(Illegal) as refused:
        start(setup, dealt())
    return refused.value.reason


@pytest.mark.rule("R0.4", "R4.3", "R5.6")
@pytest.mark.parametrize("rules", KNOWN, ids=lambda rules: rules.name)
def test_every_option_with_its_values_the_default_first(rules: Ruleset) -> None:
    assert {name: choice.values for name, choice in rules.options.items()} == EXPECTED[rules.name].options


@pytest.mark.rule("R0.3")
def test_mark_3_s_short_tracks_are_not_offered() -> None:
    assert all(len(slots) > 3 for n in range(6, 17) for slots in board_of(Setup("xl@1", n)).tracks.values())


@pytest.mark.rule("R0.1")
@pytest.mark.parametrize(
    ("ruleset_id", "few", "many"),
    [("classic@1", 4, 11), ("online@1", 4, 11), ("red-dawn@1", 4, 13), ("xl@1", 5, 17)],
)
def test_too_few_and_too_many_players_are_refused(ruleset_id: str, few: int, many: int) -> None:
    assert refusal(Setup(ruleset_id, few)) == "too-few-players"
    assert refusal(Setup(ruleset_id, many)) == "too-many-players"
    assert refusal(Setup("poker@1", 5)) == "unknown-ruleset"


def test_an_unknown_option_or_value_is_refused() -> None:
    assert refusal(Setup("classic@1", 5, {"oktoberfest": "on"})) == "unknown-option"
    assert refusal(Setup("xl@1", 6, {"oktoberfest": "always"})) == "unknown-option"


@pytest.mark.rule("R4.29")
def test_secret_roles_need_six_players() -> None:
    assert refusal(Setup("red-dawn@1", 5, {"secret-roles": "on"})) == "secret-roles-need-6-players"
    start(Setup("red-dawn@1", 6, {"secret-roles": "on"}), dealt())


@pytest.mark.rule("R5.22")
@pytest.mark.parametrize(("value", "fewest"), [("printed", 14), ("more", 11)])
def test_emergency_powers_need_eleven_or_fourteen_players(value: str, fewest: int) -> None:
    options = {"emergency-powers": value}
    for players in range(6, fewest):
        assert refusal(Setup("xl@1", players, options)) == f"emergency-powers-need-{fewest}-players"
    for players in range(fewest, 17):
        start(Setup("xl@1", players, options), dealt())


@pytest.mark.rule("R5.39")
def test_six_liberal_slots_need_eight_players() -> None:
    for players in (6, 7):
        setup = Setup("xl@1", players, {"liberal-track": "6"})
        assert refusal(setup) == "6-liberal-slots-need-8-players"
    start(Setup("xl@1", 8, {"liberal-track": "6"}), dealt())


@pytest.mark.rule("R5.7")
def test_sixteen_players_get_six_liberal_slots() -> None:
    rules = ruleset("xl@1")
    assert rules.chosen(Setup("xl@1", 16))["liberal-track"] == "6"
    assert rules.chosen(Setup("xl@1", 15))["liberal-track"] == "5"
    assert refusal(Setup("xl@1", 16, {"liberal-track": "5"})) == "16-players-need-6-liberal-slots"
    assert len(board_of(Setup("xl@1", 16)).tracks["liberal"]) == 6


@pytest.mark.rule("R5.6")
def test_six_liberal_policies_win_on_the_longer_track() -> None:
    tiles = {"liberal": 18, "fascist": 9, "communist": 8}
    longer = board("xl@1", 8, {"liberal-track": "6"}, deck=tiles)
    play = xl(8, "lll lll lll lll lll lll", board=longer).rounds(5, "l")
    assert play.table.winners is None
    play.govern("l")
    assert play.table.winners == ("liberal",)
