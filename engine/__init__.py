"""The rules of Secret Hitler and its expansions, pure: no input or output, no clock, no Telegram.

``start`` begins a game, and ``answer`` answers its question. When the caller says that time is up,
``time_out`` closes the question without waiting for the missing answers. Names and comments call this the
clock. Each of the three returns the next game and the new events. An event says who may know it. ``view``
returns what a seat may know, and ``question_for`` what it is asked. Outside the engine, only ``bot.rooms``
reads a game's table, and only its round and winners.

This example plays a game from its start to its first enactment. Its deal is fixed: seat 4 is Hitler, seat 0
is the first candidate, and the first hand has one Liberal tile.

>>> roles = ["liberal", "liberal", "liberal", "fascist", "hitler"]
>>> deal = dealt(roles, first=0, decks=[["liberal", "fascist", "fascist"] * 3])
>>> game, events = start(Setup("classic@1", 5), deal)
>>> question_for(game, 0).step, question_for(game, 0).options
('nominate', ((1, 2, 3, 4),))
>>> def say(seat, option):
...     global game, events
...     game, told = answer(game, reply(game, seat, option))
...     events += told
>>> say(0, 1)
>>> for voter in waiting_on(game):
...     say(voter, "ja")
>>> say(0, "fascist")
>>> say(1, "liberal")
>>> view(events, None).table.tracks
{'liberal': ('liberal',), 'fascist': ()}

In their views, the President knows both discarded tiles, and the group knows only that there were two.

>>> [fact.tile for fact in view(events, 0).facts if fact.id == "discarded"]
['fascist', 'fascist']
>>> [fact.tile for fact in view(events, None).facts if fact.id == "discarded"]
['?', '?']

A forged answer is refused and changes nothing. Seat 1 is the next candidate, and seat 3 is not asked.

>>> answer(game, Reply(3, question_for(game, 1).number, 0))
Traceback (most recent call last):
engine.question.Illegal: not-asked
"""

from engine.board import Board, Setup
from engine.chance import Chance, dealt
from engine.claim import Claim
from engine.events import Event, View, seen, view
from engine.facts import fold
from engine.game import (
    Game,
    answer,
    board_of,
    dead_may_return,
    question_for,
    reply,
    side_of,
    start,
    time_out,
    waiting_on,
)
from engine.question import SEATS, Illegal, Option, Question, QuestionNumber, Reply, Seat
from engine.ruleset import Ruleset
from engine.rulesets import KNOWN, OFFERED, offered, renewed, ruleset
from engine.steps.election import in_hitler_zone

__all__ = [
    "KNOWN",
    "OFFERED",
    "SEATS",
    "Board",
    "Chance",
    "Claim",
    "Event",
    "Game",
    "Illegal",
    "Option",
    "Question",
    "QuestionNumber",
    "Reply",
    "Ruleset",
    "Seat",
    "Setup",
    "View",
    "answer",
    "board_of",
    "dead_may_return",
    "dealt",
    "fold",
    "in_hitler_zone",
    "offered",
    "question_for",
    "renewed",
    "reply",
    "ruleset",
    "seen",
    "side_of",
    "start",
    "time_out",
    "view",
    "waiting_on",
]
