"""Sets of options by their names."""

import pytest

from engine import OFFERED, Setup, ruleset, setups
from engine.ruleset import Ruleset
from engine.setups import option_sets, set_name


@pytest.mark.parametrize("rules", OFFERED, ids=lambda rules: str(rules.id))
def test_every_set_of_options_is_found_by_what_is_chosen_in_it(rules: Ruleset) -> None:
    for players in rules.players:
        for name, options in option_sets(rules, players).items():
            setup = Setup(rules.id, players, options)
            assert set_name(setup) == name
            assert set_name(Setup(rules.id, players, rules.chosen(setup))) == name


def test_options_that_are_none_of_the_sets_have_no_name() -> None:
    assert set_name(Setup("red-dawn@1", 9, {"veto": "sealed", "article-48": "on"})) is None


def test_what_cannot_be_played_has_no_name() -> None:
    assert set_name(Setup("classic@1", 4)) is None
    assert set_name(Setup("red-dawn@1", 5, {"secret-roles": "on"})) is None
    assert "secret-roles=on" not in option_sets(ruleset("red-dawn@1"), 5)


def test_all_has_no_option_that_does_not_fit_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setups, "fits", lambda setup: len(setup.options) < 2)
    sets = option_sets(ruleset("red-dawn@1"), 9)
    assert len(sets) > 2
    assert "all" not in sets
