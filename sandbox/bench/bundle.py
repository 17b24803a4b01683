"""How large what ships is."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

from sandbox.lambda_runtime import build_bundle
from sandbox.measurements import Section, table

#: How many of the largest packages are named.
NAMED = 8


def weigh(folder: Path) -> Counter[str]:
    """Bytes by what lies at the game of a folder."""
    sizes: Counter[str] = Counter()
    for path in folder.rglob("*"):
        if path.is_file():
            sizes[path.relative_to(folder).parts[0]] += path.stat().st_size
    return sizes


def run() -> Section:
    """Build it for the processor that the template names, and weigh it."""
    with tempfile.TemporaryDirectory() as scratch:
        sizes = weigh(build_bundle(Path(scratch) / "task", arch="arm64"))
    largest = [[name, f"{size / 1e6:.1f}"] for name, size in sizes.most_common(NAMED)]
    ours = sum(sizes[name] for name in ("ai", "bot", "engine", "handlers", "infra"))
    return Section(
        "Bundle",
        """The files that `sam build` ships for one function (arm64), unzipped, bytecode included,
        nothing pruned by hand. Goal: 80 MB.""",
        [
            *table(["", "MB"], [["all of it", f"{sum(sizes.values()) / 1e6:.1f}"], *largest]),
            "",
            f"`ai`, `engine`, `handlers` and `infra` together: {ours / 1e6:.1f} MB.",
        ],
    )
