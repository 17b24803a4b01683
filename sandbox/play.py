"""``python -m sandbox play``: serve a page on which one person plays against computers, or any seat."""

import argparse
import asyncio
import contextlib
import webbrowser

from engine import OFFERED
from sandbox.page.server import FEWEST, MOST, Page
from sandbox.page.session import PageSettings

PORT = 8080
#: The number of ports to try, beginning with the usual one.
_TRIES = 20


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
    parser.add_argument("--port", type=int, default=None, help=f"default: {PORT}, or the next free one")
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
    async with contextlib.AsyncExitStack() as open_ones:
        page = await _listen(open_ones, args)
        print(f"Play at {page.url}   (Ctrl-C stops)", flush=True)
        if args.open:
            await asyncio.to_thread(webbrowser.open, page.url)
        await asyncio.Event().wait()


async def _listen(open_ones: contextlib.AsyncExitStack, args: argparse.Namespace) -> Page:
    """Return a page that listens on the given port, or on the first free one from ``PORT`` on."""
    people = args.people or args.by_hand
    settings = PageSettings(
        args.players, others=people and not args.by_hand, ruleset=args.ruleset, computers=not people
    )
    ports = [args.port] if args.port is not None else list(range(PORT, PORT + _TRIES))
    for port in ports:
        page = Page(settings, args.host, port)
        try:
            return await open_ones.enter_async_context(page)
        except OSError as error:
            if port == ports[-1]:
                raise SystemExit(f"port {port}: {error.strerror or error}") from None
    raise AssertionError("no port to try")
