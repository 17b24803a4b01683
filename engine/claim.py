"""Claims: what a seat says that it saw. People and computers make and read them. No rule depends on them."""

from engine import tiles
from engine.board import Board
from engine.frozen import frozen
from engine.question import Seat

#: The name in a claim for a tile that goes on no track.
CARD = "card"


@frozen
class Claim:
    """A seat's claim of what it saw in a round. Nobody has to tell the truth."""

    seat: Seat
    #: The round, counted from 1.
    round: int
    #: "president" or "chancellor" for their hands, "peek", or "party" for a party that it was shown.
    kind: str
    #: Colours of tiles in any order, or one party.
    said: tuple[str, ...]
    #: The number of facts in the group's view when the claim was made. Everybody knew those facts then.
    at: int
    #: If the seat changed its claim: what it claimed first.
    instead_of: tuple[str, ...] = ()


def colour(tile: str) -> str:
    """Return the name of a tile in claims: its track's colour, or "card" if it belongs on none.

    A tile that is not known stays ``tiles.UNKNOWN``.
    """
    return tile if tile == tiles.UNKNOWN else tiles.track(tile) or CARD


def colours_of(board: Board) -> tuple[str, ...]:
    """Return the colours that claims may name on this board: those of its deck and of its tracks.

    A power may bring tiles of a colour that has a track but is not in the deck.
    """
    return tuple(dict.fromkeys((*map(colour, board.deck), *board.tracks)))
