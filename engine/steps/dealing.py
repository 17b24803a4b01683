"""The deal: roles, who knows whom, the first candidate, the draw pile. Source: rule book, "Set up"."""

from typing import cast

from engine import tiles
from engine.board import HITLER, Party, Role
from engine.facts import Dealt, Recognised, Shuffled, TracksLaid
from engine.question import SEATS, Seat
from engine.turn import Turn

#: In the card of a secret role, it means any party.
ANY = "*"
#: The party of each role that is not named after its party.
PARTY: dict[str, Party] = {HITLER: "fascist"}


def envelope(card: str) -> tuple[Party, Role]:
    """Return the party and the role in an envelope: ``hitler``, ``liberal``, ``fascist:monarchist``."""
    party, _, role = card.partition(":")
    return PARTY.get(party) or cast("Party", party), Role(role or party)


def envelopes(turn: Turn) -> list[str]:
    """Return the envelopes to deal: the board's, some of them with a secret role.

    Roles that only one party may hold are placed first. Otherwise a role that any party may hold could take
    the last free envelope of that party.
    """
    cards = [card for card, count in turn.board.roles.items() for _ in range(count)]
    for secret in sorted(turn.board.secret_roles, key=lambda card: card.startswith(ANY)):
        party, _, role = secret.partition(":")
        plain = [c for c in cards if c != "hitler" and ":" not in c and party in (ANY, c)]
        chosen = turn.chance.pick(f"secret/{role}", plain)
        cards[cards.index(chosen)] = f"{chosen}:{role}"
    return cards


def deal(turn: Turn) -> None:
    """Deal the envelopes, show who knows whom, shuffle, and find the first candidate."""
    board = turn.board
    turn.tell(TracksLaid(tuple(board.tracks)))
    for seat, card in zip(SEATS, turn.chance.shuffle("roles", envelopes(turn)), strict=False):
        turn.tell(Dealt(seat, *envelope(card)), (seat,))
    turn.then("acquaint", "shuffle-deck", *turn.rules.opening, "first-candidate")


def acquaint(turn: Turn) -> None:
    """Tell each seat whom it knows from the start."""
    table = turn.table
    for seat in table.all_seats():
        if viewers := tuple(s for s in table.all_seats() if s != seat and _knows(turn, s, seat)):
            hitler = table.roles[seat] == "hitler"
            turn.tell(Recognised(seat, cast("Party", table.parties[seat]), hitler), viewers)


def _knows(turn: Turn, viewer: Seat, seat: Seat) -> bool:
    table, board = turn.table, turn.board
    party = table.parties[viewer]
    if party != table.parties[seat]:
        return False
    if party == "communist":
        return board.communists_know
    return party == "fascist" and (board.hitler_knows or table.roles[viewer] != "hitler")


def shuffle_deck(turn: Turn) -> None:
    """Make the draw pile from the shuffled policy deck."""
    cards = [card for tile, count in turn.board.deck.items() for card in copies(turn, tile, count)]
    turn.tell(Shuffled(shuffled(turn, cards)), ())


def copies(turn: Turn, tile: str, count: int) -> list[str]:
    """Make this many tiles of a name. If its power is "?", draw a power for each tile.

    Every power is drawn once before any is drawn again.
    """
    if tiles.power(tile) != tiles.UNKNOWN:
        return [tile] * count
    kind = tiles.kind(tile)
    powers = turn.chance.shuffle(f"powers/{kind}", turn.rules.tiles[kind])
    return [f"{kind}:{powers[number % len(powers)]}" for number in range(count)]


def shuffled(turn: Turn, cards: list[str]) -> tuple[str, ...]:
    """Return the cards in the order of this game's next shuffle.

    They are sorted first, so the new order does not depend on the old one.
    """
    return turn.chance.shuffle(f"deck/{turn.table.shuffles + 1}", sorted(cards))


def first_candidate(turn: Turn) -> None:
    """Draw the first presidential candidate."""
    turn.then(("candidate", turn.chance.pick("first", turn.table.all_seats())))


STEPS = {"deal": deal, "acquaint": acquaint, "shuffle-deck": shuffle_deck, "first-candidate": first_candidate}
