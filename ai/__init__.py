"""Computer players as pure functions: what a seat believes, chooses and claims, and its reasons.

The functions read only their arguments: a view, the claims made so far, and for some of them the question,
the level, the character and a random stream (``Chance``) that is not the game's. Results are cached between
decisions, but the cache never changes a decision.
"""

from ai.beliefs import Beliefs, beliefs
from ai.character import Character, character_of
from ai.choosing import choose, probabilities
from ai.reasons import Reason, advise, reasons
from ai.saying import say
from engine.claim import Claim

__all__ = [
    "Beliefs",
    "Character",
    "Claim",
    "Reason",
    "advise",
    "beliefs",
    "character_of",
    "choose",
    "probabilities",
    "reasons",
    "say",
]
