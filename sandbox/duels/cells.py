"""The cells of the duels, and their stored results."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine import Chance, Setup, fold, start, view
from sandbox.minds import NOVICE, RANDOM, SEASONED, mind_game

SIZES = range(5, 11)
CLASSIC = "classic@1"
#: The letter recorded for each ending of the published game, by the engine's reason.
ENDINGS = {"liberal-track": "l", "hitler-killed": "k", "hitler-elected": "e", "fascist-track": "f"}
#: The letters of games that Liberals win.
LIBERAL = "lk"


@dataclass(frozen=True, slots=True)
class Cell:
    """Games of one size between seats of given levels."""

    players: int
    #: The level of Liberals, and that of Fascists and Hitler.
    liberals: str
    fascists: str
    #: The role whose first seat has its own level, and that level.
    role: str | None = None
    alone: str | None = None

    @property
    def key(self) -> str:
        """Return what tells this cell from all others."""
        one = f"/{self.role}={self.alone}" if self.role else ""
        return f"{self.players}/{self.liberals}/{self.fascists}{one}"

    def play(self, number: int) -> str:
        """Play a game and return its ending's letter. A number is the same deal in every cell of a size."""
        setup, chance = Setup(CLASSIC, self.players), Chance(f"{number:064x}")
        table = fold(event.fact for event in start(setup, chance)[1])
        levels = [self.liberals if party == "liberal" else self.fascists for party in table.parties]
        if self.role and self.alone:
            levels[table.roles.index(self.role)] = self.alone
        return ENDINGS[str(view(mind_game(setup, chance, levels).events, None).table.reason)]

    def won(self, letters: str) -> list[bool]:
        """Return for each game True if the one seat's side won, or the Liberals if there is no such seat."""
        liberal = self.role in (None, "liberal")
        return [(letter in LIBERAL) == liberal for letter in letters]


def sides() -> Iterator[Cell]:
    """Side against side at every size."""
    for players in SIZES:
        for liberals, fascists in ((NOVICE, NOVICE), (SEASONED, NOVICE), (SEASONED, SEASONED)):
            yield Cell(players, liberals, fascists)


def seats() -> Iterator[Cell]:
    """Yield cells with one seat among others, seven players: seasoned, and a novice in its place."""
    for others in (RANDOM, NOVICE):
        for role in ("liberal", "fascist", "hitler"):
            for alone in (SEASONED, NOVICE):
                yield Cell(7, others, others, role, alone)


def every_cell() -> Sequence[Cell]:
    """Return all cells to play."""
    return (*sides(), *seats())
