"""Measure the size of the bundle that ships."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

from sandbox.lambda_runtime import build_bundle
from sandbox.measurements import Section, table

#: How many of the largest packages to list.
NAMED = 8


def sizes_in(folder: Path) -> Counter[str]:
    """Return the bytes of each file and folder at the top of ``folder``."""
    sizes: Counter[str] = Counter()
    for path in folder.rglob("*"):
        if path.is_file():
            sizes[path.relative_to(folder).parts[0]] += path.stat().st_size
    return sizes


def run() -> Section:
    """Build the bundle for the deployed processor, and measure its packages."""
    with tempfile.TemporaryDirectory() as scratch:
        sizes = sizes_in(build_bundle(Path(scratch) / "task", arch="arm64"))
    largest = [[name, f"{size / 1e6:.1f}"] for name, size in sizes.most_common(NAMED)]
    ours = sum(sizes[name] for name in ("ai", "bot", "engine", "handlers", "infra"))
    return Section(
        "Bundle",
        """The files that `sam build` ships for one function (arm64), unzipped, with bytecode. Nothing is
        removed by hand. Goal: 80 MB.""",
        [
            *table(["", "MB"], [["everything", f"{sum(sizes.values()) / 1e6:.1f}"], *largest]),
            "",
            f"`ai`, `engine`, `handlers` and `infra` together: {ours / 1e6:.1f} MB.",
        ],
    )
