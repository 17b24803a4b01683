"""The seasoned player: it chooses each option as often as people do, except against sure knowledge.

The models of people's ballots and nominations are in ``ai.elections``. This module has people's rates with
tiles and powers, and rules against choices that nobody with the seat's knowledge would make.
"""

from collections.abc import Callable, Sequence
from operator import add

from ai import likelihoods, tuning
from ai.decider import SeasonedDecider, certain, seats_of, soft_minimum
from ai.elections import Outlook, sigmoid
from ai.likelihoods import LIBERAL
from ai.novice import OptionWeights, may_be_shy, top, undo
from ai.rulesets import HINTS, Aim
from ai.stakes import ja_before_chaos
from engine import Seat
from engine.question import JA, NEIN, Option
from engine.steps.legislation import VETO
from engine.table import NOT_HITLER


def option_weights(decider: SeasonedDecider, aim: Aim, options: Sequence[Option], step: str) -> OptionWeights:
    """Return the weights by which a seasoned player chooses among these options."""
    if aim is Aim.HARM:
        return _harm(decider, options, step)
    return _RULES[aim](decider, options)


# --- elections -------------------------------------------------------------------------------------


def _lead(decider: SeasonedDecider, options: Sequence[Option]) -> OptionWeights:
    """Return weights for the next Chancellor, or for the President of a special election."""
    seats = seats_of(options)
    if decider.table.in_office or decider.table.president is None:
        return _call(decider, seats)
    outlook = Outlook(decider)
    scores = outlook.nominee_log_weights(tuple(seats))
    if decider.party == "liberal":
        scores = [score - _case_against(decider, seat) for score, seat in zip(scores, seats, strict=True)]
        return _drop_unworthy(soft_minimum(seats, [-score for score in scores], 1.0), decider)
    elif decider.party == "communist":
        gains = [tuning.NOMINATES_FELLOW * (seat in decider.fellows) for seat in seats]
        scores = list(map(add, scores, gains))
    return soft_minimum(seats, [-score for score in scores], 1.0)


def _drop_unworthy(weights: OptionWeights, decider: SeasonedDecider) -> OptionWeights:
    """Drop the seats that a Liberal trusts far less than the best, once a government has enacted a tile."""
    if not decider.record.governments:
        return weights
    least = tuning.WORTHY * max(weights.values())
    return {seat: weight for seat, weight in weights.items() if weight >= least}


def _case_against(decider: SeasonedDecider, seat: Seat) -> float:
    """Return how much a Liberal's strong doubts and sure knowledge speak against a nominee, in log-odds."""
    against = tuning.STRONG_DOUBT_IN_NOMINATIONS * max(0.0, decider.seat_danger(seat) - tuning.STRONG_DOUBT)
    if decider.own_state.probability_not_of(seat, "liberal") > tuning.EXPOSED:
        against += tuning.SURE_LOG_ODDS
    if decider.in_zone and seat not in decider.table.tagged(NOT_HITLER):
        against += tuning.NOMINEE_HITLER * decider.hitler(seat)
    return against


def _call(decider: SeasonedDecider, seats: Sequence[Seat]) -> OptionWeights:
    """Return weights for the target of a special election: somebody trusted, and not accused."""
    record, own = decider.record, decider.seat
    liberal = decider.party == "liberal"
    accused = {one.target for one in record.party_claims if not one.good}
    costs = []
    for seat in seats:
        doubt = decider.seat_danger(seat, public=not liberal)
        cost = tuning.SPECIAL_ELECTION_CAUTION * doubt
        if seat in accused or (seat in decider.fellows and doubt > tuning.TOO_SUSPECT):
            cost += tuning.SURE_LOG_ODDS
        if record.has_clashed(own, seat):
            cost += 1.0
        costs.append(cost)
    weights = soft_minimum(seats, costs, 1.0)
    return _drop_unworthy(weights, decider) if liberal else weights


def _ballot(decider: SeasonedDecider, options: Sequence[Option]) -> OptionWeights:
    """Return the weights before the term that all ballots of the election share."""
    president, chancellor = decider.pair
    x = Outlook(decider).ja_log_odds(chancellor) + decider.character.ja
    if decider.seat == president:
        # People sometimes vote down their own choice, but it looks absurd.
        x = max(x, tuning.SURE_LOG_ODDS)
    elif decider.seat == chancellor:
        x += tuning.OWN_CHANCELLOR
    if decider.has_three_parties:
        x += tuning.JA_WITH_THREE_PARTIES
    # Before chaos, too, a Fascist votes as a Liberal would. Otherwise its ballot would show what it knows.
    as_liberal = decider.party == "fascist"
    stake = None if decider.wins_by_electing(chancellor) else ja_before_chaos(decider, as_liberal)
    if stake is not None:
        x = stake
    elif decider.party == "liberal":
        x = _liberal_ballot(decider, x)
    else:
        x = _ballot_of_hider(decider, x)
    ja = min(tuning.SUREST, max(1 - tuning.SUREST, sigmoid(x)))
    return {JA: ja, NEIN: 1 - ja}


def _liberal_ballot(decider: SeasonedDecider, x: float) -> float:
    """Return a Liberal's log-odds of Ja: people's (``x``), corrected by what the seat knows for sure."""
    chancellor = decider.pair[1]
    doubts = [decider.own_state.probability_not_of(seat, "liberal") for seat in decider.pair]
    if max(doubts) > tuning.EXPOSED and not decider.chaos_near:
        return min(x, -tuning.SURE_LOG_ODDS)
    hitler = 0.0
    if decider.in_zone and chancellor not in (decider.seat, *decider.table.tagged(NOT_HITLER)):
        hitler = decider.hitler(chancellor)
    if max(doubts) < tuning.CLEARED and hitler < tuning.CLEARED:
        return max(x, tuning.SURE_LOG_ODDS)
    return x


def _ballot_of_hider(decider: SeasonedDecider, x: float) -> float:
    """Return the log-odds of Ja of a seat that is not Liberal: people's (``x``), corrected in key moments."""
    own, chancellor = decider.owns_pair, decider.pair[1]
    fascist = decider.party == "fascist"
    if decider.wins_by_electing(chancellor):
        return x + (tuning.HITLER_HIMSELF if chancellor == decider.seat else tuning.ELECTS_HITLER)
    if fascist and decider.in_zone and decider.others_are_silent and decider.role == "hitler" and not own:
        # Failed elections bring more elections, and so more chances to elect Hitler.
        return -tuning.SURE_LOG_ODDS
    if decider.suspected_by_table > tuning.EXPOSED:
        return tuning.SURE_LOG_ODDS if own else -tuning.SURE_LOG_ODDS
    if not fascist:
        x -= tuning.LAST_TILE * decider.rival_share(*decider.pair)
        x += tuning.JA_FOR_FELLOW * own
    near = [track for track in decider.table.tracks if decider.slots_left(track) <= 1]
    if near:
        urgent = tuning.URGENT if near == [decider.party] else tuning.URGENT_AGAINST_RIVAL
        x += urgent if own else -urgent
    return x


# --- legislation -----------------------------------------------------------------------------------


def _discard(decider: SeasonedDecider, options: Sequence[Option]) -> OptionWeights:
    """Discard the tile that the seat's party wants least.

    A seat that hides its party may still pass a Liberal tile. Fascists follow people's rates in this.
    """
    offered = decider.tiles_of(options)
    worst = min(offered, key=decider.worth)
    others = [tile for tile in offered if tile != "liberal"]
    if worst != "liberal" or not others or not may_be_shy(decider, offered):
        return certain(worst)
    bold = _discard_boldness(decider, spare=offered.count("liberal") > 1)
    return {worst: bold, min(others, key=decider.worth): 1 - bold}


def _enact(decider: SeasonedDecider, options: Sequence[Option]) -> OptionWeights:
    """Enact the tile that the seat's party wants most, or veto.

    A seat that hides its party may still enact a Liberal tile. Fascists follow people's rates in this.
    """
    offered = decider.tiles_of(options)
    if not offered:
        return dict.fromkeys(options, 1 / len(set(options)))
    best = max(offered, key=decider.worth)
    veto = 0.0
    if VETO in options and decider.worth(best) < 0:
        veto = 1.0 if all(map(decider.loses, offered)) else 0.0 if decider.chaos_near else tuning.ASKS_VETO
    bold = 1.0
    if best != "liberal" and may_be_shy(decider, offered):
        bold = _enact_boldness(decider, best)
    found: dict[Option, float] = {best: (1 - veto) * bold}
    if bold < 1:
        found["liberal"] = (1 - veto) * (1 - bold)
    if veto:
        found[VETO] = veto
    return found


def _discard_boldness(decider: SeasonedDecider, spare: bool) -> float:
    """Return how likely a President who hides its party is to discard a Liberal tile.

    ``spare``: it holds another one.
    """
    chancellor = decider.table.chancellor
    if decider.party != "fascist":
        rates = likelihoods.DISCARDS_SPARE_LIBERAL if spare else likelihoods.DISCARDS_ONLY_LIBERAL
        return _communist_boldness(decider, rates)
    role = decider.model_role
    x = (tuning.DISCARDS_SPARE if spare else tuning.DISCARDS_ONLY)[role]
    if not spare:
        x += tuning.DISCARDS_BY_PHASE[role][decider.table.round > tuning.EARLY]
    if decider.in_zone:
        x += tuning.DISCARDS_IN_ZONE[role]
    if chancellor in decider.fellows:
        beside = "hitler" if decider.table.roles[chancellor] == "hitler" else "fellow"
    else:
        beside = "stranger"
    if decider.fellows:
        x += (tuning.DISCARDS_SPARE_BESIDE if spare else tuning.DISCARDS_BESIDE)[beside]
    return _boldness(decider, x)


def _enact_boldness(decider: SeasonedDecider, best: str) -> float:
    """Return how likely a Chancellor who hides its party is to enact its own tile over a Liberal one."""
    if decider.party != "fascist":
        rates = likelihoods.of_colour(likelihoods.ENACTS_AGAINST_LIBERAL, best)
        return _communist_boldness(decider, rates)
    role = decider.model_role
    president = decider.table.president
    x = tuning.ENACTS[role] + tuning.ENACTS_BY_PHASE[role][decider.table.round > tuning.EARLY]
    if president in decider.fellows:
        hitler = president is not None and decider.table.roles[president] == "hitler"
        x += tuning.ENACTS_BESIDE["hitler" if hitler else "fellow"]
    elif decider.fellows:
        x += tuning.ENACTS_BESIDE["stranger"]
    if decider.has_three_parties and decider.slots_left("liberal") == 2:
        x += tuning.ENACTS_NEAR_THE_END
    return _boldness(decider, x)


def _boldness(decider: SeasonedDecider, x: float) -> float:
    """Return how likely a Fascist or Hitler discards a Liberal tile, or enacts its own instead.

    ``x``: the log-odds of that, before adjustments for the number of seats and for character. An exposed seat
    always does so, and Hitler more often while all others are silent.
    """
    if decider.suspected_by_table > tuning.EXPOSED:
        return 1.0
    if not decider.has_three_parties:
        x += tuning.BOLDER.get(decider.table.seats, 0.0)
    hitler = decider.role == "hitler"
    bold = _with_character(decider, sigmoid(x))
    return max(bold, tuning.HITLER_AMID_SILENCE) if hitler and decider.others_are_silent else bold


def _communist_boldness(decider: SeasonedDecider, rates: Sequence[float]) -> float:
    """Return how likely a Communist discards or does not enact a Liberal tile. ``rates``: by core role."""
    if decider.suspected_by_table > tuning.EXPOSED:
        return 1.0
    bold = rates[decider.core_role] + tuning.COMMUNIST_BOLDER
    if decider.table.chancellor == decider.seat:
        fellow = decider.table.president in decider.fellows
        bold += tuning.COMMUNIST_BESIDE_FELLOW if fellow else tuning.COMMUNIST_BESIDE_OTHER
    counts = decider.own_state.game.counts
    start = 1 - counts[LIBERAL] / max(1, sum(counts))
    bold += tuning.COMMUNIST_SUSPECTED_SLOPE * (decider.suspected_by_table - start)
    return _with_character(decider, bold)


def _with_character(decider: SeasonedDecider, bold: float) -> float:
    return min(1.0, max(0.0, bold + decider.character.bold))


def _veto(decider: SeasonedDecider, options: Sequence[Option]) -> OptionWeights:
    """Agree to a veto if all tiles of the hand lose, or if one does and the Chancellor is probably an enemy.

    If the veto brings no chaos, agree also if all tiles are bad for the seat's party.
    """
    hand = decider.tiles_of(decider.table.hand)
    if not hand:
        return certain(NEIN)
    lost = [tile for tile in hand if decider.loses(tile)]
    if len(lost) == len(hand) or (lost and decider.seat_danger(decider.table.chancellor or Seat(0)) > 0.5):
        return certain(JA)
    bad = all(decider.worth(tile) < 0 for tile in hand)
    return certain(JA if bad and not decider.chaos_near else NEIN)


# --- targets ---------------------------------------------------------------------------------------


def _harm(decider: SeasonedDecider, options: Sequence[Option], step: str) -> OptionWeights:
    """Harm the most dangerous seat. Prefer Hitler if hitting Hitler wins, and avoid it if that loses.

    ``step``: the question's step, which tells how the game ends if the seat is Hitler.
    """
    seats = seats_of(options)
    winners = decider.board.endings.get(HINTS.ending_if_hitler.get(step, "hitler-killed"), ())
    hunt = tuning.COMMUNIST_HUNT if decider.party == "communist" else tuning.HUNT
    weight = 0.0 if not winners else hunt if decider.party in winners else -4.0
    if decider.party == "fascist":
        return _fascist_harm(decider, seats)
    fears = [decider.seat_danger(seat) for seat in seats]
    costs = []
    for fear, seat in zip(fears, seats, strict=True):
        doubt = tuning.STRONG_DOUBT_IN_TARGETS * max(0.0, fear - tuning.STRONG_DOUBT)
        costs.append(-(fear + doubt + weight * decider.hitler(seat)))
    return soft_minimum(seats, costs, tuning.HARM_TEMPERATURE)


def _fascist_harm(decider: SeasonedDecider, seats: Sequence[Seat]) -> OptionWeights:
    """Prefer seats of other parties, above all one whose claims clash with the seat's own."""
    strangers = [seat for seat in seats if seat not in decider.fellows] or list(seats)
    costs = []
    for seat in strangers:
        cost = -tuning.KILLS_ACCUSER if decider.record.has_clashed(decider.seat, seat) else 0.0
        # Hitler may not know the Fascists, so it spares seats that may be Fascist.
        if decider.role == "hitler" and not decider.fellows:
            cost += tuning.SPARES_OWN * decider.own_state.party(seat, "fascist")
        costs.append(cost)
    return soft_minimum(strangers, costs, 1.0)


def _help(decider: SeasonedDecider, options: Sequence[Option]) -> OptionWeights:
    seats = seats_of(options)
    if decider.seat in seats:
        return certain(decider.seat)
    return soft_minimum(seats, [decider.seat_danger(seat) for seat in seats], 0.02)


def _learn(decider: SeasonedDecider, options: Sequence[Option]) -> OptionWeights:
    """Often choose the Chancellor of this round.

    Otherwise prefer seats that look trustworthy: not accused by an inspector, no claims that contradict the
    seat's own.
    """
    seats = seats_of(options)
    record, chancellor = decider.record, decider.table.chancellor
    role = decider.role if decider.role in tuning.INVESTIGATES_CHANCELLOR else "liberal"
    accused = {one.target for one in record.party_claims if not one.good}
    known = [decider.table.parties[seat] is not None for seat in seats]
    costs = []
    for seat, shown in zip(seats, known, strict=True):
        cost = tuning.INVESTIGATION_SLOPE * decider.seat_danger(seat, public=decider.secretive)
        if seat in accused:
            cost += tuning.SURE_LOG_ODDS
        if record.has_clashed(decider.seat, seat):
            cost += 0.5
        if shown and decider.party == "liberal":
            cost += tuning.SURE_LOG_ODDS
        costs.append(cost)
    found = soft_minimum(seats, costs, 1.0)
    if chancellor in seats and not known[seats.index(chancellor)]:
        share = tuning.INVESTIGATES_CHANCELLOR[role]
        rest = 1 - found.pop(chancellor)
        found = {seat: (1 - share) * weight / rest for seat, weight in found.items()} if rest > 0 else {}
        found[chancellor] = share if found else 1.0
    return found


def _enlist(decider: SeasonedDecider, options: Sequence[Option]) -> OptionWeights:
    """Prefer somebody who can be converted: no fellow yet, not Hitler, and trusted by the table."""
    seats = seats_of(options)
    costs = [
        decider.own_state.party(seat, decider.party)
        + 2 * decider.hitler(seat)
        - 0.5 * decider.public_state.party(seat, "liberal")
        for seat in seats
    ]
    if decider.party != "communist":
        # Only a Communist gains by making more Communists: others pick a seat where it fails.
        costs = [-cost for cost in costs]
    return soft_minimum(seats, costs, 0.02)


def _blame(decider: SeasonedDecider, options: Sequence[Option]) -> OptionWeights:
    """Prefer a seat that the table may take for Hitler, to show it together with the real Hitler."""
    seats = seats_of(options)
    costs = [-decider.hitler(seat, public=True) - decider.seat_danger(seat) for seat in seats]
    return soft_minimum(seats, costs, 0.01)


_RULES: dict[Aim, Callable[[SeasonedDecider, Sequence[Option]], OptionWeights]] = {
    Aim.LEAD: _lead,
    Aim.BALLOT: _ballot,
    Aim.DISCARD: _discard,
    Aim.ENACT: _enact,
    Aim.VETO: _veto,
    Aim.HELP: _help,
    Aim.LEARN: _learn,
    Aim.ENLIST: _enlist,
    Aim.BLAME: _blame,
    Aim.UNDO: undo,
    Aim.TOP: top,
}
