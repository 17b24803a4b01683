"""Write ``docs/measurements.md``: one section per measurement, replaced when the measurement is repeated."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from os import cpu_count
from pathlib import Path
from textwrap import fill

from scripts.release import MEASURED, PRODUCT, stamp

REPORT = Path(__file__).resolve().parent.parent / "docs" / "measurements.md"
HEAD = """# Measurements

Each section is written by the command named in it, and replaced when that command runs again. The goals are
beside the results. Machines differ, and some were busy with other work: compare the figures of one section,
not milliseconds of different days.
"""


@dataclass(frozen=True, slots=True)
class Section:
    """One measurement in the report."""

    title: str
    #: How it was measured, and the goal.
    method: str
    #: The results, as Markdown.
    lines: Sequence[str]


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """Return a Markdown table as lines. The first column is aligned left, the others right."""
    marks = ["---", *["---:"] * (len(head) - 1)]
    return [f"| {' | '.join(map(str, row))} |" for row in (head, marks, *rows)]


def write(section: Section, command: str, path: Path = REPORT) -> None:
    """Write a section into the report with date, machine, code and command.

    It replaces the section of the same title, or becomes the last one. By the code's mark,
    ``scripts/release.py`` knows whether the code has changed since.
    """
    text = path.read_text(encoding="utf-8") if path.exists() else HEAD
    head, *found = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    sections = {part.splitlines()[0].removeprefix("## "): part.strip() for part in found}
    code = stamp(MEASURED.get(section.title, PRODUCT))
    measured = f"*{datetime.now(UTC):%Y-%m-%d}, {machine()}, {code}: `{command}`*"
    method = fill(" ".join(section.method.split()), 118)
    parts = [f"## {section.title}", measured, method, "\n".join(section.lines)]
    sections[section.title] = "\n\n".join(parts).strip()
    path.write_text("\n\n".join([head.strip(), *sections.values()]) + "\n", "utf-8")


def machine() -> str:
    """Describe the machine: processor, cores, system, Python."""
    model = ""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        found = re.search(r"^model name\s*:\s*(.+)$", cpuinfo.read_text(), re.MULTILINE)
        model = found[1] if found else ""
    python = ".".join(map(str, sys.version_info[:3]))
    cores = cpu_count()
    return f"{model or platform.machine()}, {cores} cores, {platform.system()}, Python {python}"
