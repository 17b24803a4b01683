"""The lobby's message and its buttons, in a group and at a practice table."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final, get_args

from markupsafe import Markup

from bot.display.buttons import LONGEST, Button, Row, Verb, data, expandable
from bot.display.expansion_parts import numbers
from bot.display.guide import HOW_TO_BESIDE
from bot.display.own_board import board_summary, reasons_text
from bot.display.telling import seat_name
from bot.display.words import Words, bold, name, shown_length
from bot.rooms.balance import Fairer, suggest_fairer
from bot.rooms.model import Lobby, Player, Room, Strength
from bot.rooms.names import RoomName, UserId
from bot.rooms.own_board import OwnBoard
from engine import Illegal, Setup, ruleset

#: The option that names the deck.
DECK = "deck"
#: The setting for computers' strength, its values, and the default.
STRENGTH: Final = "strength"
STRENGTHS: tuple[Strength, ...] = get_args(Strength)
SEASONED: Final = "seasoned"


def lobby_text(
    words: Words, lobby: Lobby, strength: Strength = SEASONED, *, silent: bool, begun: bool = False
) -> Markup:
    """Say what is played, who has joined, and what is missing before the start.

    ``strength``: how well computers play here. ``silent``: the game is played in silence. ``begun``: the game
    begins now, so nothing is missing.
    """
    taken, most = len(lobby.players), max(lobby.sizes)
    own, folded = _own_board(words, lobby)
    name = game_name(words, lobby.setup)
    setup = replace(lobby.setup, players=max(taken, min(ruleset(lobby.setup.ruleset).players)))
    above = [
        Markup("🏛 <b>{}</b>").format(name) if begun else words.html("lobby.title", ruleset=name),
        *options_lines(words, setup, lobby.own, silent=silent),
        *_odds(words, lobby),
        *own,
    ]
    below = [words.html("lobby.seats", taken=taken, most=most), *seat_lines(words, lobby.players, lobby.host)]
    if lobby.computer_count:
        plays = words.html("lobby.computers", strength=words.html(f"value.{strength}"))
        how = words.html("lobby.computers.slip" if strength == SEASONED else "lobby.computers.novice")
        below.append(words.html("sentences", first=plays, second=how))
    if lobby.host_is_unseated and not begun:
        below.append(words.html("lobby.hostless"))
    if not begun:
        below.append(_readiness(words, lobby))
    text = Markup("\n").join([*above, *folded, *below])
    # The players matter more than the contents of the board, which /settings shows as well.
    return text if shown_length(text) <= LONGEST else Markup("\n").join([*above, *below])


def fairer(lobby: Lobby) -> Fairer | None:
    """Return what would make this table fairer, or None if it is not known to be lopsided."""
    players = len(lobby.players)
    if lobby.own is not None or players not in lobby.sizes:
        return None
    return suggest_fairer(replace(lobby.setup, players=players), max(lobby.sizes))


def _odds(words: Words, lobby: Lobby) -> list[Markup]:
    """Say that one side wins far too often at this table, and what would change that."""
    found = fairer(lobby)
    if found is None:
        return []
    lines = [words.html("lobby.lopsided", players=len(lobby.players))]
    if found.option:
        name, value = found.option
        option, shown = words.html(f"setup.{name}"), words.html(f"value.{value}")
        lines.append(words.html("lobby.fairer-option", option=option, value=shown))
    if found.computers:
        lines.append(words.counted("lobby.fairer-computers", found.computers))
    return lines


def seat_lines(words: Words, players: Sequence[Player], host: UserId | None) -> list[Markup]:
    """Return who has which seat, and who is the host. Computers in neighbouring seats share a line."""
    lines, crown = [], f" {words.html('mark.host')}"
    for computers, seats in groupby(range(len(players)), lambda seat: players[seat].id is None):
        names = []
        for seat in seats:
            leads = host is not None and players[seat].id == host
            names.append(Markup("{}{}").format(seat_name(players[seat].shown, seat), crown if leads else ""))
        lines += [words.listed(names)] if computers else names
    return [words.html("lobby.player", seat=line) for line in lines]


def game_name(words: Words, setup: Setup) -> Markup:
    """Return the name of the ruleset, with the theme."""
    rules = words.html(f"ruleset.{ruleset(setup.ruleset).name}")
    return Markup("{} · {}").format(rules, words.html(f"theme.{words.theme}"))


def options_lines(words: Words, setup: Setup, own: OwnBoard | None, *, silent: bool) -> list[Markup]:
    """Return the options that differ from the ruleset's defaults, the deck if there is a choice, and silence.

    Options without an effect on an own board are left out: the board has its own deck, for example.
    """
    rules = ruleset(setup.ruleset)
    chosen = rules.chosen(setup)
    return [
        *(
            _option(words, name, chosen[name])
            for name, choice in rules.options.items()
            if (name == DECK or chosen[name] != choice.values[0])
            and not (own and own.overrides(name, setup.options, _shown_for(own, setup)))
        ),
        *([_option(words, "silence", "on")] if silent else []),
    ]


def _option(words: Words, name: str, value: str) -> Markup:
    return words.html("lobby.option", option=words.html(f"setup.{name}"), value=words.html(f"value.{value}"))


def _shown_for(own: OwnBoard, setup: Setup) -> int:
    """Return the number of players for which an own board is shown: the setup's, if they can play on it."""
    sizes = own.sizes(setup.options) or (own.size,)
    return setup.players if setup.players in sizes else sizes[0]


def _own_board(words: Words, lobby: Lobby) -> tuple[list[Markup], list[Markup]]:
    """Describe the group's own board: how many can play on it, or why nobody can; and its folded contents."""
    own = lobby.own
    if own is None:
        return [], []
    options = lobby.setup.options
    sizes = own.sizes(options)
    seats = numbers(words, sizes or (own.size,))
    line = words.html("lobby.board", name=bold(name(own.name)), players=seats)
    if not sizes:
        return [line, reasons_text(words, own.reasons(own.size, options))], []
    players = _shown_for(own, replace(lobby.setup, players=len(lobby.players)))
    summary = board_summary(words, own.board(players, options), own.printed(players, options))
    return [line], [expandable(summary)]


def _readiness(words: Words, lobby: Lobby) -> Markup:
    """Say that the game can start, how many are missing, or why the options do not fit this many."""
    missing = min(lobby.sizes) - len(lobby.players)
    if missing > 0:
        return words.counted("lobby.missing", missing)
    try:
        lobby.setup_for(len(lobby.players))
    except Illegal as illegal:
        return words.html("lobby.refused", reason=words.html(f"illegal.{illegal.reason}"))
    return words.html("lobby.enough")


def computer_names(words: Words) -> tuple[str, ...]:
    """Return names for computers in this language and theme: enough for any table."""
    return tuple(words.plain("computer.names").split(" · "))


def computers_row(words: Words, where: RoomName, lobby: Lobby) -> tuple[Row, ...]:
    """Return buttons to add as many computers as are missing, or one more, and to remove one."""
    now, players = lobby.computer_count, len(lobby.players)
    missing = min(lobby.sizes) - players

    def button(what: str, wanted: int) -> Button:
        text = words.plain(f"button.computers-{what}", count=wanted - now)
        return Button(text, data(where, "computers", lobby.number, wanted))

    row: list[Button] = []
    if players < max(lobby.sizes):
        row.append(button("fill", now + missing) if missing > 1 else button("more", now + 1))
    if now:
        row.append(button("fewer", now - 1))
    return (tuple(row),) if row else ()


def lobby_keyboard(words: Words, room: Room, lobby: Lobby) -> tuple[Row, ...]:
    """Return the lobby's buttons: join, leave, start, computers, setup, how to play, practice."""
    where = room.name

    def button(verb: Verb) -> Button:
        return Button(words.plain(f"button.{verb}"), data(where, verb, lobby.number))

    setup = Button(words.plain("button.setup"), data(where, "setup", lobby.number, 0, 0))
    computers, learn = computers_row(words, where, lobby), (button("howto"), button("learn"))
    return (button("join"), button("leave")), (button("start"),), *computers, (setup,), learn


def practice_text(words: Words, lobby: Lobby, strength: Strength, *, begun: bool = False) -> Markup:
    """Say what is played against how many computers, that nothing is stored, and if it cannot start, why.

    ``begun``: the game begins now, so say who has which seat instead.
    """
    setup = replace(lobby.setup, players=len(lobby.players))
    lines = [
        words.html("practice.lobby", ruleset=game_name(words, lobby.setup)),
        words.counted("practice.computers", lobby.computer_count, strength=words.html(f"value.{strength}")),
        *options_lines(words, setup, lobby.own, silent=False),
    ]
    if begun:
        return Markup("\n").join([*lines, *seat_lines(words, lobby.players, None)])
    try:
        lobby.setup_for(len(lobby.players))
    except Illegal as illegal:
        lines.append(words.html("lobby.refused", reason=words.html(f"illegal.{illegal.reason}")))
    return Markup("\n").join([*lines, words.html("practice.about")])


def practice_keyboard(words: Words, room: Room, lobby: Lobby) -> tuple[Row, ...]:
    """Return a practice table's buttons: start, how to play (for a newcomer), computers, setup."""
    where, now, taken = room.name, lobby.computer_count, len(lobby.players)

    def button(what: str, wanted: int) -> Button:
        return Button(words.plain(f"button.computers-{what}"), data(where, "computers", lobby.number, wanted))

    more = [button("more", now + 1)] if taken < max(lobby.sizes) else []
    fewer = [button("fewer", now - 1)] if taken > min(lobby.sizes) else []
    start = Button(words.plain("button.start"), data(where, "start", lobby.number))
    setup = Button(words.plain("button.setup"), data(where, "setup", lobby.number, 0, 0))
    new = lobby.practice is not None and lobby.practice.advice
    how = ((Button(words.plain("button.howto"), data(where, "fair", HOW_TO_BESIDE)),),) if new else ()
    return (start,), *how, (*fewer, *more), (setup,)
