"""The messages at a game's start: who plays what, the seal, and the question if the beacon is away."""

from datetime import UTC, datetime

from markupsafe import Markup

from bot.display.buttons import expandable
from bot.display.lobby import game_name, options_lines, seat_lines
from bot.display.own_board import board_summary, known_to_all
from bot.display.words import Words, bold, name
from bot.rooms.sealing import Sealed
from engine import board_of

#: The most void attempts whose seeds a later seal's message reveals.
OPENED = 3


def start_text(words: Words, sealed: Sealed, *, silent: bool, seconds: int) -> Markup:
    """Say what is played, who has which seat, how many of each role there are, and who knows whom.

    ``silent``: the game is played in silence. ``seconds``: about how long it takes until roles are dealt.
    """
    setup, proof = sealed.setup, sealed.proof
    board = board_of(setup)
    lines = [
        words.html("start.title", ruleset=game_name(words, setup)),
        *options_lines(words, setup, sealed.own, silent=silent),
    ]
    if (own := sealed.own) is not None:
        summary = board_summary(words, board, own.printed(setup.players, setup.options))
        named = words.html("lobby.board", name=bold(name(own.name)), players=len(sealed.players))
        lines += [named, expandable(summary)]
    lines += [*seat_lines(words, sealed.players, sealed.host), *known_to_all(words, board)]
    if proof.unproven_reason is not None:
        return Markup("\n").join([*lines, words.html(f"proof.{proof.unproven_reason}")])
    return Markup("\n").join([*lines, words.counted("start.soon", seconds)])


def seal_text(words: Words, sealed: Sealed) -> Markup:
    """Return the seal, a line of JSON for checking, and above it the seeds of the latest void attempts."""
    proof = sealed.proof
    lines = [
        words.html("start.void", attempt=proof.attempt - back, seed=seed)
        for back, seed in reversed(list(enumerate(reversed(sealed.given_up[-OPENED:]), start=1)))
    ]
    title = "seal.title" if proof.attempt == 1 else "seal.again"
    lines.append(words.html(title, game=sealed.number, attempt=proof.attempt))
    if proof.round is not None:
        where = proof.beacon or "drand"
        lines.append(words.html("seal.round", round=proof.round, beacon=where, time=utc(sealed.at)))
    checked = Markup("{}\n<code>{}</code>").format(words.html("seal.data"), sealed.seal)
    return Markup("\n").join([*lines, expandable(checked)])


def utc(at: int) -> str:
    """Return a time, given in seconds since 1970, in a form that everybody can compare."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M:%S} UTC"
