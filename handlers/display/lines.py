"""What the group is told about each fact: one line, or nothing where a fact is quiet."""

from engine import board_of
from engine import facts as f
from engine.facts import Fact
from engine.question import JA, NEIN
from handlers.display import expansion_lines
from handlers.display.telling import Line, Telling
from handlers.display.words import Html


def line(telling: Telling, fact: Fact) -> Html | None:
    """The group's line for a fact, or None for a quiet one."""
    found = LINES.get(type(fact))
    return None if found is None else found(telling, fact)


def _candidacy(t: Telling, fact: f.CandidacyPassed) -> Html:
    return t.html("candidacy.special" if fact.special else "candidacy", seat=t.seat(fact.seat))


def _voted(t: Telling, fact: f.Voted) -> Html:
    def voters(ballot: str | None) -> Html:
        return t.seats(seat for seat, cast in enumerate(fact.ballots) if cast == ballot)

    lines = [
        t.html(f"voted.{ballot}", count=fact.ballots.count(ballot), seats=voters(ballot))
        for ballot in (JA, NEIN)
        if ballot in fact.ballots
    ]
    return Html("\n".join([*lines, t.html("voted.passed" if fact.passed else "voted.failed")]))


def _tracker(t: Telling, fact: f.TrackerAdvanced) -> Html:
    return t.html("tracker", value=fact.value, of=board_of(t.view.setup).chaos)


def _enacted(t: Telling, fact: f.Enacted) -> Html:
    return t.html("enacted.chaos" if fact.chaos else "enacted", tile=t.tile(fact.tile))


def _shuffled(t: Telling, fact: f.Shuffled) -> Html | None:
    # The first shuffle is part of setting up; of a five-year plan its own line says enough.
    if t.view.table.shuffles == 1 or fact.discards_kept:
        return None
    return t.html("shuffled", count=len(fact.pile))


def _killed(t: Telling, fact: f.Killed) -> Html:
    if "hitler-killed" not in board_of(t.view.setup).endings:
        # A game that goes on after Hitler's death tells nothing about who died.
        dead = t.html("mark.dead")
        return t.html("players.line", number=fact.seat + 1, seat=t.seat(fact.seat), marks=dead)
    if t.view.table.roles[fact.seat] == "hitler":
        return t.html("killed.hitler", seat=t.seat(fact.seat))
    if fact.by is None:
        return t.html("killed.by-nobody", seat=t.seat(fact.seat))
    return t.html("killed", seat=t.seat(fact.seat), by=t.seat(fact.by))


def _game_over(t: Telling, fact: f.GameOver) -> Html:
    winners = Html(" + ".join(t.html(f"parties.{party}") for party in fact.winners))
    return t.html("over", winners=winners, reason=t.html(f"reason.{fact.reason}"))


#: By fact. What is missing here is quiet in the group.
LINES: dict[type[Fact], Line] = {
    f.CandidacyPassed: _candidacy,
    f.LimitsWaived: lambda t, fact: t.html("limits-waived"),
    f.Nominated: lambda t, fact: t.html(
        "nominated", president=t.seat(fact.president), chancellor=t.seat(fact.chancellor)
    ),
    f.Voted: _voted,
    f.NoElection: lambda t, fact: t.html(f"no-election.{fact.reason}"),
    f.Elected: lambda t, fact: t.html(
        "elected", president=t.seat(fact.president), chancellor=t.seat(fact.chancellor)
    ),
    f.ConfirmedNotHitler: lambda t, fact: t.html("not-hitler", seat=t.seat(fact.seat)),
    f.TrackerAdvanced: _tracker,
    f.Enacted: _enacted,
    f.VetoUnlocked: lambda t, fact: t.html("veto.unlocked"),
    f.VetoRequested: lambda t, fact: t.html("veto.requested", seat=t.seat(fact.seat)),
    f.VetoRefused: lambda t, fact: t.html("veto.refused", seat=t.seat(fact.seat)),
    f.Vetoed: lambda t, fact: t.html("vetoed"),
    f.Shuffled: _shuffled,
    f.PowerLapsed: lambda t, fact: t.html("power-lapsed", power=t.power(fact.power)),
    f.Investigated: lambda t, fact: t.html(
        "investigated", seat=t.seat(fact.seat), target=t.seat(fact.target)
    ),
    f.Peeked: lambda t, fact: t.words.counted("peeked", len(fact.pile), seat=t.seat(fact.seat)),
    f.SpecialElectionCalled: lambda t, fact: t.html(
        "special-called", seat=t.seat(fact.seat), target=t.seat(fact.target)
    ),
    f.Killed: _killed,
    f.ClockAnswered: lambda t, fact: t.html("clock-answered", seats=t.seats(fact.seats)),
    f.GameOver: _game_over,
    **expansion_lines.LINES,
}

#: Facts that the group is told nothing about, or that other messages tell: a test asks for each fact
#: to be either here or above.
QUIET: frozenset[type[Fact]] = expansion_lines.QUIET | {
    f.Opened,
    f.TracksLaid,
    f.Dealt,
    f.Recognised,
    f.Drew,
    f.Discarded,
    f.Passed,
    f.RoundEnded,
}
