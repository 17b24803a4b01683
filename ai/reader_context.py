"""The data that the readers of a round share: the viewer's state, and the table's findings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ai.evidence import Evidence, TwoSeatEvidence, allow_for_conversion
from ai.state import KnownGame, State
from engine.claim import Claim
from engine.table import BLINDFOLD, Table

#: Evidence computed for a round, by subject ("session", "ballots" …) and a number for repeated subjects.
Findings = dict[tuple[str, int], Any]


@dataclass(slots=True)
class ReaderContext:
    """The data that the readers of one round share, for one viewer."""

    state: State
    table: Table
    claims: Sequence[Claim]
    #: The table's findings about this round; None if the viewer is the table.
    public_findings: Findings | None
    findings: Findings = field(default_factory=dict)
    finding_counts: dict[str, int] = field(default_factory=dict)

    @property
    def game(self) -> KnownGame:
        """Return the parts of the game that never change."""
        return self.state.game

    @property
    def blind(self) -> bool:
        """Return True if players decide blindly now, with face-down cards."""
        return self.table.counters.get(BLINDFOLD, 0) > 0

    def update(self, **changes: Any) -> None:
        """Replace fields of the state."""
        self.state = replace(self.state, **changes)

    def share_finding(self, about: str, make: Callable[[], Any]) -> Any:
        """Return the table's finding about something. If the table has none, make it.

        Every viewer must call this in the same order, because repeated findings are numbered.
        """
        key = (about, self.finding_counts.get(about, 0))
        self.finding_counts[about] = key[1] + 1
        if self.public_findings is not None and key in self.public_findings:
            return self.public_findings[key]
        found = self.findings[key] = make()
        return found

    def weigh(self, piece: Evidence | None) -> None:
        """Weigh a piece of evidence. If it is about two seats, allow for their conversions."""
        if piece is None:
            return
        probabilities = self.state.conversion_probabilities
        if isinstance(piece, TwoSeatEvidence) and (probabilities[piece.first] or probabilities[piece.second]):
            piece = replace(
                piece,
                grid=allow_for_conversion(
                    piece.grid, probabilities[piece.first], probabilities[piece.second]
                ),
            )
        self.state = self.state.weigh(piece)
