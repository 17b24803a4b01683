"""The rules of Secret Hitler and its expansions, pure: no input or output, no clock, no Telegram.

``start`` a game, ``answer`` its questions (or let the clock do it: ``time_out``); each returns the
next game and the events that happened. Who may know what is in the events: take a ``view`` of them,
and ``question_for`` a seat. Nothing outside reads a game's table.
"""

from engine.board import Board, Setup
from engine.chance import Chance, dealt
from engine.events import Event, View, fold, view
from engine.game import Game, answer, board_of, question_for, reply, start, time_out, waiting_on
from engine.question import Illegal, Option, Question, Reply
from engine.ruleset import Ruleset
from engine.rulesets import RULESETS, ruleset

__all__ = [
    "RULESETS",
    "Board",
    "Chance",
    "Event",
    "Game",
    "Illegal",
    "Option",
    "Question",
    "Reply",
    "Ruleset",
    "Setup",
    "View",
    "answer",
    "board_of",
    "dealt",
    "fold",
    "question_for",
    "reply",
    "ruleset",
    "start",
    "time_out",
    "view",
    "waiting_on",
]
