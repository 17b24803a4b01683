"""The presidential powers of the published game. Source: rule book, "Presidential powers".

A power's entry step is called ``power/<name>`` and gets the seat that uses the power. Its question, and the
step that takes the answer, have the power's own name.
"""

from collections.abc import Sequence

from engine.facts import Investigated, Killed, Peeked, PowerLapsed, SpecialElectionCalled
from engine.question import Answers, Seat, asks
from engine.table import INVESTIGATED
from engine.tiles import HAND
from engine.turn import Turn


def power(turn: Turn, name: str) -> None:
    """Let the President in office use a slot's power, if still alive."""
    turn.then(("use-power", name, turn.table.president))


def use_power(turn: Turn, name: str, holder: Seat) -> None:
    """Let a living holder use a power. If the holder is dead, the power is lost."""
    if turn.table.alive[holder]:
        turn.then((f"power/{name}", holder))
    else:
        turn.tell(PowerLapsed(name))


def choose(turn: Turn, holder: Seat, targets: Sequence[Seat]) -> None:
    """Ask the holder for a target. If no target is legal, the power lapses, and everybody is told."""
    if targets:
        turn.ask_one(holder, targets, cards=len(targets))
    else:
        turn.tell(PowerLapsed(turn.asks))


def others(turn: Turn, holder: Seat) -> list[Seat]:
    """Return all other living seats."""
    return [seat for seat in turn.table.living() if seat != holder]


@asks("investigate")
def investigation(turn: Turn, holder: Seat) -> None:
    """Choose another living player whom nobody has investigated yet."""
    done = turn.table.tagged(INVESTIGATED)
    choose(turn, holder, [seat for seat in others(turn, holder) if seat not in done])


def investigate(turn: Turn, answers: Answers) -> None:
    """Show only the holder the target's current party. Hitler's party is Fascist."""
    holder, target = chosen(answers)
    turn.tell(Investigated(holder, target, turn.table.parties[target]), (holder,))


@asks("special")
def special_election(turn: Turn, holder: Seat) -> None:
    """Choose any other player who may hold office, regardless of term limits."""
    choose(turn, holder, [seat for seat in turn.table.able() if seat != holder])


def special(turn: Turn, answers: Answers) -> None:
    """Make the target the next candidate. The rotation does not change."""
    holder, target = chosen(answers)
    turn.tell(SpecialElectionCalled(holder, target))


def peek(turn: Turn, holder: Seat) -> None:
    """Let the holder look at the top three tiles."""
    look(turn, holder, HAND)


def look(turn: Turn, holder: Seat, count: int) -> None:
    """Show the holder the top tiles of the draw pile. The reshuffle check ensured that there are enough."""
    turn.tell(Peeked(holder, turn.table.pile[:count]), (holder,))


@asks("kill")
def execution(turn: Turn, holder: Seat) -> None:
    """Choose another living player to be killed."""
    choose(turn, holder, others(turn, holder))


def kill(turn: Turn, answers: Answers) -> None:
    """Execute the target."""
    holder, target = chosen(answers)
    turn.then(("death", target, holder, "execution"))


def death(turn: Turn, seat: Seat, by: Seat | None, cause: str) -> None:
    """Kill a seat, whatever the cause. Hitler's death ends the game."""
    turn.tell(Killed(seat, by, cause))
    if turn.table.roles[seat] == "hitler" and "hitler-killed" in turn.board.endings:
        turn.win(turn.board.endings["hitler-killed"], "hitler-killed")


def chosen(answers: Answers) -> tuple[Seat, Seat]:
    """Return the one seat that was asked, and the seat that it chose."""
    ((holder, target),) = answers.items()
    assert isinstance(target, int)
    return holder, target


STEPS = {
    "power": power,
    "use-power": use_power,
    "power/investigate": investigation,
    "investigate": investigate,
    "power/special": special_election,
    "special": special,
    "power/peek": peek,
    "power/kill": execution,
    "kill": kill,
    "death": death,
}
