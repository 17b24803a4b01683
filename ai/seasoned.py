"""The seasoned player: what its belief says, and for whoever hides, what the table may believe of it."""

from collections.abc import Callable, Mapping, Sequence

from ai import likelihoods, tuning
from ai.decider import SeasonedDecider, likely, seats_of
from ai.evidence import voting
from ai.likelihoods import CORE, HITLER, LIBERAL
from ai.novice import top_of
from ai.rulesets import HINTS, Aim
from engine.question import JA, NEIN, Option
from engine.rulesets.xl.emergency import DISCARD, PUT_BACK
from engine.steps.legislation import VETO


def choose(decider: SeasonedDecider, aim: Aim, options: Sequence[Option], step: str) -> Option:
    """What a seasoned player chooses of these options."""
    if aim is Aim.HARM:
        return _harm(decider, options, step)
    return _WAYS[aim](decider, options)


# --- elections -------------------------------------------------------------------------------------


def _lead(decider: SeasonedDecider, options: Sequence[Option]) -> Option:
    """Whoever would govern best with this seat: by its belief, or by the table's where it hides."""
    seats = seats_of(options)
    special = decider.table.in_office
    if decider.party == "fascist":
        fellow = _fellow_to_lead(decider, seats, special)
        if fellow is not None:
            return fellow
        # As a Liberal would: whom the table trusts, Hitler or not.
        costs = [_feared(decider, seat, special, decider.public, "liberal") for seat in seats]
        return decider.least(seats, costs, tuning.DISGUISE_HAZE)
    costs = [_feared(decider, seat, special) for seat in seats]
    return decider.least(seats, costs, tuning.NOMINEE_HAZE)


def _feared(
    decider: SeasonedDecider, seat: int, special: bool, state: object = None, party: str | None = None
) -> float:
    belief = decider.public if state is decider.public else None
    if special:
        return decider.cost(seat, belief, party)
    return decider.danger(decider.seat, seat, belief, party)


def _fellow_to_lead(decider: SeasonedDecider, seats: Sequence[int], special: bool) -> int | None:
    """A fellow that a Fascist puts forward: Hitler where that wins, else sometimes the least suspect one."""
    fellows = [seat for seat in seats if seat in decider.fellows]
    if not fellows:
        return None
    hitlers = [seat for seat in fellows if decider.table.roles[seat] == CORE[HITLER]]
    if decider.zone and not special and hitlers:
        best = min(decider.danger(decider.seat, seat, decider.public, "liberal") for seat in seats)
        worse = decider.danger(decider.seat, hitlers[0], decider.public, "liberal") - best
        if decider.happens(likely(tuning.HITLER_WORSE - worse, 0.12)):
            return hitlers[0]
    if not decider.happens(tuning.CALLS_FELLOW if special else tuning.NOMINATES_FELLOW):
        return None
    useful = [seat for seat in fellows if not (special and seat in hitlers)]
    trusted = sorted(useful, key=lambda seat: decider.public.against(seat, CORE[LIBERAL]))
    if trusted and decider.public.against(trusted[0], CORE[LIBERAL]) < tuning.LOST:
        return trusted[0]
    return None


def _ballot(decider: SeasonedDecider, options: Sequence[Option]) -> Option:
    """Ja where the government is hardly worse than the one that would come next."""
    table = decider.table
    president, chancellor = table.president, table.chancellor
    if president is None or chancellor is None or decider.seat == president:
        return JA
    if decider.party == "fascist":
        return _fascist_ballot(decider, president, chancellor)
    danger = decider.danger(president, chancellor)
    patience = tuning.PATIENCE[min(table.tracker, len(tuning.PATIENCE) - 1)]
    gap = decider.next_danger() + patience - danger
    gap += tuning.TRUST_GAIN * max(0.0, tuning.TRUSTED - danger)
    if decider.seat == chancellor:
        gap += 0.3
    if decider.secretive:
        gap -= tuning.LAST_TILE * decider.rival(president, chancellor)
    # Where it is clear nobody errs.
    if abs(gap) > tuning.CLEAR:
        return JA if gap > 0 else NEIN
    return JA if decider.happens(likely(gap, tuning.BALLOT_HAZE)) else NEIN


def _fascist_ballot(decider: SeasonedDecider, president: int, chancellor: int) -> Option:
    """As people of this side vote; for Hitler where that wins, and for fellows where much hangs on it."""
    if decider.zone and decider.table.roles[chancellor] == CORE[HITLER]:
        return JA
    own = any(seat == decider.seat or seat in decider.fellows for seat in (president, chancellor))
    if decider.zone and decider.untold and decider.role == CORE[HITLER] and not own:
        # The more elections there are before the next policy, the sooner it is Hitler who is elected.
        return NEIN
    ja = tuning.JA_FOR_FELLOW if own else tuning.JA_FOR_STRANGERS
    if not decider.fellows:
        # Hitler, who does not know the Fascists, votes as one of that side does among people.
        suspicion = decider.public.either_against(president, chancellor) - decider.own.game.usual
        ja = voting(HITLER, 1 if decider.seat == chancellor else 0, suspicion) + tuning.HITLER_JA_MORE
    if decider.suspicion > tuning.LOST:
        return JA if own else NEIN
    urgent = min(decider.left(track) for track in decider.table.tracks) <= 1
    if urgent:
        ja = max(ja, tuning.JA_FOR_FELLOW_LATE) if own else min(ja, tuning.JA_FOR_STRANGERS_LATE)
    return JA if decider.happens(ja) else NEIN


# --- legislation -----------------------------------------------------------------------------------


def _discard(decider: SeasonedDecider, options: Sequence[Option]) -> Option:
    """The tile that one's party wants least; those who hide keep up appearances as people do."""
    offered = decider.tiles_of(options)
    worst = min(offered, key=decider.worth)
    if not decider.secretive or worst != "liberal":
        return worst
    others = [tile for tile in offered if tile != "liberal"]
    if not others or any(decider.wins(tile) or decider.loses(tile) for tile in offered):
        return worst
    spare = offered.count("liberal") > 1
    if spare:
        fellow = decider.table.chancellor in decider.fellows
        own = tuning.BURIES_SPARE_FOR_FELLOW if fellow else tuning.BURIES_SPARE
        bold = _boldness(decider, own, likelihoods.DISCARDS_SPARE_LIBERAL)
    else:
        bold = _boldness(decider, tuning.BURIES_ONLY, likelihoods.DISCARDS_ONLY_LIBERAL)
    return "liberal" if decider.happens(bold) else min(others, key=decider.worth)


def _enact(decider: SeasonedDecider, options: Sequence[Option]) -> Option:
    """The tile that one's party wants most, or a veto; those who hide keep up appearances as people do."""
    offered = decider.tiles_of(options)
    if not offered:
        return options[min(len(options) - 1, int(decider.luck() * len(options)))]
    best = max(offered, key=decider.worth)
    if VETO in options and decider.worth(best) < 0 and _would_veto(decider, offered):
        return VETO
    if not decider.secretive or "liberal" not in offered or best == "liberal":
        return best
    if any(decider.wins(tile) or decider.loses(tile) for tile in offered):
        return best
    rates = likelihoods.ENACTS_AGAINST_LIBERAL.get(best, likelihoods.ENACTS_AGAINST_LIBERAL["card"])
    fellow = decider.table.president in decider.fellows
    own = tuning.ENACTS_BESIDE_FELLOW if fellow else tuning.ENACTS
    return best if decider.happens(_boldness(decider, own, rates)) else "liberal"


def _boldness(decider: SeasonedDecider, own: Mapping[str, float], rates: Sequence[float]) -> float:
    """How likely a seat that hides buries a Liberal tile, by what it has to lose.

    ``own``: how often a role of the Fascists does; ``rates``: how often people do, by core role.
    """
    if decider.suspicion > tuning.LOST:
        return 1.0
    role = decider.role if decider.role in CORE else decider.party
    if role in own:
        bold = own[role]
        if role == CORE[HITLER] and decider.fellows:
            bold += tuning.HITLER_KNOWING
        if role == CORE[HITLER] and decider.untold:
            bold = max(bold, tuning.HITLER_UNTOLD)
    else:
        bold = (rates[CORE.index(role)] if role in CORE else 0.5) + tuning.OTHERS_MORE
        if decider.table.chancellor == decider.seat:
            fellow = decider.table.president in decider.fellows
            bold += tuning.OTHERS_BESIDE_FELLOW if fellow else tuning.OTHERS_BESIDE_STRANGER
    counts = decider.own.game.counts
    start = 1 - counts[LIBERAL] / max(1, sum(counts))
    return bold + tuning.BURY_SLOPE * (decider.suspicion - start)


def _would_veto(decider: SeasonedDecider, hand: Sequence[str]) -> bool:
    """Whether the tile of chaos, or the next government, is better than the best of this hand."""
    table = decider.table
    if all(map(decider.loses, hand)):
        return True
    return table.tracker + 1 < decider.board.chaos and decider.happens(0.8)


def _veto(decider: SeasonedDecider, options: Sequence[Option]) -> Option:
    """Agree to throw the hand away where all of it is bad for one's party."""
    hand = decider.tiles_of(decider.table.hand)
    if not hand:
        return NEIN
    lost = [tile for tile in hand if decider.loses(tile)]
    if len(lost) == len(hand) or (lost and decider.cost(decider.table.chancellor or 0) > 0.5):
        return JA
    bad = all(decider.worth(tile) < 0 for tile in hand)
    return JA if bad and decider.table.tracker + 1 < decider.board.chaos else NEIN


# --- targets ---------------------------------------------------------------------------------------


def _harm(decider: SeasonedDecider, options: Sequence[Option], step: str) -> Option:
    """Whoever is most against one; Hitler above all where that wins, and never where it loses.

    ``step``: the question, which says what becomes of Hitler.
    """
    seats = seats_of(options)
    winners = decider.board.endings.get(HINTS.ending_if_hitler.get(step, "hitler-killed"), ())
    weight = 0.0 if not winners else tuning.HUNT if decider.party in winners else -4.0
    if decider.party == "fascist":
        return _fascist_harm(decider, seats)
    fears = [decider.cost(seat) for seat in seats]
    costs = [
        -(fear + tuning.SURE_HARM * max(0.0, fear - tuning.SURE) + weight * decider.hitler(seat))
        for fear, seat in zip(fears, seats, strict=True)
    ]
    return decider.least(seats, costs, tuning.HARM_HAZE)


def _fascist_harm(decider: SeasonedDecider, seats: Sequence[int]) -> int:
    """One that is not of one's own: whom a Liberal would suspect, or whom the table trusts most."""
    strangers = [seat for seat in seats if seat not in decider.fellows] or list(seats)
    # Hitler, who may not know the Fascists, fears to hit one.
    trust = [decider.public.party(seat, CORE[LIBERAL]) for seat in strangers]
    hides = decider.suspicion < tuning.LOST and decider.happens(tuning.KILLS_SUSPECT)
    costs = [share if hides else -share for share in trust]
    if decider.role == CORE[HITLER]:
        costs = [
            cost + 2 * decider.own.party(seat, "fascist") for cost, seat in zip(costs, strangers, strict=True)
        ]
    return decider.least(strangers, costs, 0.05)


def _help(decider: SeasonedDecider, options: Sequence[Option]) -> Option:
    seats = seats_of(options)
    if decider.seat in seats:
        return decider.seat
    return decider.least(seats, [decider.cost(seat) for seat in seats], 0.05)


def _learn(decider: SeasonedDecider, options: Sequence[Option]) -> Option:
    """Of whom one knows least, the more suspect first; who hides asks after somebody the table doubts."""
    seats = seats_of(options)
    state = decider.public if decider.party == "fascist" else decider.own
    doubts = [state.against(seat, CORE[LIBERAL]) for seat in seats]
    costs = [-min(doubt, 1 - doubt) - 0.3 * doubt for doubt in doubts]
    if decider.party == "fascist":
        costs = [
            cost + (1.0 if seat in decider.fellows else 0.0) for cost, seat in zip(costs, seats, strict=True)
        ]
    return decider.least(seats, costs, 0.08)


def _enlist(decider: SeasonedDecider, options: Sequence[Option]) -> Option:
    """Somebody who can be won: no comrade yet, not Hitler, and trusted by the table."""
    seats = seats_of(options)
    costs = [
        decider.own.party(seat, decider.party)
        + 2 * decider.hitler(seat)
        - 0.5 * decider.public.party(seat, CORE[LIBERAL])
        for seat in seats
    ]
    if decider.party != CORE[3]:
        # Whoever is no Communist gains nothing by making more of them: best where it fails.
        costs = [-cost for cost in costs]
    return decider.least(seats, costs, 0.05)


def _blame(decider: SeasonedDecider, options: Sequence[Option]) -> Option:
    """Somebody to be shown beside Hitler: whom the table would rather believe to be it."""
    seats = seats_of(options)
    costs = [-decider.hitler(seat, decider.public) - decider.cost(seat) for seat in seats]
    return decider.least(seats, costs, 0.02)


def _undo(decider: SeasonedDecider, options: Sequence[Option]) -> Option:
    """The track, not one's own, that is nearest to its end."""
    tracks = [str(option) for option in options if option != decider.party]
    return min(tracks, key=decider.left) if tracks else options[0]


def _top(decider: SeasonedDecider, options: Sequence[Option]) -> Option:
    return DISCARD if (tile := top_of(decider)) and decider.worth(tile) < 0 else PUT_BACK


_WAYS: dict[Aim, Callable[[SeasonedDecider, Sequence[Option]], Option]] = {
    Aim.LEAD: _lead,
    Aim.BALLOT: _ballot,
    Aim.DISCARD: _discard,
    Aim.ENACT: _enact,
    Aim.VETO: _veto,
    Aim.HELP: _help,
    Aim.SHOW: _help,
    Aim.LEARN: _learn,
    Aim.ENLIST: _enlist,
    Aim.BLAME: _blame,
    Aim.UNDO: _undo,
    Aim.TOP: _top,
}
