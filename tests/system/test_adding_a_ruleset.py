"""The page on adding a ruleset: its code, taken from the text as it stands there, plays."""

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from engine import Ruleset, Setup, View, answer, dealt, game, reply, rulesets, start, view
from engine.facts import Fact
from handlers.display import lines, whispers, words
from scripts.catalogues import compile_all
from tests import audiences
from tests.engine import soak
from tests.system.table import Table

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "adding-a-ruleset.md").read_text(encoding="utf-8")
NAME = "engine.rulesets.audit"


def blocks(language: str) -> list[str]:
    """The pieces of code of a language on the page, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The page's file, written, imported and named among the rulesets; and everything gone afterwards."""
    file, line, whisper = blocks("python")
    (tmp_path / "audit.py").write_text(file, encoding="utf-8")
    module = ModuleType(NAME)
    monkeypatch.setitem(sys.modules, NAME, module)
    exec(compile(file, str(tmp_path / "audit.py"), "exec"), module.__dict__)
    rules: Ruleset = module.AUDIT
    monkeypatch.setitem(rulesets._BY_ID, rules.id, rules)
    game._printed.cache_clear()
    # ``lines`` took the expansions' lines over when it was imported.
    for table in (lines.LINES, whispers.WHISPERS):
        monkeypatch.setitem(table, module.Audited, None)  # taken out again, once this is over
    known: dict[str, Any] = {"Audited": module.Audited, "LINES": lines.LINES, "WHISPERS": whispers.WHISPERS}
    exec(line + whisper, known)
    yield module
    game._printed.cache_clear()
    del Fact.kinds["Audited"]


@pytest.fixture
def said(page: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The same, with the page's words in the catalogue."""
    locales = tmp_path / "locales"
    shutil.copytree(words.LOCALES / "en", locales / "en")
    source = locales / "en" / "LC_MESSAGES" / "weimar.po"
    (entries,) = blocks("po")
    source.write_text(f"{source.read_text(encoding='utf-8')}\n{entries}", encoding="utf-8")
    source.with_suffix(".mo").unlink()
    compile_all(locales)
    monkeypatch.setattr(words, "LOCALES", locales)
    words._catalogue.cache_clear()
    yield page
    monkeypatch.undo()
    words._catalogue.cache_clear()


def test_it_fits_in_one_file_that_can_be_read_in_one_sitting() -> None:
    file = blocks("python")[0]
    assert len(file.splitlines()) <= 94
    imported = set(re.findall(r"^from (\w+)", file, re.MULTILINE))
    assert imported == {"collections", "dataclasses", "engine"}


def test_it_plays_with_every_number_of_players_and_every_option_under_all_checks(
    page: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules: Ruleset = page.AUDIT
    monkeypatch.setitem(audiences.HITLER_KNOWS, "audit", {5, 6})
    monkeypatch.setitem(audiences.COMMUNISTS_KNOW, "audit", set())
    monkeypatch.setitem(audiences.AUDIENCES, "Audited", who_hears_of_an_audit)
    for players in rules.players:
        for audit in rules.options["audit"].values:
            for veto in rules.options["veto"].values:
                for seed in range(5):
                    soak.check_game(Setup(rules.id, players, {"audit": audit, "veto": veto}), seed)


def who_hears_of_an_audit(setup: Setup, table: Any, fact: Any) -> tuple[int, ...] | None:
    """By the page's words: everybody, or by option only the two."""
    return (fact.seat, fact.target) if setup.options["audit"] == "secret" else None


def first_audit(page: ModuleType, audit: str) -> tuple[View, ...]:
    """What the group, the President, the one compared with and a third seat know after the first audit."""
    played, told = start(
        Setup("audit@1", 5, {"audit": audit}),
        dealt(["fascist", "liberal", "hitler", "liberal", "liberal"], 0, [["fascist"] * 9]),
    )
    events = list(told)
    ballots = [(seat, "ja") for seat in range(5)]
    answers: list[tuple[int, int | str]] = [(0, 1), *ballots, (0, "fascist"), (1, "fascist"), (0, 2)]
    for seat, option in answers:
        played, told = answer(played, reply(played, seat, option))
        events += told
    return tuple(view(events, seat) for seat in (None, 0, 2, 3))


@pytest.mark.parametrize(("audit", "known"), [("public", [True] * 4), ("secret", [None, True, True, None])])
def test_the_result_of_an_audit_is_for_all_or_for_the_two(
    page: ModuleType, audit: str, known: list[bool | None]
) -> None:
    found = [
        fact.same
        for seen in first_audit(page, audit)
        for fact in seen.facts
        if isinstance(fact, page.Audited)
    ]
    assert found == known


@pytest.mark.parametrize("audit", ["public", "secret"])
def test_the_bot_plays_it_with_the_pages_words(said: ModuleType, table: Table, audit: str) -> None:
    deal = {"roles": ["fascist", "liberal", "hitler", "liberal", "liberal"], "deck": "fff fff fff"}
    table.open(5, ruleset="audit@1", options={"audit": audit}, **deal)  # type: ignore[arg-type]
    assert any("Audits: between the two" in text for text in table.group_texts()) == (audit == "secret")
    table.govern(1, "f")
    prompt = table.asked().prompt()
    assert "With whom do you compare parties?" in prompt.text
    prompt.tap("Clara")
    told = " ".join(table.group_texts())
    assert ("Anna⁩ compared parties with ⁨Clara⁩: they are the same" in told) == (audit == "public")
    own = " ".join(table.seat(2).texts())
    assert ("compared parties with ⁨Clara⁩: they are the same" in own) == (audit == "secret")
    assert "compared parties" not in " ".join(table.seat(3).texts())
    table.say(table.people[0], "/rules")
    table.finish(1)
    assert table.match().game.table.winners
    said_of_it = [*table.group_texts(), *(text for seat in range(5) for text in table.seat(seat).texts())]
    assert not [text for text in said_of_it if re.search(r"\w\.audit|audited\.\w", text)], "keys, not words"


def test_the_page_names_what_there_is() -> None:
    for path in re.findall(r"`((?:engine|handlers|tests|docs|scripts)/[\w/]+\.\w+)`", TEXT):
        assert path == "engine/rulesets/audit.py" or (ROOT / path).exists(), path


def test_afterwards_nothing_of_it_is_left() -> None:
    assert "Audited" not in Fact.kinds
    assert "audit@1" not in rulesets._BY_ID
