"""``python -m sandbox``: the bot on a desk, by commands.

A command's module has ``add_arguments(parser)`` and ``run(args)``, and is imported only for that command.
"""

import argparse
import sys
from importlib import import_module

from scripts.catalogues import compile_all

#: By command: its module, and what it does.
COMMANDS = {
    "play": ("sandbox.play", "the page: play any seat in the browser"),
    "game": ("sandbox.game", "one whole game without a page"),
    "balance": ("sandbox.balance", "who wins how often, in every ruleset"),
    "explainable": ("sandbox.explainable", "write a game of computers for `python -m ai.explain`"),
    "duels": ("sandbox.duels", "computers of one level against another, into docs/computers.md"),
    "bench": ("sandbox.bench", "measure, and write docs/measurements.md"),
    "faults": ("sandbox.faults", "whole games with everything going wrong"),
    "fair-deal": ("sandbox.fair_deal", "what an operator can do to a deal"),
    "storm": ("sandbox.storm", "more games at once than Telegram lets one bot write to"),
    "crowd": ("sandbox.crowd", "two hundred rooms at once"),
}


def main(arguments: list[str]) -> int | None:
    """Run the command that was asked for; its exit status."""
    compile_all()
    parser = argparse.ArgumentParser(prog="python -m sandbox", description="chancellery on a desk")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (module, what) in COMMANDS.items():
        command = commands.add_parser(name, help=what)
        if arguments[:1] == [name]:
            import_module(module).add_arguments(command)
    args = parser.parse_args(arguments)
    status: int | None = import_module(COMMANDS[args.command][0]).run(args)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
