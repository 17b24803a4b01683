"""Who may know what, written from the rules and not from the engine: an independent check of every audience.

``expected`` says who may see a fact whole, given the table just before it. A new kind of fact fails
until it has a line here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from engine import Event, Setup, view
from engine.facts import Fact, Recognised
from engine.table import Table

Audience = tuple[int, ...] | None
EVERYONE: Audience = None
NOBODY: Audience = ()

#: By ruleset, with how many players Hitler knows the Fascists, and the Communists each other (rules, tables).
HITLER_KNOWS = {"classic": {5, 6}, "online": {5, 6}, "red-dawn": {5, 6, 7}, "xl": {6, 7}}
COMMUNISTS_KNOW = {"classic": set(), "online": set(), "red-dawn": {9, 10, 11}, "xl": {6, 7, 8, 9, 10}}

PUBLIC = [
    "Opened",
    "TracksLaid",
    "CandidacyPassed",
    "LimitsWaived",
    "Nominated",
    "Voted",
    "NoElection",
    "Elected",
    "ConfirmedNotHitler",
    "TrackerAdvanced",
    "Enacted",
    "VetoUnlocked",
    "VetoRequested",
    "VetoRefused",
    "PowerLapsed",
    "SpecialElectionCalled",
    "Killed",
    "RoundEnded",
    "ClockAnswered",
    "GameOver",
    "MeetingBegan",
    "MeetingEnded",
    "TilesAdded",
    "Confessed",
    "Smeared",
    "SmearEnded",
    "RoleRevealed",
    "Returned",
    "SuspectsShown",
    "TopKept",
    "NoConfidence",
    "TileRemoved",
    "MonthBegan",
    "Marked",
    "Pardoned",
]

#: Public facts that show by rule what was hidden, or whose happening does: here two worlds may part.
REVEALING = frozenset(
    [
        "Enacted",
        "ConfirmedNotHitler",
        "GameOver",
        "Confessed",
        "RoleRevealed",
        "Returned",
        "SuspectsShown",
        "NoConfidence",
    ]
)


def knows(setup: Setup, parties: Any, roles: Any, viewer: int, seat: int) -> tuple[str | None, bool]:
    """What a viewer knows from the start about another seat: its party, and that it is Hitler."""
    name = setup.ruleset.partition("@")[0]
    if setup.board is None:
        hitler_knows = setup.players in HITLER_KNOWS[name]
        communists_know = setup.players in COMMUNISTS_KNOW[name]
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
    """Who takes part in a meeting, and who is told what came of it."""
    return tuple(
        seat for seat in range(table.seats) if table.alive[seat] and table.parties[seat] == "communist"
    )


def seeing(table: Table, seats: Iterable[int | None]) -> tuple[int, ...]:
    """Those who hold tiles know them, but not in October."""
    return () if table.counters.get("blindfold") else tuple(seat for seat in seats if seat is not None)


def _recognised(setup: Setup, table: Table, fact: Any) -> Audience:
    # Hitler is recognised by the Fascists and, apart from them, by the KGB; ``check_knowledge`` sees to all.
    known = (fact.party, fact.hitler)
    return tuple(
        viewer
        for viewer in range(table.seats)
        if viewer != fact.seat and knows(setup, table.parties, table.roles, viewer, fact.seat) == known
    )


def _discarded(setup: Setup, table: Table, fact: Any) -> Audience:
    # The President's discard is the President's secret; what the Chancellor discards both can tell.
    whole_hand = len(table.hand) == 3
    return seeing(table, (table.president,) if whole_hand else (table.president, table.chancellor))


AUDIENCES: dict[str, Callable[[Setup, Table, Any], Audience]] = {
    **{kind: lambda setup, table, fact: EVERYONE for kind in PUBLIC},
    **{kind: lambda setup, table, fact: NOBODY for kind in ("Shuffled", "SealedVeto")},
    **{
        kind: lambda setup, table, fact: (fact.seat,)
        for kind in [
            "Dealt",
            "Investigated",
            "Peeked",
            "PartyChanged",
            "ConversionFailed",
            "ConversionTried",
            "ComradesLearned",
            "WentIntoHiding",
            "TopDiscarded",
        ]
    },
    **{
        kind: lambda setup, table, fact: living_communists(table)
        for kind in ("Convened", "Bugged", "RecruitmentTried", "CongressHeld")
    },
    "Recognised": _recognised,
    "Drew": lambda setup, table, fact: seeing(table, (table.president,)),
    "Discarded": _discarded,
    "Passed": lambda setup, table, fact: seeing(table, (table.president, table.chancellor)),
    "Vetoed": lambda setup, table, fact: seeing(table, (table.president, table.chancellor)),
    "Selected": lambda setup, table, fact: seeing(table, (table.chancellor,)),
    "Impeached": lambda setup, table, fact: (fact.viewer,),
}


def readers(params: Mapping[str, Any]) -> Audience:
    """Of a call's parameters: the users who read in its chat what it says, where not everybody there does."""
    alone = params.get("ephemeral_message_parameters") or params
    return (int(alone["receiver_user_id"]),) if "receiver_user_id" in alone else EVERYONE


def expected(setup: Setup, table: Table, fact: Fact) -> Audience:
    """Who may see this fact whole, from the table just before it.

    Raises KeyError for a kind that has no line here.
    """
    return AUDIENCES[type(fact).__name__](setup, table, fact)


def check(setup: Setup, table: Table, event: Event) -> None:
    """Raise AssertionError where an event's audience is not the one that the rules give."""
    wanted = expected(setup, table, event.fact)
    if isinstance(event.fact, Recognised):
        assert event.to, event
        assert set(event.to) <= set(wanted or ()), (event, wanted)
    elif event.to is None or wanted is None:
        assert event.to == wanted, (event, wanted)
    else:
        assert sorted(event.to) == sorted(wanted), (event, wanted)


def check_knowledge(setup: Setup, table: Table, events: Sequence[Event]) -> None:
    """After the deal every seat knows its own envelope and what the rules let it know, and nothing else."""
    for viewer in range(table.seats):
        seen = view(events, viewer).table
        for seat in range(table.seats):
            party, hitler = knows(setup, table.parties, table.roles, viewer, seat)
            role = "hitler" if hitler else None
            own = (table.parties[seat], table.roles[seat])
            assert (seen.parties[seat], seen.roles[seat]) == (own if seat == viewer else (party, role))
