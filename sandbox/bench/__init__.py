"""``python -m sandbox bench``: measure speed, sizes and cost, and write ``docs/measurements.md``.

Each module measures one thing. Its ``run()`` returns the results of a section as Markdown. The report itself
says how each is measured, and the goals.
"""

import argparse
from importlib import import_module

from sandbox.lambda_runtime import ToolMissing
from sandbox.measurements import write

#: By module, the title of its section, in the order in which they run.
SECTIONS = {
    "engine": "Engine speed",
    "taps": "One tap",
    "hops": "Hops of a tap",
    "store": "Requests to the table",
    "sizes": "Item size",
    "growth": "Growth",
    "neighbours": "Neighbours",
    "messages": "Messages in a game",
    "picture": "Board picture",
    "bundle": "Bundle",
    "cold": "Cold start and memory",
    "cost": "Cost",
    "set-up": "Set-up",
    "house": "Size of the house",
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
        print(f"{name} ...", flush=True)
        try:
            lines = import_module(f"sandbox.bench.{name.replace('-', '_')}").run()
        except ToolMissing as missing:
            print(f"{name}: not measured, because this is not installed: {missing}")
            status = 1
            continue
        write(SECTIONS[name], lines, f'make bench ARGS="--only {name}"')
        print("\n".join(lines), flush=True)
    return status
