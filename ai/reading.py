"""The state while one viewer reads a round: the viewer's own, and the table's findings about this round."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ai.evidence import Evidence, Pair, turned_into
from ai.state import KnownGame, State
from engine.claim import Claim
from engine.table import BLINDFOLD, Table

#: The table's findings about a round, by subject ("session", "ballots" …) and count in the round.
Findings = dict[tuple[str, int], Any]


@dataclass(slots=True)
class Reading:
    """The data that the readers of a round share."""

    state: State
    table: Table
    claims: Sequence[Claim]
    #: The table's findings about this round; None if the table itself reads.
    public: Findings | None
    findings: Findings = field(default_factory=dict)
    counted: dict[str, int] = field(default_factory=dict)

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

    def shared(self, about: str, make: Callable[[], Any]) -> Any:
        """Return the table's finding about something. The table's reading makes it, and seats reuse it."""
        key = (about, self.counted.get(about, 0))
        self.counted[about] = key[1] + 1
        if self.public is not None and key in self.public:
            return self.public[key]
        found = self.findings[key] = make()
        return found

    def weigh(self, piece: Evidence | None) -> None:
        """Weigh a piece of evidence. If it is about seats that may have been converted, allow for that."""
        if piece is None:
            return
        turned = self.state.turned
        if isinstance(piece, Pair) and (turned[piece.first] or turned[piece.second]):
            piece = replace(piece, table=turned_into(piece.table, turned[piece.first], turned[piece.second]))
        self.state = self.state.weighed(piece)
