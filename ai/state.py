"""A viewer's state after some rounds.

It has worlds with weights, the probabilities of the pile's content, and the game's ``Table`` as the viewer
knows it.
"""

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import compress
from operator import mul

from ai.evidence import Evidence, TwoSeatEvidence, Weights
from ai.likelihoods import COMMUNIST, CORE, FASCIST, HITLER, LIBERAL, PARTY
from ai.odds import TileCounts, TileProbabilities, count_colours
from ai.sampling import renew_sample
from ai.worlds import ANY_ROLE, Allowed, Worlds, worlds
from engine import Board, Seat, Setup, board_of
from engine.board import Party
from engine.claim import colours_of
from engine.facts import put
from engine.frozen import frozen
from engine.table import Table

#: Role masks. ``OF_PARTY``: the roles of each party. ``CONVERTIBLE``: the roles that can be converted to
#: Communists. ``ANY_BUT_HITLER``: all roles but Hitler.
OF_PARTY = {
    party: sum(1 << role for role, own in enumerate(PARTY) if own == party) for party in dict.fromkeys(PARTY)
}
CONVERTIBLE = 1 << LIBERAL | 1 << FASCIST
ANY_BUT_HITLER = ANY_ROLE & ~(1 << HITLER)


class KnownGame:
    """The constants of a game, for one viewer (None: the table, who knows only what is public)."""

    def __init__(self, setup: Setup, viewer: Seat | None) -> None:
        self.setup = setup
        self.viewer = viewer
        self.board: Board = board_of(setup)
        self.colours = colours_of(self.board)
        self.deck: TileCounts = count_colours(list(Counter(self.board.deck).elements()), self.colours)
        self.counts = tuple(self.board.roles.get(role, 0) for role in CORE)

    @cached_property
    def pair_suspicion_at_start(self) -> float:
        """The probability at the start that at least one of any two seats is not Liberal."""
        seats, liberals = sum(self.counts), self.counts[LIBERAL]
        return 1 - liberals * (liberals - 1) / max(1, seats * (seats - 1))


@frozen
class State:
    """A viewer's state at a moment. It is immutable: each change gives another state."""

    game: KnownGame
    table: Table
    allowed: Allowed
    worlds: Worlds
    #: The weight of each world; they add up to 1.
    weights: "array[float]"
    #: The probabilities of the draw pile's contents, and the tiles that are off the tracks (draw and discard
    #: piles).
    pile: TileProbabilities
    loose: TileCounts
    #: Tiles that the viewer saw on top of the pile, top first, as long as they are still there.
    top: tuple[str, ...] = ()
    #: How likely each seat has become a Communist, if it was dealt Liberal or Fascist.
    conversion_probabilities: tuple[float, ...] = ()
    #: All evidence so far, used to renew samples of worlds.
    history: tuple[Evidence, ...] = ()
    #: Results of ``dealt_one_of``, computed once per state.
    _dealt_cache: dict[tuple[Seat, int], float] = field(
        init=False, default_factory=dict, compare=False, repr=False
    )

    # --- queries -----------------------------------------------------------------------------------

    def probability(self, flags: bytes) -> float:
        """Return the total probability of the worlds with flag 1."""
        return min(1.0, sum(compress(self.weights, flags)))

    def dealt_one_of(self, seat: Seat, roles: int) -> float:
        """Return how likely a seat was dealt one of these core roles (a role mask)."""
        found = self._dealt_cache.get((seat, roles))
        if found is None:
            found = self._dealt_cache[seat, roles] = self.probability(self.worlds.flags(seat, roles))
        return found

    def core(self, seat: Seat, role: int) -> float:
        """Return how likely a seat was dealt a core role."""
        return self.dealt_one_of(seat, 1 << role)

    def party(self, seat: Seat, party: Party) -> float:
        """Return how likely a seat is of a party now."""
        dealt = self.dealt_one_of(seat, OF_PARTY[party])
        conversion = self.conversion_probabilities[seat]
        if not conversion:
            return dealt
        if party == "communist":
            return dealt + conversion * self.dealt_one_of(seat, CONVERTIBLE)
        lost = self.dealt_one_of(seat, OF_PARTY[party] & CONVERTIBLE)
        return dealt - conversion * lost

    def probability_not_of(self, seat: Seat, party: Party) -> float:
        """Return how likely a seat is not of this party."""
        return max(0.0, 1 - self.party(seat, party))

    def probability_either_not_liberal(self, a: Seat, b: Seat) -> float:
        """Return how likely one of two seats (or both) is not Liberal."""
        dealt = self.probability(self.worlds.either(a, b, ANY_ROLE & ~(1 << LIBERAL)))
        if not self.conversion_probabilities[a] and not self.conversion_probabilities[b]:
            return dealt
        doubts = [self.probability_not_of(seat, "liberal") for seat in (a, b)]
        return max(dealt, 1 - (1 - doubts[0]) * (1 - doubts[1]))

    # --- new knowledge -----------------------------------------------------------------------------

    def weigh(self, evidence: Evidence) -> "State":
        """Return the state after a piece of evidence."""
        weights = evidence.weigh(self.weights, self.worlds)
        history = self.history if self.worlds.exact else (*self.history, evidence)
        return replace(self, weights=normalise(weights) or self.weights, history=history)

    def restrict_roles(self, seat: Seat, roles: int) -> "State":
        """Return the state if a seat has one of these core roles (a role mask).

        If no world fits, return the state unchanged.
        """
        narrowed = self.allowed[seat] & roles
        if narrowed == self.allowed[seat] or not narrowed:
            return self
        allowed = put(self.allowed, seat, narrowed)
        if not self.worlds.rows:
            return replace(self, allowed=allowed)
        kept = self.worlds.flags(seat, narrowed)
        if self.worlds.exact and not any(compress(self.weights, kept)):
            return self
        return self._keep_worlds(replace(self, allowed=allowed), kept)

    def _keep_worlds(self, state: "State", kept: bytes) -> "State":
        """Return ``state`` with only the worlds with flag 1 in ``kept``. Renew a sample if few are left."""
        worlds = self.worlds
        left = kept.count(1)
        if not worlds.exact and left < len(worlds) // 3:
            found, weights = renew_sample(state.game.counts, state.allowed, state.history)
            if not found.rows:
                return self
            return replace(state, worlds=found, weights=normalise(weights) or equal_weights(len(found)))
        if left * 2 < len(worlds) and left:
            rows = tuple(compress(worlds.rows, kept))
            weights = list(compress(self.weights, kept))
            return replace(
                state, worlds=Worlds(rows, worlds.exact), weights=normalise(weights) or equal_weights(left)
            )
        return replace(state, weights=normalise(map(mul, self.weights, kept)) or self.weights)

    def require_role_among(self, seats: Sequence[Seat], role: int) -> "State":
        """Return the state if one of these seats, and no other, has this core role.

        If no world fits, return the state unchanged.
        """
        kept = bytes(any(row[seat] == role for seat in seats) for row in self.worlds.rows)
        if not any(compress(self.weights, kept)):
            return self
        allowed = tuple(
            mask if seat in seats else mask & ~(1 << role) for seat, mask in enumerate(self.allowed)
        )
        return self._keep_worlds(replace(self, allowed=allowed), kept)

    def observe_party(self, seat: Seat, party: Party) -> "State":
        """Return the state after a seat's present party was seen. A Communist may have been converted."""
        if not self.worlds.rows:
            return self.restrict_roles(seat, OF_PARTY[party])
        conversion = self.conversion_probabilities[seat]
        if party == "communist":
            if not conversion and self.party(seat, party) > 0:
                return self.restrict_roles(seat, OF_PARTY[party])
            rates = {COMMUNIST: 1.0, HITLER: 0.0}
            # With one seat twice, a world looks up only the grid's diagonal.
            grid = tuple(rates.get(at % 4, conversion or 1.0) for at in range(16))
            state = self.restrict_roles(seat, ANY_BUT_HITLER).weigh(TwoSeatEvidence(seat, seat, grid))
            return state._with_conversion_probability(seat, 1.0)
        return self.restrict_roles(seat, OF_PARTY[party])._with_conversion_probability(seat, 0.0)

    def _with_conversion_probability(self, seat: Seat, probability: float) -> "State":
        probabilities = put(self.conversion_probabilities, seat, probability)
        return replace(self, conversion_probabilities=probabilities)

    def refresh_sample(self) -> "State":
        """Return the state with a renewed sample if few of its worlds still have weight."""
        if self.worlds.exact or not len(self.worlds):
            return self
        if 1 / sum(map(mul, self.weights, self.weights)) > len(self.worlds) / 3:
            return self
        rows, counts = self.worlds.rows, self.game.counts
        found, weights = renew_sample(counts, self.allowed, self.history, rows, self.weights)
        return replace(self, worlds=found, weights=normalise(weights) or equal_weights(len(found)))


def normalise(weights: Weights | map) -> "array[float] | None":  # type: ignore[type-arg]
    """Return weights that add up to 1; None if all are 0."""
    found = array("d", weights)
    total = sum(found)
    if total <= 0:
        return None
    scale = 1 / total
    return array("d", [weight * scale for weight in found])


def equal_weights(count: int) -> "array[float]":
    """Return equal weights for this many worlds."""
    return array("d", [1 / count] * count) if count else array("d")


def before_the_deal(game: KnownGame) -> State:
    """Return the state before the deal is read."""
    empty, none = Worlds((), exact=True), (0.0,) * game.setup.players
    allowed, pile = (ANY_ROLE,) * len(none), {game.deck: 1.0}
    return State(
        game, Table(), allowed, empty, equal_weights(0), pile, game.deck, conversion_probabilities=none
    )


def after_the_deal(state: State) -> State:
    """Return the state after the deal: the worlds that fit what the viewer was dealt and shown."""
    found = worlds(state.game.counts, state.allowed)
    if not found.rows:
        found = worlds(state.game.counts, (ANY_ROLE,) * len(state.allowed))
    return replace(state, worlds=found, weights=equal_weights(len(found)))
