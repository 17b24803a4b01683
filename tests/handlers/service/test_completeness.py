"""Gaps in expansions are found before people can play them, and things that two of them define."""

from dataclasses import replace

import pytest
from markupsafe import Markup

from bot.display.expansion_parts import Clash, Expansion, Mark, together
from bot.display.expansions import EXPANSIONS, SHOWN
from bot.display.expansions.xl import XL
from engine import ruleset
from engine.facts import Fact
from handlers.service import completeness

OTHERS = [each for each in EXPANSIONS if each is not XL]


def without(**parts: object) -> Expansion:
    """Return all expansions, with a part of XL's replaced."""
    return together([*OTHERS, replace(XL, **parts)])  # type: ignore[arg-type]


def less(field: str, key: object) -> Expansion:
    """Return all expansions, without one entry of XL's."""
    return without(**{field: {k: v for k, v in getattr(XL, field).items() if k != key}})


def test_nothing_is_missing_of_what_can_be_played() -> None:
    assert list(completeness.gaps()) == []
    completeness.check()


def test_a_fact_that_nothing_tells_is_named() -> None:
    marked = Fact.kinds["xl/marked"]
    lines = {kind: line for kind, line in XL.lines.items() if kind is not marked}
    assert list(completeness.gaps(shown=without(lines=lines, without_line=frozenset({marked})))) == [
        "no history tells of the fact 'xl/marked', and it is not among the forgotten ones"
    ]


def test_a_mark_and_a_tile_without_their_icons_are_named() -> None:
    assert list(completeness.gaps(shown=less("icons", "sights"))) == ["there is no icon 'sights'"]
    assert list(completeness.gaps(shown=less("icons", "arrows"))) == ["there is no icon 'arrows'"]


def test_words_that_are_missing_are_named() -> None:
    rules = ruleset("classic@1")
    renamed = replace(rules, id="poker@1", options={**rules.options, "stakes": rules.options["veto"]})
    assert list(completeness.gaps([renamed])) == [
        "the catalogue has no words for 'ruleset.poker'",
        "the catalogue has no words for 'setup.stakes'",
        "the catalogue has no words for 'setup.about.stakes'",
    ]
    shown = without(verbs=XL.verbs | {"shrug"})
    assert list(completeness.gaps(shown=shown)) == ["the catalogue has no words for 'option.shrug'"]


def test_the_check_fails_while_something_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completeness, "gaps", lambda: iter(["the fact 'x' has no line"]))
    with pytest.raises(completeness.Incomplete, match="the fact 'x' has no line"):
        completeness.check()


@pytest.mark.parametrize(("twice", "named"), [
    (Expansion(lines=XL.lines), "lines"),
    (Expansion(without_line=frozenset(XL.lines)), "lines"),
    (Expansion(whispers=XL.whispers), "whispers"),
    (Expansion(explained={"smear": lambda words, tables: Markup()}), "explained"),
    (Expansion(icons={"sights": ()}), "icons"),
    (Expansion(open_choices=XL.open_choices), "open_choices"),
    (Expansion(marks=(*XL.marks, Mark("marked", "sights", lambda table, due: due))), "marks"),
])  # fmt: skip
def test_two_expansions_for_one_thing_are_refused(twice: Expansion, named: str) -> None:
    with pytest.raises(Clash, match=named):
        together([*EXPANSIONS, twice])
    assert together(EXPANSIONS) == SHOWN
