"""The deal: roles, who knows whom, the first candidate, the draw pile. Source: rule book, "Set up"."""

from engine.facts import Dealt, Recognised, Shuffled, TracksLaid
from engine.table import Table
from engine.turn import Turn

#: The party of those roles that are not named like it.
PARTY = {"hitler": "fascist"}


def party_of(role: str) -> str:
    """The party membership that is dealt together with a role."""
    return PARTY.get(role, role)


def deal(turn: Turn) -> None:
    """Deal the envelopes, let those meet who know each other, shuffle, and find the first candidate."""
    board = turn.board
    turn.tell(TracksLaid(tuple(board.tracks)))
    cards = [role for role, count in board.roles.items() for _ in range(count)]
    for seat, role in enumerate(turn.chance.shuffle("roles", cards)):
        turn.tell(Dealt(seat, party_of(role), role), (seat,))
    turn.then("acquaint", "shuffle-deck", "first-candidate")


def acquaint(turn: Turn) -> None:
    """Let each seat be recognised by those who may know it from the start."""
    table = turn.table
    for seat in range(table.seats):
        if viewers := tuple(s for s in range(table.seats) if s != seat and _knows(turn, s, seat)):
            hitler = table.roles[seat] == "hitler"
            turn.tell(Recognised(seat, str(table.parties[seat]), hitler), viewers)


def _knows(turn: Turn, viewer: int, seat: int) -> bool:
    table, board = turn.table, turn.board
    party = table.parties[viewer]
    if party != table.parties[seat]:
        return False
    if party == "communist":
        return board.communists_know
    return party == "fascist" and (board.hitler_knows or table.roles[viewer] != "hitler")


def shuffle_deck(turn: Turn) -> None:
    """Lay the shuffled policy deck on the draw pile."""
    cards = [tile for tile, count in turn.board.deck.items() for _ in range(count)]
    turn.tell(Shuffled(shuffled(turn, cards)), ())


def shuffled(turn: Turn, cards: list[str]) -> tuple[str, ...]:
    """The cards in the order of this game's next shuffle."""
    return turn.chance.shuffle(f"deck/{turn.table.shuffles + 1}", cards)


def first_candidate(turn: Turn) -> None:
    """Draw the first presidential candidate."""
    turn.then(("candidate", turn.chance.pick("first", range(turn.table.seats))))


def recognised_by(table: Table, party: str) -> tuple[int, ...]:
    """The seats whose party membership is this one now."""
    return tuple(seat for seat in range(table.seats) if table.parties[seat] == party)


STEPS = {
    "deal": deal,
    "acquaint": acquaint,
    "shuffle-deck": shuffle_deck,
    "first-candidate": first_candidate,
}
