"""Ballots as a grid: a line for each round, a column for each seat."""

from bot.display.history import compact
from bot.display.pages import pages
from bot.display.signs import SIGNS
from bot.display.telling import Telling
from bot.display.words import Html, Words
from bot.rooms.governments import Government, governments
from engine.question import JA, NEIN
from engine.tiles import track

#: The signs in the grid for ballots and for none.
CAST = {JA: "+", NEIN: "-", None: "."}
#: Makes the grid run from left to right in every language.
_LEFT_TO_RIGHT = "\u200e"
#: Up to this many seats, columns have a space between them; more come in groups of the second number.
_SPACED, _GROUP = 10, 5


def votes_texts(telling: Telling) -> tuple[Html, ...]:
    """Return the grid of a game so far, and the names for its columns, in as many texts as needed."""
    t = compact(telling)
    seats = t.view.table.seats
    rounds = [_line(t, now) for now in governments(t.view.facts)]
    signs = {ballot: t.html(f"option.{ballot}") for ballot in (JA, NEIN)}
    key = Html(f"{_LEFT_TO_RIGHT}🎩→📜  {CAST[JA]} {signs[JA]}  {CAST[NEIN]} {signs[NEIN]}")
    title, named = Html("\n".join([t.html("votes.title"), key])), t.seats(range(seats))
    head = _head(t, seats)
    grids = [
        Html(f"<pre>{chr(10).join([*head, *page])}</pre>")
        for page in pages(Html("\n".join([title, *head, named])), rounds)
    ]
    return (Html(f"{title}\n{grids[0]}\n{named}"), *grids[1:])


def _line(t: Telling, now: Government) -> Html:
    """Return a round: its number, its government, every ballot, their count, and the result."""
    chancellor = "–" if now.chancellor is None else str(now.chancellor + 1)
    ballots = _spread([CAST.get(ballot, "?") for ballot in now.ballots])
    count = f"{now.ja}:{now.nein}" if now.ballots else ""
    pair = f"{now.president + 1:>2}→{chancellor:<2}"
    line = f"{now.round:>2} {pair} {ballots} {count:<5}{_came_of(t.words, now)}"
    return Html(_LEFT_TO_RIGHT + line.rstrip())


def _came_of(words: Words, now: Government) -> str:
    """Return signs for what a round's government, or chaos, did."""
    tracks = [track(tile) for tile in now.enacted]
    signs = "".join(words.plain(f"sign.{colour or 'card'}") for colour in tracks)
    return f"{SIGNS['burst'] if now.chaos else ''}{SIGNS['palm'] if now.vetoed else ''}{signs}"


def _head(t: Telling, seats: int) -> list[Html]:
    """Return the seats' numbers above their columns, digit over digit."""
    numbers = [f"{seat + 1:>2}" for seat in range(seats)]
    rows = [_spread([number[place] for number in numbers]) for place in (0, 1)]
    return [Html(f"{_LEFT_TO_RIGHT}{' ' * 9}{row.rstrip()}") for row in rows if row.strip()]


def _spread(cells: list[str]) -> str:
    """Join cells of one character, with spaces if there is room, or else in groups."""
    if len(cells) <= _SPACED:
        return " ".join(cells)
    return " ".join("".join(cells[at : at + _GROUP]) for at in range(0, len(cells), _GROUP))
