"""The lobby's knowledge of lopsided tables."""

import pytest

from bot.rooms import balance
from bot.rooms.balance import FAIR, LOPSIDED, Fairer, Verdicts, suggest_fairer
from engine import KNOWN, Setup, ruleset
from engine.setups import option_sets

RED_DAWN = "red-dawn@1"


def counted(monkeypatch: pytest.MonkeyPatch, **verdicts: dict[str, str]) -> None:
    """Let these be the verdicts on Red Dawn, by ``p`` with the players."""
    table: Verdicts = {RED_DAWN: {players[1:]: named for players, named in verdicts.items()}}
    monkeypatch.setattr(balance, "verdicts", lambda: table)


def test_the_balance_table_speaks_of_known_tables() -> None:
    known = {rules.id for rules in KNOWN}
    table = balance.verdicts()
    assert table
    for name, sizes in table.items():
        assert name in known
        for players, verdicts in sizes.items():
            assert set(verdicts) <= set(option_sets(ruleset(name), int(players)))
            assert set(verdicts.values()) <= {LOPSIDED, f"rather {LOPSIDED}", *FAIR}


def test_a_fair_table_is_not_commented_on(monkeypatch: pytest.MonkeyPatch) -> None:
    counted(monkeypatch, p7={"none": "rather unfair", "veto=sealed": "fair"})
    assert suggest_fairer(Setup(RED_DAWN, 7), 12) is None
    assert suggest_fairer(Setup(RED_DAWN, 7, {"veto": "sealed"}), 12) is None
    assert suggest_fairer(Setup(RED_DAWN, 8), 12) is None, "never counted"
    fairer = suggest_fairer(Setup(RED_DAWN, 7, {"veto": "sealed", "article-48": "on"}), 12)
    assert fairer is None, "never counted"


def test_a_surely_fair_option_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    counted(monkeypatch, p7={"none": "unfair", "deck=as-printed": "rather fair", "veto=sealed": "fair"})
    assert suggest_fairer(Setup(RED_DAWN, 7), 12) == Fairer(("veto", "sealed"))
    counted(monkeypatch, p7={"none": "unfair", "deck=as-printed": "rather fair", "veto=sealed": "unfair"})
    assert suggest_fairer(Setup(RED_DAWN, 7), 12) == Fairer(("deck", "as-printed"))


def test_an_option_may_be_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    counted(monkeypatch, p7={"none": "fair", "article-48=on": "unfair"})
    assert suggest_fairer(Setup(RED_DAWN, 7, {"article-48": "on"}), 12) == Fairer(("article-48", "off"))


def test_fair_tables_are_offered_by_computers_and_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = {"p7": {"none": "unfair"}, "p8": {"none": "rather unfair"}, "p9": {"none": "fair"}}
    counted(monkeypatch, **tables)
    assert suggest_fairer(Setup(RED_DAWN, 7), 12) == Fairer(None, 2)
    assert suggest_fairer(Setup(RED_DAWN, 7), 8) == Fairer()
    counted(monkeypatch, p7={"none": "unfair"}, p11={"none": "fair"})
    assert suggest_fairer(Setup(RED_DAWN, 7), 12) == Fairer(), "four more would be another evening"
