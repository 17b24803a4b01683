"""``python -m sandbox play``: serve a page on which one person plays against computers, or any seat."""

import argparse
import asyncio
import contextlib
import webbrowser

from engine import OFFERED
from sandbox.page.server import FEWEST, MOST, Page
from sandbox.page.session import PageSettings

PORT = 8080


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--players",
        type=int,
        default=7,
        choices=range(FEWEST, MOST + 1),
        metavar="N",
        help="number of seats (default: 7)",
    )
    parser.add_argument(
        "--ruleset", choices=[rules.name for rules in OFFERED], help="open a lobby with this ruleset"
    )
    parser.add_argument("--port", type=int, default=None, help=f"default: {PORT}, or any free one")
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: only this machine)"
    )
    parser.add_argument("--open", action="store_true", help="open the page in a browser")
    parser.add_argument(
        "--people",
        action="store_true",
        help="fill the other seats with simulated people instead of the bot's computers",
    )
    parser.add_argument("--by-hand", action="store_true", help="like --people, but you act for all of them")


def run(args: argparse.Namespace) -> None:
    """Serve the page until Ctrl-C."""
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(args))


async def _serve(args: argparse.Namespace) -> None:
    people = args.people or args.by_hand
    settings = PageSettings(
        args.players, others=people and not args.by_hand, ruleset=args.ruleset, computers=not people
    )
    async with contextlib.AsyncExitStack() as opened:
        page = Page(settings, args.host, PORT if args.port is None else args.port)
        try:
            await opened.enter_async_context(page)
        except OSError as error:
            if args.port is not None:
                raise SystemExit(f"port {args.port}: {error.strerror or error}") from None
            page = await opened.enter_async_context(Page(settings, args.host))
        print(f"Play at {page.url}   (Ctrl-C stops)", flush=True)
        if args.open:
            await asyncio.to_thread(webbrowser.open, page.url)
        await asyncio.Event().wait()
