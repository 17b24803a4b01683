"""Buttons for claims about what a seat saw. They appear below the message that showed it."""

from collections.abc import Iterable
from itertools import combinations_with_replacement

from bot.display.buttons import Button, Row, data
from bot.display.expansions import SHOWN
from bot.display.words import Words
from bot.rooms.model import Match, Room
from bot.rooms.rounds import CHANCELLOR, HANDS, PARTY, PEEK, PRESIDENT, claimable_colours, rounds_of, truth
from engine import Question, Seat, board_of
from engine.claim import Claim, colour, colours_of
from engine.facts import CandidacyPassed, Fact, Investigated, Peeked
from engine.rulesets.xl.emergency import Impeached
from engine.tiles import HAND

#: Callback data names a kind of claim by its index here: add at the end only.
KINDS = (PRESIDENT, CHANCELLOR, PEEK, PARTY)
_WIDTH = 2


def possible_claims(match: Match, claimed: str) -> tuple[tuple[str, ...], ...]:
    """Return everything that a claim of this kind can say: each hand of the game's colours, or each party."""
    board = board_of(match.game.setup)
    if claimed == PARTY:
        return tuple([(party,) for party in board.tracks])
    size = HAND - 1 if claimed == CHANCELLOR else HAND
    return tuple(combinations_with_replacement(colours_of(board), size))


def offered(match: Match, seat: Seat, claimed: str, number: int) -> tuple[int, ...]:
    """Return the claims about a round that a seat may choose from, as indices into ``possible_claims``.

    A claim is not offered if everybody would see that it is a lie.
    """
    view = match.view(seat)
    colours = claimable_colours(rounds_of(view)[number - 1], claimed, veto=view.table.veto)
    possible = enumerate(possible_claims(match, claimed))
    return tuple([place for place, said in possible if not colours or not colours.isdisjoint(said)])


def claim_rows(room: Room, match: Match, seat: Seat, question: Question) -> tuple[Row, ...]:
    """Return the buttons below the record of a discard or a Chancellor's choice.

    There are none if the cards were face down, because the seat did not see them. ``match`` is as it was when
    the seat was asked.
    """
    if question.step not in HANDS or question.blind:
        return ()
    hand = [str(option) for option in question.options[0] if option not in SHOWN.verbs]
    return _rows(room, match, seat, HANDS[question.step], map(colour, hand), match.round)


def whisper_rows(room: Room, match: Match, seat: Seat, fact: Fact, events: int) -> tuple[Row, ...]:
    """Return the buttons below the message that told a seat about the pile or a party.

    A claim about the pile is about a whole hand, so there is none if the seat saw fewer tiles. ``events``:
    the number of events so far.
    """
    number = len([event for event in match.log[:events] if isinstance(event.fact, CandidacyPassed)])
    if isinstance(fact, Peeked) and len(fact.pile) == HAND:
        return _rows(room, match, seat, PEEK, map(colour, fact.pile), number)
    if isinstance(fact, Investigated | Impeached):
        return _rows(room, match, seat, PARTY, [str(fact.party)], number)
    return ()


def rows_about(room: Room, match: Match, seat: Seat, claimed: str, number: int) -> tuple[Row, ...]:
    """Return the buttons that make or change a claim about a round. The true one is marked."""
    seen = truth(rounds_of(match.view(seat))[number - 1], Claim(seat, number, claimed, (), 0)) or ()
    return _rows(room, match, seat, claimed, seen, number)


def _rows(
    room: Room, match: Match, seat: Seat, claimed: str, seen: Iterable[str], number: int
) -> tuple[Row, ...]:
    """Return a button for each claim about a round that is ``offered`` to the seat.

    The one that says what the seat has ``seen`` is marked.
    """
    assert room.match is not None
    possible = possible_claims(match, claimed)
    words, true = Words(match.players[seat].language, room.settings.theme), sorted(seen)
    prefix, buttons = "party" if claimed == PARTY else "sign", []
    for choice in offered(room.match, seat, claimed, number):
        said = "".join([words.plain(f"{prefix}.{word}") for word in possible[choice]])
        key = "button.claim.true" if sorted(possible[choice]) == true else "button.claim"
        tap = data(room.name, "claim", match.number, number, KINDS.index(claimed), choice)
        buttons.append(Button(words.plain(key, said=said), tap))
    return tuple([tuple(buttons[at : at + _WIDTH]) for at in range(0, len(buttons), _WIDTH)])
