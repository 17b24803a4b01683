"""A game's setup: the board (tracks, deck, roles, thresholds) and the chosen options."""

from collections.abc import Mapping
from dataclasses import field

from engine.frozen import frozen


@frozen
class Board:
    """Everything that is printed for a game. Custom boards are values of this class too."""

    #: The power of each slot by colour, including the last slot, which wins: ``(None, "kill", None)``.
    tracks: Mapping[str, tuple[str | None, ...]]
    #: The number of tiles by kind. ``"communist:?"`` are tiles whose powers are drawn at the deal.
    deck: Mapping[str, int]
    #: The number of cards by role. Hitler is a role of the fascist party.
    roles: Mapping[str, int]
    hitler_knows: bool
    communists_know: bool = False
    #: Roles dealt on top of a party, with "*" for any party: ``("*:monarchist", "liberal:capitalist")``.
    secret_roles: tuple[str, ...] = ()
    #: From this many Fascist policies on, the Fascists win if Hitler is elected Chancellor.
    zone: int = 3
    #: This many Fascist policies unlock the veto.
    veto: int = 5
    #: This many failed elections bring chaos.
    chaos: int = 3
    #: If this many players or fewer are alive, term limits bar only the last Chancellor.
    few: int = 5
    #: Other ways to win, and for whom: ``{"hitler-killed": ("liberal",)}``. A full track wins for its colour.
    endings: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: {"hitler-killed": ("liberal",), "hitler-elected": ("fascist",)}
    )


@frozen
class Setup:
    """A game to be played: ruleset with version, seats, options, and a custom board if any."""

    ruleset: str
    players: int
    #: The values of options by name. Options at their defaults may be missing.
    options: Mapping[str, str] = field(default_factory=dict)
    board: Board | None = None
