"""The lies of a finished game, and the one that the players themselves believed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.rooms.contradictions import contradictions
from bot.rooms.governments import Government, governments, truth
from engine import View
from engine.claim import Claim
from engine.question import JA, NEIN


@dataclass(frozen=True, slots=True)
class Lie:
    """A claim that was not true, and what came of it."""

    claim: Claim
    truth: tuple[str, ...]
    #: At the liar's next candidacy, the number of others who voted Ja, and of all others who voted.
    ja: int = 0
    voters: int = 0
    #: True if it showed at once that something was wrong.
    contradicted: bool = False


def lies(view: View, claims: Sequence[Claim]) -> Iterator[Lie]:
    """Return the lies of a game, in order. ``view`` sees everything."""
    rounds = governments(view.facts)
    wrong = contradictions(rounds, claims)
    for claim in claims:
        real = truth(rounds[claim.round - 1], claim)
        if real is not None and real != tuple(sorted(claim.said)):
            yield Lie(claim, real, *_trust(rounds, claim), claim.round in wrong)


def lie_of_the_game(view: View, claims: Sequence[Claim]) -> Lie | None:
    """Return the best lie: if possible not a Liberal's, never contradicted, most votes for the liar."""
    parties = view.table.parties

    def rank(lie: Lie) -> tuple[bool, bool, float, int, int]:
        deceived = parties[lie.claim.seat] != "liberal"
        share = lie.ja / lie.voters if lie.voters else 0.0
        return deceived, not lie.contradicted, share, lie.voters, -lie.claim.round

    return max(lies(view, claims), key=rank, default=None)


def _trust(rounds: Sequence[Government], claim: Claim) -> tuple[int, int]:
    """Return the others' ballots at the liar's next candidacy: Ja, and all."""
    for now in rounds[claim.round :]:
        if now.ballots and claim.seat in (now.president, now.chancellor):
            others = [ballot for seat, ballot in enumerate(now.ballots) if seat != claim.seat]
            return others.count(JA), others.count(JA) + others.count(NEIN)
    return 0, 0
