"""Count the lines and files of Python in the parts of the project."""

from pathlib import Path

from sandbox.measurements import table

ROOT = Path(__file__).resolve().parent.parent.parent
#: By part: its folders, the lines on 2026-11-27, and the most lines (None: by the product).
PARTS: dict[str, tuple[tuple[str, ...], int, int | None]] = {
    "product": (("engine", "ai", "bot", "handlers", "infra", "local", "operate", "scripts"), 41_239, 34_000),
    "sandbox": (("sandbox",), 16_021, 11_000),
    "tests": (("tests",), 57_549, None),
}
#: The most lines of tests for each line of the product.
TESTS = 1.3


def run() -> list[str]:
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
