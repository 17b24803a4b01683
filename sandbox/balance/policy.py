"""The plain rules: what a seat chooses, from its own table and the public record.

Liberals trust who enacted Liberal policies and vote down who did not. Fascists let each other govern, get
Hitler elected when it wins, and otherwise look like Liberals half of the time. Communists play their own
tiles and prefer the Liberals to the Fascists. Nothing here is clever; it is the same for every ruleset.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from engine import Board
from engine.question import CARD, JA, NEIN, PERSON, Option
from engine.rulesets.xl.emergency import DISCARD, PUT_BACK
from engine.steps.legislation import VETO
from engine.table import NOT_HITLER, Table
from engine.tiles import track

#: How far a known friend or enemy outweighs any public record.
KNOWN = 100.0
#: What the record may say against a government that a Liberal still votes for.
TOLERANCE = 0.5
#: How often a Fascist votes like a Liberal where nothing is to be won.
DISGUISE = 0.5


@dataclass(slots=True)
class Mind:
    """A seat: the table as it may see it, and the record that all share."""

    seat: int
    table: Table
    board: Board
    rng: random.Random
    record: list[float] = field(default_factory=list)
    #: What it saw last on top of the draw pile.
    peeked: tuple[str, ...] = ()

    @property
    def party(self) -> str:
        """Its party now, as far as it knows."""
        return str(self.table.parties[self.seat])

    @property
    def zone(self) -> bool:
        """Whether Hitler wins by being elected now."""
        return len(self.table.tracks.get("fascist", ())) >= self.board.zone

    def danger(self, seat: int) -> float:
        """How much another seat seems to be against this one: above 0 rather than not."""
        party = self.table.parties[seat]
        if party is not None:
            return -KNOWN if party == self.party else KNOWN
        if NOT_HITLER in self.table.tags and seat in self.table.tags[NOT_HITLER] and self.party == "liberal":
            return self.record[seat] - 1.0
        return self.record[seat] if self.party == "liberal" else 0.0

    def value(self, tile: str) -> float:
        """How much this seat wants a tile on the table."""
        colour = track(tile)
        if colour is None:
            return 0.0
        if colour == self.party:
            return 10.0
        left = len(self.board.tracks[colour]) - len(self.table.tracks.get(colour, ()))
        fear = {("communist", "fascist"): 2.0, ("fascist", "liberal"): 2.0}.get((self.party, colour), 1.0)
        return -fear - (5.0 if left <= 1 else 0.0)

    def most(self, seats: Sequence[int], of: Callable[[int], float]) -> int:
        """The seat with the most of something; ties by lot."""
        best = max(of(seat) for seat in seats)
        return self.rng.choice([seat for seat in seats if of(seat) == best])


def choose(mind: Mind, step: str, options: Sequence[Option]) -> Option:
    """What a seat chooses among these options of a question. What it cannot see it chooses by lot."""
    if any(isinstance(option, str) and option.startswith((CARD, PERSON)) for option in options):
        return mind.rng.choice(list(options))
    if step in _STEPS:
        return _STEPS[step](mind, options)
    if all(isinstance(option, int) for option in options):
        return _against(mind, options)
    return mind.rng.choice(list(options))


def _seats(options: Sequence[Option]) -> list[int]:
    return [option for option in options if isinstance(option, int)]


def _tiles(options: Sequence[Option]) -> list[str]:
    return [option for option in options if isinstance(option, str) and option != VETO]


def _against(mind: Mind, options: Sequence[Option]) -> Option:
    """Whoever seems most dangerous: to be looked at, shot, smeared, marked or bugged."""
    return mind.most(_seats(options), mind.danger)


def _trusted(mind: Mind, options: Sequence[Option]) -> Option:
    """Whoever seems least dangerous."""
    return mind.most(_seats(options), lambda seat: -mind.danger(seat))


def _nominate(mind: Mind, options: Sequence[Option]) -> Option:
    """Hitler, where that wins; or whoever is trusted most."""
    hitlers = [seat for seat in _seats(options) if mind.table.roles[seat] == "hitler"]
    if mind.zone and mind.party == "fascist" and hitlers:
        return hitlers[0]
    return _trusted(mind, options)


def _ballot(mind: Mind, options: Sequence[Option]) -> Option:
    table = mind.table
    assert table.president is not None
    assert table.chancellor is not None
    if mind.seat in (table.president, table.chancellor):
        return JA
    dangers = (mind.danger(table.president), mind.danger(table.chancellor))
    if mind.party == "fascist":
        if mind.zone and table.roles[table.chancellor] == "hitler":
            return JA
        if min(dangers) <= -KNOWN:
            return JA
        return JA if mind.rng.random() < DISGUISE else NEIN
    # The one vote that keeps chaos away is worth a doubtful government.
    patience = TOLERANCE + (1.0 if table.tracker + 1 >= mind.board.chaos else 0.0)
    if mind.party == "liberal" and mind.zone:
        patience = min(patience, TOLERANCE)
        return JA if dangers[1] <= 0 and dangers[0] <= patience else NEIN
    return JA if max(dangers) <= patience else NEIN


def _discard(mind: Mind, options: Sequence[Option]) -> Option:
    return min(_tiles(options), key=mind.value)


def _enact(mind: Mind, options: Sequence[Option]) -> Option:
    """The best tile; a veto where even that one is bad."""
    best = max(_tiles(options), key=mind.value)
    return VETO if VETO in options and mind.value(best) < 0 else best


def _veto(mind: Mind, options: Sequence[Option]) -> Option:
    """Veto what is bad, but not into chaos."""
    hand = mind.table.hand
    bad = all(mind.value(tile) < 0 for tile in hand)
    return JA if bad and mind.table.tracker + 1 < mind.board.chaos else NEIN


def _recruit(mind: Mind, options: Sequence[Option]) -> Option:
    """Somebody whose party is not known yet."""
    unknown = [seat for seat in _seats(options) if mind.table.parties[seat] is None]
    return mind.rng.choice(unknown or _seats(options))


def _investigate(mind: Mind, options: Sequence[Option]) -> Option:
    """Somebody whose party is not known yet, the most suspicious first."""
    unknown = [seat for seat in _seats(options) if mind.table.parties[seat] is None]
    return _against(mind, unknown or options)


def _propaganda(mind: Mind, options: Sequence[Option]) -> Option:
    """Discard the top tile, which its looker saw, where it is bad."""
    return DISCARD if mind.peeked and mind.value(mind.peeked[0]) < 0 else PUT_BACK


def _track(mind: Mind, options: Sequence[Option]) -> Option:
    """The track of another party that is nearest to its end."""

    def left(colour: Option) -> int:
        name = str(colour)
        return len(mind.board.tracks[name]) - len(mind.table.tracks.get(name, ()))

    return min((option for option in options if option != mind.party), key=left, default=options[0])


_STEPS: dict[str, Callable[[Mind, Sequence[Option]], Option]] = {
    "nominate": _nominate,
    "ballot": _ballot,
    "discard": _discard,
    "enact": _enact,
    "select": _enact,
    "veto": _veto,
    "sealed-veto": _veto,
    "special": _trusted,
    "resurrect": _trusted,
    "pardon": _trusted,
    "impeachment": _trusted,
    "recruitment": _recruit,
    "radicalisation": _recruit,
    "convert": _recruit,
    "bugging": _investigate,
    "investigate": _investigate,
    "propaganda": _propaganda,
    "social-democratic": _track,
}
