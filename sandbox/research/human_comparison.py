"""Compare computers' games with people's: a table of figures, each with its goal and result."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import view
from sandbox.computer_games import NOVICE, SEASONED
from sandbox.research.game_counts import Counted, auc, ballots_alone, count, play_game
from sandbox.shares import difference, share

#: Games in a chunk.
CHUNK = 50
LIBERAL = ("liberal-track", "hitler-killed")
#: How many Fascist seats always accuse: none, one, all.
ACCUSERS = (0, 1, 3)
#: How often games are resampled for an interval.
DRAWN = 200


@dataclass(frozen=True, slots=True)
class Table:
    """Games of seven computers of one level, some of which always accuse their Chancellor."""

    accusers: int
    level: str = SEASONED

    @property
    def key(self) -> str:
        """Return a key that identifies these games."""
        return f"people/{self.level}/{self.accusers}"


ACCUSING = tuple(map(Table, ACCUSERS))
BEGINNERS = Table(0, NOVICE)
TABLES = (*ACCUSING, BEGINNERS)


def play(task: tuple[Table, int]) -> dict[str, Any]:
    """Play and count a chunk of games. If seats always accuse, count only the endings."""
    table, first = task
    counted = Counted()
    for number in range(first, first + CHUNK):
        game = play_game(number, table.accusers, table.level)
        if table.accusers:
            counted.endings.append(str(view(game.events, None).table.reason))
        else:
            count(game, counted)
    return counted.plain()


@dataclass(frozen=True, slots=True)
class Row:
    """A row: people's figure, the computers' earlier figure, and the goal from ``low`` to ``high``."""

    says: str
    people: str
    before: str
    low: float
    high: float
    measure: Callable[[Counted], tuple[float, str]]


def _rate(name: str) -> Callable[[Counted], tuple[float, str]]:
    """Return a measure of how often something happened, in percent."""

    def measured(counted: Counted) -> tuple[float, str]:
        if not counted.counts[name][1]:
            return float("nan"), "–"
        found = share(*counted.counts[name])
        return 100 * found.value, str(found)

    return measured


def _rounds(counted: Counted) -> tuple[float, str]:
    rounds, games = counted.counts["rounds"]
    return rounds / games, f"{rounds / games:.1f}"


def _ending(*reasons: str) -> Callable[[Counted], tuple[float, str]]:
    def measured(counted: Counted) -> tuple[float, str]:
        found = share(sum(one in reasons for one in counted.endings), len(counted.endings))
        return 100 * found.value, str(found)

    return measured


def _by_game(
    games: Callable[[Counted], Sequence[Sequence[tuple[float, int]]]],
    of: Callable[[list[tuple[float, int]]], float],
) -> Callable[[Counted], tuple[float, str]]:
    """Return a measure that applies ``of`` to all seats, with an interval by resampling the games."""

    def measured(counted: Counted) -> tuple[float, str]:
        rows = games(counted)
        rng = random.Random(0)
        value = of([seat for row in rows for seat in row])
        again = sorted(
            of([seat for row in rng.choices(rows, k=len(rows)) for seat in row]) for _ in range(DRAWN)
        )
        low, high = again[DRAWN // 40], again[-DRAWN // 40 - 1]
        return value, f"{value:.3f} ({low:.3f}–{high:.3f})"

    return measured


def _mean_of_fascists(seats: list[tuple[float, int]]) -> float:
    found = [p for p, own in seats if own]
    return sum(found) / len(found)


ROWS = (
    Row("Liberals win", "48.9 %", "50.0 %", 45, 60, _ending(*LIBERAL)),
    Row("5 Liberal policies", "41.6 %", "41.0 %", 35.6, 47.6, _ending("liberal-track")),
    Row("Hitler elected", "35.2 %", "33.3 %", 29.2, 41.2, _ending("hitler-elected")),
    Row("6 Fascist policies", "15.9 %", "16.7 %", 9.9, 21.9, _ending("fascist-track")),
    Row("Hitler killed", "7.3 %", "9.0 %", 1.3, 13.3, _ending("hitler-killed")),
    Row("elections that pass", "50 %", "74 %", 48, 58, _rate("passed")),
    Row("unanimous ballots", "32 %", "4 %", 20, 35, _rate("unanimous")),
    Row("rounds a game", "14.0", "10.7", 12.5, 15, _rounds),
    Row("rounds that end in chaos", "4.9 %", "0.8 %", 3, 7, _rate("chaos")),
    Row(
        "early Ja of a Fascist to a pair with a fellow or Hitler",
        "50 %",
        "80 %",
        44,
        56,
        _rate("early ja fascist, own in the pair"),
    ),
    Row(
        "early Ja of a Fascist to two Liberals", "48 %", "12 %", 42, 54, _rate("early ja fascist, strangers")
    ),
    Row("early Ja of Hitler", "50 %", "78 %", 45, 55, _rate("early ja hitler")),
    Row("early Ja of Liberals", "48 %", "50 %", 43, 53, _rate("early ja liberal")),
    Row(
        "AUC by ballots alone",
        "–",
        "0.917",
        0,
        0.60,
        _by_game(lambda counted: ballots_alone(counted.votes), auc),
    ),
    Row(
        "AUC by all that is public before the last round",
        "0.715",
        "0.964",
        0,
        0.80,
        _by_game(lambda counted: counted.seen, auc),
    ),
    Row(
        "how suspect the Fascist side is to the table before the last round (mean probability)",
        "0.51",
        "0.753",
        0,
        0.56,
        _by_game(lambda counted: counted.seen, _mean_of_fascists),
    ),
    Row(
        "a Fascist President discards its only Liberal tile",
        "68 %",
        "99 %",
        62,
        74,
        _rate("throws the only Liberal, fascist"),
    ),
    Row(
        "Hitler as President discards its only Liberal tile",
        "59 %",
        "92 %",
        53,
        65,
        _rate("throws the only Liberal, hitler"),
    ),
    Row(
        "after that, either claims to have drawn one Liberal tile",
        "37 %",
        "5 %",
        30,
        44,
        _rate("then accuses"),
    ),
    Row("claims clash after a Fascist policy", "33 %", "16 %", 28, 38, _rate("claims clash")),
    Row("a Liberal's claim is wrong", "6–8 %", "0 %", 5, 8, _rate("a Liberal's claim is wrong")),
    Row(
        "a Fascist calls a fellow Fascist to a special election",
        "17 %",
        "95 %",
        0,
        25,
        _rate("calls a fellow Fascist"),
    ),
    Row(
        "a President investigates the Chancellor of this round",
        "39–50 %",
        "8 %",
        35,
        50,
        _rate("investigates its Chancellor"),
    ),
)


def comparison_lines(chunks: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    """Yield the lines of the section. ``chunks``: counts by the key of a table."""
    counted = Counted()
    for plain in chunks.get(TABLES[0].key, ()):
        counted.add(plain)
    yield "## Compared with people"
    yield ""
    if not counted.endings:
        return
    games = len(counted.endings)
    yield (
        f"{games:,} games of seven seasoned seats. People: 994 recorded games. Before: the seasoned seats of "
        "release 0.1.0, measured by the same command (300 games). Rows that begin with *early* count only "
        "elections before the Hitler zone. AUC: how often a member of the Fascist side looks more suspect "
        "than a Liberal."
    )
    yield ""
    yield "| figure | people | before | goal | now | goal reached |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for row in ROWS:
        value, said = row.measure(counted)
        reached = "yes" if row.low <= value <= row.high else "**no**"
        goal = f"≤ {row.high:g}" if not row.low else f"{row.low:g}–{row.high:g}"
        yield f"| {row.says} | {row.people} | {row.before} | {goal} | {said} | {reached} |"
    yield ""
    yield from _accused(chunks)
    yield from _beginners(chunks)


def _beginners(chunks: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    counted = Counted()
    for plain in chunks.get(BEGINNERS.key, ()):
        counted.add(plain)
    if counted.endings:
        won = share(sum(reason in LIBERAL for reason in counted.endings), len(counted.endings))
        yield ""
        yield (
            f"Novices among themselves pass {share(*counted.counts['passed'])} of their elections (94 % "
            f"before), and their Liberals win {won} of {len(counted.endings):,} games."
        )


def _accused(chunks: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    won = [
        [reason in LIBERAL for plain in chunks.get(table.key, ()) for reason in plain["endings"]]
        for table in ACCUSING
    ]
    games = min(map(len, won))
    if not games:
        return
    one, all_ = (difference(row[:games], won[0][:games]) for row in won[1:])
    yield (
        "If Fascist Presidents always claim one Liberal tile after a Fascist policy, the Liberals' share of "
        f"wins changes by {one} points if one seat does it (goal: -2 or more), and by {all_} if all do "
        f"(goal: -3 or more), over the same {games:,} deals."
    )
