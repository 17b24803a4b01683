"""Draw mutants of the engine, the rooms and the outbox, and count how many the tests kill.

mutmut makes the mutants, and runs the tests that reach them. ``[tool.mutmut]`` in pyproject.toml names the
code and the tests. ``make mutants`` runs this in an environment with mutmut.
"""

import argparse
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping

from sandbox.measurements import table, write

#: mutmut's verdicts that count as killed.
KILLED = frozenset({"killed", "timeout", "suspicious", "segfault", "caught by type check"})
UNREACHED = "no tests"


def results() -> dict[str, str]:
    """Return mutmut's verdict on each mutant by its name; ``not checked`` for those that were not run."""
    said = _mutmut("results", "--all", "true").stdout
    pairs = (line.strip().partition(": ") for line in said.splitlines() if ": " in line)
    return {name: verdict for name, _, verdict in pairs}


def summary(verdicts: Mapping[str, str]) -> list[tuple[str, int, int, int, str]]:
    """Return a row for each package, and one for all: name, mutants, survived, unreached, share killed."""
    packages = Counter(_package(name) for name in verdicts)
    rows = []
    for package in (*sorted(packages), ""):
        said = [verdict for name, verdict in verdicts.items() if package in ("", _package(name))]
        killed = sum(verdict in KILLED for verdict in said)
        unreached = sum(verdict == UNREACHED for verdict in said)
        share = f"{killed / len(said):.1%}" if said else "–"
        label = f"`{package}`" if package else "all"
        rows.append((label, len(said), len(said) - killed - unreached, unreached, share))
    return rows


def main() -> int:
    """Run the command; return 1 if fewer than 90 % of the mutants were killed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=600, help="how many mutants (default: 600)")
    parser.add_argument("--seed", type=int, default=38, help="seed of the draw (default: 38)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    asked = parser.parse_args()
    # The first run makes all mutants, notes which test reaches which, and checks one mutant.
    _mutmut("run", "engine.events.x_seen__mutmut_1", "--max-children", "1")
    names = sorted(results())
    drawn = random.Random(asked.seed).sample(names, min(asked.count, len(names)))
    _mutmut("run", *drawn, "--max-children", str(asked.jobs))
    after = results()
    verdicts = {name: after[name] for name in drawn}
    for name, verdict in sorted(verdicts.items()):
        if verdict not in KILLED:
            print(f"{verdict}: {name}")
    rows = summary(verdicts)
    head = ["", "mutants", "survived", "unreached", "killed"]
    write("Mutants", table(head, rows), f"make mutants ARGS='--seed {asked.seed}'")
    killed = sum(verdict in KILLED for verdict in verdicts.values())
    print(f"{killed} of {len(verdicts)} mutants killed, out of {len(names)}")
    return 0 if killed >= 0.9 * len(verdicts) else 1


def _package(name: str) -> str:
    """Return a mutant's package: ``bot/rooms`` for ``bot.rooms.names.x_f__mutmut_1``."""
    return next(package for package in ("engine", "bot/rooms", "infra/outbox") if _is_in(name, package))


def _is_in(name: str, package: str) -> bool:
    return name.startswith(package.replace("/", ".") + ".")


def _mutmut(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "mutmut", *arguments], check=False, capture_output=True, text=True
    )


if __name__ == "__main__":
    sys.exit(main())
