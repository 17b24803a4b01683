"""Write the tables of docs/computers.md."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sandbox.computer_games import NOVICE, SEASONED
from sandbox.research.cells import SIZES, Cell, seats
from sandbox.research.human_comparison import comparison_lines
from sandbox.research.speed import Speed
from sandbox.shares import difference, share
from scripts.release import DECISIONS, stamp

#: The command rewrites the page below this line.
MARK = "<!-- Everything below is written by `make duels`. -->"
#: The goal for the Liberals' share of wins at every size.
LIBERAL_SHARE = (0.45, 0.60)
#: The goal: a decision takes at most this many times as long as a belief.
DECISION_GOAL = 1.5


def report(
    page: str,
    played: Mapping[str, str],
    chunks: Mapping[str, Sequence[Mapping[str, Any]]],
    speeds: Sequence[Speed],
) -> str:
    """Return the page with new tables below the mark.

    Args:
        page: the old page.
        played: the letters of each cell's games, by the cell's key.
        chunks: counts for the comparison with people.
        speeds: how long decisions take.
    """
    lines = [
        MARK,
        "",
        f"*Measured with {stamp(DECISIONS)}.*",
        "",
        *comparison_lines(chunks),
        "",
        *_sides(played),
        "",
        *_seats(played),
        "",
        *_speeds(speeds),
    ]
    return page.partition(MARK)[0] + "\n".join(lines) + "\n"


def _letters(played: Mapping[str, str], *cells: Cell) -> list[str]:
    return [played.get(cell.key, "") for cell in cells]


def _yes_no(reached: bool) -> str:
    return "yes" if reached else "**no**"


def _sides(played: Mapping[str, str]) -> Iterator[str]:
    yield "## Side against side"
    yield ""
    yield "How often Liberals win the published game. Gains are in percentage points, over the same deals."
    yield ""
    yield (
        "| players | novices | seasoned Liberals, novice Fascists | all seasoned (goal: 45–60) "
        "| seasoned Liberals gain (goal: above 0) | seasoned Fascists gain (goal: above 0) | games per cell |"
    )
    yield "| ---: | --- | --- | --- | --- | --- | ---: |"
    for players in SIZES:
        three = [
            Cell(players, NOVICE, NOVICE),
            Cell(players, SEASONED, NOVICE),
            Cell(players, SEASONED, SEASONED),
        ]
        letters = _letters(played, *three)
        games = min(map(len, letters))
        if not games:
            continue
        won = [cell.won(row[:games]) for cell, row in zip(three, letters, strict=True)]
        liberals, fascists = difference(won[1], won[0]), difference(won[1], won[2])
        found = [share(sum(row), games) for row in won]
        low, high = LIBERAL_SHARE
        shares = [*map(str, found[:2]), f"{found[2]} {_yes_no(low <= found[2].value <= high)}"]
        gains = [f"{gain} {_yes_no(gain.value > 0)}" for gain in (liberals, fascists)]
        yield f"| {players} | {' | '.join((*shares, *gains))} | {games:,} |"


def _seats(played: Mapping[str, str]) -> Iterator[str]:
    yield "## One seat among others"
    yield ""
    yield (
        "Seven players of the published game. How often the side of one seat wins if that seat is seasoned, "
        "and if it is a novice, in the same deals. Goal: the interval of the gain reaches 0 or more."
    )
    yield ""
    yield "| others | role of the seat | seasoned | novice | gain | goal reached | games |"
    yield "| --- | --- | --- | --- | --- | --- | ---: |"
    every = list(seats())
    for one, other in zip(every[::2], every[1::2], strict=True):
        letters = _letters(played, one, other)
        games = min(map(len, letters))
        if not games:
            continue
        won = [cell.won(row[:games]) for cell, row in zip((one, other), letters, strict=True)]
        gain = difference(won[0], won[1])
        shares = " | ".join(str(share(sum(row), games)) for row in won)
        yield (f"| {one.liberals} | {one.role} | {shares} | {gain} | {_yes_no(gain.high >= 0)} | {games:,} |")


def _speeds(speeds: Sequence[Speed]) -> Iterator[str]:
    yield "## How long a decision takes"
    yield ""
    yield (
        "Processor time with an empty cache, in one run on one machine. On another machine only the ratios "
        "are comparable."
    )
    yield ""
    yield "| table | rounds | belief | decision | decision / belief | goal |"
    yield "| --- | ---: | ---: | ---: | ---: | --- |"
    for speed in speeds:
        ratio = speed.decision / speed.belief
        yield (
            f"| {speed.setup.ruleset.partition('@')[0]}, {speed.setup.players} players | {speed.rounds} "
            f"| {speed.belief:.1f} ms | {speed.decision:.1f} ms | {ratio:.2f} "
            f"| ≤ {DECISION_GOAL}: {_yes_no(ratio <= DECISION_GOAL)} |"
        )
    if len(speeds) == 2:
        ratio = speeds[1].decision / speeds[0].decision
        yield ""
        yield (
            f"A decision at the second table takes {ratio:.1f} times as long as at the first "
            f"(goal: at most 5; {_yes_no(ratio <= 5)})."
        )
