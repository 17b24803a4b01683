"""The tables of docs/computers.md, made of played games."""

from collections.abc import Iterator, Mapping, Sequence

from sandbox.duels.cells import LIBERAL, SIZES, Cell, seats
from sandbox.duels.speed import Speed
from sandbox.minds import NOVICE, SEASONED
from sandbox.shares import difference, share

#: Below this line the page is written by the command.
MARK = "<!-- Everything below is written by `make duels`. -->"
#: What is to be reached: points of difference, and how people's games of seven end (n = 818), in percent.
LIBERALS_REACH = 0.12
FASCISTS_REACH = 0.08
LIBERAL_SHARE = (0.455, 0.523)
PEOPLE = {"l": 41.6, "e": 35.2, "f": 15.9, "k": 7.3}
WITHIN = 6.0
NAMES = {
    "l": "5 Liberal policies",
    "e": "Hitler elected",
    "f": "6 Fascist policies",
    "k": "Hitler killed",
}
DECISION_REACH = 1.5


def report(page: str, played: Mapping[str, str], speeds: Sequence[Speed]) -> str:
    """The page with its tables written anew below the mark."""
    lines = [MARK, "", *_sides(played), "", *_endings(played), "", *_seats(played), "", *_speeds(speeds)]
    return page.partition(MARK)[0] + "\n".join(lines) + "\n"


def _letters(played: Mapping[str, str], *cells: Cell) -> list[str]:
    return [played.get(cell.key, "") for cell in cells]


def _said(reached: bool) -> str:
    return "yes" if reached else "**no**"


def _sides(played: Mapping[str, str]) -> Iterator[str]:
    yield "## Side against side"
    yield ""
    yield "The published game, how often Liberals win. Differences in points, over the same deals."
    yield ""
    yield (
        "| players | novices | seasoned Liberals, novice Fascists | all seasoned | seasoned Liberals gain "
        "(reach +12) | seasoned Fascists gain (reach +8) | games a cell |"
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
        shares = [str(share(sum(row), games)) for row in won]
        gains = [
            f"{gain} {_said(gain.value >= reach)}"
            for gain, reach in ((liberals, LIBERALS_REACH), (fascists, FASCISTS_REACH))
        ]
        yield f"| {players} | {' | '.join((*shares, *gains))} | {games:,} |"


def _endings(played: Mapping[str, str]) -> Iterator[str]:
    (letters,) = _letters(played, Cell(7, SEASONED, SEASONED))
    games = len(letters)
    yield "## How games of seven seasoned seats end"
    yield ""
    if not games:
        return
    liberals = share(sum(letter in LIBERAL for letter in letters), games)
    low, high = LIBERAL_SHARE
    yield (
        f"Liberals win {liberals} of {games:,} games; people 48.9 %. "
        f"To reach: {100 * low:.1f}–{100 * high:.1f} %: {_said(low <= liberals.value <= high)}."
    )
    yield ""
    yield "| ending | minds | people | within 6 points |"
    yield "| --- | --- | --- | --- |"
    for letter, people in PEOPLE.items():
        found = share(letters.count(letter), games)
        near = abs(100 * found.value - people) <= WITHIN
        yield f"| {NAMES[letter]} | {found} | {people} % | {_said(near)} |"


def _seats(played: Mapping[str, str]) -> Iterator[str]:
    yield "## One seat among others"
    yield ""
    yield (
        "Seven players of the published game; how often the side of one seat wins when it is seasoned, and "
        "when a novice sits there, in the same deals. To reach: never fewer."
    )
    yield ""
    yield "| others | role of the seat | seasoned | novice | gain | never fewer | games |"
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
        yield (f"| {one.liberals} | {one.role} | {shares} | {gain} | {_said(gain.value >= 0)} | {games:,} |")


def _speeds(speeds: Sequence[Speed]) -> Iterator[str]:
    yield "## How long a decision takes"
    yield ""
    yield (
        "Processor time from scratch, with nothing kept of earlier decisions, in one run on one machine: "
        "only the ratios mean something elsewhere."
    )
    yield ""
    yield "| table | rounds | belief | decision | decision / belief | reach |"
    yield "| --- | ---: | ---: | ---: | ---: | --- |"
    for speed in speeds:
        ratio = speed.decision / speed.belief
        yield (
            f"| {speed.setup.ruleset.partition('@')[0]}, {speed.setup.players} players | {speed.rounds} "
            f"| {speed.belief:.1f} ms | {speed.decision:.1f} ms | {ratio:.2f} "
            f"| ≤ {DECISION_REACH}: {_said(ratio <= DECISION_REACH)} |"
        )
    if len(speeds) == 2:
        ratio = speeds[1].decision / speeds[0].decision
        yield ""
        yield f"Sixteen of XL over ten of the published game: {ratio:.1f} (reach ≤ 5: {_said(ratio <= 5)})."
