"""``python -m sandbox``: the bot on a desk, by commands."""

import argparse
import json

from sandbox.game import play, transcript


def main() -> None:
    """Run the command that was asked for."""
    parser = argparse.ArgumentParser(prog="python -m sandbox", description="chancellery on a desk")
    commands = parser.add_subparsers(dest="command", required=True)
    game = commands.add_parser("game", help="one whole game without a page")
    game.add_argument("--ruleset", default="classic")
    game.add_argument("--players", type=int, default=7)
    game.add_argument("--options", default="none", help="none, all, or names with commas")
    game.add_argument("--seed", type=int, default=1)
    game.add_argument("--json", action="store_true", help="one line of figures instead of the transcript")
    args = parser.parse_args()
    played, top = play(args.ruleset, args.players, args.seed, args.options)
    print(json.dumps(played.as_dict()) if args.json else transcript(top))


if __name__ == "__main__":
    main()
