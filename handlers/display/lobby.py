"""The lobby's one message."""

from engine import ruleset
from engine.proof import commitment
from handlers.conversation.buttons import data
from handlers.conversation.outcome import Button, Row
from handlers.display.words import Html, Words, name
from handlers.rooms.model import Lobby, Room
from handlers.rooms.names import RoomName


def lobby_text(words: Words, lobby: Lobby) -> Html:
    """What is played, who is in and how often they shook, who is missing, and the hash of the deal."""
    rules = ruleset(lobby.setup.ruleset)
    least, most = min(rules.players), max(rules.players)
    taken = len(lobby.players)
    lines = [
        words.html("lobby.title", ruleset=words.html(f"ruleset.{rules.name}")),
        words.html("lobby.seats", taken=taken, most=most),
        *[
            words.html(
                "lobby.player.shook" if lobby.shakes.get(player.id) else "lobby.player",
                number=number,
                name=Html(f"<b>{name(player.name)}</b>"),
                shakes=lobby.shakes.get(player.id, 0),
            )
            for number, player in enumerate(lobby.players, start=1)
        ],
        words.counted("lobby.missing", least - taken) if taken < least else words.html("lobby.enough"),
        words.html("lobby.seal", seal=commitment(bytes.fromhex(lobby.seed))),
    ]
    return Html("\n".join(lines))


def lobby_keyboard(words: Words, room: Room, lobby: Lobby) -> tuple[Row, ...]:
    """Join and leave, shake, start."""
    where = RoomName(room.chat, room.topic)

    def button(verb: str) -> Button:
        return Button(words.plain(f"button.{verb}"), data(where, verb, lobby.number))

    return (button("join"), button("leave")), (button("shake"), button("start"))
