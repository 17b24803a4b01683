"""``python -m sandbox``: run the bot on this machine without Telegram, to play, test and measure it.

A command's module has ``add_arguments(parser)`` and ``run(args)``, and is imported only for that command.
"""

import argparse
import sys
from importlib import import_module

from scripts.catalogues import compile_all

#: The module of each command, and a description.
COMMANDS = {
    "play": ("sandbox.play", "open a page and play any seat in the browser"),
    "game": ("sandbox.game", "play one whole game without a page"),
    "balance": ("sandbox.balance", "measure how often each party wins, in every ruleset"),
    "explainable": ("sandbox.explainable", "write a game of computers for `python -m ai.explain`"),
    "duels": ("sandbox.duels", "let levels of computers play each other, and write docs/computers.md"),
    "bench": ("sandbox.bench", "measure speed, sizes and cost, and write docs/measurements.md"),
    "faults": ("sandbox.faults", "play whole games while requests fail and processes die"),
    "fair-deal": ("sandbox.fair_deal", "measure what an operator can do to a deal"),
    "storm": ("sandbox.storm", "play more games at once than Telegram lets one bot write to"),
    "crowd": ("sandbox.crowd", "play two hundred rooms at once"),
}


def main(arguments: list[str]) -> int | None:
    """Run the command that was asked for; its exit status."""
    compile_all()
    parser = argparse.ArgumentParser(
        prog="python -m sandbox", description="Run chancellery on this machine without Telegram."
    )
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
