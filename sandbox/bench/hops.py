"""Count the files, functions and calls of our code in one tap, and the jumps between files."""

import sys
from statistics import median
from types import CodeType, FrameType
from typing import Any

from sandbox.bench.measured_games import MeasuredHarness, play
from sandbox.measurements import ROOT, table
from sandbox.telegram import Response

#: The packages that ship.
OURS = tuple(f"{ROOT / package}/" for package in ("ai", "bot", "engine", "handlers", "infra"))
#: The number of games.
SEEDS = 3
#: The goals by kind of tap: files, functions, calls and jumps.
REACH = {"answer, nothing sent": (35, 130, 400, 200), "answer, something sent": (55, 300, 1800, 800)}


class Tracer:
    """Count calls of our functions. Other code between two of our functions does not count."""

    def __init__(self) -> None:
        self._functions: set[CodeType] = set()
        self._calls = self._jumps = 0
        self._ours: dict[CodeType, bool] = {}
        self._file = ""

    @property
    def figures(self) -> tuple[int, int, int, int]:
        """Return (files, functions, calls, jumps). A jump is a call from one of our files into another."""
        files = {code.co_filename for code in self._functions}
        return len(files), len(self._functions), self._calls, self._jumps

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Note a call or a return that ``sys.setprofile`` reports."""
        if event not in ("call", "return"):
            return
        code = frame.f_code
        ours = self._ours.get(code)
        if ours is None:
            ours = self._ours[code] = code.co_filename.startswith(OURS) and code.co_name != "<module>"
        if not ours:
            return
        if event == "call":
            self._calls += 1
            self._functions.add(code)
            self._jumps += bool(self._file) and code.co_filename != self._file
            self._file = code.co_filename
        else:
            caller = frame.f_back
            while caller is not None and not self._ours.get(caller.f_code, False):
                caller = caller.f_back
            self._file = "" if caller is None else caller.f_code.co_filename


def figures_by_kind(seed: int) -> dict[str, list[tuple[int, int, int, int]]]:
    """Play a random classic game of seven; return each tap's figures by kind of tap."""
    found: dict[str, list[tuple[int, int, int, int]]] = {kind: [] for kind in REACH}

    def watch(harness: MeasuredHarness) -> None:
        post = harness.post

        def traced(update: dict[str, Any], headers: dict[str, str]) -> Response:
            tracer = Tracer()
            sys.setprofile(tracer)
            try:
                return post(update, headers)
            finally:
                sys.setprofile(None)
                found.setdefault(harness.costs[-1].kind, []).append(tracer.figures)

        harness.post = traced  # type: ignore[method-assign]

    play("classic", 7, seed, watch=watch)
    return found


def run() -> list[str]:
    """Play some games, and return the median of each figure."""
    figures_by_kind(99)  # so that code that runs once per process does not count
    games = [figures_by_kind(seed) for seed in range(1, SEEDS + 1)]
    rows: list[list[object]] = []
    for kind, reach in REACH.items():
        figures = [each for game in games for each in game[kind]]
        middle = [round(median(column)) for column in zip(*figures, strict=True)]
        shown = [f"{one} ({most})" for one, most in zip(middle, reach, strict=True)]
        rows.append([kind, len(figures), *shown])
    return table(["", "taps", "files", "functions", "calls", "jumps"], rows)
