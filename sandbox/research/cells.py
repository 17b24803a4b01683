"""Play games of a setup whose seats play at given levels, and store them as they come."""

import hashlib
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from typing import Any

from ai.rounds import legislation_of, rounds_of
from engine import OFFERED, Chance, Setup, fold, start, view
from engine.claim import Claim, colour
from engine.setups import option_sets
from sandbox.computer_games import NOVICE, SEASONED, ComputerGame
from sandbox.processes import play_in_processes
from sandbox.research.counts import count

CLASSIC = "classic@1"
#: Games in a chunk. A run is stored chunk by chunk.
CHUNK = 50

#: A stored game: its ``winners`` (parties, joined by "+"), the ``reason`` of its end, and what
#: ``count`` returns if its cell is counted.
Played = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cell:
    """Games of one setup in which each seat has a given level."""

    players: int
    #: The level of Liberals, and that of all others.
    liberals: str = SEASONED
    others: str = SEASONED
    #: The role of one seat that plays at another level, and that level.
    role: str | None = None
    alone: str | None = None
    #: How many Fascist seats always accuse their Chancellor.
    accusers: int = 0
    ruleset: str = CLASSIC
    #: The set of options by its name (see ``engine.setups``), and the options themselves.
    named: str = "none"
    options: Mapping[str, str] = field(default_factory=dict)
    #: True if what happens in the games is counted.
    counted: bool = False

    @property
    def key(self) -> str:
        """Return a key that identifies the cell."""
        one = f"/{self.role}={self.alone}" if self.role else ""
        seats = f"{self.liberals}/{self.others}{one}/{self.accusers}"
        return f"{self.ruleset}/{self.players}/{self.named}/{seats}"

    def play(self, number: int) -> ComputerGame:
        """Play game ``number``. Cells of the same size share its deal."""
        setup, chance = Setup(self.ruleset, self.players, self.options), Chance(f"{number:064x}")
        table = fold(event.fact for event in start(setup, chance)[1])
        levels = [self.liberals if party == "liberal" else self.others for party in table.parties]
        if self.role and self.alone:
            levels[table.roles.index(self.role)] = self.alone
        if not self.accusers:
            return ComputerGame(setup, chance, levels).play()
        fascists = [seat for seat, party in enumerate(table.parties) if party == "fascist"]
        return AccusingGame(setup, chance, levels, fascists[: self.accusers]).play()


class AccusingGame(ComputerGame):
    """A game in which some Presidents always claim one Liberal tile after a Fascist policy."""

    def __init__(self, setup: Setup, chance: Chance, levels: Sequence[str], accusers: Sequence[int]) -> None:
        self.accusers = accusers
        super().__init__(setup, chance, levels)

    def _speak(self) -> None:
        before = len(self.claims)
        super()._speak()
        self.claims[before:] = [self._accuse(claim) for claim in self.claims[before:]]

    def _accuse(self, claim: Claim) -> Claim:
        session = legislation_of(rounds_of(self.seats[claim.seat].view.facts)[claim.round])
        if claim.kind != "president" or claim.seat not in self.accusers or session is None:
            return claim
        if session.enacted is None or colour(session.enacted.tile) == "liberal":
            return claim
        return replace(claim, said=("liberal", "fascist", "fascist"))


def play_chunk(task: tuple[Cell, int]) -> list[Played]:
    """Play a chunk of a cell from a first game on."""
    cell, first = task
    return [_play_one(cell, number) for number in range(first, first + CHUNK)]


def _play_one(cell: Cell, number: int) -> Played:
    game = cell.play(number)
    table = view(game.events, None).table
    assert table.winners, f"{cell.key}: game {number} ended without a winner"
    found = {"winners": "+".join(table.winners), "reason": str(table.reason)}
    return found | count(game) if cell.counted else found


def games_mark() -> str:
    """Return the mark of how computers play now, for a page that measures it.

    It is made of every answer and claim in a sample of games, three of each ruleset and number of players:
    seasoned seats with the default options and with all of them, and novices against seasoned Liberals.
    """
    found = hashlib.sha256()
    for rules in OFFERED:
        for players in rules.players:
            options = option_sets(rules, players)
            cells = [
                Cell(players, ruleset=rules.id, options=options[named])
                for named in ("none", "all")
                if named in options
            ]
            for cell in (*cells, Cell(players, others=NOVICE, ruleset=rules.id)):
                played = cell.play(players)
                found.update(repr([reply and astuple(reply) for reply in played.replies]).encode())
                found.update(repr([astuple(claim) for claim in played.claims]).encode())
    return f"games `{found.hexdigest()[:8]}`"


class PlayedGames:
    """The games of many cells. A file stores each chunk, so that a stopped run can be continued."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._chunks: dict[tuple[str, int], list[Played]] = {}
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            chunk = json.loads(line)
            self._chunks[chunk["cell"], chunk["first"]] = chunk["games"]

    def play(self, cells: Sequence[Cell], games: int, jobs: int) -> None:
        """Play and store the missing chunks, one per cell in turn."""
        tasks = [(cell, first) for first in range(0, games, CHUNK) for cell in cells]
        missing = [(cell, first) for cell, first in tasks if (cell.key, first) not in self._chunks]
        self._path.parent.mkdir(parents=True, exist_ok=True)
        for (cell, first), played in play_in_processes(missing, play_chunk, jobs):
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"cell": cell.key, "first": first, "games": played}) + "\n")
            self._chunks[cell.key, first] = played

    def of(self, cell: Cell) -> list[Played]:
        """Return the games of a cell from game 0 up to the first missing chunk."""
        chunks = (self._chunks.get((cell.key, first)) for first in itertools.count(0, CHUNK))
        return [game for chunk in itertools.takewhile(bool, chunks) for game in chunk or ()]
