"""Add up, print and store the results of many seeds."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sandbox.cloud.faults import Fault
from sandbox.results_file import append_line, read_lines

from .seed_run import Outcome


@dataclass(slots=True)
class Totals:
    """The results of many seeds."""

    seeds: int = 0
    failed: list[int] = field(default_factory=list)
    invocations: int = 0
    steps: int = 0
    doubled: int = 0
    hours: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    rulesets: Counter[str] = field(default_factory=Counter)
    #: Seeds by the commit whose code played them.
    code: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: Outcome, commit: str) -> None:
        """Add the result of a seed, played with the code of ``commit``."""
        self.seeds += 1
        self.failed += [outcome.seed] if outcome.broken else []
        self.invocations += outcome.invocations
        self.steps += outcome.steps
        self.doubled += outcome.doubled
        self.hours += outcome.hours
        self.faults.update({fault.name: count for fault, count in outcome.faults.items()})
        self.rulesets[outcome.setup.partition("@")[0]] += 1
        self.code[commit] += 1

    def __iadd__(self, other: Totals) -> Totals:
        for name in ("seeds", "failed", "invocations", "steps", "doubled", "hours"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.faults.update(other.faults)
        self.rulesets.update(other.rulesets)
        self.code.update(other.code)
        return self

    def lines(self) -> list[str]:
        """Return the totals as lines of Markdown."""
        games = ", ".join(f"{name} {count:,}" for name, count in sorted(self.rulesets.items()))
        code = ", ".join(f"{commit} {count:,}" for commit, count in self.code.items())
        faults = {fault: self.faults[fault.name] for fault in Fault if fault is not Fault.NONE}
        head = [
            f"{self.seeds:,} seeds, {len(self.failed)} failed; games: {games}.",
            f"Seeds by the commit they were played with: {code}.",
            f"{self.steps:,} steps of games in {self.hours:,.0f} virtual hours.",
            f"{self.invocations:,} invocations of the entries.",
            f"{sum(faults.values()):,} faults; {self.doubled:,} messages doubled, where that is allowed.",
            "",
            "| fault | how often |",
            "| --- | ---: |",
        ]
        return head + [f"| {fault} | {count:,} |" for fault, count in faults.items()]

    def as_dict(self) -> dict[str, Any]:
        """Return the totals as plain data for JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @classmethod
    def of(cls, data: dict[str, Any]) -> Totals:
        """Return totals from what ``as_dict`` returned."""
        counted = {name: Counter(data[name]) for name in ("faults", "rulesets", "code")}
        return cls(**{**data, **counted})


def commit() -> str:
    """Return the short hash of the current commit, with ``+`` if files have changed since; "?" if unknown."""
    describe = ("git", "describe", "--always", "--dirty=+")
    try:
        found = subprocess.run(
            describe, cwd=Path(__file__).parent, capture_output=True, text=True, check=False
        )
    except OSError:  # no git here
        return "?"
    return found.stdout.strip() or "?"


def save_totals(path: Path, block: range, totals: Totals) -> None:
    """Append the totals of a block of seeds to a file."""
    append_line(path, {"first": block.start, "last": block.stop, **totals.as_dict()})


def load_totals(path: Path) -> dict[range, Totals]:
    """Return the newest totals of each block of seeds in a file."""
    return {range(line.pop("first"), line.pop("last")): Totals.of(line) for line in read_lines(path)}


def added_up(parts: Iterable[Totals]) -> Totals:
    """Return the sum of several totals."""
    total = Totals()
    for part in parts:
        total += part
    return total
