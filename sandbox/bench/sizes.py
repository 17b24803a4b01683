"""Measure sizes: of a room's item at the end of a game, of the bundle, and of the project's parts."""

import tempfile
from pathlib import Path
from statistics import median

from sandbox.bench.measured_games import named, play
from sandbox.item_size import item_size
from sandbox.lambda_runtime import build_bundle
from sandbox.measurements import ROOT, table

#: (ruleset, players, options, goal for the item in KB)
GAMES = (
    ("classic", 7, "none", None),
    ("classic", 10, "none", 4),
    ("red-dawn", 12, "all", None),
    ("xl", 16, "all", 8),
)


def measure_items() -> list[str]:
    """Measure the items after whole games."""
    rows = []
    for ruleset, players, options, reach in GAMES:
        sizes = [item_size(play(ruleset, players, seed, options).item()) for seed in range(1, 11)]
        goal = "" if reach is None else reach * 1024
        rows.append([named(ruleset, players, options), round(median(sizes)), max(sizes), goal])
    return table(["", "median", "largest", "goal"], rows)


def measure_bundle() -> list[str]:
    """Build the bundle for the deployed processor, and measure it."""
    with tempfile.TemporaryDirectory() as scratch:
        files = build_bundle(Path(scratch) / "task", arch="arm64").rglob("*")
        size = sum(path.stat().st_size for path in files if path.is_file())
    return table(["", "MB"], [["everything", f"{size / 1e6:.1f}"]])


#: By part: its folders, the lines on 2026-11-27, and the most lines (None: by the product).
PARTS: dict[str, tuple[tuple[str, ...], int, int | None]] = {
    "product": (("engine", "ai", "bot", "handlers", "infra", "local", "operate", "scripts"), 41_239, 34_000),
    "sandbox": (("sandbox",), 16_021, 11_000),
    "tests": (("tests",), 57_549, None),
}
#: The most lines of tests for each line of the product.
TESTS = 1.3


def count_lines() -> list[str]:
    """Count all lines, with comments and empty ones."""
    rows: list[list[object]] = []
    product = 0
    for part, (folders, before, most) in PARTS.items():
        files = [file for folder in folders for file in (ROOT / folder).rglob("*.py")]
        lines = sum(file.read_bytes().count(b"\n") for file in files)
        product = product or lines
        goal = round(TESTS * product) if most is None else most
        rows.append([part, f"{before:,}", f"{lines:,}", f"{goal:,}", len(files)])
    return table(["", "lines before", "lines", "goal", "files"], rows)
