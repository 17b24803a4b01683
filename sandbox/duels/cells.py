"""The cells of the duels, and what of them is kept."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine import Chance, Setup, fold, start, view
from sandbox.minds import NOVICE, RANDOM, SEASONED, mind_game

SIZES = range(5, 11)
CLASSIC = "classic@1"
#: How a game of the published rules ends, by the engine's reason: the letter that is kept of it.
ENDINGS = {"liberal-track": "l", "hitler-killed": "k", "hitler-elected": "e", "fascist-track": "f"}
#: The letters of games that Liberals win.
LIBERAL = "lk"


@dataclass(frozen=True, slots=True)
class Cell:
    """Games of one size between seats of given levels."""

    players: int
    #: How Liberals play, and how Fascists and Hitler do.
    liberals: str
    fascists: str
    #: One seat, the first of this role, plays at a level of its own.
    role: str | None = None
    alone: str | None = None

    @property
    def key(self) -> str:
        """Return what tells this cell from all others."""
        one = f"/{self.role}={self.alone}" if self.role else ""
        return f"{self.players}/{self.liberals}/{self.fascists}{one}"

    def play(self, number: int) -> str:
        """The letter of how a game ended. The same number is the same deal in every cell of this size."""
        setup, chance = Setup(CLASSIC, self.players), Chance(f"{number:064x}")
        table = fold(event.fact for event in start(setup, chance)[1])
        levels = [self.liberals if party == "liberal" else self.fascists for party in table.parties]
        if self.role and self.alone:
            levels[table.roles.index(self.role)] = self.alone
        return ENDINGS[str(view(mind_game(setup, chance, levels).events, None).table.reason)]

    def won(self, letters: str) -> list[bool]:
        """By game, whether the one seat's side won; the Liberals where there is no such seat."""
        liberal = self.role in (None, "liberal")
        return [(letter in LIBERAL) == liberal for letter in letters]


def sides() -> Iterator[Cell]:
    """Side against side at every size."""
    for players in SIZES:
        for liberals, fascists in ((NOVICE, NOVICE), (SEASONED, NOVICE), (SEASONED, SEASONED)):
            yield Cell(players, liberals, fascists)


def seats() -> Iterator[Cell]:
    """One seat among others, seven players: seasoned, and a novice in its place."""
    for others in (RANDOM, NOVICE):
        for role in ("liberal", "fascist", "hitler"):
            for alone in (SEASONED, NOVICE):
                yield Cell(7, others, others, role, alone)


def every_cell() -> Sequence[Cell]:
    """All that is played."""
    return (*sides(), *seats())
