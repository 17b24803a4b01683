"""The table at which a person practises, before it begins."""

from dataclasses import replace

from bot.display.buttons import Button, Row, data
from bot.display.guide import HOW_TO_BESIDE
from bot.display.lobby import options_lines, seat_lines
from bot.display.words import Html, Words
from bot.rooms.model import Lobby, Room
from bot.rooms.names import RoomName
from engine import Illegal, ruleset


def practice_text(words: Words, lobby: Lobby, strength: str, *, begun: bool = False) -> Html:
    """What is played against how many computers, that nothing is kept of it, and why it cannot start.

    Once it has ``begun``: who sits where.
    """
    rules = ruleset(lobby.setup.ruleset)
    setup = replace(lobby.setup, players=len(lobby.players))
    lines = [
        words.html("practice.lobby", ruleset=words.html(f"ruleset.{rules.name}")),
        words.counted("practice.computers", lobby.computer_count, strength=words.html(f"value.{strength}")),
        *options_lines(words, setup, lobby.own, silent=False),
    ]
    if begun:
        return Html("\n".join([*lines, *seat_lines(words, lobby.players, None)]))
    try:
        lobby.setup_for(len(lobby.players))
    except Illegal as illegal:
        lines.append(words.html("lobby.refused", reason=words.html(f"illegal.{illegal.reason}")))
    return Html("\n".join([*lines, words.html("practice.about")]))


def practice_keyboard(words: Words, room: Room, lobby: Lobby) -> tuple[Row, ...]:
    """Start; for a newcomer how it is played; one computer more or fewer, as can play; rules and options."""
    where, now, taken = RoomName(room.chat, room.topic), lobby.computer_count, len(lobby.players)

    def button(what: str, wanted: int) -> Button:
        return Button(words.plain(f"button.computers-{what}"), data(where, "computers", lobby.number, wanted))

    more = [button("more", now + 1)] if taken < max(lobby.sizes) else []
    fewer = [button("fewer", now - 1)] if taken > min(lobby.sizes) else []
    start = Button(words.plain("button.start"), data(where, "start", lobby.number))
    setup = Button(words.plain("button.setup"), data(where, "setup", lobby.number, 0, 0))
    new = lobby.practice is not None and lobby.practice.advice
    how = ((Button(words.plain("button.howto"), data(where, "fair", HOW_TO_BESIDE)),),) if new else ()
    return (start,), *how, (*fewer, *more), (setup,)
