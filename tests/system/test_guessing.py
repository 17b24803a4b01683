"""Guess the line through the webhook: by a watcher and by the dead, to the end of a game."""

import pytest

from bot.display.buttons import data
from sandbox.telegram import User
from tests.system.table import Seated, Table


def tap(table: Table, user: User, *seats: int) -> str:
    """Tap these seats under the newest message that asks; return the last toast."""
    view = Seated(table, user).newest("guess")
    for seat in seats:
        table.pass_time()
        table.tap(user, view, data(table.name, "guess", table.match().number, seat))
    return table.tg.toasts(user)[-1].text


def test_a_watcher_guesses_to_the_end_of_a_game(table: Table) -> None:
    zoe = table.open(5, roles="lllfh", deck="lff lff lff lff lff").person("Zoe")
    before = len(table.group_views())
    table.say(zoe, "/guess")
    assert len(table.group_views()) == before, "the group reads nothing of it"
    assert tap(table, zoe, 3) == "You can guess once the first policy is enacted."
    table.govern(1, "l")
    assert tap(table, zoe, 3, 4).startswith("Your guess after policy 1: #4, #5.")
    assert tap(table, zoe, 0).startswith("Your guess after policy 1: #4, #5.")
    table.govern(2, "l")
    assert tap(table, zoe, 0, 4).startswith("Your guess after policy 2: #1, #5.")
    for chancellor in (3, 4, 1):
        table.govern(chancellor, "l")
    table.wait(30)
    assert table.match().over
    told = next(text for text in reversed(table.group_texts()) if "Best guess" in text)
    assert "\u2068Zoe\u2069, 3 of 4 right" in told
    assert "You guessed 3 of 4 right" in "\n".join(Seated(table, zoe).texts())
    buttons = [button for view in Seated(table, zoe).views() for button in view.buttons()]
    assert not any("guess|" in button.get("callback_data", "") for button in buttons)
    assert table.match().guessers == ()


def test_the_dead_guess(table: Table) -> None:
    table.open(5, roles="lllfh", deck="ffl ffl ffl ffl").govern(1, "f").govern(2, "f")
    while table.match().game.question.step != "nominate":  # type: ignore[union-attr]
        table.choose()
    table.govern(1, "f")
    while table.match().game.question.step != "nominate":  # type: ignore[union-attr]
        table.choose()
    table.govern(2, "f")
    while all(table.match().view(None).table.alive):
        table.choose()
    dead = table.match().view(None).table.alive.index(False)
    user = table.people[dead]
    table.wait(30)
    assert any("/guess in the group" in text for text in Seated(table, user).texts())
    table.say(user, "/guess")
    others = [seat for seat in range(5) if seat != dead]
    assert tap(table, user, *others[:2]).startswith("Your guess after policy 4")
    table.say(table.people[others[0]], "/guess").wait(30)
    assert table.group_text().startswith("You can guess if you are not playing")


@pytest.mark.parametrize("forged", [0, 4])
def test_forged_guesses_come_to_nothing(table: Table, forged: int) -> None:
    table.open(5, roles="lllfh", deck="lff lff").govern(1, "l")
    stranger = table.person("Sven", member=False)
    button = data(table.name, "guess", table.match().number, forged)
    table.tg.start_private(stranger)
    table.harness.settle()
    table.tap(stranger, Seated(table, stranger).views()[-1], button, forged=True)
    assert table.match().guessers == ()
