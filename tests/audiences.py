"""The audience of every kind of fact, written from the rules, to check the engine independently.

``expected`` returns who may see a whole fact, given the table just before it. A new kind of fact fails until
it has a line here, or in its ruleset's file in ``tests/expected``.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from engine import Event, Seat, Setup, view
from engine.facts import Fact, Recognised
from engine.table import Table
from tests.expected import EXPECTED

Audience = tuple[int, ...] | None
EVERYONE: Audience = None
NOBODY: Audience = ()
PUBLIC = [
    "opened", "tracks-laid", "candidacy-passed", "limits-waived", "nominated", "voted", "no-election",
    "elected", "confirmed-not-hitler", "tracker-advanced", "enacted", "veto-unlocked", "veto-requested",
    "veto-refused", "power-lapsed", "special-election-called", "killed", "round-ended", "clock-answered",
    "game-over", "communists/meeting-began", "communists/meeting-ended", "communists/tiles-added",
    "communists/confessed",
]  # fmt: skip

#: Public facts that reveal something hidden. Two worlds that looked alike may differ in them.
REVEALING = frozenset(
    [
        "enacted", "confirmed-not-hitler", "game-over", "communists/confessed",
        *(kind for own in EXPECTED.values() for kind in own.revealing),
    ]
)  # fmt: skip


def knows(setup: Setup, parties: Any, roles: Any, viewer: int, seat: int) -> tuple[str | None, bool]:
    """Return what a viewer knows of another seat from the start: its party or None, and True for Hitler."""
    name = setup.ruleset.partition("@")[0]
    if setup.board is None:
        hitler_knows = setup.players in EXPECTED[name].hitler_knows
        communists_know = setup.players in EXPECTED[name].communists_know
    else:
        hitler_knows, communists_know = setup.board.hitler_knows, setup.board.communists_know
    hitler = roles[seat] == "hitler"
    if parties[viewer] == parties[seat] == "fascist":
        return ("fascist", hitler) if hitler_knows or roles[viewer] != "hitler" else (None, False)
    if parties[viewer] == parties[seat] == "communist" and communists_know:
        return "communist", False
    if roles[viewer] == "kgb" and hitler:
        return "fascist", True
    return None, False


def living_communists(table: Table) -> tuple[int, ...]:
    """Return the living Communists, who take part in meetings and learn their results."""
    return tuple(
        seat for seat in range(table.seats) if table.alive[seat] and table.parties[seat] == "communist"
    )


def seeing(table: Table, seats: Iterable[int | None]) -> tuple[int, ...]:
    """Return the seats that see tiles in their hands: these seats, or none in October."""
    return () if table.counters.get("blindfold") else tuple(seat for seat in seats if seat is not None)


def _recognised(setup: Setup, table: Table, fact: Any) -> Audience:
    # The Fascists recognise Hitler, and separately, the KGB does. ``check_knowledge`` checks both.
    known = (fact.party, fact.hitler)
    return tuple(
        viewer
        for viewer in range(table.seats)
        if viewer != fact.seat and knows(setup, table.parties, table.roles, viewer, fact.seat) == known
    )


def _discarded(setup: Setup, table: Table, fact: Any) -> Audience:
    # Only the President knows the President's discard. Both know the Chancellor's.
    whole_hand = len(table.hand) == 3
    return seeing(table, (table.president,) if whole_hand else (table.president, table.chancellor))


AUDIENCES: dict[str, Callable[[Setup, Table, Any], Audience]] = {
    **{kind: lambda setup, table, fact: EVERYONE for kind in PUBLIC},
    **{kind: lambda setup, table, fact: NOBODY for kind in ("shuffled", "sealed-veto/voted")},
    **{
        kind: lambda setup, table, fact: (fact.seat,)
        for kind in [
            "dealt", "investigated", "peeked", "communists/party-changed", "communists/conversion-failed",
        ]
    },
    **{
        kind: lambda setup, table, fact: living_communists(table)
        for kind in (
            "communists/convened", "communists/bugged", "communists/recruitment-tried",
            "communists/congress-held",
        )
    },
    "recognised": _recognised,
    "drew": lambda setup, table, fact: seeing(table, (table.president,)),
    "discarded": _discarded,
    "passed": lambda setup, table, fact: seeing(table, (table.president, table.chancellor)),
    "vetoed": lambda setup, table, fact: seeing(table, (table.president, table.chancellor)),
    "sealed-veto/selected": lambda setup, table, fact: seeing(table, (table.chancellor,)),
    **{kind: lambda setup, table, fact: EVERYONE for own in EXPECTED.values() for kind in own.public},
    **{kind: audience for own in EXPECTED.values() for kind, audience in own.audiences.items()},
}  # fmt: skip


def expected(setup: Setup, table: Table, fact: Fact) -> Audience:
    """Return who may see the whole fact. ``table``: the table just before it.

    Raises KeyError for a kind without a line here.
    """
    return AUDIENCES[fact.id](setup, table, fact)


def check(setup: Setup, table: Table, event: Event) -> None:
    """Raise AssertionError if an event's audience differs from the rules'."""
    wanted = expected(setup, table, event.fact)
    if isinstance(event.fact, Recognised):
        assert event.to, event
        assert set(event.to) <= set(wanted or ()), (event, wanted)
    elif event.to is None or wanted is None:
        assert event.to == wanted, (event, wanted)
    else:
        assert sorted(event.to) == sorted(wanted), (event, wanted)


def check_knowledge(setup: Setup, table: Table, events: Sequence[Event]) -> None:
    """Check that after the deal each seat knows its envelope and what the rules tell it, and no more."""
    for viewer in range(table.seats):
        seen = view(events, Seat(viewer)).table
        for seat in range(table.seats):
            party, hitler = knows(setup, table.parties, table.roles, viewer, seat)
            role = "hitler" if hitler else None
            own = (table.parties[seat], table.roles[seat])
            assert (seen.parties[seat], seen.roles[seat]) == (own if seat == viewer else (party, role))
