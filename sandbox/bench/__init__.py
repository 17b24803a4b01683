"""``python -m sandbox bench``: measure speed, sizes and cost, and write ``docs/measurements.md``.

Each function in ``SECTIONS`` returns the results of a section as Markdown. The report itself says how each is
measured, and the goals.
"""

import argparse
from importlib import import_module

from sandbox.lambda_runtime import ToolMissing
from sandbox.measurements import write

#: By name, the title of a section and the function that measures it, in the order in which they run.
SECTIONS = {
    "engine": ("Engine speed", "engine.run"),
    "taps": ("One tap", "taps.run"),
    "hops": ("Hops of a tap", "hops.run"),
    "store": ("Requests to the table", "taps.count_requests"),
    "sizes": ("Item size", "sizes.measure_items"),
    "growth": ("Growth", "growth.run"),
    "neighbours": ("Neighbours", "neighbours.run"),
    "messages": ("Messages in a game", "messages.run"),
    "picture": ("Board picture", "picture.run"),
    "bundle": ("Bundle", "sizes.measure_bundle"),
    "cold": ("Cold start and memory", "cold.run"),
    "cost": ("Cost", "cost.run"),
    "set-up": ("Set-up", "set_up.run"),
    "house": ("Size of the house", "sizes.count_lines"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "--only", action="append", choices=SECTIONS, help="measure only this section; may be repeated"
    )


def run(args: argparse.Namespace) -> int:
    """Measure the sections; return 1 if a tool is missing for one of them."""
    status = 0
    for name in args.only or SECTIONS:
        title, place = SECTIONS[name]
        module, function = place.split(".")
        print(f"{name} ...", flush=True)
        try:
            lines = getattr(import_module(f"sandbox.bench.{module}"), function)()
        except ToolMissing as missing:
            print(f"{name}: not measured, because this is not installed: {missing}")
            status = 1
            continue
        write(title, lines, f'make bench ARGS="--only {name}"')
        print("\n".join(lines), flush=True)
    return status
