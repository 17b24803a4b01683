"""The historical figures of a theme that has some: on one's own role card, and for all at the end."""

from bot.display.words import Html, Words
from bot.rooms.figures import FIGURES, historical_names
from bot.rooms.model import Match

#: A key that only themes with figures have.
_SIGN = "figure.revealed"


def figure_line(words: Words, match: Match, seat: int) -> Html | None:
    """Return the role card's line about a seat's figure, or None if it has none."""
    figure = _figures(words, match)[seat]
    if figure is None:
        return None
    party = next(party for party, names in FIGURES.items() if figure in names)
    return _told(words, party, figure)


def revealed(words: Words, match: Match, seat: int, role: Html) -> Html:
    """Return a seat's role as shown at the end, with its figure if it has one."""
    figure = _figures(words, match)[seat]
    if figure is None:
        return role
    return words.html(_SIGN, role=role, figure=words.html(f"figure.{figure}"))


def _told(words: Words, party: str, figure: str) -> Html:
    return words.html(f"figure.{party}", figure=words.html(f"figure.{figure}"))


def _figures(words: Words, match: Match) -> tuple[str | None, ...]:
    if not words.has(_SIGN):
        return (None,) * len(match.players)
    return historical_names(match.game.chance, match.log)
