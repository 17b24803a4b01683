"""Who decides: a seat with what it knows; a seasoned one also with what it and the table believe."""

from collections.abc import Sequence
from functools import cached_property
from math import exp

from ai import tuning
from ai.likelihoods import CORE, HITLER, LIBERAL
from ai.memory import RememberedState
from ai.rulesets import HINTS
from ai.state import State
from engine import Board, Chance, View, in_hitler_zone, tiles
from engine.claim import Claim
from engine.facts import Enacted
from engine.question import Option
from engine.steps.election import barred
from engine.table import NOT_HITLER, Table

_FINE = 1 << 16
#: What a tile is worth that ends the game for a party, which wins by it or loses: no other sum comes near.
_ENDS_IT = 100.0


class Decider:
    """A seat that decides: its table, its role, its own chance. Everything comes from its view."""

    def __init__(self, view: View, board: Board, chance: Chance | None) -> None:
        assert view.seat is not None
        self.view = view
        self.seat: int = view.seat
        self.table: Table = view.table
        self.board = board
        self.chance = chance
        self._drawn = 0

    @property
    def party(self) -> str:
        """Its party now."""
        return str(self.table.parties[self.seat])

    @property
    def role(self) -> str:
        """The role it was dealt."""
        return str(self.table.roles[self.seat])

    @property
    def zone(self) -> bool:
        """Whether Hitler wins by being elected Chancellor now."""
        return in_hitler_zone(self.table, self.board)

    @property
    def secretive(self) -> bool:
        """Whether it plays for another party than the Liberals, and hides it."""
        return self.party != "liberal"

    # --- chance ------------------------------------------------------------------------------------

    def luck(self) -> float:
        """A number from 0 up to 1, the next of this decision's own."""
        self._drawn += 1
        if self.chance is None:
            return 0.5
        return self.chance.pick(f"luck/{self._drawn}", range(_FINE)) / _FINE

    def happens(self, probability: float) -> bool:
        """Whether something of this probability happens."""
        return self.luck() < probability

    def least(self, seats: Sequence[int], costs: Sequence[float], haze: float) -> int:
        """The seat that costs least, as seen through a haze: of equals, any."""
        seen = [cost + haze * (self.luck() - 0.5) for cost in costs]
        return seats[min(range(len(seats)), key=seen.__getitem__)]

    @cached_property
    def fellows(self) -> tuple[int, ...]:
        """The seats that it knows to be of its party, without itself."""
        return tuple(
            seat for seat, party in enumerate(self.table.parties) if party == self.party and seat != self.seat
        )

    # --- tiles -------------------------------------------------------------------------------------

    def left(self, track: str) -> int:
        """How many tiles a track wants to be full."""
        return len(self.board.tracks.get(track, ())) - len(self.table.tracks.get(track, ()))

    def worth(self, tile: str, party: str | None = None) -> float:
        """What a party gains by a tile on the table; about 1 for a tile of one's own."""
        party = party or self.party
        track = tiles.track(tile)
        gains = HINTS.tile_worth.get(tiles.kind(tile), {}).get(party, 0.0)
        carried = tiles.power(tile)
        if carried:
            gains += HINTS.power_worth.get(carried, {}).get(party, 0.0)
        if track is None:
            return gains
        left = self.left(track)
        if left <= 1:
            return gains + (_ENDS_IT if track == party else -_ENDS_IT)
        slot = len(self.board.tracks[track]) - left
        power = self.board.tracks[track][slot] if slot >= self.table.covered(track) else None
        if power:
            # A power's user is whoever sits there: it counts for half where that is somebody else.
            half = 1.0 if self.table.president == self.seat else 0.5
            gains += half * HINTS.power_worth.get(power, {}).get(party, 0.0)
        near = 1.0 + 1.0 / left
        fear = tuning.COSTS.get(party, {}).get(track, 0.8)
        return gains + (near if track == party else -near * fear)

    def wins(self, tile: str) -> bool:
        """Whether a tile on the table wins at once for the seat's party."""
        return self.worth(tile) > _ENDS_IT / 2

    def loses(self, tile: str) -> bool:
        """Whether a tile on the table loses at once for the seat's party."""
        return self.worth(tile) < -_ENDS_IT / 2

    def tiles_of(self, options: Sequence[Option]) -> list[str]:
        """The options that are tiles."""
        return [
            option
            for option in options
            if isinstance(option, str)
            and (tiles.track(option) is not None or tiles.kind(option) in self._kinds)
        ]

    @cached_property
    def _kinds(self) -> frozenset[str]:
        return frozenset(tiles.kind(tile) for tile in self.board.deck)


class SeasonedDecider(Decider):
    """A seat that thinks: with what it believes, and what the table believes."""

    def __init__(
        self, view: View, remembered: RememberedState, chance: Chance | None, claims: Sequence[Claim] = ()
    ) -> None:
        super().__init__(view, remembered.state.game.board, chance)
        self.claims = claims
        self.own: State = remembered.state
        self.public: State = remembered.public.state if remembered.public else remembered.state

    # --- what it thinks of others ------------------------------------------------------------------

    def cost(self, seat: int, state: State | None = None, party: str | None = None) -> float:
        """What is to be feared of a seat in office, from 0 to 1."""
        if seat == self.seat and state is None:
            return 0.0
        thinks = state or self.own
        costs = tuning.COSTS.get(party or self.party, tuning.COSTS["liberal"])
        return sum(weight * thinks.party(seat, other) for other, weight in costs.items() if weight)

    def hitler(self, seat: int, state: State | None = None) -> float:
        """How likely a seat is Hitler."""
        return (state or self.own).core(seat, HITLER)

    @cached_property
    def suspicion(self) -> float:
        """How sure the table is that this seat is no Liberal."""
        return self.public.against(self.seat, "liberal")

    @cached_property
    def untold(self) -> bool:
        """Whether nobody else has told what they saw, though they have enacted often enough."""
        enacted = sum(isinstance(fact, Enacted) and not fact.chaos for fact in self.view.facts)
        return enacted >= tuning.UNTOLD and all(claim.seat == self.seat for claim in self.claims)

    def danger(
        self, president: int, chancellor: int, state: State | None = None, party: str | None = None
    ) -> float:
        """What is to be feared of a government."""
        part = tuning.CHANCELLOR_PART
        costs = self.cost(chancellor, state, party), self.cost(president, state, party)
        fear = part * costs[0] + (1 - part) * costs[1]
        # Whom one is sure of is no matter of taste any more.
        fear += tuning.SURE_WEIGHT * sum(max(0.0, cost - tuning.SURE) for cost in costs)
        if self.zone and chancellor != self.seat and chancellor not in self.table.tagged(NOT_HITLER):
            fear += tuning.HITLER_WEIGHT * self.hitler(chancellor, state)
        return fear

    def next_danger(self, state: State | None = None, party: str | None = None) -> float:
        """What is to be feared of the government that may come after this one: the next seat's best."""
        table = self.table
        able = table.able()
        start = table.anchor if table.anchor is not None else self.seat
        for president in table.left_of(start):
            if president in able and president != table.president:
                others = [seat for seat in able if seat != president]
                limited = barred(table, self.board)
                others = [seat for seat in others if seat not in limited] or others
                # Nobody counts on being nominated itself, unless the table trusts nobody as much.
                if self.seat in others and not self._most_trusted(others):
                    others.remove(self.seat)
                if others:
                    return min(self.danger(president, seat, state, party) for seat in others)
        return 0.5

    def _most_trusted(self, seats: Sequence[int]) -> bool:
        """Whether the table trusts this seat more than all others of these."""
        doubts = [self.public.against(seat, CORE[LIBERAL]) for seat in seats if seat != self.seat]
        return self.suspicion < min(doubts, default=1.0) - tuning.AS_MUCH

    def rival(self, president: int, chancellor: int) -> float:
        """How surely a government is of another party that wants one tile only, from 0 to 1."""
        near = [track for track in self.table.tracks if track != self.party and self.left(track) <= 1]
        pair = (president, chancellor)
        return sum(self.own.party(seat, track) for track in near for seat in pair) / len(pair)


def seats_of(options: Sequence[Option]) -> list[int]:
    """The options that are seats."""
    return [option for option in options if isinstance(option, int)]


def likely(gap: float, haze: float) -> float:
    """How likely one acts where the gap speaks for it, seen through a haze."""
    return 1 / (1 + exp(-max(-40.0, min(40.0, gap / haze))))
