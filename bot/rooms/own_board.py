"""A group's own board: its changes to a ruleset's printed board, stored and shared as short JSON.

Everything else comes from the printed board for the number of players. So a board that does not change the
roles can fit several numbers of players (see ``OwnBoard.sizes``).
"""

import json
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from engine import Board, Illegal, Ruleset, Setup, offered
from engine.custom import changed, changes, problems
from engine.frozen import frozen

#: The limits of a board, so that it fits on a screen and in the store. The engine itself has no limits.
MOST_SLOTS = 10
MOST_TILES = 60
MOST_THRESHOLD = 20
#: The longest name of a board, and the most boards of a group.
LONGEST_NAME = 24
MOST_BOARDS = 12

_TYPOGRAPHIC = str.maketrans("“”„«»", '"' * 5)


@frozen
class OwnBoard:
    """A named board. ``number`` identifies it in callback data until it is deleted."""

    number: int
    name: str
    #: The ruleset's id, with its version.
    ruleset: str
    #: The number of players for which it is shown and edited. A board with its own roles is for this number
    #: only.
    size: int
    #: The differences from the printed board, by field (see ``engine.custom.changes``).
    changes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def rules(self) -> Ruleset:
        """Return its ruleset in the version offered now. Raises Illegal if none is offered any more."""
        return offered(self.ruleset)

    @property
    def gone(self) -> bool:
        """Return True if its ruleset is no longer offered in any version, so that it can only be deleted."""
        try:
            offered(self.ruleset)
        except Illegal:
            return True
        return False

    def renewed(self) -> "OwnBoard":
        """Return the board for the offered version of its ruleset, or unchanged if none is offered."""
        return self if self.gone else replace(self, ruleset=offered(self.ruleset).id)

    def board(self, players: int | None = None, options: Mapping[str, str] | None = None) -> Board:
        """Return the whole board for this many players (default: its size) and options.

        Raises Illegal if they cannot play with these options, or the changes do not have a board's shape.
        """
        printed = self.printed(players, options)
        board = changed(printed, self.changes)
        # The deal depends on the order of the roles, and a pasted board may list them in any order.
        order = dict.fromkeys((*printed.roles, *sorted(board.roles)))
        return replace(board, roles={role: board.roles[role] for role in order if role in board.roles})

    def printed(self, players: int | None = None, options: Mapping[str, str] | None = None) -> Board:
        """Return the ruleset's own board for this many players and options.

        Raises Illegal if the ruleset refuses them, or is no longer offered.
        """
        setup = Setup(self.rules.id, self.size if players is None else players, options or {})
        self.rules.check(setup)
        return self.rules.board_for(setup)

    def reasons(
        self, players: int | None = None, options: Mapping[str, str] | None = None
    ) -> tuple[str, ...]:
        """Return why this many (default: its size) cannot play on it, as reason codes; none if they can."""
        seats = self.size if players is None else players
        try:
            board = self.board(seats, options)
        except Illegal as illegal:
            return (illegal.reason,)
        return (*problems(self.rules, board, seats), *(("too-large",) if _too_large(board) else ()))

    def sizes(self, options: Mapping[str, str] | None = None) -> tuple[int, ...]:
        """Return the numbers of players that can play on it."""
        try:
            seats = (self.size,) if "roles" in self.changes else tuple(self.rules.players)
        except Illegal:
            return ()
        return tuple(players for players in seats if not self.reasons(players, options))

    def overrides(self, option: str, options: Mapping[str, str], players: int) -> bool:
        """Return True if an option changes the printed board for this many players, but not this board."""
        printed, own = [], []
        for value in self.rules.options[option].values:
            chosen = {**options, option: value}
            try:
                printed.append(self.printed(players, chosen))
                own.append(self.board(players, chosen))
            except Illegal:
                continue
        return any(board != printed[0] for board in printed) and all(board == own[0] for board in own)

    def edited(self, board: Board) -> "OwnBoard":
        """Return the own board with the changes that turn the printed board for its size into ``board``."""
        return replace(self, changes=changes(board, self.printed()))

    def as_json(self) -> str:
        """Return the board as short JSON for sharing, without its name."""
        size = {"players": self.size} if "roles" in self.changes else {}
        return json.dumps({"ruleset": self.ruleset, **size, **self.changes}, separators=(",", ":"))


def from_json(text: str, name: str, number: int) -> OwnBoard:
    """Return a shared board, playable or not. Raises Illegal (malformed-board, unknown-ruleset)."""
    try:
        plain = json.loads(text.translate(_TYPOGRAPHIC))
    except (ValueError, RecursionError):
        raise Illegal("malformed-board") from None
    if not isinstance(plain, dict):
        raise Illegal("malformed-board")
    rules = offered(str(plain.pop("ruleset", "")))
    size = plain.pop("players", None)
    if size is None:
        size = _dealt(plain.get("roles")) or min(rules.players)
    if not isinstance(size, int) or isinstance(size, bool):
        raise Illegal("malformed-board")
    own = OwnBoard(number, name, rules.id, size, plain)
    if "roles" not in plain and own.sizes() and size not in own.sizes():
        own = replace(own, size=own.sizes()[0])
    if own.reasons()[:1] == ("malformed-board",):
        raise Illegal("malformed-board")
    return own


def _dealt(roles: object) -> int:
    if not isinstance(roles, dict):
        return 0
    return sum(count for count in roles.values() if isinstance(count, int))


def _too_large(board: Board) -> bool:
    return (
        max(map(len, board.tracks.values()), default=0) > MOST_SLOTS
        or sum(board.deck.values()) > MOST_TILES
        or max(board.zone, board.veto, board.chaos, board.few) > MOST_THRESHOLD
    )
