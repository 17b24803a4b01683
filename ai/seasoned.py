"""The seasoned player: what its belief says, and for whoever hides, what the table may believe of it."""

from collections.abc import Callable, Mapping, Sequence

from ai import likelihoods as people
from ai import manners
from ai.evidence import voting
from ai.likelihoods import CORE, HITLER, LIBERAL
from ai.novice import top_of
from ai.thought import Thought, likely, seats_of
from ai.worth import WORTH, Aim
from engine.question import JA, NEIN, Option
from engine.rulesets.xl.emergency import DISCARD, PUT_BACK
from engine.steps.legislation import VETO


def choose(thought: Thought, aim: Aim, options: Sequence[Option], step: str) -> Option:
    """What a seasoned player chooses of these options."""
    if aim is Aim.HARM:
        return _harm(thought, options, step)
    return _WAYS[aim](thought, options)


# --- elections -------------------------------------------------------------------------------------


def _lead(thought: Thought, options: Sequence[Option]) -> Option:
    """Whoever would govern best with this seat: by its belief, or by the table's where it hides."""
    seats = seats_of(options)
    special = thought.table.in_office
    if thought.party == "fascist":
        fellow = _fellow_to_lead(thought, seats, special)
        if fellow is not None:
            return fellow
        # As a Liberal would: whom the table trusts, Hitler or not.
        costs = [_feared(thought, seat, special, thought.public, "liberal") for seat in seats]
        return thought.least(seats, costs, manners.DISGUISE_HAZE)
    costs = [_feared(thought, seat, special) for seat in seats]
    return thought.least(seats, costs, manners.NOMINEE_HAZE)


def _feared(
    thought: Thought, seat: int, special: bool, state: object = None, party: str | None = None
) -> float:
    belief = thought.public if state is thought.public else None
    if special:
        return thought.cost(seat, belief, party)
    return thought.danger(thought.seat, seat, belief, party)


def _fellow_to_lead(thought: Thought, seats: Sequence[int], special: bool) -> int | None:
    """A fellow that a Fascist puts forward: Hitler where that wins, else sometimes the least suspect one."""
    fellows = [seat for seat in seats if seat in thought.fellows]
    if not fellows:
        return None
    hitlers = [seat for seat in fellows if thought.table.roles[seat] == CORE[HITLER]]
    if thought.zone and not special and hitlers:
        best = min(thought.danger(thought.seat, seat, thought.public, "liberal") for seat in seats)
        worse = thought.danger(thought.seat, hitlers[0], thought.public, "liberal") - best
        if thought.happens(likely(manners.HITLER_WORSE - worse, 0.12)):
            return hitlers[0]
    if not thought.happens(manners.CALLS_FELLOW if special else manners.NOMINATES_FELLOW):
        return None
    useful = [seat for seat in fellows if not (special and seat in hitlers)]
    trusted = sorted(useful, key=lambda seat: thought.public.against(seat, CORE[LIBERAL]))
    if trusted and thought.public.against(trusted[0], CORE[LIBERAL]) < manners.LOST:
        return trusted[0]
    return None


def _ballot(thought: Thought, options: Sequence[Option]) -> Option:
    """Ja where the government is hardly worse than the one that would come next."""
    table = thought.table
    president, chancellor = table.president, table.chancellor
    if president is None or chancellor is None or thought.seat == president:
        return JA
    if thought.party == "fascist":
        return _fascist_ballot(thought, president, chancellor)
    danger = thought.danger(president, chancellor)
    patience = manners.PATIENCE[min(table.tracker, len(manners.PATIENCE) - 1)]
    gap = thought.next_danger() + patience - danger
    gap += manners.TRUST_GAIN * max(0.0, manners.TRUSTED - danger)
    if thought.seat == chancellor:
        gap += 0.3
    if thought.secretive:
        gap -= manners.LAST_TILE * thought.rival(president, chancellor)
    # Where it is clear nobody errs.
    if abs(gap) > manners.CLEAR:
        return JA if gap > 0 else NEIN
    return JA if thought.happens(likely(gap, manners.BALLOT_HAZE)) else NEIN


def _fascist_ballot(thought: Thought, president: int, chancellor: int) -> Option:
    """As people of this side vote; for Hitler where that wins, and for fellows where much hangs on it."""
    if thought.zone and thought.table.roles[chancellor] == CORE[HITLER]:
        return JA
    own = any(seat == thought.seat or seat in thought.fellows for seat in (president, chancellor))
    if thought.zone and thought.untold and thought.role == CORE[HITLER] and not own:
        # The more elections there are before the next policy, the sooner it is Hitler who is elected.
        return NEIN
    ja = manners.JA_FOR_FELLOW if own else manners.JA_FOR_STRANGERS
    if not thought.fellows:
        # Hitler, who does not know the Fascists, votes as one of that side does among people.
        suspicion = thought.public.either_against(president, chancellor) - thought.own.base.usual
        ja = voting(HITLER, 1 if thought.seat == chancellor else 0, suspicion) + manners.HITLER_JA_MORE
    if thought.suspicion > manners.LOST:
        return JA if own else NEIN
    urgent = min(thought.left(track) for track in thought.table.tracks) <= 1
    if urgent:
        ja = max(ja, manners.JA_FOR_FELLOW_LATE) if own else min(ja, manners.JA_FOR_STRANGERS_LATE)
    return JA if thought.happens(ja) else NEIN


# --- legislation -----------------------------------------------------------------------------------


def _discard(thought: Thought, options: Sequence[Option]) -> Option:
    """The tile that one's party wants least; those who hide keep up appearances as people do."""
    offered = thought.tiles_of(options)
    worst = min(offered, key=thought.worth)
    if not thought.secretive or worst != "liberal":
        return worst
    others = [tile for tile in offered if tile != "liberal"]
    if not others or max(abs(thought.worth(tile)) for tile in offered) > 50:
        return worst
    spare = offered.count("liberal") > 1
    if spare:
        fellow = thought.table.chancellor in thought.fellows
        own = manners.BURIES_SPARE_FOR_FELLOW if fellow else manners.BURIES_SPARE
        bold = _boldness(thought, own, people.DISCARDS_SPARE_LIBERAL)
    else:
        bold = _boldness(thought, manners.BURIES_ONLY, people.DISCARDS_ONLY_LIBERAL)
    return "liberal" if thought.happens(bold) else min(others, key=thought.worth)


def _enact(thought: Thought, options: Sequence[Option]) -> Option:
    """The tile that one's party wants most, or a veto; those who hide keep up appearances as people do."""
    offered = thought.tiles_of(options)
    if not offered:
        return options[min(len(options) - 1, int(thought.luck() * len(options)))]
    best = max(offered, key=thought.worth)
    if VETO in options and thought.worth(best) < 0 and _would_veto(thought, offered):
        return VETO
    if not thought.secretive or "liberal" not in offered or best == "liberal":
        return best
    if max(abs(thought.worth(tile)) for tile in offered) > 50:
        return best
    rates = people.ENACTS_AGAINST_LIBERAL.get(best, people.ENACTS_AGAINST_LIBERAL["card"])
    fellow = thought.table.president in thought.fellows
    own = manners.ENACTS_BESIDE_FELLOW if fellow else manners.ENACTS
    return best if thought.happens(_boldness(thought, own, rates)) else "liberal"


def _boldness(thought: Thought, own: Mapping[str, float], rates: Sequence[float]) -> float:
    """How likely a seat that hides buries a Liberal tile, by what it has to lose.

    ``own``: how often a role of the Fascists does; ``rates``: how often people do, by core role.
    """
    if thought.suspicion > manners.LOST:
        return 1.0
    role = thought.role if thought.role in CORE else thought.party
    if role in own:
        bold = own[role]
        if role == CORE[HITLER] and thought.fellows:
            bold += manners.HITLER_KNOWING
        if role == CORE[HITLER] and thought.untold:
            bold = max(bold, manners.HITLER_UNTOLD)
    else:
        bold = (rates[CORE.index(role)] if role in CORE else 0.5) + manners.OTHERS_MORE
        if thought.table.chancellor == thought.seat:
            fellow = thought.table.president in thought.fellows
            bold += manners.OTHERS_BESIDE_FELLOW if fellow else manners.OTHERS_BESIDE_STRANGER
    counts = thought.own.base.counts
    start = 1 - counts[LIBERAL] / max(1, sum(counts))
    return bold + manners.BURY_SLOPE * (thought.suspicion - start)


def _would_veto(thought: Thought, hand: Sequence[str]) -> bool:
    """Whether the tile of chaos, or the next government, is better than the best of this hand."""
    table = thought.table
    if max(thought.worth(tile) for tile in hand) < -50:
        return True
    return table.tracker + 1 < thought.board.chaos and thought.happens(0.8)


def _veto(thought: Thought, options: Sequence[Option]) -> Option:
    """Agree to throw the hand away where all of it is bad for one's party."""
    hand = thought.tiles_of(thought.table.hand)
    if not hand:
        return NEIN
    best = max(thought.worth(tile) for tile in hand)
    worst = min(thought.worth(tile) for tile in hand)
    if best < -50 or (worst < -50 and thought.cost(thought.table.chancellor or 0) > 0.5):
        return JA
    return JA if best < 0 and thought.table.tracker + 1 < thought.board.chaos else NEIN


# --- targets ---------------------------------------------------------------------------------------


def _harm(thought: Thought, options: Sequence[Option], step: str) -> Option:
    """Whoever is most against one; Hitler above all where that wins, and never where it loses.

    ``step``: the question, which says what becomes of Hitler.
    """
    seats = seats_of(options)
    winners = thought.board.endings.get(WORTH.fates.get(step, "hitler-killed"), ())
    weight = 0.0 if not winners else manners.HUNT if thought.party in winners else -4.0
    if thought.party == "fascist":
        return _fascist_harm(thought, seats)
    fears = [thought.cost(seat) for seat in seats]
    costs = [
        -(fear + manners.SURE_HARM * max(0.0, fear - manners.SURE) + weight * thought.hitler(seat))
        for fear, seat in zip(fears, seats, strict=True)
    ]
    return thought.least(seats, costs, manners.HARM_HAZE)


def _fascist_harm(thought: Thought, seats: Sequence[int]) -> int:
    """One that is not of one's own: whom a Liberal would suspect, or whom the table trusts most."""
    strangers = [seat for seat in seats if seat not in thought.fellows] or list(seats)
    # Hitler, who may not know the Fascists, fears to hit one.
    trust = [thought.public.party(seat, CORE[LIBERAL]) for seat in strangers]
    hides = thought.suspicion < manners.LOST and thought.happens(manners.KILLS_SUSPECT)
    costs = [share if hides else -share for share in trust]
    if thought.role == CORE[HITLER]:
        costs = [
            cost + 2 * thought.own.party(seat, "fascist") for cost, seat in zip(costs, strangers, strict=True)
        ]
    return thought.least(strangers, costs, 0.05)


def _help(thought: Thought, options: Sequence[Option]) -> Option:
    seats = seats_of(options)
    if thought.seat in seats:
        return thought.seat
    return thought.least(seats, [thought.cost(seat) for seat in seats], 0.05)


def _learn(thought: Thought, options: Sequence[Option]) -> Option:
    """Of whom one knows least, the more suspect first; who hides asks after somebody the table doubts."""
    seats = seats_of(options)
    state = thought.public if thought.party == "fascist" else thought.own
    doubts = [state.against(seat, CORE[LIBERAL]) for seat in seats]
    costs = [-min(doubt, 1 - doubt) - 0.3 * doubt for doubt in doubts]
    if thought.party == "fascist":
        costs = [
            cost + (1.0 if seat in thought.fellows else 0.0) for cost, seat in zip(costs, seats, strict=True)
        ]
    return thought.least(seats, costs, 0.08)


def _enlist(thought: Thought, options: Sequence[Option]) -> Option:
    """Somebody who can be won: no comrade yet, not Hitler, and trusted by the table."""
    seats = seats_of(options)
    costs = [
        thought.own.party(seat, thought.party)
        + 2 * thought.hitler(seat)
        - 0.5 * thought.public.party(seat, CORE[LIBERAL])
        for seat in seats
    ]
    if thought.party != CORE[3]:
        # Whoever is no Communist gains nothing by making more of them: best where it fails.
        costs = [-cost for cost in costs]
    return thought.least(seats, costs, 0.05)


def _blame(thought: Thought, options: Sequence[Option]) -> Option:
    """Somebody to be shown beside Hitler: whom the table would rather believe to be it."""
    seats = seats_of(options)
    costs = [-thought.hitler(seat, thought.public) - thought.cost(seat) for seat in seats]
    return thought.least(seats, costs, 0.02)


def _undo(thought: Thought, options: Sequence[Option]) -> Option:
    """The track, not one's own, that is nearest to its end."""
    tracks = [str(option) for option in options if option != thought.party]
    return min(tracks, key=thought.left) if tracks else options[0]


def _top(thought: Thought, options: Sequence[Option]) -> Option:
    return DISCARD if (tile := top_of(thought)) and thought.worth(tile) < 0 else PUT_BACK


_WAYS: dict[Aim, Callable[[Thought, Sequence[Option]], Option]] = {
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
