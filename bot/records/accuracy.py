"""Count how well each seat of a finished game voted, shot and lied, judged by the truth."""

from collections.abc import Mapping, Sequence

from bot.records.lies import lies
from engine import Event, View, fold
from engine.claim import Claim
from engine.facts import Killed, Nominated, Voted
from engine.question import JA
from engine.table import Table

LIBERAL = "liberal"
#: The counts: a Liberal's ballots and shots, and how many were right; lies, and how many nobody contradicted;
#: ballots on a liar's next government, and how many said Ja.
COUNTS = (
    "votes",
    "votes/right",
    "shots",
    "shots/right",
    "lies",
    "lies/held",
    "trust",
    "trust/ja",
)


def accuracy_of(log: Sequence[Event], claims: Sequence[Claim]) -> tuple[Mapping[str, int], ...]:
    """Return what a finished game adds to each seat's record, by the names in ``COUNTS``; no zeros.

    A Liberal's ballot is right if it is Ja to two Liberals or Nein to any other pair. A Liberal's shot is
    right if it kills no Liberal. Parties count as they are at that moment.
    """
    facts = tuple([event.fact for event in log])
    table = Table()
    found: list[dict[str, int]] = []
    pair = (0, 0)

    def add(seat: int, name: str, amount: int = 1) -> None:
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
                for seat, ballot in enumerate(fact.ballots):
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
