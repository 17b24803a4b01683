"""The combinations of levels that play each other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine import Chance, Setup, fold, start, view
from sandbox.computer_games import NOVICE, RANDOM, SEASONED, play_computer_game

SIZES = range(5, 11)
CLASSIC = "classic@1"
#: The letter recorded for each ending of the published game, by the engine's reason.
ENDINGS = {"liberal-track": "l", "hitler-killed": "k", "hitler-elected": "e", "fascist-track": "f"}
#: The letters of games that Liberals win.
LIBERAL = "lk"


@dataclass(frozen=True, slots=True)
class Cell:
    """Games of one number of players in which each seat has a given level."""

    players: int
    #: The level of Liberals, and that of Fascists and Hitler.
    liberals: str
    fascists: str
    #: The role of one seat that plays at another level, and that level.
    role: str | None = None
    alone: str | None = None

    @property
    def key(self) -> str:
        """Return a key that identifies the cell."""
        one = f"/{self.role}={self.alone}" if self.role else ""
        return f"{self.players}/{self.liberals}/{self.fascists}{one}"

    def play(self, number: int) -> str:
        """Play game ``number`` and return its ending's letter. Cells of the same size share the deal."""
        setup, chance = Setup(CLASSIC, self.players), Chance(f"{number:064x}")
        table = fold(event.fact for event in start(setup, chance)[1])
        levels = [self.liberals if party == "liberal" else self.fascists for party in table.parties]
        if self.role and self.alone:
            levels[table.roles.index(self.role)] = self.alone
        return ENDINGS[str(view(play_computer_game(setup, chance, levels).events, None).table.reason)]

    def won(self, letters: str) -> list[bool]:
        """Return for each game whether the special seat's side won; without a special seat, the Liberals."""
        liberal = self.role in (None, "liberal")
        return [(letter in LIBERAL) == liberal for letter in letters]


def sides() -> Iterator[Cell]:
    """Yield cells in which each side has one level, at every size."""
    for players in SIZES:
        for liberals, fascists in ((NOVICE, NOVICE), (SEASONED, NOVICE), (SEASONED, SEASONED)):
            yield Cell(players, liberals, fascists)


def seats() -> Iterator[Cell]:
    """Yield pairs of cells with seven players: one seat is seasoned, then a novice, among other levels."""
    for others in (RANDOM, NOVICE):
        for role in ("liberal", "fascist", "hitler"):
            for alone in (SEASONED, NOVICE):
                yield Cell(7, others, others, role, alone)


def every_cell() -> Sequence[Cell]:
    """Return all cells to play."""
    return (*sides(), *seats())
