"""The probabilities of the draw pile's contents."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import comb

from engine.claim import colour

#: The number of tiles of each colour in a pile or hand, in the order of a board's colours.
TileCounts = tuple[int, ...]
#: The probability of each possible content of a pile or hand.
TileProbabilities = dict[TileCounts, float]
#: A case less likely than this is dropped.
_FAINT = 1e-4


def count_colours(cards: Sequence[str], colours: Sequence[str]) -> TileCounts:
    """Return how many cards (tiles, or colours as claims name them) of each colour there are."""
    named = [card if card in colours else colour(card) for card in cards]
    return tuple(named.count(name) for name in colours)


@lru_cache(maxsize=4096)
def hands_from(pile: TileCounts, size: int) -> tuple[tuple[TileCounts, float], ...]:
    """Return every hand of this size from a shuffled pile, with its probability."""
    total = comb(sum(pile), size)
    if not total:
        return ()
    found = []
    for hand in _hands(pile, size):
        ways = 1
        for have, take in zip(pile, hand, strict=True):
            ways *= comb(have, take)
        found.append((hand, ways / total))
    return tuple(found)


def _hands(pile: TileCounts, size: int) -> Iterator[TileCounts]:
    if len(pile) == 1:
        if size <= pile[0]:
            yield (size,)
        return
    for take in range(min(size, pile[0]) + 1):
        yield from ((take, *rest) for rest in _hands(pile[1:], size - take))


def hand_probabilities(pile: TileProbabilities, size: int) -> TileProbabilities:
    """Return the probability of each next hand."""
    found: TileProbabilities = {}
    for counts, weight in pile.items():
        for hand, probability in hands_from(counts, size):
            found[hand] = found.get(hand, 0.0) + weight * probability
    return found


def remove_hand(pile: TileProbabilities, hands: TileProbabilities) -> TileProbabilities:
    """Return the probabilities of the pile's content after a hand was drawn.

    ``hands``: for each hand, the likelihood of what was seen if it was drawn. Returns an empty dict if no
    hand with a likelihood above 0 can come from the pile.
    """
    left: TileProbabilities = {}
    for counts, weight in pile.items():
        for hand, probability in hands_from(counts, sum(next(iter(hands)))):
            if told := hands.get(hand):
                rest = tuple(have - take for have, take in zip(counts, hand, strict=True))
                left[rest] = left.get(rest, 0.0) + weight * probability * told
    return drop_rare_and_scale(left)


def drop_rare_and_scale(probabilities: TileProbabilities) -> TileProbabilities:
    """Return the probabilities without nearly impossible cases, scaled to add up to 1."""
    total = sum(probabilities.values())
    if total <= 0:
        return {}
    kept = {counts: weight for counts, weight in probabilities.items() if weight > _FAINT * total}
    total = sum(kept.values())
    return {counts: weight / total for counts, weight in kept.items()}


def subtract(whole: TileCounts, part: TileCounts) -> TileCounts:
    """Return the difference of two tile counts, with no number below 0."""
    return tuple(max(0, have - take) for have, take in zip(whole, part, strict=True))
