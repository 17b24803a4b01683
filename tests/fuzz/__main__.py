"""``python -m tests.fuzz``: see the package."""

import argparse
import sys
import time

from sandbox.measurements import table, write
from tests.fuzz.run import BLOCK, HANDLED, Tally, run


def main() -> int:
    """Send updates by number, print the results, and write them on request; return 1 if something failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("range", help="FROM:TO, a count, or with --only one number")
    parser.add_argument("--only", action="store_true", help="send only the update with this number")
    parser.add_argument("--write", action="store_true", help="write the result to docs/measurements.md")
    asked = parser.parse_args()
    first, _, last = asked.range.rpartition(":")
    low, high = int(first or 0), int(last)
    if asked.only:
        low, high = high, high + 1
    tally, began = Tally(), time.monotonic()
    for reached in run(low, high, tally):
        if reached % (25 * BLOCK) == 0:
            so_far = f"{reached - low} updates, {len(tally.failures)} failures"
            print(f"{so_far}; continue with {reached}:{high}", flush=True)
        if len(tally.failures) > 20:
            break
    for failure in tally.failures[:5]:
        print(
            f"{failure}\n    again: python -m tests.fuzz --only {failure.partition(':')[0]}", file=sys.stderr
        )
    print(f"{tally.updates} updates, {len(tally.failures)} failures, {time.monotonic() - began:.0f} s")
    if asked.write and not tally.failures:
        write("Fuzzing", _lines(low, tally), f"make fuzz UPDATES={low}:{high} ARGS=--write")
    return 1 if tally.failures else 0


def _lines(first: int, tally: Tally) -> list[str]:
    main_kinds = HANDLED
    rows: list[tuple[object, ...]] = [
        (f"`{kind}`", f"{tally.kinds[kind]:,}", f"{tally.changed[kind]:,}") for kind in main_kinds
    ]
    others = [kind for kind in tally.kinds if kind not in main_kinds]
    seen, changed = (sum(counts[kind] for kind in others) for counts in (tally.kinds, tally.changed))
    rows.append((f"{len(others)} other kinds", f"{seen:,}", f"{changed:,}"))
    rows.append(("**all**", f"{tally.updates:,}", f"{tally.changed.total():,}"))
    return [
        *table(("update", "seen", "changed something"), rows),
        "",
        f"From number {first:,} on: {tally.worlds:,} worlds, {tally.ended} games then played to their end.",
        f"{tally.failed:,} updates could not be read and were logged. Failures: {len(tally.failures)}.",
    ]


if __name__ == "__main__":
    sys.exit(main())
