"""``python -m sandbox``: run the bot on this machine without Telegram, to play, test and measure it.

Each command is a module with ``add_arguments(parser)`` and ``run(args)``. Only the requested one is imported.
"""

import argparse
import sys
from importlib import import_module

from scripts.catalogues import compile_all

#: Each command's module and help text.
COMMANDS = {
    "play": ("sandbox.play", "open a page and play any seat in the browser"),
    "game": ("sandbox.game", "play one whole game without a page"),
    "balance": ("sandbox.research.balance", "measure how often each party wins, and write docs/balance.md"),
    "explainable": ("sandbox.explainable", "write a game to a file for `python -m ai.explain`"),
    "duels": (
        "sandbox.research.duels",
        "let levels of computers play each other; write docs/computers.md",
    ),
    "bench": ("sandbox.bench", "measure speed, sizes and cost, and write docs/measurements.md"),
    "faults": ("sandbox.faults", "play whole games in which requests fail and processes die"),
    "fair-deal": ("sandbox.fair_deal", "measure how far an operator can influence a deal"),
    "storm": ("sandbox.storm", "overload the bot: more games at once than Telegram lets one bot serve"),
    "crowd": ("sandbox.crowd", "play two hundred rooms at once on a local DynamoDB"),
}


def main(arguments: list[str]) -> int | None:
    """Run the command in ``arguments``; return its exit status."""
    compile_all()
    parser = argparse.ArgumentParser(
        prog="python -m sandbox", description="Run chancellery on this machine without Telegram."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (module, description) in COMMANDS.items():
        command = commands.add_parser(name, help=description)
        if arguments[:1] == [name]:
            import_module(module).add_arguments(command)
    args = parser.parse_args(arguments)
    status: int | None = import_module(COMMANDS[args.command][0]).run(args)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
