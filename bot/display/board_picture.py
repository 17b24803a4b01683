"""The board's picture for a post. Its name says what it shows, and it is drawn only when it is sent.

A room remembers only its last picture. That is enough, because a board never looks again as it did before.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from bot.rooms.model import Match, Room
from engine import Chance, Seat, Setup, View, start, view
from engine.facts import CandidacyPassed
from engine.frozen import frozen

#: The name under which a room remembers its last picture, to send it again by its file id.
KEPT_AS = "board"


#: Draws a board as PNG: takes the group's view, the theme, and the seats that computers play.
Draw = Callable[[View, str, tuple[Seat, ...]], bytes]


@frozen
class Picture:
    """The board as the group sees it after this many events of a game."""

    #: The name shared by all pictures that look like this one.
    name: str
    game: int
    events: int
    theme: str
    #: True if it shows everything, as after a game that was called off.
    opened: bool = False
    #: The seats that computers play.
    computers: tuple[Seat, ...] = ()

    def spec(self) -> dict[str, Any]:
        """Return the picture as an outbox entry stores it. Equal ones share a name, and are uploaded once."""
        shown: dict[str, Any] = {"game": self.game, "events": self.events, "theme": self.theme}
        if self.computers:
            shown["computers"] = list(self.computers)
        return {"kept_as": KEPT_AS, "name": self.name, **shown, **({"opened": True} if self.opened else {})}


def picture_of(room: Room, match: Match, *, opened: bool = False) -> Picture | None:
    """Return the board as it is now, or None in a group that takes no pictures.

    ``opened``: show everything, because the game was called off.
    """
    if not room.pictures:
        return None
    theme, computers = room.settings.theme, match.computer_seats
    look = look_of(match.open_view() if opened else match.view(None), theme, computers)
    return Picture(look, match.number, len(match.log), theme, opened, computers)


def look_of(board: View, theme: str, computers: tuple[Seat, ...]) -> str:
    """Return a name for the look of the group's view. It differs if anything that is drawn differs."""
    from bot.display.pictures.scene import scene_of

    return sha256(f"{theme}/{scene_of(board, computers)}".encode()).hexdigest()[:16]


def drawn(room: Room, spec: Mapping[str, Any], draw: Draw) -> bytes:
    """Return the picture that an outbox entry asks for. Raises LookupError if the room cannot show it."""
    match = room.match
    if match is None or match.number != spec["game"]:
        raise LookupError("that game is gone")
    if spec.get("opened") and not match.cancelled:
        raise LookupError("that game goes on")
    shown = match.open_view() if spec.get("opened") else view(match.log[: spec["events"]], None)
    return draw(shown, spec["theme"], tuple(spec.get("computers", ())))


def render(board: View, theme: str, computers: tuple[Seat, ...] = ()) -> bytes:
    """Return the board as PNG. The drawing code is loaded only when a picture is sent."""
    from bot.display import pictures

    return pictures.render(board, theme, computers)


def before_the_game(setup: Setup) -> View:
    """Return the board of a setup before the first nomination."""
    _, events = start(setup, Chance("00"))
    first = next(at for at, event in enumerate(events) if isinstance(event.fact, CandidacyPassed))
    return view(events[:first], None)
