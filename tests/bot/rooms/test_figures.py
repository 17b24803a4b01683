"""The cold-war theme's historical figures. Secret Struggle's role cards."""

from collections import Counter

import pytest

from bot.display.role_card import FIGURES, historical_names
from engine import KNOWN
from engine.chance import Chance
from engine.ruleset import Ruleset
from tests.engine.builders import Play
from tests.engine.rulesets.games import board, drawn, red_dawn, xl

DEMOCRATS = {
    "reagan", "roosevelt", "truman", "churchill", "eisenhower", "kennedy", "u-thant", "walesa", "johnson",
    "eden",
}  # fmt: skip
AGENTS = {"khrushchev", "brezhnev", "andropov"}


def names(play: Play) -> tuple[str | None, ...]:
    return historical_names(play.game.chance, play.events)


@pytest.mark.rule("R3.2")
@pytest.mark.parametrize("rules", KNOWN, ids=lambda rules: rules.name)
def test_democrats_and_agents_have_figures_no_two_alike(rules: Ruleset) -> None:
    named = {party: set(figures) for party, figures in FIGURES.items()}
    assert named == {"liberal": DEMOCRATS, "fascist": AGENTS}
    players = min(9, max(rules.players))
    for key in range(20):
        play = drawn(rules.id, players, key)
        given = names(play)
        for seat, (party, role) in enumerate(zip(play.table.parties, play.table.roles, strict=True)):
            if party == "liberal":
                assert given[seat] in DEMOCRATS
            elif party == "fascist" and role != "hitler":
                assert given[seat] in AGENTS
        assert max(Counter(name for name in given if name).values()) == 1
    assert len({names(drawn(rules.id, players, key)) for key in range(20)}) == 20


@pytest.mark.rule("R3.2")
def test_names_are_drawn_by_chance_and_change_nothing() -> None:
    play = drawn("classic@1", 7, 5)
    assert names(play) == historical_names(Chance(f"{5:064x}"), play.events)


@pytest.mark.rule("R3.3")
def test_hitler_and_third_parties_have_no_figure() -> None:
    given = names(xl(16, ""))
    assert all(given[:7])
    assert sum(name is not None for name in given[7:11]) == 3, "four agents, three figures"
    assert given[11:] == (None,) * 5


@pytest.mark.rule("R3.3")
def test_a_convert_has_no_historical_figure() -> None:
    recruits = board("red-dawn@1", 7, tracks={"communist": ("recruitment", None)})
    play = red_dawn(board=recruits).govern("c")
    before = names(play)
    play.say(2).clock()
    assert names(play) == (*before[:2], None, *before[3:])
