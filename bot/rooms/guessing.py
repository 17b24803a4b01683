"""Guesses who the Fascists are, by people who do not play or are dead."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.rooms.player import Player
from engine import Setup, board_of
from engine.facts import CandidacyPassed, Enacted, Fact

#: The party to guess.
PARTY: Final = "fascist"
_ROLES = ("fascist", "hitler")
#: The most people who can guess in one game.
MOST_GUESSERS: Final = 16


@dataclass(frozen=True, slots=True)
class Guess:
    """One guess: the seats, and how many policies and whole rounds came before it."""

    policies: int
    rounds: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Guesser:
    """Somebody who guesses. Their message is named by their place in the game's list, which never changes."""

    #: None if they left, or asked to be forgotten.
    player: Player | None
    guesses: tuple[Guess, ...] = ()
    #: The seats picked so far for the next guess, and the number of policies at that time.
    picked: tuple[int, ...] = ()
    picked_after: int = 0


@dataclass(frozen=True, slots=True)
class Score:
    """How many seats somebody guessed right, and how many they guessed; the same for a computer."""

    right: int
    all: int
    computer: int


def line_size(setup: Setup) -> int:
    """Return the party's size, which the board shows to everybody."""
    return sum(board_of(setup).roles.get(role, 0) for role in _ROLES)


def policies(facts: Sequence[Fact]) -> int:
    """Return how many policies were enacted."""
    return sum(isinstance(fact, Enacted) for fact in facts)


def whole_rounds(facts: Sequence[Fact]) -> int:
    """Return how many rounds are complete: with their policy, or else with the next round's beginning."""
    starts = [at for at, fact in enumerate(facts) if isinstance(fact, CandidacyPassed)]
    if not starts:
        return 0
    return len(starts) - (policies(facts[starts[-1] :]) == 0)
