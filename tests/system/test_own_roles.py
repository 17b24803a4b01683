"""A game of XL with its own roles: the lobby and the pop-ups say how they win, and the end says who won."""

from tests.engine.rulesets.games import cards
from tests.system.table import Table

ON = dict.fromkeys(("xl-capitalist", "xl-anarchist", "xl-monarchist"), "on")
#: Seats: Liberals 0–2, Capitalist 3, Fascist 4, Monarchist 5, Hitler 6, Communist 7, Anarchist 8.
ROLES = "lll liberal:xl-capitalist f fascist:xl-monarchist h c communist:xl-anarchist"
CAPITALIST, MONARCHIST, HITLER, ANARCHIST = 3, 5, 6, 8


def shown(table: Table, seat: int) -> str:
    answer = table.seat(seat).press("role").answer
    assert answer is not None
    assert answer.text is not None
    return answer.text


def test_a_game_with_roles_that_win_apart_from_lobby_to_end(table: Table) -> None:
    table.open(9, ruleset="xl@1", options=ON, roles=cards(ROLES), deck=cards("fff fff fff"))
    for name in ("Capitalist", "Anarchist", "Monarchist"):
        assert any(f"{name}: on" in text for text in table.group_texts())
    assert "You win with: The Liberals / The Fascists" in shown(table, CAPITALIST)
    assert "You win with: Hitler killed / 6 🔶 policies (2 Ⓐ)" in shown(table, ANARCHIST)
    # Hitler as Chancellor is not a way for the Monarchist to win.
    assert shown(table, MONARCHIST).endswith("You win with: 6 🟥 policies")
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
