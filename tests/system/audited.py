"""Tests of the game that docs/adding-a-ruleset.md adds: ``test_adding_a_ruleset`` runs them in its copy."""

import re
from importlib import import_module

import pytest

from engine import Seat, Setup, View, answer, dealt, reply, start, view
from engine.tiles import laid_out, track
from tests.engine.builders import seats
from tests.system.table import Table

audit = import_module("engine.rulesets.audit")
ROLES = ["fascist", "liberal", "hitler", "liberal", "liberal"]


def first_audit(option: str) -> tuple[View, ...]:
    """Return views after the first audit: of the group, the President, the compared seat, a third one."""
    played, told = start(Setup("audit@1", 5, {"audit": option}), dealt(ROLES, Seat(0), [["fascist"] * 9]))
    events = list(told)
    ballots = [(seat, "ja") for seat in range(5)]
    answers: list[tuple[int, Seat | str]] = [(0, Seat(1)), *ballots]
    answers += [(0, "fascist"), (1, "fascist"), (0, Seat(2))]
    for seat, chosen in answers:
        played, told = answer(played, reply(played, Seat(seat), chosen))
        events += told
    return tuple(view(events, seat) for seat in (None, *seats(0, 2, 3)))


@pytest.mark.parametrize(("option", "known"), [("public", [True] * 4), ("secret", [None, True, True, None])])
def test_the_result_of_an_audit_is_for_all_or_for_the_two(option: str, known: list[bool | None]) -> None:
    facts = [fact for seen in first_audit(option) for fact in seen.facts if isinstance(fact, audit.Audited)]
    assert [fact.same for fact in facts] == known


def test_a_ledger_tile_lies_on_the_liberal_track() -> None:
    assert track("ledger") == "liberal"
    assert laid_out(("ledger", "fascist", "liberal")) == ("liberal", "fascist", "ledger")


@pytest.mark.parametrize("option", ["public", "secret"])
def test_the_bot_plays_it_with_the_pages_words(table: Table, option: str) -> None:
    deck = ["fascist"] * 3 + ["ledger"] + ["fascist"] * 5 + ["liberal"] * 5
    table.open(5, ruleset="audit@1", options={"audit": option}, roles=ROLES, deck=deck)
    assert any("Audits: between the two" in text for text in table.group_texts()) == (option == "secret")
    prompt = table.govern(1, "f").asked().prompt()
    assert "Who will you compare parties with?" in prompt.text
    prompt.tap("Clara")
    told = " ".join(table.group_texts())
    assert ("#1 Anna⁩ compared parties with ⁨#3 Clara⁩: they are the same" in told) == (option == "public")
    own = " ".join(table.seat(2).texts())
    assert ("compared parties with ⁨#3 Clara⁩: they are the same" in own) == (option == "secret")
    assert "compared parties" not in " ".join(table.seat(3).texts())
    table.elect(2).asked().prompt().tap("Fascist")
    prompt = table.asked().prompt()
    prompt.tap(next(label for label in prompt.labels() if "Ledger" in label))
    assert "Who will you compare parties with?" in table.asked().prompt().text
    table.say(table.people[0], "/rules").finish(1)
    said = [*table.group_texts(), *(text for seat in range(5) for text in table.seat(seat).texts())]
    assert not [text for text in said if re.search(r"\w\.audit|audited\.\w|tile\.", text)], "keys, not words"
