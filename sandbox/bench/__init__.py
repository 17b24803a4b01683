"""``python -m sandbox bench``: measure speed, sizes and cost, and write ``docs/measurements.md``.

Each module measures one thing. Its ``run()`` returns a section of the report.
"""

import argparse
from importlib import import_module

from sandbox.lambda_runtime import ToolMissing
from sandbox.measurements import write

#: The module of each section, in the order in which they run.
SECTIONS = {
    "engine": "sandbox.bench.engine",
    "taps": "sandbox.bench.taps",
    "hops": "sandbox.bench.hops",
    "store": "sandbox.bench.store",
    "sizes": "sandbox.bench.sizes",
    "growth": "sandbox.bench.growth",
    "neighbours": "sandbox.bench.neighbours",
    "messages": "sandbox.bench.messages",
    "picture": "sandbox.bench.picture",
    "bundle": "sandbox.bench.bundle",
    "cold": "sandbox.bench.cold",
    "cost": "sandbox.bench.cost",
    "set-up": "sandbox.bench.set_up",
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
            section = import_module(SECTIONS[name]).run()
        except ToolMissing as missing:
            print(f"{name}: not measured, because this is not installed: {missing}")
            status = 1
            continue
        write(section, f'make bench ARGS="--only {name}"')
        print("\n".join(section.lines), flush=True)
    return status
