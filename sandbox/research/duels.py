"""``python -m sandbox duels``: let levels of computers play each other, over the same deals.

Results are stored in a file as they come. A stopped run continues there, and a run with more games plays only
the missing ones. At the end it rewrites the tables in docs/computers.md.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from itertools import chain
from math import nan
from statistics import fmean, median

import ai
from ai import memory
from engine import Chance, Question, Setup, View, question_for
from sandbox.computer_games import NOVICE, RANDOM, SEASONED, ComputerGame, seat_chance
from sandbox.measurements import DOCS, ROOT, Share, difference, share, table, write_below_mark
from sandbox.research.cells import Cell, Played, PlayedGames, games_mark
from sandbox.research.counts import auc, ballots_alone

PAGE = DOCS / "computers.md"
PROGRESS = ROOT / ".cache" / "duels.jsonl"
#: The goal for the Liberals' share of wins at every size.
LIBERAL_SHARE = (0.45, 0.60)
#: The goals: a decision takes at most this many times as long as a belief; and at the larger table as at the
#: smaller one.
DECISION_GOAL, LARGER_GOAL = 1.5, 5
#: The tables at which a decision is timed: one with exact beliefs, and one with sampled beliefs.
TIMED = (Setup("classic@1", 10), Setup("xl@1", 16))
#: A nomination is timed after at least this many rounds, if a game lasts so long.
ROUNDS = 12
#: How often a call is timed.
TIMES = 9


# --- the cells ----------------------------------------------------------------------------------------------


#: For each size: novices, seasoned Liberals among novice Fascists, and seasoned seats. With seven alike, what
#: happens is counted.
SIDES = {
    players: [
        Cell(players, liberals, others, counted=players == 7 and liberals == others)
        for liberals, others in ((NOVICE, NOVICE), (SEASONED, NOVICE), (SEASONED, SEASONED))
    ]
    for players in range(5, 11)
}
#: Pairs with seven players: one seat is seasoned, then a novice, among other levels.
SEATS = [
    [Cell(7, others, others, role, alone) for alone in (SEASONED, NOVICE)]
    for others in (RANDOM, NOVICE)
    for role in ("liberal", "fascist", "hitler")
]
#: Fascist Presidents who always claim one Liberal tile after a Fascist policy: one of them, and all.
ACCUSING = [Cell(7, accusers=accusers) for accusers in (1, 3)]


def every_cell() -> list[Cell]:
    """Return all cells to play."""
    return [cell for group in (*SIDES.values(), *SEATS, ACCUSING) for cell in group]


def won(cell: Cell, games: Sequence[Played]) -> list[bool]:
    """Return for each game whether the special seat's side won; without a special seat, the Liberals."""
    party = "liberal" if cell.role in (None, "liberal") else "fascist"
    return [game["winners"] == party for game in games]


# --- the command --------------------------------------------------------------------------------------------


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``python -m sandbox duels``."""
    parser.add_argument(
        "--games",
        type=int,
        default=3000,
        help="games in each cell, rounded up to fifties (default: %(default)s)",
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: %(default)s)")


def run(args: argparse.Namespace) -> None:
    """Play the missing games, and rewrite the page's tables."""
    games = PlayedGames(PROGRESS)
    games.play(every_cell(), args.games, args.jobs)
    lines = [f"*Measured with {games_mark()}.*", "", *compared(games), *sides(games)]
    write_below_mark(PAGE, [*lines, *seats(games), *speeds()])


def _yes_no(reached: bool) -> str:
    return "yes" if reached else "**no**"


def _won_alike(games: PlayedGames, cells: Sequence[Cell]) -> list[list[bool]]:
    """Return who won in each of these cells, in the deals that all of them have played."""
    rows = [won(cell, games.of(cell)) for cell in cells]
    return [row[: min(map(len, rows))] for row in rows]


def _share(row: Sequence[bool]) -> Share:
    return share(sum(row), len(row))


def _part(
    title: str, text: str, head: Sequence[str], rows: Sequence[Sequence[object]], *after: str
) -> list[str]:
    """Return a part of the page: a text, a table, and more paragraphs."""
    more = [line for paragraph in after for line in ("", paragraph)]
    return [f"## {title}", "", text, "", *table(head, rows), *more, ""]


def sides(games: PlayedGames) -> list[str]:
    """Return the lines about side against side."""
    rows = []
    for players, cells in SIDES.items():
        alike = _won_alike(games, cells)
        novices, mixed, seasoned = map(_share, alike)
        low, high = LIBERAL_SHARE
        gains = (difference(alike[1], alike[0]), difference(alike[1], alike[2]))
        judged = [f"{gain} {_yes_no(gain.value > 0)}" for gain in gains]
        all_seasoned = f"{seasoned} {_yes_no(low <= seasoned.value <= high)}"
        rows.append([players, novices, mixed, all_seasoned, *judged, f"{len(alike[0]):,}"])
    head = ["players", "novices", "seasoned Liberals, novice Fascists", "all seasoned (goal: 45–60)"]
    head += [f"seasoned {party} gain (goal: above 0)" for party in ("Liberals", "Fascists")]
    text = "How often Liberals win the published game. Gains are in percentage points, over the same deals."
    return _part("Side against side", text, [*head, "games per cell"], rows)


def seats(games: PlayedGames) -> list[str]:
    """Return the lines about one seat among others."""
    rows = []
    for cells in SEATS:
        alike = _won_alike(games, cells)
        gain = difference(*alike)
        judged = [*map(_share, alike), gain, _yes_no(gain.high >= 0), f"{len(alike[0]):,}"]
        rows.append([cells[0].liberals, cells[0].role, *judged])
    text = (
        "Seven players of the published game. How often the side of one seat wins if that seat is seasoned, "
        "and if it is a novice, in the same deals. Goal: the interval of the gain reaches 0 or more."
    )
    head = ["others", "role of the seat", "seasoned", "novice", "gain", "goal reached", "games"]
    return _part("One seat among others", text, head, rows)


def measure_speed(setup: Setup) -> tuple[int, float, float]:
    """Time a seat that nominates late in a game, with all caches cleared before each call.

    Return the rounds so far, and the processor time of the beliefs and of the decision in milliseconds.
    """
    game, view, question = late_nomination(setup)
    claims, chance = tuple(game.claims), seat_chance("speed", question.seats[0], 0)
    belief = time_call(lambda: ai.beliefs(view, claims))
    decision = time_call(lambda: ai.choose(view, question, claims, chance, "seasoned"))
    return view.table.round, belief, decision


def late_nomination(setup: Setup) -> tuple[ComputerGame, View, Question]:
    """Return the first nomination after ``ROUNDS`` rounds: the game, the seat's view and its question."""
    for number in range(100):
        game = ComputerGame(setup, Chance(f"{number:064x}"), [NOVICE] * setup.players)
        while (question := game.game.question) is not None:
            view = game.seats[question.seats[0]].view
            if question.step == "nominate" and view.table.round >= ROUNDS:
                asked = question_for(game.game, question.seats[0])
                assert asked is not None
                return game, view, asked
            game.step()
    raise LookupError(f"no game of {setup} lasts {ROUNDS} rounds")


def time_call(call: Callable[[], object]) -> float:
    """Return the median processor time of a call with empty caches, in milliseconds."""
    times = []
    for _ in range(TIMES):
        memory.forget()
        began = time.process_time()
        call()
        times.append(1000 * (time.process_time() - began))
    return median(times)


def speeds() -> list[str]:
    """Return the lines about how long a decision takes."""
    rows, decisions = [], []
    for setup in TIMED:
        rounds, belief, decision = measure_speed(setup)
        decisions.append(decision)
        ratio = decision / belief
        game = f"{setup.ruleset.partition('@')[0]}, {setup.players} players"
        times = [f"{belief:.1f} ms", f"{decision:.1f} ms", f"{ratio:.2f}"]
        rows.append([game, rounds, *times, f"≤ {DECISION_GOAL}: {_yes_no(ratio <= DECISION_GOAL)}"])
    ratio = decisions[-1] / decisions[0]
    text = (
        "Processor time with an empty cache, in one run on one machine. On another machine only the ratios "
        "are comparable."
    )
    larger = (
        f"A decision at the second table takes {ratio:.1f} times as long as at the first "
        f"(goal: at most {LARGER_GOAL}; {_yes_no(ratio <= LARGER_GOAL)})."
    )
    head = ["table", "rounds", "belief", "decision", "decision / belief", "goal"]
    return _part("How long a decision takes", text, head, rows, larger)


# --- beside people ------------------------------------------------------------------------------------------

#: The reasons for the end of a game, by figure.
ENDINGS: dict[str, tuple[str, ...]] = {
    "Liberals win": ("liberal-track", "hitler-killed"),
    "5 Liberal policies": ("liberal-track",),
    "Hitler elected": ("hitler-elected",),
    "6 Fascist policies": ("fascist-track",),
    "Hitler killed": ("hitler-killed",),
}
#: The figures that are no shares, with their digits.
NUMBERS: dict[str, tuple[Callable[[Sequence[Played]], float], int]] = {
    "rounds a game": (lambda games: fmean(game["counts"]["rounds"][0] for game in games), 1),
    "AUC by ballots alone": (lambda games: auc([*chain(*ballots_alone(games))]), 3),
    "AUC by all that is public before the last round": (lambda games: auc(_suspects(games)), 3),
    "how suspect the Fascist side is before the last round (mean)": (
        lambda games: fmean(p for p, own in _suspects(games) if own),
        3,
    ),
}


def _suspects(games: Sequence[Played]) -> list[tuple[float, int]]:
    return [seat for game in games for seat in game["seen"]]


def figure(name: str, games: Sequence[Played]) -> tuple[float, str]:
    """Return a figure of some games, and its text."""
    if name in NUMBERS:
        compute, digits = NUMBERS[name]
        return (value := compute(games)), f"{value:.{digits}f}"
    if name in ENDINGS:
        pairs = [(game["reason"] in ENDINGS[name], 1) for game in games]
    else:
        pairs = [game["counts"].get(name, (0, 0)) for game in games]
    held, could = (sum(column) for column in zip(*pairs, strict=True))
    found = share(held, could) if could else Share(nan, nan, nan)
    return 100 * found.value, str(found)


#: The name of a figure, people's figure, the computers' before they learned from it, the goal from and to.
FIGURES: Sequence[tuple[str, str, str, float, float]] = (
    ("Liberals win", "48.9 %", "50.0 %", 45, 60),
    ("5 Liberal policies", "41.6 %", "41.0 %", 35.6, 47.6),
    ("Hitler elected", "35.2 %", "33.3 %", 29.2, 41.2),
    ("6 Fascist policies", "15.9 %", "16.7 %", 9.9, 21.9),
    ("Hitler killed", "7.3 %", "9.0 %", 1.3, 13.3),
    ("elections that pass", "50 %", "74 %", 48, 58),
    ("unanimous ballots", "32 %", "4 %", 20, 35),
    ("rounds a game", "14.0", "10.7", 12.5, 15),
    ("rounds that end in chaos", "4.9 %", "0.8 %", 3, 7),
    ("early Ja of a Fascist to a pair with a fellow or Hitler", "50 %", "80 %", 44, 56),
    ("early Ja of a Fascist to two Liberals", "48 %", "12 %", 42, 54),
    ("early Ja of Hitler", "50 %", "78 %", 45, 55),
    ("early Ja of Liberals", "48 %", "50 %", 43, 53),
    ("AUC by ballots alone", "–", "0.917", 0, 0.60),
    ("AUC by all that is public before the last round", "0.715", "0.964", 0, 0.80),
    ("how suspect the Fascist side is before the last round (mean)", "0.51", "0.753", 0, 0.56),
    ("a Fascist President discards its only Liberal tile", "68 %", "99 %", 62, 74),
    ("Hitler as President discards its only Liberal tile", "59 %", "92 %", 53, 65),
    ("after that, either claims to have drawn one Liberal tile", "37 %", "5 %", 30, 44),
    ("claims clash after a Fascist policy", "33 %", "16 %", 28, 38),
    ("a Liberal's claim is wrong", "6–8 %", "0 %", 5, 8),
    ("a Fascist calls a fellow Fascist to a special election", "17 %", "95 %", 0, 25),
    ("a President investigates the Chancellor of this round", "39–50 %", "8 %", 35, 50),
)


def compared(games: PlayedGames) -> list[str]:
    """Return the lines that compare seven computers with people."""
    beginners, _, seasoned = SIDES[7]
    played, novices = games.of(seasoned), games.of(beginners)
    rows = []
    for says, people, before, low, high in FIGURES:
        value, said = figure(says, played)
        goal = f"{low:g}–{high:g}" if low else f"≤ {high:g}"
        rows.append([says, people, before, goal, said, _yes_no(low <= value <= high)])
    alike = _won_alike(games, [seasoned, *ACCUSING])
    one, all_ = (difference(row, alike[0]) for row in alike[1:])
    return _part(
        "Compared with people",
        f"{len(played):,} games of seven seasoned seats. People: 994 recorded games. Before: seasoned "
        "seats before they learned from these games. Rows that begin with *early* count only elections "
        "before the Hitler zone. AUC: how often a member of the Fascist side looks more suspect than a "
        "Liberal.",
        ["figure", "people", "before", "goal", "now", "goal reached"],
        rows,
        "If Fascist Presidents always claim one Liberal tile after a Fascist policy, the Liberals' share of "
        f"wins changes by {one} points if one seat does it (goal: -2 or more), and by {all_} if all do "
        f"(goal: -3 or more), over the same {len(alike[0]):,} deals.",
        f"Novices among themselves pass {figure('elections that pass', novices)[1]} of their elections "
        f"(94 % before), and their Liberals win {figure('Liberals win', novices)[1]} of {len(novices):,} "
        "games.",
    )
