"""Find claims that cannot all be true: about a session's hands, the pile before a draw, or parties.

Only public knowledge counts. If something may have changed in between, no contradiction is reported.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from bot.rooms.governments import CHANCELLOR, PARTY, PEEK, PRESIDENT, Government
from engine import facts as f
from engine.claim import Claim, colour
from engine.steps.communists import COMMUNIST, Confessed


def contradictions(rounds: Sequence[Government], claims: Sequence[Claim]) -> frozenset[int]:
    """Return the rounds whose claims contradict each other, earlier claims, or what was shown."""
    return frozenset({*_of_hands(rounds, claims), *_of_piles(rounds, claims), *_of_parties(rounds, claims)})


def _of_hands(rounds: Sequence[Government], claims: Sequence[Claim]) -> Iterator[int]:
    """Compare claims of one session with each other and with the enacted tile."""
    for now in rounds:
        hands = _hands(now, claims)
        enacted = Counter(colour(tile) for tile in now.enacted[:1] if not now.chaos)
        both = PRESIDENT in hands and CHANCELLOR in hands
        if any(enacted - hand for hand in hands.values()) or (both and hands[CHANCELLOR] - hands[PRESIDENT]):
            yield now.round


def _of_piles(rounds: Sequence[Government], claims: Sequence[Claim]) -> Iterator[int]:
    """Compare claims about the top of the pile with each other and with the hand drawn from it."""
    tops: list[Counter[str]] = []
    for now in rounds:
        drawn = [*_hands(now, claims).values(), *_enacted_from_hand(now)]
        if any(map(_moves_the_pile, now.before)):
            tops = []
        for fact in now.facts:
            if isinstance(fact, f.Peeked):
                said = _said(claims, PEEK, fact.seat, now.round)
                if said and any(top != Counter(said) for top in tops):
                    yield now.round
                tops += [Counter(said)] if said else []
            elif isinstance(fact, f.Drew):
                if any(hand - top for top in tops for hand in drawn):
                    yield now.round
                tops = []
            elif _moves_the_pile(fact):
                tops = []


def _of_parties(rounds: Sequence[Government], claims: Sequence[Claim]) -> Iterator[int]:
    """Compare claims about a party with earlier claims and what was shown. Anybody may become a Communist."""
    known: dict[int, str] = {}
    for now in rounds:
        for fact in now.facts:
            if isinstance(fact, f.Investigated):
                seat, said = fact.target, _said(claims, PARTY, fact.seat, now.round)
            elif isinstance(fact, Confessed):
                seat, said = fact.seat, (fact.party,)
            else:
                continue
            if said:
                if known.get(seat, said[0]) != said[0] != COMMUNIST:
                    yield now.round
                known[seat] = said[0]


def _hands(now: Government, claims: Sequence[Claim]) -> dict[str, Counter[str]]:
    return {
        claim.kind: Counter(claim.said)
        for claim in claims
        if claim.round == now.round and claim.kind in (PRESIDENT, CHANCELLOR)
    }


def _enacted_from_hand(now: Government) -> list[Counter[str]]:
    return [Counter(colour(tile) for tile in now.enacted[:1])] if now.elected and not now.chaos else []


def _said(claims: Sequence[Claim], kind: str, seat: int, number: int) -> tuple[str, ...]:
    found = (claim.said for claim in claims if (claim.kind, claim.seat, claim.round) == (kind, seat, number))
    return next(found, ())


def _moves_the_pile(fact: f.Fact) -> bool:
    """Return True if other tiles may be on top now. This module does not know expansions' effects."""
    return isinstance(fact, f.Shuffled) or (isinstance(fact, f.Enacted) and fact.chaos) or "/" in fact.id
