"""How many files, functions and calls of ours one tap runs through, and how often it jumps between files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from types import CodeType, FrameType
from typing import Any

from local.dynamodb.table import LocalTable
from sandbox.bench.measured_games import MeasuredGame, MeasuredHarness
from sandbox.measurements import Section, table
from sandbox.telegram import Response, VirtualClock

ROOT = Path(__file__).resolve().parent.parent.parent
#: The packages that ship.
OURS = tuple(f"{ROOT / package}/" for package in ("ai", "bot", "engine", "handlers", "infra"))
#: By kind of tap, the most files, functions, calls and jumps.
REACH = {"answer, nothing sent": (35, 130, 400, 200), "answer, something sent": (55, 300, 1800, 800)}


@dataclass(slots=True)
class Hops:
    """The functions and calls of one update."""

    functions: set[CodeType] = field(default_factory=set)
    calls: int = 0
    #: Calls from one of our files into another.
    jumps: int = 0

    @property
    def figures(self) -> tuple[int, int, int, int]:
        """Files, functions, calls and jumps."""
        files = {code.co_filename for code in self.functions}
        return len(files), len(self.functions), self.calls, self.jumps


class Tracer:
    """Counts our functions' calls while it is on; what others run through in between is passed over."""

    def __init__(self) -> None:
        self.hops = Hops()
        self._ours: dict[CodeType, bool] = {}
        self._file = ""

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Note a call or a return, as ``sys.setprofile`` reports it."""
        if event not in ("call", "return"):
            return
        code = frame.f_code
        ours = self._ours.get(code)
        if ours is None:
            ours = self._ours[code] = code.co_filename.startswith(OURS) and code.co_name != "<module>"
        if not ours:
            return
        if event == "call":
            self.hops.calls += 1
            self.hops.functions.add(code)
            if self._file and code.co_filename != self._file:
                self.hops.jumps += 1
            self._file = code.co_filename
        else:
            caller = frame.f_back
            while caller is not None and not self._ours.get(caller.f_code, False):
                caller = caller.f_back
            self._file = "" if caller is None else caller.f_code.co_filename


@contextmanager
def traced() -> Iterator[Tracer]:
    """Count what runs meanwhile."""
    tracer = Tracer()
    sys.setprofile(tracer)
    try:
        yield tracer
    finally:
        sys.setprofile(None)


class TracedHarness(MeasuredHarness):
    """A desk that notes what each update ran through."""

    def __init__(self, table: LocalTable, clock: VirtualClock, seed: int) -> None:
        super().__init__(table, clock, seed)
        self.hops: list[Hops] = []

    def post(self, update: dict[str, Any], headers: dict[str, str]) -> Response:
        """Hand one update to the webhook's entry."""
        with traced() as tracer:
            reply = super().post(update, headers)
        self.hops.append(tracer.hops)
        return reply


def play(seed: int) -> dict[str, list[tuple[int, int, int, int]]]:
    """Play a random classic game of seven; by kind of tap, the figures of each."""
    desk = TracedHarness(LocalTable(), VirtualClock(), seed)
    try:
        game = MeasuredGame(desk, 7, seed)
        game.open("classic", "none", 0)
        game.play()
    finally:
        desk.close()
    found: dict[str, list[tuple[int, int, int, int]]] = {kind: [] for kind in REACH}
    for cost, hops in zip(desk.costs, desk.hops, strict=True):
        if cost.kind in found:
            found[cost.kind].append(hops.figures)
    return found


def run(*, seeds: int = 3) -> Section:
    """Play some games and take the median of each figure."""
    play(99)  # what runs once a process does not belong to a tap
    games = [play(seed) for seed in range(1, seeds + 1)]
    rows: list[list[object]] = []
    for kind, reach in REACH.items():
        figures = [each for game in games for each in game[kind]]
        middle = [round(median(column)) for column in zip(*figures, strict=True)]
        shown = [f"{one} ({most})" for one, most in zip(middle, reach, strict=True)]
        rows.append([kind, len(figures), *shown])
    return Section(
        "Hops of a tap",
        f"""The code that a tap runs in our packages (`ai`, `bot`, `engine`, `handlers`, `infra`),
        counted with `sys.setprofile` in {seeds} whole random classic games of seven: the median of each
        figure, and the goal in brackets. A *jump* is a call from one of our files into another.""",
        table(["", "taps", "files", "functions", "calls", "jumps"], rows),
    )
