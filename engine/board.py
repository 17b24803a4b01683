"""A game's setup: the board (tracks, deck, roles, thresholds) and the chosen options."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Board:
    """Everything that is printed rather than played. Custom boards are other values of this class."""

    #: By colour, the power of each slot, the last slot (which wins) included: ``(None, "kill", None)``.
    tracks: Mapping[str, tuple[str | None, ...]]
    #: By tile, how many. ``"communist:?"``: tiles of a kind whose powers are drawn when they are dealt.
    deck: Mapping[str, int]
    #: By role, how many. Hitler counts as a role of the fascist party.
    roles: Mapping[str, int]
    hitler_knows: bool
    communists_know: bool = False
    #: Roles laid on top of parties, "*" for any: ``("*:monarchist", "liberal:capitalist")``.
    secret_roles: tuple[str, ...] = ()
    #: Fascist policies on the track from which on electing Hitler Chancellor wins.
    zone: int = 3
    #: Fascist policies on the track that unlock the veto.
    veto: int = 5
    #: Failed elections that bring chaos.
    chaos: int = 3
    #: With so many alive or fewer, only the last Chancellor is barred from nomination.
    few: int = 5
    #: What else wins, and for whom: ``{"hitler-killed": ("liberal",)}``. A full track wins for its colour.
    endings: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: {"hitler-killed": ("liberal",), "hitler-elected": ("fascist",)}
    )


@dataclass(frozen=True, slots=True)
class Setup:
    """A game to be played: the ruleset with its version, the seats, the options, a board of one's own."""

    ruleset: str
    players: int
    #: Options that differ from their defaults, by name.
    options: Mapping[str, str] = field(default_factory=dict)
    board: Board | None = None
