"""Golden games and counts: any change of the rules of a released ruleset shows here. See ``golden``."""

import pytest

from engine import KNOWN, Chance, Setup, start
from tests.engine import golden

NAMES = dict(golden.setups())


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_game_is_played_as_ever(name: str) -> None:
    kept = golden.read(name)
    game = golden.parsed(kept)
    assert game.setup == NAMES[name]
    now = game.text().splitlines()
    for number, (line, was) in enumerate(zip(now, kept.splitlines(), strict=False), start=1):
        assert line == was, f"line {number}"
    assert len(now) == len(kept.splitlines())
    assert now[-1].startswith("    game-over ")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.quick("classic@1-7-none", "red-dawn@1-9-all", "xl@1-12-all")
def test_the_ways_to_answer_are_as_many_as_ever(name: str) -> None:
    assert golden.counts(golden.parsed(golden.read(name))) == golden.counted()[name]


def test_every_ruleset_has_golden_games_and_no_file_is_left_over() -> None:
    assert {name.partition("@")[0] for name in NAMES} == {rules.name for rules in KNOWN}
    expected = {"counts.json", *(f"{name}.txt" for name in NAMES)}
    assert {path.name for path in golden.FOLDER.iterdir()} == expected


def test_the_first_counts_follow_from_the_rules() -> None:
    # Seven players: six nominees; then Ja or Nein; then three tiles, or six nominees of the next candidate
    # (nobody is term-limited yet); then two tiles for each, or Ja or Nein.
    game, _ = start(Setup("classic@1", 7), Chance("00"))
    counts = [golden.count(game, depth) for depth in range(5)]
    assert counts == [1, 6, 6 * 2, 6 * (3 + 6), 6 * (3 * 2 + 6 * 2)]
