"""Names and buttons of a game's messages, and whether the board comes with them."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final
from unicodedata import east_asian_width

from bot.conversation.posting import name_of
from bot.display.buttons import Button, Row, data
from bot.display.prompts import label
from bot.display.signs import NOTES
from bot.display.words import Words
from bot.rooms.model import Match, Note, Room
from engine import Option, Question, seen
from engine.facts import Enacted, GameOver

NO_NOTES: Final[Mapping[int, Note]] = MappingProxyType({})
PROMPT = "seat"
#: The names of a seat's latest messages with claims: about a session, and about what a power showed.
CLAIM, SAW = "claim", "saw"
#: Letters that a row of buttons can show on a phone, together.
WIDTH_OF_A_ROW: Final = 36


def prompt_name(seat: int) -> str:
    """Return the name of a seat's latest prompt."""
    return f"{PROMPT}{seat}"


def claim_names(seat: int) -> tuple[str, str]:
    """Return the names of a seat's latest messages with claims: about a session, and about a power."""
    return f"{CLAIM}{seat}", f"{SAW}{seat}"


def answer_rows(
    room: Room,
    match: Match,
    words: Words,
    question: Question,
    seat: int,
    notes: Mapping[int, Note] = NO_NOTES,
) -> Sequence[Row]:
    """Return buttons for a seat's options. ``notes``: the seat's private notes, for prompts in private."""
    options = question.options[question.seats.index(seat)]

    def shown(option: Option) -> str:
        name = label(words, match.players, option)
        note = notes.get(option) if isinstance(option, int) else None
        return name if note is None else f"{NOTES[note]} {name}"

    buttons = [
        Button(
            shown(option),
            data(name_of(room), "answer", match.number, question.number, choice),
        )
        for choice, option in enumerate(options)
    ]
    if len(buttons) > 4 or all(isinstance(option, int) for option in options):
        width = 2  # seats
    else:
        # A hand lies in one row where a phone can show its words whole.
        longest = max((_width_of(button.text) for button in buttons), default=1)
        width = max(1, WIDTH_OF_A_ROW // longest)
    return [tuple(buttons[at : at + width]) for at in range(0, len(buttons), width)]


def _width_of(text: str) -> int:
    """Return how much room a text takes: two for an emoji or a letter of Chinese, one for others."""
    return len(text) + sum(map("WF".__contains__, map(east_asian_width, text)))


def shows_board(match: Match) -> bool:
    """Return True if the current post shows the board: it begins a game, enacts something or ends it."""
    facts = seen(match.log, None, match.posted)
    return match.posted == 0 or any(isinstance(fact, Enacted | GameOver) for fact in facts)
