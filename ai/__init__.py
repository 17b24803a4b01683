"""The computer's mind, pure: what a seat believes, chooses, claims, and can say about why.

Every function takes a view, the claims made so far and, if it draws, a separate chance. It reads nothing
else, and keeps nothing between two decisions that could change the next one.
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
