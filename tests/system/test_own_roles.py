"""A game of XL with its own roles: the lobby names them, cards say how they win, and the end says who did."""

from sandbox.telegram import Message
from tests.engine.rulesets.games import cards
from tests.system.table import Table

ON = dict.fromkeys(("xl-capitalist", "xl-anarchist", "xl-monarchist"), "on")
#: Seats: Liberals 0–2, Capitalist 3, Fascist 4, Monarchist 5, Hitler 6, Communist 7, Anarchist 8.
ROLES = "lll liberal:xl-capitalist f fascist:xl-monarchist h c communist:xl-anarchist"
CAPITALIST, MONARCHIST, HITLER, ANARCHIST = 3, 5, 6, 8


def told(table: Table, seat: int) -> str:
    """All that a seat reads in private."""
    messages: list[Message] = [view.source for view in table.seat(seat).views()]
    return "\n".join(message.text for message in messages)


def test_a_game_with_roles_that_win_apart_from_lobby_to_end(table: Table) -> None:
    table.open(9, ruleset="xl@1", options=ON, roles=cards(ROLES), deck=cards("fff fff fff"))
    for name in ("Capitalist", "Anarchist", "Monarchist"):
        assert any(f"{name}: on" in text for text in table.group_texts())
    assert "You win if the Liberals or the Fascists win" in _flat(told(table, CAPITALIST))
    assert "win apart from them" in _flat(told(table, ANARCHIST))
    assert "You lose if Hitler is killed" in _flat(told(table, MONARCHIST))
    for chancellor in (1, 2, 3):
        table.govern(chancellor, "f")
        if chancellor > 1:  # the second slot investigates, the third one calls an election
            table.choose()
    table.elect(HITLER)
    assert table.match().over
    end = "\n".join(table.group_texts())
    assert "The Fascists + The Capitalist win!" in end
    assert "Capitalist (Liberal) 🏆" in end
    assert "Monarchist (Fascist)\n" in end


def _flat(text: str) -> str:
    """A role card's lines are filled with dots to one width."""
    return " ".join(text.replace(".", " ").split())
