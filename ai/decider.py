"""The seat that decides: what it knows, what tiles are worth to it, and what it and the table believe."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import exp
from typing import cast

from ai import tuning
from ai.character import PLAIN, Character
from ai.likelihoods import CORE, HITLER, PARTY
from ai.memory import read_view
from ai.record import Record
from ai.rulesets import HINTS
from ai.state import State
from engine import Board, Seat, View, in_hitler_zone, tiles
from engine.board import Party, Role
from engine.claim import Claim
from engine.facts import Enacted
from engine.question import Option
from engine.steps.election import barred
from engine.table import NOT_HITLER, Table

#: The value of a tile that ends the game, as a win or a loss. All other values together are far smaller.
_ENDS_IT = 100.0
#: The supply to assume for a colour without tiles in the piles. It is not 0: powers may still bring such
#: tiles, so the distance must stay finite.
_SCARCE = 0.5


class Decider:
    """A seat that decides: its table and its role. Everything comes from its view."""

    def __init__(self, view: View, board: Board, character: Character = PLAIN) -> None:
        assert view.seat is not None
        self.character = character
        self.view = view
        self.seat: Seat = view.seat
        self.table: Table = view.table
        self.board = board
        self._party_dangers: dict[Party, Mapping[Party, float]] = {}

    @property
    def party(self) -> Party:
        """Its party now."""
        return cast("Party", self.table.parties[self.seat])

    @property
    def role(self) -> Role:
        """The role it was dealt."""
        return cast("Role", self.table.roles[self.seat])

    @property
    def core_role(self) -> int:
        """The core role that it plays: for other roles, one of its party."""
        return CORE.index(self.role) if self.role in CORE else PARTY.index(self.party)

    @property
    def model_role(self) -> str:
        """The role by whose models and rates it plays. Communists hide as Fascists do."""
        if not self.secretive:
            return "liberal"
        return "hitler" if self.role == "hitler" else "fascist"

    @property
    def in_zone(self) -> bool:
        """True if Hitler wins by being elected Chancellor now."""
        return in_hitler_zone(self.table, self.board)

    @property
    def secretive(self) -> bool:
        """True if it is not Liberal, and so hides its party."""
        return self.party != "liberal"

    @cached_property
    def fellows(self) -> tuple[Seat, ...]:
        """The other seats that it knows to be of its party."""
        parties = self.table.parties
        return tuple(s for s in self.table.all_seats() if parties[s] == self.party and s != self.seat)

    @property
    def pair(self) -> tuple[Seat, Seat]:
        """The candidates for President and Chancellor, once both are known."""
        president, chancellor = self.table.president, self.table.chancellor
        assert president is not None
        assert chancellor is not None
        return president, chancellor

    @property
    def owns_pair(self) -> bool:
        """True if it or a fellow is one of the pair."""
        return any(seat == self.seat or seat in self.fellows for seat in self.pair)

    @property
    def chaos_near(self) -> bool:
        """True if the next failed election brings chaos."""
        return self.table.tracker + 1 >= self.board.chaos

    def wins_by_electing(self, seat: Seat) -> bool:
        """Return True if it knows that a seat is Hitler, and that electing it Chancellor wins."""
        return self.party == "fascist" and self.in_zone and self.table.roles[seat] == "hitler"

    @cached_property
    def has_three_parties(self) -> bool:
        """True if three parties play."""
        return bool(self.board.roles.get("communist"))

    # --- tiles -------------------------------------------------------------------------------------

    def slots_left(self, track: Party) -> int:
        """Return how many tiles a track still needs to be full."""
        return len(self.board.tracks.get(track, ())) - len(self.table.tracks.get(track, ()))

    def worth(self, tile: str) -> float:
        """Return its party's gain if a tile is enacted.

        It is 1 to 1.5 for a tile of its own, and ``_ENDS_IT`` if that ends the game. Added to this is the
        worth of the tile's special kind, of its power, and (if the game goes on) of the slot's power.
        """
        party, track = self.party, tiles.track(tile)
        gains = HINTS.tile_worth.get(tiles.kind(tile), {}).get(party, 0.0)
        carried = tiles.power(tile)
        if carried:
            gains += HINTS.power_worth.get(carried, {}).get(party, 0.0)
        if track is None:
            return gains
        left = self.slots_left(track)
        if left <= 1:
            return gains + (_ENDS_IT if track == party else -_ENDS_IT)
        slot = len(self.board.tracks[track]) - left
        power = self.board.tracks[track][slot] if slot >= self.table.covered(track) else None
        if power:
            # The President uses the power: it counts for half if that is somebody else.
            half = 1.0 if self.table.president == self.seat else 0.5
            gains += half * HINTS.power_worth.get(power, {}).get(party, 0.0)
        near = 1.0 + 1.0 / left
        fear = self.party_dangers(party).get(track, tuning.LEAST_DANGER)
        return gains + (near if track == party else -near * fear)

    def distance(self, track: Party) -> float:
        """Return how far a track is from being full, to compare tracks. Here: the tiles that it needs."""
        return max(1, self.slots_left(track))

    def party_dangers(self, party: Party) -> Mapping[Party, float]:
        """Return how much a party fears each party in office, from 0 (itself) to 1 (its nearest rival).

        The further another rival is from filling its track, the less it is feared.
        """
        if party in self._party_dangers:
            return self._party_dangers[party]
        rivals = [other for other in dict.fromkeys(PARTY) if other != party]
        left = {other: self.distance(other) for other in rivals if other in self.table.tracks}
        nearest = min(left.values(), default=1.0)
        found = {party: 0.0}
        for other in rivals:
            share = (nearest / left[other]) ** tuning.DANGER_EXPONENT if other in left else 1.0
            found[other] = max(tuning.LEAST_DANGER, share)
        self._party_dangers[party] = found
        return found

    def wins(self, tile: str) -> bool:
        """Return True if the seat's party wins at once if a tile is enacted."""
        return self.worth(tile) > _ENDS_IT / 2

    def loses(self, tile: str) -> bool:
        """Return True if another party wins at once if a tile is enacted."""
        return self.worth(tile) < -_ENDS_IT / 2

    def tiles_of(self, options: Sequence[Option]) -> list[str]:
        """Return the options that are tiles."""
        kinds = {tiles.kind(tile) for tile in self.board.deck}
        return [
            option
            for option in options
            if isinstance(option, str) and (tiles.track(option) is not None or tiles.kind(option) in kinds)
        ]


class SeasonedDecider(Decider):
    """A seat that decides by its own belief and by the table's."""

    def __init__(self, view: View, claims: Sequence[Claim], character: Character = PLAIN) -> None:
        remembered = read_view(view, claims)
        super().__init__(view, remembered.state.game.board, character)
        self.claims = claims
        self.record: Record = remembered.record
        self.own_state: State = remembered.state
        self.public_state: State = remembered.public.state if remembered.public else remembered.state

    def distance(self, track: Party) -> float:
        """Return the tiles that a track needs, as a share of the tiles of its colour in the two piles.

        Red Dawn's Communists need four of four tiles, so they are further from winning than the Fascists, who
        need six of eleven.
        """
        supply = dict(zip(self.own_state.game.colours, self.own_state.loose, strict=True)).get(track, 0)
        return super().distance(track) / max(_SCARCE, supply)

    # --- other seats -------------------------------------------------------------------------------

    def seat_danger(self, seat: Seat, public: bool = False) -> float:
        """Return the danger of a seat in office to the decider's party, from 0 to 1.

        ``public``: the danger to the Liberals, by the table's belief.
        """
        if public:
            return self.danger_to_liberals(seat, self.public_state)
        return 0.0 if seat == self.seat else self._danger(seat, self.own_state, self.party)

    def danger_to_liberals(self, seat: Seat, state: State) -> float:
        """Return the danger of a seat in office to the Liberals, by a belief, from 0 to 1."""
        return self._danger(seat, state, "liberal")

    def _danger(self, seat: Seat, state: State, party: Party) -> float:
        dangers = self.party_dangers(party)
        return sum(weight * state.party(seat, other) for other, weight in dangers.items() if weight)

    @cached_property
    def danger_at_start_to_table(self) -> float:
        """The danger of any seat to the Liberals at the start, as the table sees it."""
        return self._dealt_danger / max(1, sum(self.own_state.game.counts))

    @cached_property
    def danger_at_start_to_self(self) -> float:
        """The same for any other seat, as this seat sees it. It knows its own party."""
        counts = self.own_state.game.counts
        own = self.party_dangers("liberal").get(self.party, 0.0)
        return max(0.0, self._dealt_danger - own) / max(1, sum(counts) - 1)

    @property
    def _dealt_danger(self) -> float:
        dangers, counts = self.party_dangers("liberal"), self.own_state.game.counts
        return sum(count * dangers.get(party, 0.0) for party, count in zip(PARTY, counts, strict=True))

    def hitler(self, seat: Seat, public: bool = False) -> float:
        """Return how likely a seat is Hitler, by the decider's own belief or by the table's."""
        return (self.public_state if public else self.own_state).core(seat, HITLER)

    @cached_property
    def suspected_by_table(self) -> float:
        """The table's probability that this seat is not a Liberal."""
        return self.public_state.probability_not_of(self.seat, "liberal")

    @cached_property
    def others_are_silent(self) -> bool:
        """True if nobody else has claimed anything, although ``SILENT_AFTER`` tiles have been enacted."""
        enacted = sum(isinstance(fact, Enacted) and not fact.chaos for fact in self.view.facts)
        return enacted >= tuning.SILENT_AFTER and all(claim.seat == self.seat for claim in self.claims)

    def government_danger(self, president: Seat, chancellor: Seat, public: bool = False) -> float:
        """Return the danger of a government: about 0 to 1, more if a seat is surely an enemy.

        ``public``: as for ``seat_danger``.
        """
        part = tuning.CHANCELLOR_PART
        dangers = self.seat_danger(chancellor, public), self.seat_danger(president, public)
        fear = part * dangers[0] + (1 - part) * dangers[1]
        # The part of a danger above ``STRONG_DOUBT`` counts more.
        strong = sum(max(0.0, danger - tuning.STRONG_DOUBT) for danger in dangers)
        fear += tuning.STRONG_DOUBT_IN_GOVERNMENTS * strong
        if self.in_zone and chancellor != self.seat and chancellor not in self.table.tagged(NOT_HITLER):
            fear += tuning.HITLER_WEIGHT * self.hitler(chancellor, public)
        return fear

    def next_government_danger(self, public: bool = False) -> float:
        """Return the danger of the next government, if the next President nominates the safest seat."""
        president = self.next_president
        if president is None:
            return 0.5
        others = [seat for seat in self.table.able() if seat != president]
        limited = barred(self.table, self.board)
        others = [seat for seat in others if seat not in limited] or others
        # A seat expects to be nominated itself only if the table trusts it clearly more than all others.
        if self.seat in others:
            doubt = self.public_state.probability_not_of
            doubts = [doubt(seat, "liberal") for seat in others if seat != self.seat]
            if self.suspected_by_table >= min(doubts, default=1.0) - tuning.EQUALLY_TRUSTED:
                others.remove(self.seat)
        return min((self.government_danger(president, seat, public) for seat in others), default=0.5)

    @cached_property
    def next_president(self) -> Seat | None:
        """The next candidate for President after this round; None if nobody else can be one."""
        able = self.table.able()
        start = self.table.anchor if self.table.anchor is not None else self.seat
        others = (seat for seat in self.table.left_of(start) if seat != self.table.president)
        return next((seat for seat in others if seat in able), None)

    def rival_share(self, president: Seat, chancellor: Seat) -> float:
        """Return how likely a seat of the pair (on average) is of a rival party that needs one more tile."""
        near = [track for track in self.table.tracks if track != self.party and self.slots_left(track) <= 1]
        pair = (president, chancellor)
        return sum(self.own_state.party(seat, track) for track in near for seat in pair) / len(pair)


def seats_of(options: Sequence[Option]) -> list[Seat]:
    """Return the options that are seats."""
    return [option for option in options if isinstance(option, int)]


def soft_minimum(seats: Sequence[Seat], costs: Sequence[float], temperature: float) -> dict[Option, float]:
    """Return how likely each seat is chosen: the lower its cost, the more often.

    ``temperature``: the difference in cost that divides the probability by e. At a low temperature, nearly
    only the seat with the least cost is chosen.
    """
    least = min(costs)
    weights = [exp(-min(40.0, (cost - least) / temperature)) for cost in costs]
    whole = sum(weights)
    return {seat: weight / whole for seat, weight in zip(seats, weights, strict=True)}


def certain(option: Option) -> dict[Option, float]:
    """Return weights that choose one option for certain."""
    return {option: 1.0}
