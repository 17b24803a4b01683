"""If one side wins far too often, the lobby says so and offers a fairer table by one tap."""

import pytest

from bot.display.words import Words, languages
from bot.rooms import balance
from engine import Setup
from sandbox.telegram import Message
from tests.system.table import Table

XL = "xl@1"
LOPSIDED = "one side wins far too often"


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count XL with six as lopsided, and with a sealed veto, or with two more players, as fair."""
    table = {XL: {"6": {"none": "unfair", "veto=sealed": "fair"}, "8": {"none": "fair"}}}
    monkeypatch.setattr(balance, "verdicts", lambda: table)


def offer(table: Table, words: str) -> tuple[Message, str]:
    """Return the lobby, and the callback data of its button with these words."""
    message, _ = table.button("start")
    found = [b["callback_data"] for b in message.buttons() if words in b["text"]]
    assert len(found) == 1, [b["text"] for b in message.buttons()]
    return message, found[0]


def taken(table: Table, words: str) -> None:
    message, data = offer(table, words)
    table.pass_time(60)
    table.tap(table.people[0], message, data)


@pytest.mark.usefixtures("counted")
def test_the_option_that_makes_it_fair_is_one_tap_away(table: Table) -> None:
    text = table.gather(6, Setup(XL, 6)).lobby_text()
    assert "With 6 players and these options one side wins far too often." in text
    assert "It is fairer with “Veto" in text
    assert "It is fairer with 2 more computers. 🤖" in text
    taken(table, "⚖️ Veto")
    assert LOPSIDED not in table.lobby_text()
    lobby = table.lobby()
    assert lobby.setup.options == {"veto": "sealed"}
    assert lobby.panel is None, "the lobby's own buttons are there as before"


@pytest.mark.usefixtures("counted")
def test_so_are_the_computers_that_make_it_fair(table: Table) -> None:
    table.gather(6, Setup(XL, 6))
    taken(table, "🤖 Fill up with 2 computers")
    assert LOPSIDED not in table.lobby_text()
    assert table.lobby().computer_count == 2


@pytest.mark.usefixtures("counted")
def test_nothing_is_said_of_uncounted_tables(table: Table) -> None:
    table.gather(5, Setup(XL, 6))
    assert LOPSIDED not in table.lobby_text()
    table.press(table.person("Felix"), "join")
    assert LOPSIDED in table.lobby_text()
    table.press(table.person("Greta"), "join")
    assert LOPSIDED not in table.lobby_text(), "seven were never counted"


def test_without_a_fairer_option_only_odds_are_told(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balance, "verdicts", lambda: {XL: {"6": {"none": "unfair"}}})
    table.gather(6, Setup(XL, 6))
    assert LOPSIDED in table.lobby_text()
    assert "fairer" not in table.lobby_text()
    message, _ = table.button("start")
    assert not any("⚖️" in button["text"] for button in message.buttons())


@pytest.mark.parametrize("language", languages())
def test_it_is_said_in_every_language_in_its_own_digits(language: str) -> None:
    words = Words(language)
    for count in (1, 2, 3):
        said = words.counted("lobby.fairer-computers", count)
        assert "🤖" in said
        assert "{" not in said
    said = words.html("lobby.lopsided", players=7)
    assert said != Words("en").html("lobby.lopsided", players=7) or language == "en"
