"""A tile played face up: track, victory, veto, reshuffle. Source: rule book, "Election tracker" to "Veto"."""

from engine import tiles
from engine.facts import Enacted, Shuffled, VetoUnlocked
from engine.steps.dealing import shuffled
from engine.turn import Call, Turn


def enact_tile(turn: Turn, tile: str) -> None:
    """Place a government's tile, then run the reshuffle check, the slot's power, and what rulesets add."""
    power = place(turn, tile)
    if not turn.over:
        before = [(name, tile) for name in turn.rules.before_reshuffle]
        turn.then(*before, "reshuffle", *consequences(turn, tile, power), "end-round")


def consequences(turn: Turn, tile: str, power: str | None) -> list[Call]:
    """Return the steps that follow a government's tile: the slot's power, and what rulesets add."""
    after: list[Call] = [(name, tile) for name in turn.rules.after_tile]
    return [("power", power), *after] if power else after


def chaos(turn: Turn) -> None:
    """Enact the top tile after too many failed elections. It gives no power. Term limits are forgotten."""
    place(turn, turn.table.pile[0], chaos=True)
    if not turn.over:
        turn.then("reshuffle", *turn.rules.after_chaos)


def place(turn: Turn, tile: str, chaos: bool = False) -> str | None:
    """Enact a tile. Return the power of its slot, if the slot was never covered before.

    A full track wins, whatever filled it. A veto, once unlocked, stays unlocked.
    """
    table, board = turn.table, turn.board
    track = tiles.track(tile)
    if track is None:
        turn.tell(Enacted(tile, track, chaos))
        return None
    covered = table.covered(track)
    turn.tell(Enacted(tile, track, chaos))
    lies = len(table.tracks[track])
    if lies >= len(board.tracks[track]):
        turn.win((track,), f"{track}-track")
    elif track == "fascist" and lies >= board.veto and not table.veto:
        turn.tell(VetoUnlocked())
    return board.tracks[track][lies - 1] if lies > covered and not tiles.powerless(tile) else None


def reshuffle(turn: Turn) -> None:
    """If fewer than three tiles are left, shuffle them together with the discard pile."""
    table = turn.table
    if len(table.pile) < tiles.HAND:
        turn.tell(Shuffled(shuffled(turn, [*table.pile, *table.discards])), ())


STEPS = {"enact-tile": enact_tile, "chaos": chaos, "reshuffle": reshuffle}
