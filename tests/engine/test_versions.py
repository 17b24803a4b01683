"""The rulesets on offer and those that stored games need are two lists."""

import pytest

from engine import KNOWN, OFFERED, Illegal, Setup, offered, renewed, ruleset, start
from engine.facts import TrackerAdvanced
from engine.rulesets import by_key
from engine.rulesets.classic import CLASSIC
from tests.engine.builders import Play
from tests.versions import SECOND, offer


def test_what_is_offered_is_known() -> None:
    assert set(map(id, OFFERED)) <= set(map(id, KNOWN))
    assert len({rules.name for rules in OFFERED}) == len(OFFERED)
    assert all(offered(rules.id) is rules is ruleset(rules.id) for rules in OFFERED)


@pytest.mark.parametrize(("kind", "twice"), [("id", "classic@1"), ("name", "classic")])
def test_two_rulesets_of_one_id_are_refused(kind: str, twice: str) -> None:
    other = CLASSIC if kind == "id" else SECOND
    again = (
        CLASSIC.__class__(CLASSIC.id, range(5, 7), CLASSIC.board, CLASSIC.steps) if kind == "id" else other
    )
    with pytest.raises(ValueError, match=f"two rulesets are called '{twice}'"):
        by_key((CLASSIC, again), lambda rules: str(getattr(rules, kind)))


def test_an_old_version_is_played_by_its_own_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, SECOND)
    assert offered("classic@1") is offered("classic@2") is SECOND
    assert ruleset("classic@1") is CLASSIC
    old, new = Play(6).nominate(1).vote("jjjnnn"), Play(6, "classic@2").nominate(1).vote("jjjnnn")
    assert old.told(TrackerAdvanced) == [TrackerAdvanced(1)]
    assert (old.step, new.step) == ("nominate", "discard"), "a tie elects by the second version alone"


def test_a_renewed_setup_takes_defaults_for_what_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = Setup("classic@1", 7, {"veto": "sealed"})
    assert renewed(setup) is setup
    offer(monkeypatch, SECOND)
    assert renewed(setup) == Setup("classic@2", 7, {})
    assert renewed(Setup("classic@1", 7, {"veto": "open"})) == Setup("classic@2", 7, {"veto": "open"})
    assert start(renewed(setup), Play(5).game.chance)
    with pytest.raises(Illegal, match="unknown-ruleset"):
        renewed(Setup("chess@1", 2))
