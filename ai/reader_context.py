"""The state while one viewer reads a round: the viewer's own, and the table's findings about this round."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ai.evidence import Evidence, Pair, allow_for_conversion
from ai.state import KnownGame, State
from engine.claim import Claim
from engine.table import BLINDFOLD, Table

#: The table's findings about a round, by subject ("session", "ballots" …) and count in the round.
Findings = dict[tuple[str, int], Any]


@dataclass(slots=True)
class ReaderContext:
    """The data that the readers of a round share."""

    state: State
    table: Table
    claims: Sequence[Claim]
    #: The table's findings about this round; None if the table itself reads.
    public_findings: Findings | None
    findings: Findings = field(default_factory=dict)
    finding_counts: dict[str, int] = field(default_factory=dict)

    @property
    def game(self) -> KnownGame:
        """Return the parts of the game that never change."""
        return self.state.game

    @property
    def blind(self) -> bool:
        """Return whether players decide blindly now, with face-down cards."""
        return self.table.counters.get(BLINDFOLD, 0) > 0

    def update(self, **changes: Any) -> None:
        """Replace fields of the state."""
        self.state = replace(self.state, **changes)

    def share_finding(self, about: str, make: Callable[[], Any]) -> Any:
        """Return the table's finding about something. The table's reader makes it, and seats reuse it."""
        key = (about, self.finding_counts.get(about, 0))
        self.finding_counts[about] = key[1] + 1
        if self.public_findings is not None and key in self.public_findings:
            return self.public_findings[key]
        found = self.findings[key] = make()
        return found

    def weigh(self, piece: Evidence | None) -> None:
        """Weigh a piece of evidence. If it is about seats that may have been converted, allow for that."""
        if piece is None:
            return
        chances = self.state.conversion_chances
        if isinstance(piece, Pair) and (chances[piece.first] or chances[piece.second]):
            piece = replace(
                piece, table=allow_for_conversion(piece.table, chances[piece.first], chances[piece.second])
            )
        self.state = self.state.weigh(piece)
