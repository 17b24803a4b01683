"""The content of a board picture as plain values from the group's view. Nothing in it is hidden."""

from bot.display.expansions import SHOWN
from bot.rooms.rounds import term_limited
from engine import Seat, View, board_of
from engine.board import Party, Role
from engine.frozen import frozen
from engine.table import BLINDFOLD, INVESTIGATED, MONTH, NOT_HITLER, SITS_OUT
from engine.tiles import HAND


@frozen
class Track:
    """One track: the power of each slot, the tiles on it, and what is printed below."""

    colour: str
    slots: tuple[str | None, ...]
    tiles: tuple[str, ...]
    #: The number of slots that have been covered once; their powers are spent.
    covered: int
    #: From this many tiles on, Hitler may be elected; None on tracks without a zone.
    zone: int | None = None
    #: The number of tiles that unlocks the veto, and whether it is unlocked; None on the other tracks.
    veto: int | None = None
    unlocked: bool = False


@frozen
class SeatPicture:
    """One seat, with everything that everybody knows about it."""

    alive: bool
    #: "president" or "chancellor". While nobody is in office, it means the candidate.
    office: str | None
    #: The number of elections yet to sit out; 0 for none.
    out: int
    limited: bool
    confirmed: bool
    investigated: bool
    #: The expansions' marks on it: the icon of each, and how long it still lasts.
    marks: tuple[tuple[str, int], ...]
    #: Party and role, if they have been shown.
    party: Party | None
    role: Role | None
    #: Face-down tiles in this seat's hand.
    hand: int
    #: True if a computer plays here.
    computer: bool = False


@frozen
class Scene:
    """Everything on the table, as everybody may see it."""

    tracks: tuple[Track, ...]
    seats: tuple[SeatPicture, ...]
    in_office: bool
    pile: int
    discards: int
    tracker: int
    chaos: int
    month: int | None
    #: True if nobody sees their cards this month.
    blindfold: bool
    #: Parties that won; None while the game goes on.
    winners: tuple[str, ...] | None
    #: The reason why they won; None during the game, and if it was called off.
    reason: str | None


def scene_of(view: View, computers: tuple[Seat, ...] = ()) -> Scene:
    """Return the scene of a group's view. ``computers``: the seats that computers play.

    Raises ValueError for a seat's own view: a picture for everybody must not show what one seat knows.
    """
    if view.seat is not None:
        raise ValueError("board pictures are drawn from the group's view")
    table, limited = view.table, term_limited(view)
    month = table.counters.get(MONTH)
    return Scene(
        tracks=_tracks(view),
        seats=tuple([_seat(view, seat, limited, computer=seat in computers) for seat in table.all_seats()]),
        in_office=table.in_office,
        pile=len(table.pile),
        discards=len(table.discards),
        tracker=table.tracker,
        chaos=board_of(view.setup).chaos,
        month=month,
        blindfold=month is not None and table.counters.get(BLINDFOLD, 0) > 0,
        winners=table.winners,
        reason=table.reason,
    )


def _tracks(view: View) -> tuple[Track, ...]:
    board, table = board_of(view.setup), view.table
    zone = board.zone if "hitler-elected" in board.endings else None
    return tuple(
        Track(
            colour=colour,
            slots=tuple(slots),
            tiles=table.tracks.get(colour, ()),
            covered=table.covered(colour) if colour in table.tracks else 0,
            zone=zone if colour == "fascist" else None,
            veto=board.veto if colour == "fascist" else None,
            unlocked=table.veto if colour == "fascist" else False,
        )
        for colour, slots in board.tracks.items()
    )


def _seat(view: View, seat: Seat, limited: tuple[Seat, ...], *, computer: bool) -> SeatPicture:
    table = view.table
    office = {table.chancellor: "chancellor", table.president: "president"}.get(seat)
    # A whole hand is the President's; a smaller one is the Chancellor's.
    holder = table.president if len(table.hand) >= HAND else table.chancellor
    out = table.tagged(SITS_OUT).get(seat)
    alive = table.alive[seat]
    return SeatPicture(
        alive=alive,
        office=office,
        out=max(out - table.elections, 1) if out is not None and alive else 0,
        limited=seat in limited,
        confirmed=seat in table.tagged(NOT_HITLER),
        investigated=seat in table.tagged(INVESTIGATED),
        marks=tuple(
            (mark.icon, max(mark.left(table, borne), 1))
            for mark in SHOWN.marks
            if alive and (borne := table.tagged(mark.tag).get(seat)) is not None
        ),
        party=table.parties[seat],
        role=table.roles[seat],
        hand=len(table.hand) if seat == holder else 0,
        computer=computer,
    )
