"""Emergency cards: a power for the President (Article 48) or the Chancellor (Enabling Act), once.

Source: XL handbook, "Emergency powers". Peek and kill are the powers of the published game. Mark and pardon
are in ``marks``.
"""

from engine import tiles
from engine.board import Party
from engine.facts import Fact, fact, put
from engine.question import Answers, Seat, asks
from engine.steps.policy import consequences, place
from engine.steps.powers import choose, chosen, look
from engine.table import Table
from engine.turn import Turn

_BOTH = ("propaganda", "peek", "impeachment", "mark", "kill")
NO_CONFIDENCE = "no-confidence"
ARTICLE_48 = (*_BOTH, "pardon")
ENABLING_ACT = (*_BOTH, NO_CONFIDENCE)
KINDS = (tiles.TileKind("article-48", None), tiles.TileKind("enabling-act", None))
PUT_BACK = "put-back"
DISCARD = "discard"


@fact("xl/top-kept")
class TopKept(Fact):
    """A seat looked at the top tile and put it back."""

    seat: Seat


@fact("xl/top-discarded", face_down="tile")
class TopDiscarded(Fact):
    """A seat looked at the top tile and discarded it."""

    seat: Seat
    tile: str

    def fold(self, table: Table) -> None:
        table.pile = table.pile[1:]
        table.discards = (*table.discards, self.tile)


@fact("xl/impeached", hidden="party")
class Impeached(Fact):
    """One holder of office made the other show its party to a viewer. Only the viewer learns it."""

    seat: Seat
    target: Seat
    viewer: Seat
    party: Party | None

    def fold(self, table: Table) -> None:
        if self.party is not None:
            table.parties = put(table.parties, self.target, self.party)


@fact("xl/no-confidence")
class NoConfidence(Fact):
    """The tile that the President discarded this session is turned up and set aside, to be enacted too."""

    seat: Seat
    tile: str

    def fold(self, table: Table) -> None:
        # Only the Chancellor's tile was discarded after the President's.
        table.discards = (*table.discards[:-2], table.discards[-1])
        table.hand = (self.tile,)


def emergency(turn: Turn, tile: str) -> None:
    """Let the holder of an emergency card, if still alive, use its power."""
    table, kind, power = turn.table, tiles.kind(tile), tiles.power(tile)
    if tiles.card(kind) and power != NO_CONFIDENCE:
        turn.then(("use-power", power, table.president if kind == "article-48" else table.chancellor))


def distrust(turn: Turn, tile: str) -> None:
    """Set the President's discarded tile aside in a vote of no confidence, before the reshuffle check."""
    if tiles.power(tile) == NO_CONFIDENCE:
        assert turn.table.chancellor is not None
        turn.tell(NoConfidence(turn.table.chancellor, turn.table.discards[-2]))


def no_confidence(turn: Turn, tile: str) -> None:
    """Enact the tile that was set aside, with all consequences, after the reshuffle check."""
    for turned_up in turn.table.hand:
        power = place(turn, turned_up)
        if not turn.over:
            turn.then(*consequences(turn, turned_up, power))


@asks("propaganda")
def propaganda(turn: Turn, holder: Seat) -> None:
    """Show the holder the top tile, and ask whether to discard it."""
    look(turn, holder, 1)
    turn.ask((holder,), (DISCARD, PUT_BACK), clock=(PUT_BACK,), cards=2)


def decide(turn: Turn, answers: Answers) -> None:
    """Discard the top tile, with the reshuffle check, or leave it."""
    ((holder, choice),) = answers.items()
    if choice == DISCARD:
        turn.tell(TopDiscarded(holder, turn.table.pile[0]), (holder,))
        turn.then("reshuffle")
    else:
        turn.tell(TopKept(holder))


@asks("impeachment")
def impeachment(turn: Turn, holder: Seat) -> None:
    """Choose the seat that will see the other office holder's party: any living seat not in office."""
    government = (turn.table.president, turn.table.chancellor)
    choose(turn, holder, [seat for seat in turn.table.living() if seat not in government])


def impeach(turn: Turn, answers: Answers) -> None:
    """Show the party only to the viewer. Everyone learns who the viewer is."""
    holder, viewer = chosen(answers)
    president, chancellor = turn.table.president, turn.table.chancellor
    target = chancellor if holder == president else president
    assert target is not None
    turn.tell(Impeached(holder, target, viewer, turn.table.parties[target]), (viewer,))


STEPS = {
    "emergency": emergency,
    "distrust": distrust,
    "no-confidence": no_confidence,
    "power/propaganda": propaganda,
    "propaganda": decide,
    "power/impeachment": impeachment,
    "impeachment": impeach,
}
