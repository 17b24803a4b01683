"""A game's setup: the board (tracks, deck, roles, thresholds) and the chosen options."""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, NewType, get_args

from engine.frozen import frozen

#: A party membership. Tracks have the same names.
Party = Literal["liberal", "fascist", "communist"]
PARTIES: tuple[Party, ...] = get_args(Party)
#: ``hitler``, a secret role that a ruleset names, or, for all other members, the name of their party.
Role = NewType("Role", str)
#: A side wins or loses: a party, or a role that wins separately.
Side = Party | Role

#: The power of each slot of a track, also of the last slot, which wins: ``(None, "kill", None)``.
Slots = tuple[str | None, ...]
HITLER = Role("hitler")
#: Ways to win besides a full track, and for whom: ``{"hitler-killed": ("liberal",)}``.
Endings = Mapping[str, tuple[Party, ...]]


@frozen
class Board:
    """Everything that is printed for a game. Custom boards are values of this class too."""

    tracks: Mapping[Party, Slots]
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
    endings: Endings = field(
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
