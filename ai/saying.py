"""Claims: what a seat says about what it saw, true or not, as suits its party."""

from collections.abc import Iterator, Sequence
from math import exp

from ai import likelihoods, tuning
from ai.character import PLAIN, Character
from ai.decider import Decider
from ai.likelihoods import COMMUNIST, FASCIST, HITLER
from ai.odds import TileCounts, count_colours
from ai.rounds import legislation_of, public_count, rounds_of
from ai.sessions import claim_rates, with_liberals
from engine import Chance, Seat, View, board_of, tiles
from engine import facts as f
from engine.claim import Claim, colour, colours_of
from engine.facts import Fact
from engine.frozen import frozen

#: For a random number below 1, an integer below this constant is drawn and divided by it.
_FINE = 1 << 16


@frozen
class Seen:
    """Something that the seat saw and may make a claim about."""

    round: int
    kind: str
    #: The truth: colours as claims name them, or a party.
    truth: tuple[str, ...]
    #: For a session: the colour that the President discarded, if the seat knows it, and the one enacted.
    discarded: str | None = None
    enacted: str | None = None
    #: For a party: the seat that was investigated. For a President's hand: the Chancellor.
    other: Seat | None = None


def say(
    view: View, claims: Sequence[Claim], chance: Chance, level: str, character: Character = PLAIN
) -> tuple[Claim, ...]:
    """Return the new claims of a view's seat, in order of rounds: about what it saw and has not yet claimed.

    The seat says what tiles it had once the session is over. ``chance`` is the seat's own random stream.
    """
    if view.seat is None:
        return ()
    spoken = {(claim.round, claim.kind) for claim in claims if claim.seat == view.seat}
    board = board_of(view.setup)
    decider = Decider(view, board, character)
    now = public_count(view.facts)
    colours = colours_of(board)
    found = []
    for seen in _seen(view):
        if (seen.round, seen.kind) not in spoken:
            luck = chance.pick(f"say/{seen.round}/{seen.kind}", range(_FINE)) / _FINE
            said = _told(decider, seen, colours, level, luck)
            found.append(Claim(view.seat, seen.round, seen.kind, said, now))
    return tuple(found)


def _told(decider: Decider, seen: Seen, colours: tuple[str, ...], level: str, luck: float) -> tuple[str, ...]:
    """Return the seat's claim about one thing. ``luck``: from 0 up to 1."""
    if seen.kind == "party":
        return (_party(decider, seen, level, luck),)
    counts = count_colours(seen.truth, colours)
    if seen.enacted is not None:
        for said, share in _possible_claims(decider, seen, counts, colours, level):
            luck -= share
            if luck < 0:
                counts = said
                break
    return tuple(name for name, count in zip(colours, counts, strict=True) for _ in range(count))


def _possible_claims(
    decider: Decider, seen: Seen, counts: TileCounts, colours: tuple[str, ...], level: str
) -> Iterator[tuple[TileCounts, float]]:
    """Yield the seat's possible claims of a hand with their rates, as people of its role claim."""
    assert seen.enacted is not None
    enacted = colours.index(seen.enacted)
    discarded = colours.index(seen.discarded) if seen.discarded is not None else None
    rates = claim_rates(seen.kind, counts, discarded, enacted, colours)
    if rates is None:
        yield counts, 1.0
        return
    role = decider.core_role
    row = list(rates[min(role, HITLER) if role != COMMUNIST else FASCIST])
    if level == "novice":
        # A novice always makes the claim that people of its role make most often.
        row = [float(liberals == row.index(max(row))) for liberals in range(len(row))]
    row = _adapted(decider, seen, row, counts[colours.index("liberal")])
    options = [with_liberals(counts, liberals, enacted, colours) for liberals in range(len(row))]
    # The enacted tile cannot have been missing from the hand.
    row = [share if told[enacted] else 0.0 for told, share in zip(options, row, strict=True)]
    whole = sum(row)
    for told, share in zip(options, row, strict=True):
        yield told, share / whole if whole else float(told == counts)


def _adapted(decider: Decider, seen: Seen, row: list[float], truth: int) -> list[float]:
    """Return the rates of a role, adapted to this seat. ``truth``: the Liberal tiles in its hand."""
    liberal, harmless = decider.party == "liberal", seen.enacted == "liberal"
    if seen.kind == "chancellor" and not harmless:
        # After enacting another tile, a Chancellor claims to have held no Liberal tile. Only a Liberal may
        # claim the true number instead.
        row = [share if at in (0, truth if liberal else 0) else 0.0 for at, share in enumerate(row)]
    if liberal:
        wrong = sum(row) - row[truth]
        mistakes = min(tuning.LIBERAL_MISTAKES, wrong * (tuning.HARMLESS_SLIPS if harmless else 1.0))
        return _with_mistakes(row, truth, max(mistakes, wrong) if harmless else mistakes)
    if harmless:
        return row
    # A claim that it passed on a Liberal tile accuses the Chancellor.
    if seen.kind == "president":
        row[1] *= exp(decider.character.accuses)
        if decider.fellows:
            row[1] *= tuning.ACCUSES_FELLOW if seen.other in decider.fellows else tuning.ACCUSES_STRANGER
    return row


def _with_mistakes(row: list[float], truth: int, mistakes: float) -> list[float]:
    """Return rates with this share of wrong claims, in the same proportions to each other as before."""
    wrong = sum(row) - row[truth]
    return [
        1 - mistakes if at == truth else share * mistakes / wrong if wrong else 0.0
        for at, share in enumerate(row)
    ]


def _party(decider: Decider, seen: Seen, level: str, luck: float) -> str:
    """Return an inspector's claim. A Liberal tells the truth. Other seats lie as often as people do."""
    (truth,) = seen.truth
    if not decider.secretive:
        return truth
    role = decider.core_role
    if truth == "liberal":
        return "fascist" if luck < likelihoods.SAYS_FASCIST_OF_LIBERAL[role] else "liberal"
    if truth == decider.party:
        hitler = seen.other is not None and decider.table.roles[seen.other] == "hitler"
        good = likelihoods.SAYS_LIBERAL_OF_HITLER if hitler else likelihoods.SAYS_LIBERAL_OF_FELLOW[role]
        return "liberal" if level == "novice" or luck < good else truth
    return truth if luck < likelihoods.TELLS_OF_OTHERS[role] else "liberal"


def _seen(view: View) -> Iterator[Seen]:
    """Yield what the seat saw and can claim, round by round."""
    for number, facts in enumerate(rounds_of(view.facts)[1:], start=1):
        yield from _session(view, number, facts)
        for fact in facts:
            if isinstance(fact, f.Peeked) and fact.seat == view.seat and len(fact.pile) == tiles.HAND:
                yield Seen(number, "peek", tuple(colour(tile) for tile in fact.pile))
            elif isinstance(fact, f.Investigated) and fact.seat == view.seat and fact.party is not None:
                yield Seen(number, "party", (fact.party,), other=fact.target)


def _session(view: View, number: int, facts: Sequence[Fact]) -> Iterator[Seen]:
    """Yield the seat's tiles of a round's session, once that is over."""
    session = legislation_of(facts)
    if session is None or (session.enacted is None and not session.vetoed):
        return
    enacted = None if session.enacted is None else colour(session.enacted.tile)
    tile = None if session.discarded is None else session.discarded.tile
    for kind, held in (("president", session.drew), ("chancellor", session.passed)):
        if held.seat == view.seat and tiles.UNKNOWN not in held.hand:
            discarded = None if tile in (None, tiles.UNKNOWN) else colour(tile)
            other = session.passed.seat if kind == "president" else None
            yield Seen(number, kind, tuple(map(colour, held.hand)), discarded, enacted, other)
