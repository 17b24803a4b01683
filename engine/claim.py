"""Claims: a seat's word for what it saw. No rule depends on them; people and computers make and read them."""

from dataclasses import dataclass

from engine import tiles
from engine.board import Board

#: What a claim calls a tile that lies on no track.
CARD = "card"


@dataclass(frozen=True, slots=True)
class Claim:
    """A seat's claim of what it saw in a round. Nobody has to tell the truth."""

    seat: int
    #: The round, counted from 1.
    round: int
    #: "president" and "chancellor" of their hands, "peek", or "party" of an investigation.
    kind: str
    #: Colours of tiles in any order, or one party.
    said: tuple[str, ...]
    #: How many facts the group's view held when it was made: its first ones, so many, are what all knew then.
    at: int


def colour(tile: str) -> str:
    """Return the name of a tile in claims: its track's colour, or "card" if it belongs on none.

    A tile that is not known stays ``tiles.UNKNOWN``.
    """
    return tile if tile == tiles.UNKNOWN else tiles.track(tile) or CARD


def colours_of(board: Board) -> tuple[str, ...]:
    """Return the colours that claims may name on this board: those of its deck and of its tracks.

    A track may have a colour of which the deck has no tile: a power brings them.
    """
    return tuple(dict.fromkeys((*map(colour, board.deck), *board.tracks)))
