"""The cold-war theme's needs of the engine. Secret Struggle's rule book and role cards."""

from dataclasses import fields

import pytest

from engine import KNOWN, Setup
from engine.facts import Voted
from engine.ruleset import Ruleset
from tests.engine.rulesets.games import drawn


@pytest.mark.rule("R0.2")
def test_the_rules_know_no_theme() -> None:
    assert {field.name for field in fields(Setup)} == {"ruleset", "players", "options", "board"}
    assert all("theme" not in rules.options for rules in KNOWN)


@pytest.mark.rule("R3.1", "R1.8")
@pytest.mark.parametrize("rules", KNOWN, ids=lambda rules: rules.name)
def test_a_tie_fails_in_every_ruleset(rules: Ruleset) -> None:
    play = drawn(rules.id, 8, 3)
    play.nominate(play.choices[0]).vote("jjjjnnnn")
    assert not play.told(Voted)[0].passed
    assert play.table.tracker == 1
