"""Finished games in the private chat: list them, watch one again, and show what decided it and its proof."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from bot.conversation.game.endings import DECIDED, PROOF, REPLAY
from bot.conversation.incoming import Command, Person
from bot.conversation.outcome import Post, Private
from bot.display.buttons import Button, Row, Verb, data
from bot.display.guide import room_of_rules
from bot.display.prompts import moment
from bot.display.reveal import proof_page
from bot.display.telling import Telling
from bot.display.words import Words, name
from bot.records.frames import Replay
from bot.rooms.model import Match
from bot.rooms.names import RoomName, personal_key, read_game, read_lobby
from engine import Seat
from engine.frozen import frozen

if TYPE_CHECKING:
    from ai.lookback import Lookback

#: The verbs of buttons about finished games.
TAPS: tuple[Verb, ...] = ("step", "lookback", "opened")
#: The number of games listed.
LISTED = 8
_WIDTH = 4
#: In place of a step: post a new message instead of editing the old one.
NEW = -1


@frozen
class Finished:
    """A finished game, with its group."""

    room: RoomName
    title: str
    number: int
    #: The time of its end, in seconds since 1970.
    ended: int


@frozen
class Listed:
    """A finished game as a list shows it."""

    game: Finished
    players: int
    winners: tuple[str, ...]


def finished_list(words: Words, games: Sequence[Listed]) -> tuple[Markup, tuple[Row, ...]]:
    """Return a line for each of the last games in a person's groups, and buttons that open them."""
    if not games:
        return Markup(), ()
    lines = [words.html("games.finished")]
    buttons = []
    for place, one in enumerate(games, start=1):
        winners = Markup(" + ").join(words.html(f"parties.{party}") for party in one.winners) or Markup("–")
        when = moment(words, one.game.ended)
        title = name(one.game.title or "…")
        values = {"place": place, "group": title, "players": one.players, "winners": winners, "when": when}
        lines.append(words.html("games.finished.line", **values))
        buttons.append(Button(f"🎬 {place}", _step(one.game, NEW, with_secrets=False)))
    rows = tuple(tuple(buttons[at : at + _WIDTH]) for at in range(0, len(buttons), _WIDTH))
    return Markup("\n").join(lines), rows


def gone(words: Words) -> str:
    """Say that a game is gone, or that the person may not see it."""
    return words.plain("film.gone")


def replay_rows(
    words: Words, game: Finished, replay: Replay, number: int, *, with_secrets: bool
) -> tuple[Row, ...]:
    """Return the buttons under a step: to other steps and rounds, the other view, and what decided the game.

    ``with_secrets``: the step shows all secrets, not only what the table saw.
    """
    last, now = len(replay.frames) - 1, replay.frames[number].round

    def to(label: str, step: int) -> Button:
        return Button(label, _step(game, step, with_secrets=with_secrets))

    steps = [
        *([to("⏮ 1", 0), to(f"◀️ {number}", number - 1)] if number else []),
        *([to(f"{number + 2} ▶️", number + 1), to(f"{last + 1} ⏭", last)] if number < last else []),
    ]
    rounds = []
    if now > 1:
        rounds.append(to(f"⏪ {words.plain('round', round=now - 1)}", replay.first_of(now - 1)))
    if now < replay.rounds:
        rounds.append(to(f"{words.plain('round', round=now + 1)} ⏩", replay.first_of(now + 1)))
    other = words.plain("button.film.seen" if with_secrets else "button.film.true")
    rows: list[Row] = [tuple(steps)]
    rows += [tuple(rounds)] if rounds else []
    rows.append((Button(other, _step(game, number, with_secrets=not with_secrets)),))
    decided = Button(words.plain("button.decided"), data(game.room, "lookback", game.number, game.ended))
    proof = Button(words.plain("button.proof"), data(game.room, "opened", game.number, game.ended))
    return (*rows, (decided, proof))


def decided_rows(words: Words, game: Finished) -> tuple[Row, ...]:
    """Return the button from what decided a game to watching it again."""
    return ((Button(words.plain("button.watch-again"), _step(game, NEW, with_secrets=False)),),)


def decided_page(words: Words, match: Match, found: "Lookback", reader: Seat | None) -> Markup:
    """Say what decided a game. ``reader``: the seat that the reader had, or None."""
    from bot.display.lookback import decided_text

    return decided_text(Telling(match.view(None), match.players, words), match.claims, found, reader)


def opened_proof(words: Words, person: Person, game: Finished, match: Match) -> Post:
    """Return the page with a finished game's proof."""
    telling = Telling(match.open_view(), match.players, words)
    return Post(Private(person.id), proof_page(telling, match), decided_rows(words, game))


def _step(game: Finished, step: int, *, with_secrets: bool) -> str:
    return data(game.room, "step", game.number, game.ended, step, int(with_secrets))


# --- links --------------------------------------------------------------------------------------------------
# A deep link (``https://t.me/<bot>?start=<argument>``) arrives as the command /start with the argument.


@frozen
class ToLobby:
    """A link to a seat in the lobby of this number."""

    room: RoomName
    number: int
    #: True if the link was made for the person who follows it.
    own: bool = False


@frozen
class ToProof:
    """A link to the page with the proof of the game of this number."""

    room: RoomName
    number: int


@frozen
class ToRules:
    """A link to the rules that a room plays by."""

    room: RoomName


@frozen
class ToFinished:
    """A link to a finished game, to watch it again or to read what decided it."""

    room: RoomName
    number: int
    #: The time of its end, in seconds since 1970.
    ended: int
    decided: bool = False


def destination(incoming: Command, key: bytes) -> ToLobby | ToProof | ToRules | ToFinished | None:
    """Return the destination of the link that a command came from; None if there is none, or it is forged.

    ``key`` signs all links except those to rules, which anybody may write.
    """
    if incoming.name != "start":
        return None
    if (room := room_of_rules(incoming.argument)) is not None:
        return ToRules(room)
    for prefix in (REPLAY, DECIDED):
        if incoming.argument.startswith(prefix):
            game = read_game(incoming.argument.removeprefix(prefix), key)
            return None if game is None else ToFinished(*game, decided=prefix == DECIDED)
    found = read_lobby(incoming.argument.removeprefix(PROOF), key)
    if found is None:
        own = read_lobby(incoming.argument, personal_key(key, incoming.person.id))
        return None if own is None else ToLobby(*own, own=True)
    return ToProof(*found) if incoming.argument.startswith(PROOF) else ToLobby(*found)
