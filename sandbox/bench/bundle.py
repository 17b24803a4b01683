"""Measure the size of the bundle that ships."""

import tempfile
from pathlib import Path

from sandbox.lambda_runtime import build_bundle
from sandbox.measurements import table


def run() -> list[str]:
    """Build the bundle for the deployed processor, and measure it."""
    with tempfile.TemporaryDirectory() as scratch:
        files = build_bundle(Path(scratch) / "task", arch="arm64").rglob("*")
        size = sum(path.stat().st_size for path in files if path.is_file())
    return table(["", "MB"], [["everything", f"{size / 1e6:.1f}"]])
