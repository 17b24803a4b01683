"""A guesser's prompt, toasts and result."""

from bot.display.buttons import Button, Row, data
from bot.display.telling import Telling, called, seat_mark
from bot.display.words import Html, name, plain_name
from bot.rooms.guessing import PARTY, Guess, Guesser, Score
from bot.rooms.model import Match
from bot.rooms.names import RoomName

#: The most letters of a name on a button, and in a toast.
_ON_BUTTON = 24


def prompt(telling: Telling, group: Html, count: int, guesses: tuple[Guess, ...]) -> Html:
    """Say how many seats of which party to look for, and show the guesses so far."""
    party, hitler = telling.html(f"party.{PARTY}"), telling.html("role.hitler")
    lines = [
        telling.html("guess.title", group=group),
        telling.html("guess.ask", party=party, hitler=hitler, count=count),
        *(
            telling.html("guess.made", policies=guess.policies, seats=telling.seats(guess.seats))
            for guess in guesses
        ),
    ]
    return Html("\n".join(lines))


def seat_rows(telling: Telling, where: RoomName, match: Match) -> tuple[Row, ...]:
    """Return a button for every seat, two in a row."""
    buttons = [
        Button(
            plain_name(called(match.players, seat), _ON_BUTTON),
            data(where, "guess", match.number, seat),
        )
        for seat in range(len(match.players))
    ]
    return tuple(tuple(buttons[at : at + 2]) for at in range(0, len(buttons), 2))


def picked_toast(telling: Telling, guesser: Guesser, count: int) -> str:
    """Say which seats are picked, and how many are left to pick."""
    numbers = _numbers(telling, guesser.picked)
    return telling.words.plain("guess.picked", seats=numbers, left=count - len(guesser.picked))


def made_toast(telling: Telling, guess: Guess) -> str:
    """Say that a guess is made."""
    return telling.words.plain("guess.locked", seats=_numbers(telling, guess.seats), policies=guess.policies)


def best_line(telling: Telling, guesser: Guesser, score: Score) -> Html:
    """Name the best guesser, and how the computer would have done."""
    assert guesser.player is not None
    who = Html(f"<b>{name(guesser.player.name)}</b>")
    return telling.html("guess.best", who=who, right=score.right, all=score.all, computer=score.computer)


def result_text(telling: Telling, group: Html, score: Score) -> Html:
    """Tell a guesser how well they did."""
    result = telling.html("guess.result", right=score.right, all=score.all, computer=score.computer)
    return Html(f"{telling.html('guess.title', group=group)}\n{result}")


def _numbers(telling: Telling, seats: tuple[int, ...]) -> str:
    return str(telling.words.listed([Html(seat_mark(seat)) for seat in seats])) or "–"
