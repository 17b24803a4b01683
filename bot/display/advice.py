"""Advice for newcomers, and the reasons of a good player for a choice, in words."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bot.display.prompts import label
from bot.display.telling import Telling
from bot.display.words import Html, bold
from bot.rooms.governments import HANDS
from engine import Question, board_of, in_hitler_zone
from engine.question import JA, NEIN
from engine.table import NOT_HITLER

if TYPE_CHECKING:
    from ai import Reason

#: Questions that use the advice of another one.
ALIKE: Mapping[str, str] = {
    "select": "enact",
    "sealed-veto": "veto",
    "radicalisation": "recruitment",
    "convert": "recruitment",
    "smear": "kill",
    "mark": "kill",
    "revenge": "kill",
    "resurrect": "pardon",
}
#: The party that hides nothing; all other parties do.
OPEN = "liberal"
_OTHER = "advice.other"
#: The most reasons given.
MOST = 2
#: If a hand leaves no choice: a reason, and advice.
_ALIKE = "reason.alike"
#: Reasons about a tile, which have other words if the tile is thrown away.
_OF_TILES = ("own-tile", "wins", "loses")
_THROWN: Mapping[str, str] = {"discard": "discard", "veto": "veto", "sealed-veto": "veto"}


def advice_line(telling: Telling, question: Question) -> Html:
    """Return a line of advice for this question, to a seat of this party."""
    assert telling.view.seat is not None, "advice is a seat's"
    step = ALIKE.get(question.step, question.step)
    side = "open" if telling.view.table.parties[telling.view.seat] == OPEN else "hidden"
    keys = (*(f"advice.{step}.{now}" for now in (*_moments(telling, side), side)), f"advice.{step}", _OTHER)
    key = next(key for key in keys if telling.words.has(key))
    if question.step in HANDS and len(set(question.options[question.seats.index(telling.view.seat)])) == 1:
        key = _ALIKE
    values = {ballot: Html(_unmarked(telling.html(f"option.{ballot}"))) for ballot in (JA, NEIN)}
    return telling.html("advice", advice=telling.html(key, hitler=telling.role("hitler"), **values))


def board_explained(telling: Telling) -> Html:
    """Explain the line below every question, for somebody who reads it for the first time."""
    return telling.html("advice", advice=telling.html("advice.board"))


def _moments(telling: Telling, side: str) -> tuple[str, ...]:
    """Return what is special about this moment, as the seat sees it, the most urgent first."""
    table, board = telling.view.table, board_of(telling.view.setup)
    # A seat proven not to be Hitler is not, and neither is the reader, who knows it.
    harmless = set(table.tagged(NOT_HITLER))
    if telling.view.seat is not None and table.roles[telling.view.seat] != "hitler":
        harmless.add(telling.view.seat)
    hitler_may_win = in_hitler_zone(table, board) and table.chancellor not in harmless
    moments = {
        "tracker": table.tracker + 1 == board.chaos,
        "zone" if side == "open" else "zone-hidden": hitler_may_win,
        "first": not any(table.tracks.values()),
        "own": telling.view.seat in (table.president, table.chancellor),
    }
    return tuple(name for name, now in moments.items() if now)


def hint_text(telling: Telling, question: Question, choice: int | None, reasons: Sequence["Reason"]) -> Html:
    """Return the choice of a good player in this seat, and the strongest reasons, each on a line."""
    lines = [_reason(telling, question, reason) for reason in reasons[:MOST]]
    if choice is not None:
        options = question.options[question.seats.index(telling.view.seat or 0)]
        chosen = bold(_unmarked(label(telling.words, telling.players, options[choice])))
        lines = [telling.html("hint", choice=chosen), *lines]
    return Html("\n".join(lines))


def _unmarked(text: str) -> str:
    """Return a ballot's text without its mark, to continue a sentence."""
    return text.rstrip("!！")


def _reason(telling: Telling, question: Question, reason: "Reason") -> Html:
    thrown = _THROWN.get(question.step) if reason.code in _OF_TILES else None
    key = f"reason.{reason.code}.{thrown}" if thrown else f"reason.{reason.code}"
    others = [seat for seat in reason.seats if seat != telling.view.seat]
    if len(others) < len(reason.seats) and telling.words.has(f"{key}.you"):
        key = f"{key}.you"
        seats = [Html(""), *map(telling.seat, others)]
    else:
        seats = [telling.seat(seat) for seat in reason.seats]
    values = {
        "seat": seats[0] if seats else "",
        "other": seats[1] if len(seats) > 1 else "",
        "hitler": telling.role("hitler"),
        "tile": telling.tile(OPEN),
        "round": "" if reason.round is None else reason.round,
    }
    return telling.html("hint.reason", reason=telling.html(key, **values))
