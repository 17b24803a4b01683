"""Count how well each seat of a finished game voted, shot and lied, judged by the truth."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from bot.rooms.rounds import Round, contradictions, is_pointless, rounds_of, truth
from engine import SEATS, Event, Seat, View, fold
from engine.board import Party
from engine.claim import Claim
from engine.facts import CandidacyPassed, Killed, Nominated, Voted
from engine.frozen import frozen
from engine.question import JA, NEIN
from engine.table import Table

LIBERAL = "liberal"

# --- lies ---------------------------------------------------------------------------------------------------
# The lies of a finished game, and the best of them.


@frozen
class Lie:
    """A claim that was not true, and its effect."""

    claim: Claim
    truth: tuple[str, ...]
    #: When the liar next stood for an office: how many players of other parties voted Ja, and how many voted.
    ja: int = 0
    voters: int = 0
    #: True if a contradiction showed in the round of the claim.
    contradicted: bool = False


def lies(view: View, claims: Sequence[Claim]) -> Iterator[Lie]:
    """Return the lies of a game, in order. ``view`` sees everything."""
    rounds, parties = rounds_of(view), _parties_by_round(view)
    wrong = contradictions(rounds, claims)
    for claim in claims:
        real = truth(rounds[claim.round - 1], claim)
        if real is not None and real != tuple(sorted(claim.said)):
            yield Lie(claim, real, *_trust(rounds, claim, parties), claim.round in wrong)


def lie_of_the_game(view: View, claims: Sequence[Claim], computers: Collection[Seat] = ()) -> Lie | None:
    """Return the best lie: if possible no Liberal's, then the most trusted, then not contradicted.

    A false claim of one of ``computers`` (seats) that is Liberal is a slip of its memory, and no lie.
    A lie that did its teller no good is none: fewer than half trusted the teller at the next election, or
    there was no such election and the lie was contradicted; or it invented a Liberal policy, though one was
    enacted.
    """
    parties, rounds = view.table.parties, rounds_of(view)
    told = [
        lie
        for lie in lies(view, claims)
        if (lie.claim.seat not in computers or parties[lie.claim.seat] != LIBERAL)
        and not is_pointless(rounds[lie.claim.round - 1], lie.claim, lie.truth)
    ]
    good = (lie for lie in told if (2 * lie.ja >= lie.voters if lie.voters else not lie.contradicted))

    def rank(lie: Lie) -> tuple[bool, float, bool, int, int]:
        deceived = parties[lie.claim.seat] != LIBERAL
        share = lie.ja / lie.voters if lie.voters else 0.0
        return deceived, share, not lie.contradicted, lie.voters, -lie.claim.round

    return max(good, key=rank, default=None)


def _parties_by_round(view: View) -> Mapping[int, tuple[Party | None, ...]]:
    """Return the parties of all seats at each round's ballots. ``view`` sees everything."""
    table, number, found = Table(), 0, {}
    for fact in view.facts:
        table = fold((fact,), table)
        number += isinstance(fact, CandidacyPassed)
        if isinstance(fact, Voted):
            found[number] = tuple(table.parties)
    return found


def _trust(
    rounds: Sequence[Round], claim: Claim, parties: Mapping[int, tuple[Party | None, ...]]
) -> tuple[int, int]:
    """Return the ballots when the liar next stood for an office: the number of Ja, and of all.

    The liar's own party is not counted, because it may have known the truth. ``parties``: by round, of all
    seats.
    """
    for round_ in rounds[claim.round :]:
        if round_.ballots and claim.seat in (round_.president, round_.chancellor):
            sides = parties[round_.number]
            own = sides[claim.seat]
            others = [ballot for ballot, party in zip(round_.ballots, sides, strict=True) if party != own]
            return others.count(JA), others.count(JA) + others.count(NEIN)
    return 0, 0


# --- accuracy -----------------------------------------------------------------------------------------------

#: The counts: a Liberal's ballots and shots, and how many were right; lies, and how many nobody contradicted;
#: ballots of other parties on a liar's next government, and how many said Ja.
COUNTS = ("votes", "votes/right", "shots", "shots/right", "lies", "lies/held", "trust", "trust/ja")


def accuracy_of(log: Sequence[Event], claims: Sequence[Claim]) -> tuple[Mapping[str, int], ...]:
    """Return what a finished game adds to each seat's record, by the names in ``COUNTS``; no zeros.

    A Liberal's ballot is right if it is Ja to two Liberals or Nein to any other pair. A Liberal's shot is
    right if it kills no Liberal. Parties count as they are at that moment.
    """
    facts = tuple([event.fact for event in log])
    table = Table()
    found: list[dict[str, int]] = []
    pair = (Seat(0), Seat(0))

    def add(seat: Seat, name: str, amount: int = 1) -> None:
        if amount:
            found[seat][name] = found[seat].get(name, 0) + amount

    for fact in facts:
        table = fold((fact,), table)
        while len(found) < table.seats:
            found.append({})
        match fact:
            case Nominated():
                pair = (fact.president, fact.chancellor)
            case Voted():
                clean = all(table.parties[seat] == LIBERAL for seat in pair)
                for seat, ballot in zip(SEATS, fact.ballots, strict=False):
                    if ballot is not None and table.parties[seat] == LIBERAL:
                        add(seat, "votes")
                        add(seat, "votes/right", (ballot == JA) == clean)
            case Killed(seat=target, by=int(shooter)) if table.parties[shooter] == LIBERAL:
                add(shooter, "shots")
                add(shooter, "shots/right", table.parties[target] != LIBERAL)
    for lie in lies(View(None, table, facts), claims):
        seat = lie.claim.seat
        add(seat, "lies")
        add(seat, "lies/held", not lie.contradicted)
        add(seat, "trust", lie.voters)
        add(seat, "trust/ja", lie.ja)
    return tuple(found)
