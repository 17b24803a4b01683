"""``python -m sandbox bench``: measure speed, sizes and cost, and write ``docs/measurements.md``.

Each module measures one thing. Its ``run()`` returns a section of the report.
"""

import argparse
from importlib import import_module

from sandbox.lambda_runtime import ToolMissing
from sandbox.measurements import write

#: The sections, in the order in which they run. Each has a module of its name.
SECTIONS = (
    *("engine", "taps", "hops", "store", "sizes", "growth", "neighbours", "messages"),
    *("picture", "bundle", "cold", "cost", "set-up"),
)


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
            section = import_module(f"sandbox.bench.{name.replace('-', '_')}").run()
        except ToolMissing as missing:
            print(f"{name}: not measured, because this is not installed: {missing}")
            status = 1
            continue
        write(section, f'make bench ARGS="--only {name}"')
        print("\n".join(section.lines), flush=True)
    return status
