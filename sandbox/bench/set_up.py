"""Measure setting up a fresh clone: the time to the page's first answer, and the size of the installation."""

import os
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from sandbox.measurements import ROOT, table
from sandbox.ports import free_ports

#: Seconds after which the installation fails.
INSTALL_SECONDS = 900


def run() -> list[str]:
    """Clone the last commit twice: one clone plays, the other installs everything. Needs a package index.

    Raises RuntimeError if the page does not answer.
    """
    with tempfile.TemporaryDirectory() as folder:
        playing, everything = Path(folder, "playing"), Path(folder, "everything")
        for clone in (playing, everything):
            subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        played = time_play(playing)
        began, install = time.monotonic(), ["make", "install"]
        subprocess.run(install, cwd=everything, env=environment(), stdout=subprocess.DEVNULL, check=True)
        installed = time.monotonic() - began
        figures = (
            ("`make play`, to the page's first answer", played, _megabytes(playing / ".venv")),
            ("`make install`: everything", installed, _megabytes(everything / ".venv")),
        )
    rows = [[name, f"{took:.0f}", f"{took / installed:.2f}", f"{size:.0f}"] for name, took, size in figures]
    return table(["", "seconds", "times", "MB"], rows)


def environment() -> dict[str, str]:
    """Return the environment without variables of make or of a virtual environment."""
    left_out = ("MAKE", "MFLAGS", "VENV", "VIRTUAL_ENV", "PYTHONPATH")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    return {**kept, "PIP_NO_CACHE_DIR": "1"}


def time_play(clone: Path) -> float:
    """Return the seconds from ``make play`` to the page's first answer. Raises RuntimeError if none comes."""
    (port,) = free_ports(1)
    began = time.monotonic()
    process = subprocess.Popen(
        ["make", "play", f"ARGS=--port {port}"],
        cwd=clone,
        env=environment(),
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        while time.monotonic() - began < INSTALL_SECONDS and process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}", timeout=10):
                    return time.monotonic() - began
            except (urllib.error.URLError, TimeoutError, ConnectionError):
                time.sleep(0.1)
        raise RuntimeError("the page did not answer")
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
        process.wait(30)


def _megabytes(folder: Path) -> float:
    """Return the disk usage of a folder in megabytes."""
    return sum(path.lstat().st_blocks for path in folder.rglob("*")) * 512 / 2**20
