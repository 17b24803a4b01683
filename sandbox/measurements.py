"""Compute shares with intervals, and write results into the pages of ``docs``.

The texts of these pages are written by hand. A command replaces only its figures, in ``docs/measurements.md``
or below a page's mark.
"""

import platform
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import sqrt
from os import cpu_count
from pathlib import Path

from scripts.release import MEASURED, PRODUCT, stamp

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
REPORT = DOCS / "measurements.md"
#: Commands rewrite the lines below the line that begins like this.
MARK = "<!-- Everything below is written by "


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """Return a Markdown table as lines. The first column is aligned left, the others right."""
    marks = ["---", *["---:"] * (len(head) - 1)]
    return [f"| {' | '.join(map(str, row))} |" for row in (head, marks, *rows)]


def write(title: str, lines: Sequence[str], command: str, path: Path = REPORT) -> None:
    """Replace a section's results in the report, and note date, machine, code and command.

    The section's first paragraph says how it is measured, and the goal. It stays. By the code's mark,
    ``scripts/release.py`` knows whether the code has changed since.
    """
    sections = re.split(r"^(?=## )", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    (place,) = (at for at, section in enumerate(sections) if section.startswith(f"## {title}\n"))
    heading, _, method, *_ = sections[place].strip().split("\n\n")
    code = stamp(MEASURED.get(title, PRODUCT))
    measured = f"*{datetime.now(UTC):%Y-%m-%d}, {machine()}, {code}: `{command}`*"
    sections[place] = "\n\n".join([heading, measured, method, "\n".join(lines)])
    path.write_text("\n\n".join(section.strip() for section in sections) + "\n", "utf-8")


def write_below_mark(path: Path, lines: Sequence[str]) -> None:
    """Replace everything below a page's mark."""
    text, mark, rest = path.read_text(encoding="utf-8").partition(MARK)
    path.write_text("\n".join([text + mark + rest.partition("\n")[0], "", *lines]), encoding="utf-8")


def machine() -> str:
    """Describe the machine: processor, cores, system, Python."""
    cpuinfo = Path("/proc/cpuinfo")
    text = cpuinfo.read_text() if cpuinfo.exists() else ""
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    model = found[1] if found else platform.machine()
    python = ".".join(map(str, sys.version_info[:3]))
    cores = cpu_count()
    return f"{model}, {cores} cores, {platform.system()}, Python {python}"


#: The quantile for 95 % of a normal distribution.
Z = 1.96


@dataclass(frozen=True, slots=True)
class Share:
    """A share with the ends of its 95 % interval, each from 0 to 1."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.value:.1f} % ({100 * self.low:.1f}–{100 * self.high:.1f})"


def share(wins: int, games: int) -> Share:
    """Return a share with Wilson's interval, which also holds near 0 and 1."""
    value = wins / games
    middle = (value + Z * Z / (2 * games)) / (1 + Z * Z / games)
    half = Z * sqrt(value * (1 - value) / games + Z * Z / (4 * games * games)) / (1 + Z * Z / games)
    return Share(value, max(0.0, middle - half), min(1.0, middle + half))


class Difference(Share):
    """How much more often one cell won than another in the same deals, from -1 to 1, with its interval."""

    def __str__(self) -> str:
        return f"{100 * self.value:+.1f} ({100 * self.low:+.1f} … {100 * self.high:+.1f})"


def difference(one: Sequence[bool], other: Sequence[bool]) -> Difference:
    """Return ``one`` minus ``other``, with a 95 % interval by the deals in which they differ (McNemar).

    >>> str(difference([True, True, False, True], [True, False, False, False]))
    '+50.0 (+1.0 … +99.0)'
    """
    games = min(len(one), len(other))
    pairs = list(zip(one[:games], other[:games], strict=True))
    gained = sum(a and not b for a, b in pairs)
    lost = sum(b and not a for a, b in pairs)
    value = (gained - lost) / games
    half = Z * sqrt(max(0.0, gained + lost - (gained - lost) ** 2 / games)) / games
    return Difference(value, value - half, value + half)
