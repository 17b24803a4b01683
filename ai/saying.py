"""Claims: what a seat says of what it saw, true or not, as its party commands."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ai import likelihoods
from ai.decider import Decider
from ai.likelihoods import CORE, PARTY
from ai.odds import Make, made_of
from ai.rounds import legislation_of, public_count, rounds_of
from ai.sessions import chancellor_tells, president_tells
from engine import Chance, View, board_of, tiles
from engine import facts as f
from engine.claim import Claim, colour, colours_of
from engine.facts import Fact


@dataclass(frozen=True, slots=True)
class Seen:
    """Something that the seat saw and may speak of."""

    round: int
    kind: str
    #: The truth: colours as claims name them, or a party.
    truth: tuple[str, ...]
    #: Of a session: the colour that the President discarded, where the seat knows, and what was enacted.
    gone: str | None = None
    enacted: str | None = None
    #: Of a party: whose.
    target: int | None = None


def say(view: View, claims: Sequence[Claim], chance: Chance, level: str) -> tuple[Claim, ...]:
    """What a view's seat claims of what it saw and has not yet spoken of, in the order in which it saw it.

    Of a session it speaks once that is over. Liberals tell the truth. ``chance`` is the seat's own stream.
    """
    if view.seat is None:
        return ()
    spoken = {(claim.round, claim.kind) for claim in claims if claim.seat == view.seat}
    board = board_of(view.setup)
    decider = Decider(view, board, chance)
    now = public_count(view.facts)
    colours = colours_of(board)
    found = []
    for seen in _seen(view):
        if (seen.round, seen.kind) not in spoken:
            said = _told(decider, seen, colours, level)
            found.append(Claim(view.seat, seen.round, seen.kind, said, now))
    return tuple(found)


def _told(decider: Decider, seen: Seen, colours: tuple[str, ...], level: str) -> tuple[str, ...]:
    """What the seat says of one thing."""
    if seen.kind == "party":
        return (_party(decider, seen, level),)
    make = made_of(seen.truth, colours)
    if decider.secretive and seen.enacted is not None:
        make = _hand(decider, seen, make, colours, level)
    return tuple(name for name, count in zip(colours, make, strict=True) for _ in range(count))


def _hand(decider: Decider, seen: Seen, make: Make, colours: tuple[str, ...], level: str) -> Make:
    """A hand as somebody who hides tells it: as people do; a novice always as if there had been no choice."""
    assert seen.enacted is not None
    enacted = colours.index(seen.enacted)
    if seen.kind == "president":
        gone = colours.index(seen.gone) if seen.gone is not None else enacted
        told = president_tells(make, gone, enacted, colours)
    else:
        told = chancellor_tells(make, enacted, colours)
    if level == "novice":
        return max(told, key=lambda said: said[1])[0]
    luck = decider.luck()
    for said, share in told:
        luck -= share
        if luck < 0:
            return said
    # What people say besides is all kinds of things: here, whatever is told most often.
    return max(told, key=lambda said: said[1])[0]


def _party(decider: Decider, seen: Seen, level: str) -> str:
    """What an inspector says: the truth, or, where it hides, what helps its own."""
    (truth,) = seen.truth
    if not decider.secretive:
        return truth
    role = CORE.index(decider.role) if decider.role in CORE else PARTY.index(decider.party)
    if truth == "liberal":
        return "fascist" if decider.happens(likelihoods.CALLS_LIBERAL_BAD[role]) else "liberal"
    if truth == decider.party:
        hitler = seen.target is not None and decider.table.roles[seen.target] == "hitler"
        good = likelihoods.CALLS_HITLER_LIBERAL if hitler else likelihoods.CALLS_FELLOW_LIBERAL[role]
        return "liberal" if level == "novice" or decider.happens(good) else truth
    return truth if decider.happens(likelihoods.TELLS_OF_OTHERS[role]) else "liberal"


def _seen(view: View) -> Iterator[Seen]:
    """What the seat saw that can be claimed, round by round."""
    for number, facts in enumerate(rounds_of(view.facts)[1:], start=1):
        yield from _session(view, number, facts)
        for fact in facts:
            if isinstance(fact, f.Peeked) and fact.seat == view.seat and len(fact.pile) == tiles.HAND:
                yield Seen(number, "peek", tuple(colour(tile) for tile in fact.pile))
            elif isinstance(fact, f.Investigated) and fact.seat == view.seat and fact.party is not None:
                yield Seen(number, "party", (fact.party,), target=fact.target)


def _session(view: View, number: int, facts: Sequence[Fact]) -> Iterator[Seen]:
    """What the seat held in a round's session, once that is over."""
    session = legislation_of(facts)
    if session is None or (session.enacted is None and not session.vetoed):
        return
    enacted = None if session.enacted is None else colour(session.enacted.tile)
    gone = None if session.discarded is None else session.discarded.tile
    for kind, held in (("president", session.drew), ("chancellor", session.passed)):
        if held.seat == view.seat and tiles.UNKNOWN not in held.hand:
            discarded = None if gone in (None, tiles.UNKNOWN) else colour(gone)
            yield Seen(number, kind, tuple(map(colour, held.hand)), discarded, enacted)
