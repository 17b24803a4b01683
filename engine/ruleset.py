"""A ruleset is a value: its name, player counts, options, boards, and steps by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from engine import tiles as tile_kinds
from engine.board import PARTIES, Board, Party, Role, Setup, Side
from engine.custom import ENDINGS, problems
from engine.frozen import frozen
from engine.gaps import gaps
from engine.question import Illegal, Seat, Step
from engine.table import Table
from engine.tiles import TileKind


@frozen
class RulesetOption:
    """An option of a ruleset. The default is the first value that fits."""

    values: tuple[str, ...]
    #: Return a reason's code if a value does not fit this many players, else None.
    refuses: Callable[[str, int], str | None] = lambda value, players: None

    def default(self, players: int) -> str:
        """Return the first value that fits this many players."""
        return next(value for value in self.values if self.refuses(value, players) is None)


@frozen
class OwnSide:
    """A role that wins and loses separately from its party.

    If the holder's party changes, the holder's side is the new party and no longer the role.
    """

    party: Party
    #: Decides if the role wins, from the last table, the parties that won, and the reason.
    wins: Callable[[Table, tuple[Party, ...], str], bool]


@frozen
class Ruleset:
    """The published game or a variant of it.

    ``steps`` holds all of its steps. Hooks name steps that run at fixed points. The constructor raises
    ValueError if one of these names or a tile's power leads nowhere (see ``engine.gaps``).
    """

    #: Name and version: ``"classic@1"``. A change that players notice is a new version.
    id: str
    players: Sequence[int]
    board: Callable[[int, Mapping[str, str]], Board]
    steps: Mapping[str, Step]
    options: Mapping[str, RulesetOption] = field(default_factory=dict)
    #: Steps to run once, after the deal and before the first candidate is drawn.
    opening: tuple[str, ...] = ()
    #: Steps to run after each round, before the next candidate is chosen. They do not run before round 1.
    before_round: tuple[str, ...] = ()
    #: Steps to run once an election has passed or failed, before anyone takes office or the tracker advances.
    after_election: tuple[str, ...] = ()
    #: Steps to run after a government's tile and its slot's power. They get the tile.
    after_tile: tuple[str, ...] = ()
    #: Steps to run once a government's tile is placed, before the reshuffle check. They get the tile.
    before_reshuffle: tuple[str, ...] = ()
    #: Steps to run after chaos.
    after_chaos: tuple[str, ...] = ()
    #: The kinds of tiles that may be in a deck, with the powers that tiles of each kind may carry.
    tiles: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: dict.fromkeys(PARTIES, ()))
    #: The roles dealt on top of a party, with the parties that may hold each.
    secret_roles: Mapping[Role, tuple[str, ...]] = field(default_factory=dict)
    #: The secret roles that win separately from their party.
    own_sides: Mapping[Role, OwnSide] = field(default_factory=dict)
    #: The ruleset's own kinds of tiles, besides those of the parties.
    kinds: tuple[TileKind, ...] = ()
    #: The ways to win besides a full track.
    endings: tuple[str, ...] = ENDINGS
    #: True if by default dead players, and a government while it legislates, must not write. A group can
    #: change this.
    silent: bool = False
    #: Returns True if a dead player can come back to life on this board.
    dead_return: Callable[[Board], bool] = lambda board: False

    def __post_init__(self) -> None:
        for kind in self.kinds:
            tile_kinds.learn(kind)
        if missing := gaps(self):
            raise ValueError(f"{self.id}: {'; '.join(missing)}")

    @property
    def name(self) -> str:
        """The name without the version."""
        return self.id.partition("@")[0]

    @property
    def powers(self) -> tuple[str, ...]:
        """Return the powers that a slot of a custom board may have.

        Powers that take a tile off a track are excluded. Only some kinds of tiles have them
        (``TileKind.takes_off``), and each of those tiles is enacted at most once. So every game ends.
        """
        named = {name.partition("/")[2] for name in self.steps if name.startswith("power/")}
        return tuple(sorted(named - {kind.name for kind in tile_kinds.KINDS.values() if kind.takes_off}))

    def chosen(self, setup: Setup) -> dict[str, str]:
        """Return every option with its value in this setup."""
        return {
            name: setup.options.get(name) or option.default(setup.players)
            for name, option in self.options.items()
        }

    def board_for(self, setup: Setup) -> Board:
        """Return the board that this setup is played on."""
        return setup.board or self.board(setup.players, self.chosen(setup))

    def side(self, table: Table, seat: Seat) -> Side | None:
        """Return a seat's side: its party, or its role if that wins separately, or None if unknown."""
        party, role = table.parties[seat], table.roles[seat]
        own = None if role is None else self.own_sides.get(role)
        return role if own is not None and own.party == party else party

    def winners(self, table: Table, parties: tuple[Party, ...], reason: str) -> tuple[Side, ...]:
        """Return the sides that win when these parties win for this reason.

        If several parties win, those without players are not named.
        """
        sides = {self.side(table, seat) for seat in table.all_seats()}
        there = tuple([party for party in parties if party in sides])
        alone = [
            side for side, own in self.own_sides.items() if side in sides and own.wins(table, parties, reason)
        ]
        return (*(there or parties), *alone)

    def check(self, setup: Setup) -> None:
        """Raise Illegal with the reason if this setup cannot be played."""
        if setup.players not in self.players:
            raise Illegal("too-few-players" if setup.players < min(self.players) else "too-many-players")
        for name, value in setup.options.items():
            if name not in self.options or value not in self.options[name].values:
                raise Illegal("unknown-option")
            if reason := self.options[name].refuses(value, setup.players):
                raise Illegal(reason)
        for reason in problems(self, self.board_for(setup), setup.players):
            raise Illegal(reason)
