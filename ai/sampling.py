"""Renew a sample of worlds of which few still have weight: draw by weight, then try swaps of two roles."""

from collections.abc import Iterator, Sequence

from ai.evidence import Evidence, Weights
from ai.likelihoods import SAMPLE_SIZE
from ai.worlds import Allowed, Worlds, random_numbers, worlds


def renew_sample(
    counts: tuple[int, ...],
    allowed: Allowed,
    history: Sequence[Evidence],
    rows: Sequence[bytes] = (),
    weights: Sequence[float] = (),
) -> tuple[Worlds, Weights]:
    """Return a new sample of worlds with their weights.

    Without ``rows``, start from all worlds that fit, or from a fresh sample of them. If this start is exact
    (every world that fits), or if no world in it has weight, return it with its weights. Otherwise draw
    worlds by weight. Each of them tries one swap of two seats' roles, which is accepted by the
    Metropolis-Hastings rule for the evidence in ``history``.
    """
    stream = random_numbers(f"renewed/{counts}/{allowed}/{len(history)}")
    if not rows:
        fresh = worlds(counts, allowed)
        weights = weigh_worlds(fresh, history)
        if fresh.exact or not any(weights):
            return fresh, list(weights)
        rows = fresh.rows
    chosen = Worlds(tuple(rows[at] for at in _draw_by_weight(weights, SAMPLE_SIZE)), exact=False)
    return _try_swaps(chosen, allowed, history, stream), [1.0] * len(chosen)


def weigh_worlds(found: Worlds, history: Sequence[Evidence]) -> Weights:
    """Return how likely each world makes all of the evidence, up to a common factor."""
    weights = [1.0] * len(found)
    for piece in history:
        weights = piece.weigh(weights, found)
    return weights


def _draw_by_weight(weights: Sequence[float], count: int) -> list[int]:
    """Return ``count`` indexes, each about as often as its weight demands (systematic resampling)."""
    step = sum(weights) / count
    chosen: list[int] = []
    reached, target = 0.0, step / 2
    for at, weight in enumerate(weights):
        reached += weight
        while target < reached and len(chosen) < count:
            chosen.append(at)
            target += step
    return chosen or [0]


def _try_swaps(
    chosen: Worlds, allowed: Allowed, history: Sequence[Evidence], stream: Iterator[int]
) -> Worlds:
    """Return the worlds after each has tried one swap of two seats' roles."""
    seats = len(allowed)
    swapped = []
    for row in chosen.rows:
        a, b = next(stream) % seats, next(stream) % seats
        one, two = row[a], row[b]
        if one != two and allowed[a] >> two & 1 and allowed[b] >> one & 1:
            other = bytearray(row)
            other[a], other[b] = two, one
            row = bytes(other)
        swapped.append(row)
    # A renewed sample contains many worlds more than once. Weigh each of them only once.
    different = Worlds(tuple(dict.fromkeys((*chosen.rows, *swapped))), exact=False)
    likelihoods = dict(zip(different.rows, weigh_worlds(different, history), strict=True))
    rows = [
        new if likelihoods[new] >= next(stream) / 65536 * likelihoods[old] else old
        for old, new in zip(chosen.rows, swapped, strict=True)
    ]
    return Worlds(tuple(rows), exact=False)
