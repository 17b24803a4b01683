"""The election: candidacy, nomination, ballots, tracker. Source: rule book, "Election"."""

from engine.board import Board
from engine.facts import (
    CandidacyPassed,
    ConfirmedNotHitler,
    Elected,
    LimitsWaived,
    NoElection,
    Nominated,
    RoundEnded,
    TrackerAdvanced,
    Voted,
)
from engine.question import JA, NEIN, Answers, Seat, asks
from engine.table import Table
from engine.turn import Turn

BALLOTS = (JA, NEIN)


def end_round(turn: Turn) -> None:
    """End the round, and begin the next one."""
    turn.tell(RoundEnded())
    turn.then(*turn.rules.before_round, "candidacy")


def candidacy(turn: Turn) -> None:
    """Pass the candidacy to the seat that was called, or to the next seat of the rotation.

    A called seat that can no longer hold office is skipped. A special election never changes the rotation.
    """
    table = turn.table
    able = table.able()
    if table.called in able:
        turn.then(("candidate", table.called, True))
        return
    assert table.anchor is not None, "the first candidate is drawn"
    for seat in table.left_of(table.anchor):
        if seat in able:
            turn.then(("candidate", seat))
            return
    turn.tell(NoElection("no-candidate"))
    turn.then(*turn.rules.after_election, "fail-election")


@asks("nominate")
def candidate(turn: Turn, seat: Seat, special: bool = False) -> None:
    """Let a seat stand for President and nominate a Chancellor."""
    turn.tell(CandidacyPassed(seat, special))
    others = [other for other in turn.table.able() if other != seat]
    limited = barred(turn.table, turn.board)
    eligible = [other for other in others if other not in limited]
    if others and not eligible:
        turn.tell(LimitsWaived())
    if nominees := eligible or others:
        turn.ask_one(seat, nominees)
        return
    turn.tell(NoElection("no-nominee"))
    turn.then(*turn.rules.after_election, "fail-election")


def barred(table: Table, board: Board) -> tuple[Seat, ...]:
    """Return the seats that term limits bar from nomination. Source: rule book, "On eligibility"."""
    last = table.last_elected
    if last is None:
        return ()
    return last[1:] if len(table.living()) <= board.few else last


def in_hitler_zone(table: Table, board: Board) -> bool:
    """Return True if electing Hitler as Chancellor wins now. Source: rule book, "Election".

    It is always False on boards without this ending.

    >>> board = Board(tracks={}, deck={}, roles={}, hitler_knows=False)
    >>> in_hitler_zone(Table(tracks={"fascist": ("fascist",) * 3}), board)
    True
    """
    return len(table.tracks.get("fascist", ())) >= board.zone and "hitler-elected" in board.endings


def nominate(turn: Turn, answers: Answers) -> None:
    """Take the nomination and call the ballot."""
    ((seat, nominee),) = answers.items()
    assert isinstance(nominee, int)
    turn.tell(Nominated(seat, nominee))
    turn.then("election")


@asks("ballot")
def election(turn: Turn) -> None:
    """Ask every seat that may vote for its ballot."""
    turn.ask(turn.table.able(), BALLOTS, changeable=True, cards=len(BALLOTS))


def ballot(turn: Turn, answers: Answers) -> None:
    """Show all ballots. The election passes if more than half of those who may vote said Ja.

    A missing ballot is not a Ja.
    """
    ballots = [None if (vote := answers.get(seat)) is None else str(vote) for seat in turn.table.all_seats()]
    passed = 2 * ballots.count(JA) > len(answers)
    turn.tell(Voted(tuple(ballots), passed))
    turn.then(*turn.rules.after_election, "take-office" if passed else "fail-election")


def take_office(turn: Turn) -> None:
    """Let the candidates take office. Electing Hitler in the zone wins. The tracker does not change."""
    table = turn.table
    president, chancellor = table.president, table.chancellor
    assert president is not None
    assert chancellor is not None
    turn.tell(Elected(president, chancellor))
    if in_hitler_zone(table, turn.board):
        if table.roles[chancellor] == "hitler":
            turn.win(turn.board.endings["hitler-elected"], "hitler-elected")
            return
        # Tell this only in the zone. Elsewhere the game goes on even if the Chancellor is Hitler.
        turn.tell(ConfirmedNotHitler(chancellor))
    turn.then("legislation")


def fail_election(turn: Turn) -> None:
    """Advance the tracker after a failed election or a veto. Chaos may follow."""
    turn.tell(TrackerAdvanced(turn.table.tracker + 1))
    chaos = turn.table.tracker >= turn.board.chaos
    turn.then(*(("chaos",) if chaos else ()), "end-round")


STEPS = {
    "end-round": end_round,
    "candidacy": candidacy,
    "candidate": candidate,
    "nominate": nominate,
    "election": election,
    "ballot": ballot,
    "take-office": take_office,
    "fail-election": fail_election,
}
