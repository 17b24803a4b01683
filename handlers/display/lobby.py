"""The lobby's one message."""

from dataclasses import replace

from engine import Illegal, ruleset
from engine.proof import commitment
from handlers.display.buttons import Button, Row, data
from handlers.display.history import LONGEST
from handlers.display.own_board import board_summary, numbers, reasons_text
from handlers.display.words import Html, Words, name, shown_length
from handlers.rooms.model import Lobby, Room
from handlers.rooms.names import RoomName
from handlers.rooms.own_board import OwnBoard

#: Beside the host's name; the button that makes somebody the host has the same sign.
HOST = " 👑"


def lobby_text(words: Words, lobby: Lobby, *, quiet: bool, started: bool = False) -> Html:
    """What is played, who is in and how often they shook, who is missing, and the hash of the deal.

    ``quiet``: it is played in silence. Once it has ``started`` nobody is missing, nothing left to start.
    """
    rules = ruleset(lobby.setup.ruleset)
    taken, most = len(lobby.players), max(lobby.sizes)
    own, folded = _own_board(words, lobby)
    above = [
        words.html("lobby.title", ruleset=words.html(f"ruleset.{rules.name}")),
        words.html(
            "lobby.option", option=words.html("setup.theme"), value=words.html(f"theme.{words.theme}")
        ),
        *_options(words, lobby),
        *([_option(words, "silence", "on")] if quiet else []),
        *own,
    ]
    below = [
        words.html("lobby.seats", taken=taken, most=most),
        *[
            words.html(
                "lobby.player.shook" if lobby.shakes.get(player.id) else "lobby.player",
                number=number,
                name=Html(f"<b>{name(player.name)}</b>{HOST if player.id == lobby.host else ''}"),
                shakes=lobby.shakes.get(player.id, 0),
            )
            for number, player in enumerate(lobby.players, start=1)
        ],
        *([] if started else [_readiness(words, lobby)]),
        words.html("lobby.seal", seal=commitment(bytes.fromhex(lobby.seed))),
    ]
    text = Html("\n".join([*above, *folded, *below]))
    # Who is in matters more than what is on the board, which /settings shows as well.
    return text if shown_length(text) <= LONGEST else Html("\n".join([*above, *below]))


def _options(words: Words, lobby: Lobby) -> list[Html]:
    """The options that differ from the ruleset's defaults, and which deck is in where that is a choice.

    Nothing is said of those that an own board leaves no room for: it has a deck of its own, say.
    """
    rules = ruleset(lobby.setup.ruleset)
    seats = max(len(lobby.players), min(rules.players))
    chosen = rules.chosen(replace(lobby.setup, players=seats))
    return [
        _option(words, name, chosen[name])
        for name, choice in rules.options.items()
        if (name == "deck" or chosen[name] != choice.values[0])
        and not (lobby.own and lobby.own.overrides(name, lobby.setup.options, _shown_for(lobby, lobby.own)))
    ]


def _option(words: Words, name: str, value: str) -> Html:
    return words.html("lobby.option", option=words.html(f"setup.{name}"), value=words.html(f"value.{value}"))


def _shown_for(lobby: Lobby, own: OwnBoard) -> int:
    """For how many players an own board is shown: for those who are in, if so many can play on it."""
    sizes = own.sizes(lobby.setup.options) or (own.size,)
    taken = len(lobby.players)
    return taken if taken in sizes else sizes[0]


def _own_board(words: Words, lobby: Lobby) -> tuple[list[Html], list[Html]]:
    """The group's own board and whom it seats; and what is on it, folded away."""
    own = lobby.own
    if own is None:
        return [], []
    options = lobby.setup.options
    sizes = own.sizes(options)
    seats = numbers(words, sizes or (own.size,))
    line = words.html("lobby.board", name=Html(f"<b>{name(own.name)}</b>"), players=seats)
    if not sizes:
        return [line, reasons_text(words, own.reasons(own.size, options))], []
    players = _shown_for(lobby, own)
    summary = board_summary(words, own.board(players, options), own.printed(players, options))
    return [line], [Html(f"<blockquote expandable>{summary}</blockquote>")]


def _readiness(words: Words, lobby: Lobby) -> Html:
    """That the game can start; or how many are missing, or why these options do not fit so many players."""
    missing = min(lobby.sizes) - len(lobby.players)
    if missing > 0:
        return words.counted("lobby.missing", missing)
    try:
        lobby.setup_for(len(lobby.players))
    except Illegal as illegal:
        return words.html("lobby.refused", reason=words.html(f"illegal.{illegal.reason}"))
    return words.html("lobby.enough")


def lobby_keyboard(words: Words, room: Room, lobby: Lobby) -> tuple[Row, ...]:
    """Join and leave, shake, start."""
    where = RoomName(room.chat, room.topic)

    def button(verb: str) -> Button:
        return Button(words.plain(f"button.{verb}"), data(where, verb, lobby.number))

    setup = Button(words.plain("button.setup"), data(where, "setup", lobby.number, 0, 0))
    return (button("join"), button("leave")), (button("shake"), button("start")), (setup,)
