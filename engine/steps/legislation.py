"""The legislative session: hand, discard, enactment, veto. Source: rule book, "Legislative session"."""

from engine import tiles
from engine.facts import Discarded, Drew, Passed, Vetoed, VetoRefused, VetoRequested
from engine.question import JA, NEIN, Answers, Seat, asks
from engine.steps import sealed_veto
from engine.turn import Turn

VETO = "veto"


@asks("discard")
def legislation(turn: Turn) -> None:
    """Let the President draw three tiles and ask which one to discard."""
    table = turn.table
    president = _president(turn)
    turn.tell(Drew(president, tiles.laid_out(table.pile[: tiles.HAND])), turn.holders(president))
    turn.ask_one(president, table.hand, cards=tiles.HAND)


def discard(turn: Turn, answers: Answers) -> None:
    """Put the tile that the President chose face down, and pass the other two to the Chancellor."""
    ((president, tile),) = answers.items()
    turn.tell(Discarded(president, str(tile)), turn.holders(president))
    chancellor = _chancellor(turn)
    turn.tell(Passed(chancellor, turn.table.hand), turn.holders(president, chancellor))
    turn.then("enactment")


@asks("enact")
def enactment(turn: Turn, refused: bool = False) -> None:
    """Ask the Chancellor which tile to enact.

    If the veto is unlocked, the Chancellor may ask for a veto instead, once a session. In games with a sealed
    veto, once the veto is unlocked, this step only puts ``sealed_veto.selection`` on the agenda.
    """
    if turn.table.veto and turn.options.get(sealed_veto.OPTION) == sealed_veto.SEALED:
        turn.then("selection")
        return
    hand = tiles.laid_out(turn.table.hand)
    may_ask = turn.table.veto and not refused
    options = (*hand, VETO) if may_ask else hand
    turn.ask((_chancellor(turn),), options, clock=hand, cards=len(hand))


@asks("veto")
def enact(turn: Turn, answers: Answers) -> None:
    """Enact the chosen tile. If the Chancellor asks for a veto instead, ask the President."""
    ((chancellor, choice),) = answers.items()
    if choice == VETO:
        turn.tell(VetoRequested(chancellor))
        turn.ask((_president(turn),), (JA, NEIN), clock=(NEIN,))
        return
    turn.then(("settle", choice))


def settle(turn: Turn, tile: str) -> None:
    """Enact the chosen tile and put the other one face down. Both holders of office know it."""
    government = (_president(turn), _chancellor(turn))
    (other,) = tiles.without(turn.table.hand, tile)
    turn.tell(Discarded(government[1], other), turn.holders(*government))
    turn.then(("enact-tile", tile))


def veto(turn: Turn, answers: Answers) -> None:
    """Veto both tiles if the President agrees. Otherwise ask the Chancellor again which one to enact."""
    ((president, agreed),) = answers.items()
    if agreed == JA:
        turn.then("veto-agenda")
        return
    turn.tell(VetoRefused(president))
    turn.then(("enactment", True))


def veto_agenda(turn: Turn) -> None:
    """Discard both tiles. A vetoed agenda counts as a failed election."""
    turn.tell(Vetoed(turn.table.hand), turn.holders(_president(turn), _chancellor(turn)))
    turn.then("reshuffle", "fail-election")


def _president(turn: Turn) -> Seat:
    assert turn.table.president is not None
    return turn.table.president


def _chancellor(turn: Turn) -> Seat:
    assert turn.table.chancellor is not None
    return turn.table.chancellor


STEPS = {
    "legislation": legislation,
    "discard": discard,
    "enactment": enactment,
    "enact": enact,
    "settle": settle,
    "veto": veto,
    "veto-agenda": veto_agenda,
}
