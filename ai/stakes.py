"""Ballots before chaos: if the election fails, the top tile is enacted and may end the game."""

from ai import likelihoods, tuning
from ai.decider import SeasonedDecider
from ai.odds import hand_probabilities
from ai.state import State
from engine import Seat, tiles
from engine.board import Party
from engine.table import NOT_HITLER


def ja_before_chaos(decider: SeasonedDecider, as_liberal: bool = False) -> float | None:
    """Return the log-odds of Ja if this election may bring chaos with a tile that ends the game, else None.

    ``as_liberal``: judge as a Liberal who has only public knowledge.
    """
    if not decider.chaos_near:
        return None
    president, chancellor = decider.pair
    stake = _Stake(decider, as_liberal)
    colours = stake.state.game.colours
    ends = [stake.ending(name) for name in colours]
    if not stake.state.pile or not any(ends):
        return None
    tops = hand_probabilities(stake.state.pile, 1)
    blind = sum(probability * ends[counts.index(1)] for counts, probability in tops.items())
    gain = stake.elected(president, chancellor, ends) - blind
    if decider.in_zone and chancellor not in decider.table.tagged(NOT_HITLER):
        winners = decider.board.endings.get("hitler-elected", ())
        hitler = stake.hitler(chancellor)
        wins = 1.0 if stake.party in winners else -1.0
        gain = (1 - hitler) * gain + hitler * (wins - blind)
    if decider.seat in (president, chancellor) and gain > -tuning.DOUBTFUL:
        return tuning.SURE_LOG_ODDS
    return tuning.STAKE_SLOPE * gain


class _Stake:
    """The possible gains and losses of a party, by its own belief or the table's."""

    def __init__(self, decider: SeasonedDecider, as_liberal: bool) -> None:
        self.decider = decider
        self.knows_itself = not as_liberal
        self.party = "liberal" if as_liberal else decider.party
        self.state: State = decider.public_state if as_liberal else decider.own_state

    def ending(self, colour: str) -> int:
        """Return 1 if a tile of this colour wins the game for the party, -1 if it loses it, else 0."""
        for track in self.decider.board.tracks:
            if track == colour and self.decider.slots_left(track) <= 1:
                return 1 if track == self.party else -1
        return 0

    def elected(self, president: Seat, chancellor: Seat, ends: list[int]) -> float:
        """Return the average gain if this pair governs."""
        colours = self.state.game.colours
        hands = hand_probabilities(self.state.pile, tiles.HAND)
        gain = 0.0
        for ruler, share in self._rulers(president, chancellor).items():
            wanted = colours.index(ruler) if ruler in colours else -1
            for counts, probability in hands.items():
                if wanted >= 0 and counts[wanted]:
                    # The ruling party gets a tile of its own enacted if the hand has one.
                    gain += share * probability * ends[wanted]
                else:
                    tile = sum(count * ends[at] for at, count in enumerate(counts)) / sum(counts)
                    gain += share * probability * tile
        return gain

    def _rulers(self, president: Seat, chancellor: Seat) -> dict[str, float]:
        """Return how likely each party gets its tile enacted by this pair if the hand has one."""
        found: dict[str, float] = {}
        for one, share in self._parties(president).items():
            for two, other in self._parties(chancellor).items():
                # Assume that a President who is not Liberal prevails, and otherwise the Chancellor.
                ruler = two if one == "liberal" else one
                found[ruler] = found.get(ruler, 0.0) + share * other
        return found

    def _parties(self, seat: Seat) -> dict[Party, float]:
        if seat == self.decider.seat and self.knows_itself:
            return {self.party: 1.0}
        names = dict.fromkeys(likelihoods.PARTY)
        return {name: share for name in names if (share := self.state.party(seat, name)) > 0}

    def hitler(self, seat: Seat) -> float:
        """Return how likely a seat is Hitler."""
        if seat == self.decider.seat and self.knows_itself:
            return float(self.decider.role == "hitler")
        return self.decider.hitler(seat, public=not self.knows_itself)
