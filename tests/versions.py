"""Offer a new version of a ruleset in a test, in place of the current one."""

import sys
from collections.abc import Mapping
from dataclasses import replace

import pytest

from engine import KNOWN, OFFERED, Board, Seat, game, rulesets
from engine.facts import Voted
from engine.question import JA, NEIN, Answers
from engine.ruleset import Ruleset, RulesetOption
from engine.rulesets.classic import CLASSIC
from engine.turn import Turn


def board(players: int, options: Mapping[str, str]) -> Board:
    """Return the published board, but with chaos after two failed elections."""
    return replace(CLASSIC.board(players, options), chaos=2)


def ballot(turn: Turn, answers: Answers) -> None:
    """Elect the pair also on a tie. A changed step is a new function, so the old version keeps its step."""
    given = [answers.get(Seat(number)) for number in range(turn.table.seats)]
    ballots = tuple([None if ballot is None else str(ballot) for ballot in given])
    passed = ballots.count(JA) >= ballots.count(NEIN)
    turn.tell(Voted(ballots, passed))
    turn.then(*turn.rules.after_election, "take-office" if passed else "fail-election")


SECOND = replace(
    CLASSIC, id="classic@2", board=board, steps={**CLASSIC.steps, "ballot": ballot},
    options={"veto": RulesetOption(("open",)), "haste": RulesetOption(("off", "on"))},
)  # fmt: skip


def offer(monkeypatch: pytest.MonkeyPatch, new: Ruleset) -> None:
    """Offer this version from now on, and no longer the current one of the same name."""
    now = tuple(new if rules.name == new.name else rules for rules in OFFERED)
    known = (*now, *(rules for rules in KNOWN if rules not in now))
    for module in list(sys.modules.values()):
        for name, old, fresh in (("OFFERED", OFFERED, now), ("KNOWN", KNOWN, known)):
            if vars(module).get(name) is old and module.__name__.split(".")[0] in (
                "engine",
                "bot",
                "handlers",
            ):
                monkeypatch.setattr(module, name, fresh)
    monkeypatch.setattr(rulesets, "_BY_ID", rulesets.by_key(known, lambda rules: rules.id))
    monkeypatch.setattr(rulesets, "_OFFERED", rulesets.by_key(now, lambda rules: rules.name))
    game._printed_for.cache_clear()
