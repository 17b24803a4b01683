"""A player of a game."""

import operator
from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from pydantic import Field

from bot.rooms.names import UserId
from engine import SEATS, Seat, Setup, board_of
from engine.facts import CandidacyPassed, Enacted, Fact
from engine.frozen import frozen

#: Prefix of every computer's name. No person's name has it.
COMPUTER: Final = "🤖"


#: 0 means no advice. The field is then left out of the stored JSON.
Advised = Annotated[int, Field(exclude_if=operator.not_)]
#: False means that only fatal answers take a second tap. The field is then left out of the stored JSON.
Confirms = Annotated[bool, Field(exclude_if=operator.not_)]


@frozen
class Player:
    """A player, with the name that they had when they joined. The seat is their place in the list."""

    #: Telegram's id; None for a computer.
    id: UserId | None
    name: str
    language: str
    #: True if a computer plays here: as its own player (without an id), or for a person who left.
    computer: bool = False
    #: In how many more games, including this one, the player's prompts come with advice.
    advised: Advised = 0
    #: True if nominating, discarding and enacting take a second tap, as executing does.
    confirms: Confirms = False

    @property
    def shown(self) -> str:
        """Return the name that others read. A computer's name shows that it is one."""
        return f"{COMPUTER} {self.name}" if self.computer else self.name


def people_of(players: Sequence[Player]) -> Mapping[Seat, UserId]:
    """Return by seat the user ids of the people among these players."""
    return {place: player.id for place, player in zip(SEATS, players, strict=False) if player.id is not None}


# --- guessing -----------------------------------------------------------------------------------------------
# Guesses who the Fascists are, by people who do not play or are dead.

#: The party to guess.
PARTY: Final = "fascist"
_ROLES = ("fascist", "hitler")
#: The most people who can guess in one game.
MOST_GUESSERS: Final = 16


@frozen
class Guess:
    """One guess: the seats, and how many policies and whole rounds came before it."""

    policies: int
    rounds: int
    seats: tuple[Seat, ...]


@frozen
class Guesser:
    """Somebody who guesses. Their message's name contains their place in the list, so places never change."""

    #: None if they left, or asked to be forgotten.
    player: Player | None
    guesses: tuple[Guess, ...] = ()
    #: The seats picked so far for the next guess, and the number of policies at that time.
    picked: tuple[Seat, ...] = ()
    picked_after: int = 0

    @property
    def user(self) -> UserId | None:
        """Return their user id, if they are still here."""
        return None if self.player is None else self.player.id


@frozen
class Score:
    """The result of somebody's guesses, all added up."""

    #: The number of seats guessed right.
    right: int
    #: The number of seats guessed.
    all: int
    #: The number of seats that a computer would have guessed right at the same moments.
    computer: int


def fascist_count(setup: Setup) -> int:
    """Return how many Fascists there are, with Hitler. The board shows this to everybody."""
    return sum(board_of(setup).roles.get(role, 0) for role in _ROLES)


def policies(facts: Sequence[Fact]) -> int:
    """Return how many policies were enacted."""
    return sum(isinstance(fact, Enacted) for fact in facts)


def whole_rounds(facts: Sequence[Fact]) -> int:
    """Return how many rounds are complete. The latest is complete if a policy was enacted in it."""
    starts = [at for at, fact in enumerate(facts) if isinstance(fact, CandidacyPassed)]
    if not starts:
        return 0
    return len(starts) - (policies(facts[starts[-1] :]) == 0)
