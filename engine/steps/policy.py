"""A tile played face up: track, victory, veto, reshuffle. Source: rule book, "Election tracker" to "Veto"."""

from engine import tiles
from engine.facts import Enacted, Shuffled, VetoUnlocked
from engine.steps.dealing import shuffled
from engine.steps.legislation import HAND
from engine.turn import Turn


def enact_tile(turn: Turn, tile: str) -> None:
    """A government's tile: placed, then the reshuffle check, the slot's power, and what rulesets add."""
    slot = place(turn, tile)
    if turn.over:
        return
    power = None if slot is None else slot_power(turn, *slot)
    after = [(name, tile) for name in turn.rules.after_tile]
    turn.then("reshuffle", *((("power", power),) if power else ()), *after, "end-round")


def chaos(turn: Turn) -> None:
    """The frustrated populace enacts the top tile: no power, and term limits are forgotten."""
    place(turn, turn.table.pile[0], chaos=True)
    if not turn.over:
        turn.then("reshuffle")


def place(turn: Turn, tile: str, chaos: bool = False) -> tuple[str, int] | None:
    """Play a tile face up; the track and slot (from 0) that it covered for the first time, if any.

    A full track wins, whatever filled it. The veto is unlocked for good.
    """
    table, board = turn.table, turn.board
    track = tiles.track(tile)
    turn.tell(Enacted(tile, track, chaos))
    if track is None:
        return None
    lies = len(table.tracks[track])
    if lies >= len(board.tracks[track]):
        turn.win((track,), f"{track}-track")
    elif track == "fascist" and lies >= board.veto and not table.veto:
        turn.tell(VetoUnlocked())
    return track, lies - 1


def slot_power(turn: Turn, track: str, slot: int) -> str | None:
    """The power of a slot that was just covered."""
    return turn.board.tracks[track][slot]


def reshuffle(turn: Turn) -> None:
    """Fewer than three tiles left: shuffle them together with the discard pile."""
    table = turn.table
    if len(table.pile) < HAND:
        turn.tell(Shuffled(shuffled(turn, [*table.pile, *table.discards])), ())


STEPS = {"enact-tile": enact_tile, "chaos": chaos, "reshuffle": reshuffle}
