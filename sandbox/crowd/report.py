"""Write the section "Crowd" of ``docs/measurements.md``."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.measurements import Section, table, write

from .figures import CrowdFigures
from .room import SIZES, TWICE
from .simulation import COPIED, REPEATED


def write_report(runs: Sequence[CrowdFigures], command: str) -> None:
    """Write the figures of both runs."""
    columns = [run.figures() for run in runs]
    rows = [[name, *(column[name] for column in columns)] for name in columns[0] if name != "run"]
    lines = table(["", *(str(column["run"]) for column in columns)], rows)
    write(Section("Crowd", _METHOD, lines), command)


_SIZES = ", ".join(f"{name} with {players}" for name, players in SIZES)
_METHOD = f"""Rooms play whole games at once through worker processes against dynoxide. Each worker has its
    own app and client. The rooms take these games in turn: {_SIZES}; with one option or none. Every fourth
    room has ballots in the group, and every third has computers in some of its seats. All join at the same
    moment, and all who must answer a question tap at the same moment. {TWICE:.0%} of the answers are tapped
    twice, {REPEATED:.0%} of the updates come again under their id while a worker is busy with the first
    delivery, and {COPIED:.0%} under a new id. In the second run, workers are killed (SIGKILL) in the middle
    of a job, and its update or wake-up comes again. Afterwards the table's record of its writes is checked:
    every version follows from the one before by one legal step, every game was dealt from its sealed round,
    every acknowledged answer is in its game once, everybody has one seat and the computers have theirs, no
    update was applied twice. Posts are compared with the rooms' outbox entries; only what a killed worker had
    just posted may appear twice. *Twice*: second taps and repeated updates. *Answers*: one for each person
    and question. *Conflicts*: saves that were refused because another save was first, and were repeated.
    Virtual time is slower than real time while all workers are busy, and leaps when one is idle. Goal: every
    game ends, nothing is lost, nothing is doubled."""
