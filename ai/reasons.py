"""The best choice for a seat and its reasons, as codes and seats. The catalogues have their texts."""

from collections.abc import Iterator, Sequence

from ai import choosing, judging, tuning
from ai.decider import SeasonedDecider, seats_of
from ai.odds import count_colours
from ai.rounds import SessionFacts, claims_of, legislation_of, rounds_of
from ai.rulesets import Aim
from ai.sessions import remove_one
from engine import Question, Seat, View, tiles
from engine import facts as f
from engine.claim import Claim, colour
from engine.facts import Fact
from engine.frozen import frozen
from engine.question import JA, Option
from engine.steps.legislation import VETO
from engine.table import NOT_HITLER

#: The meaning of every code. Codes that speak of seats come with these seats, and codes that speak of a
#: round with its number.
CODES = {
    "blind": "the cards lie face down (no seats)",
    "fellow": "a seat that is known to be of one's own party",
    "known-enemy": "a seat that is known to be of another party",
    "not-hitler": "certainly not Hitler",
    "elects-hitler": "this seat is Hitler, and electing it wins",
    "may-be-hitler": "this Chancellor may be Hitler, which would lose at once",
    "conflict": "President and Chancellor of a round cannot both be telling the truth",
    "none-passed": "this President claims a Liberal tile, this Chancellor says that none was passed",
    "buried": "this Chancellor had a Liberal tile in a round, and enacted another one",
    "passed-none": "this President passed no Liberal tile in a round",
    "enacted-liberal": "this government enacted a Liberal policy in a round",
    "enacted-other": "this government enacted no Liberal policy in a round",
    "enacted-yours": "this government enacted a policy of one's own party in a round",
    "called-bad": "the first, an inspector, said that the second is no Liberal",
    "called-good": "the first, an inspector, said that the second is a Liberal",
    "most-trusted": "the most trusted of those who may be chosen",
    "most-suspect": "the most suspect of those who may be chosen",
    "least-known": "the seat about which least is known",
    "table-trusts": "the table trusts this choice (no seats)",
    "contradicts-you": "its claims contradict the seat's own",
    "not-yours": "neither of the two is of one's own party (no seats)",
    "nothing-known": "nobody has governed yet, so all are alike (no seats)",
    "either": "two choices are about equally good (no seats)",
    "either-seat": "these two seats are about equally good choices",
    "next-is-worse": "the next government would hardly be better (no seats)",
    "next-is-better": "the next government may be better than that of these seats",
    "rival-near": "another party needs one more tile, and these two may be of it (no seats)",
    "you-are-next": "the seat itself is the next candidate for President (no seats)",
    "chaos-near": "one more failed election plays a tile from the pile (no seats)",
    "wins": "the tile that is kept or enacted wins (no seats)",
    "loses": "the tile that is given up (or the hand that is vetoed) may lose the game (no seats)",
    "own-tile": "a tile of one's own party (no seats)",
    "keeps-cover": "it looks like a Liberal's choice, and the table watches (no seats)",
    "nothing-to-hide": "the table is sure of one's party anyway (no seats)",
    "other-nearer": "the other tile is of a party whose track is nearer to being full (no seats)",
    "bad-hand": "both tiles are bad for one's party (no seats)",
    "alike": "all tiles of the hand are the same (no seats)",
    "rule-of-thumb": "there is no better reason (no seats)",
}
#: The most reasons returned.
MOST = 5


@frozen
class Reason:
    """A reason: its code (one of ``CODES``), its seats, its round."""

    code: str
    seats: tuple[Seat, ...] = ()
    round: int | None = None


Weighed = tuple[float, Reason]


def reasons(view: View, claims: Sequence[Claim], question: Question) -> tuple[Reason, ...]:
    """Return the reasons for the choice that ``advise`` recommends, the strongest first.

    A seasoned computer may choose otherwise. Raises ValueError if the seat is not asked.
    """
    return advise(view, claims, question)[1]


def advise(view: View, claims: Sequence[Claim], question: Question) -> tuple[int | None, tuple[Reason, ...]]:
    """Return the best choice for the view's seat, and its reasons, the strongest first.

    The choice is the index of one of the seat's options. It is None if they are face down, or if two are
    about equally good and the choice cannot end the game. Raises ValueError if the seat is not asked.
    """
    options = choosing.options_of(question, view.seat)
    if any(choosing.is_face_down(option) for option in options):
        return None, (Reason("blind"),)
    decider = SeasonedDecider(view, claims)
    aim = choosing.aim_of(question.step, options)
    chosen, other, margin = judging.best(decider, aim, options, question.step)
    if (
        margin < tuning.EQUALLY_GOOD
        and len(set(options)) > 1
        and not _is_critical(decider, aim, chosen, other)
    ):
        known = decider.record.governments or decider.fellows or aim not in (Aim.LEAD, Aim.BALLOT)
        if known and isinstance(chosen, int) and isinstance(other, int):
            return None, (Reason("either-seat", (chosen, other)),)
        return None, (Reason("either" if known else "nothing-known"),)
    found = sorted(_why(decider, aim, options, chosen), key=lambda weighed: -weighed[0])
    strongest = list(dict.fromkeys(reason for weight, reason in found if weight > 0))
    return options.index(chosen), tuple(strongest[:MOST]) or (Reason("rule-of-thumb"),)


def _is_critical(decider: SeasonedDecider, aim: Aim, chosen: Option, other: Option | None) -> bool:
    """Return True if a choice for office may end the game, so that a small difference matters."""
    if aim not in (Aim.BALLOT, Aim.LEAD):
        return False
    if any(decider.slots_left(track) <= 1 for track in decider.table.tracks):
        return True
    seats = (decider.table.chancellor,) if aim is Aim.BALLOT else (chosen, other)
    return judging.may_elect_hitler(decider, *(seat for seat in seats if isinstance(seat, int)))


def _why(decider: SeasonedDecider, aim: Aim, options: Sequence[Option], chosen: Option) -> Iterator[Weighed]:
    if aim is Aim.BALLOT:
        yield from _explain_ballot(decider, chosen)
    elif isinstance(chosen, int):
        yield from _explain_target(decider, aim, seats_of(options), chosen)
    elif aim in (Aim.DISCARD, Aim.ENACT):
        yield from _explain_tile(decider, aim, options, chosen)
    elif aim is Aim.VETO:
        yield from _explain_veto(decider, chosen)


def _explain_ballot(decider: SeasonedDecider, chosen: Option) -> Iterator[Weighed]:
    government = tuple(seat for seat in decider.pair if seat != decider.seat)
    chancellor = decider.pair[1]
    hides = decider.party == "fascist"
    if decider.in_zone and chancellor != decider.seat:
        if decider.wins_by_electing(chancellor):
            yield 9.0, Reason("elects-hitler", (chancellor,))
        elif chosen != JA and not hides and judging.may_elect_hitler(decider, chancellor):
            yield 3 * decider.hitler(chancellor), Reason("may-be-hitler", (chancellor,))
        elif not hides and chancellor in decider.table.tagged(NOT_HITLER):
            yield 0.8, Reason("not-hitler", (chancellor,))
    for seat in government:
        yield from _clues(decider, seat, good=chosen == JA)
    own, chaos_near = decider.owns_pair, decider.chaos_near
    if chosen == JA:
        if chaos_near and not hides:  # a Fascist need not fear the top tile
            yield 1.2, Reason("chaos-near")
        if hides and not own and all(_belief_agrees(decider, seat, good=True) for seat in government):
            yield 2.0, Reason("table-trusts")
        elif hides and (own or chaos_near):
            yield 0.1, Reason("keeps-cover")
    elif hides and own:
        yield 0.1, Reason("keeps-cover")
    elif decider.secretive and not own:
        shares = [decider.own_state.party(seat, decider.party) for seat in government]
        if all(share < tuning.SURELY_OTHER_PARTY for share in shares):
            yield 2.0, Reason("not-yours")
    if chosen != JA and decider.secretive and not own:
        yield 2.5 * decider.rival_share(*decider.pair), Reason("rival-near")
    # Skip the comparison with the next government near chaos, because the top tile would be enacted first.
    # Skip it also for a Fascist who knows fellows, because it cares about fellows instead.
    if not chaos_near and not (hides and decider.fellows):
        better = -judging.government_gap(decider, public=hides, patient=False)
        if chosen == JA and better < tuning.HARDLY_BETTER:
            yield 0.2, Reason("next-is-worse")
        elif chosen != JA and better > 0 and decider.next_president == decider.seat:
            yield 0.5, Reason("you-are-next")
        elif chosen != JA and better > 0:
            yield 0.3, Reason("next-is-better", government)


def _explain_target(
    decider: SeasonedDecider, aim: Aim, seats: Sequence[Seat], chosen: Seat
) -> Iterator[Weighed]:
    wins, fascist = decider.wins_by_electing(chosen), decider.party == "fascist"
    if aim is Aim.LEAD and wins:
        yield 9.0, Reason("elects-hitler", (chosen,))
    if aim is Aim.ENLIST:
        doubts = [decider.public_state.probability_not_of(seat, "liberal") for seat in seats]
        if doubts[seats.index(chosen)] <= min(doubts) + 0.02:
            yield 0.6, Reason("most-trusted", (chosen,))
        return
    good = aim in (Aim.LEAD, Aim.HELP)
    if aim is Aim.LEARN:
        doubts = [abs(decider.seat_danger(seat) - decider.danger_at_start_to_self) for seat in seats]
        if doubts[seats.index(chosen)] <= min(doubts) + 0.02:
            yield 0.6, Reason("least-known", (chosen,))
    else:
        costs = [decider.seat_danger(seat, public=fascist) for seat in seats]
        cost = costs[seats.index(chosen)]
        if not good and cost >= max(costs) - 0.02:
            yield 0.5, Reason("most-suspect", (chosen,))
        elif good and cost <= min(costs) + 0.02:
            if not fascist:
                yield 0.5, Reason("most-trusted", (chosen,))
            elif _belief_agrees(decider, chosen, good):
                yield 0.7, Reason("table-trusts")
    if fascist and good and not wins and chosen not in decider.fellows:
        yield 0.4, Reason("keeps-cover")
    if fascist and aim is Aim.HARM and decider.record.has_clashed(decider.seat, chosen):
        yield 2.0, Reason("contradicts-you", (chosen,))
    yield from _clues(decider, chosen, good)


def _explain_tile(
    decider: SeasonedDecider, aim: Aim, options: Sequence[Option], chosen: Option
) -> Iterator[Weighed]:
    if chosen == VETO:
        yield 1.0, Reason("bad-hand")
        return
    if len(set(options)) == 1:
        yield 1.0, Reason("alike")
        return
    offered = decider.tiles_of(options)
    enacts = aim is Aim.ENACT
    kept = [str(chosen)] if enacts else [tile for tile in offered if tile != chosen]
    left = [tile for tile in offered if tile != chosen] if enacts else [str(chosen)]
    if any(map(decider.wins, kept)):
        yield 9.0, Reason("wins")
    if any(map(decider.loses, left)):
        yield 8.0, Reason("loses")
    wanted = (max if enacts else min)(map(decider.worth, offered))
    if decider.worth(str(chosen)) == wanted:
        if max(map(decider.worth, kept)) > 0:  # otherwise the hand has no good tile
            yield 1.0, Reason("own-tile")
        elif enacts and _is_further(decider, str(chosen), left):
            yield 1.0, Reason("other-nearer")
        if decider.secretive and decider.suspected_by_table > 0.8:
            yield 0.9, Reason("nothing-to-hide")
    elif decider.secretive:
        yield 1.5, Reason("keeps-cover")


def _is_further(decider: SeasonedDecider, tile: str, others: Sequence[str]) -> bool:
    """Return True if a tile's track is further from being full than those of all others."""
    track, tracks = tiles.track(tile), [tiles.track(other) for other in others]
    return track is not None and all(
        one is not None and decider.distance(one) < decider.distance(track) for one in tracks
    )


def _explain_veto(decider: SeasonedDecider, chosen: Option) -> Iterator[Weighed]:
    """Yield reasons to veto a hand of two tiles, or not. The seat knows the tiles."""
    hand = decider.tiles_of(decider.table.hand)
    if not hand:
        return
    bad = all(decider.worth(tile) < 0 for tile in hand)
    if chosen == JA:
        yield 1.0, Reason("bad-hand") if bad else Reason("loses")
    elif bad:
        yield 1.0, Reason("chaos-near")
    else:
        yield 1.0, Reason("wins" if any(map(decider.wins, hand)) else "own-tile")


def _clues(decider: SeasonedDecider, seat: Seat, good: bool) -> Iterator[Weighed]:
    """Yield the reasons for a seat (if ``good``) or against it, if the decider's belief agrees."""
    party = decider.table.parties[seat]
    if party is not None:
        friend = party == decider.party
        if friend == good:
            yield 5.0, Reason("fellow" if friend else "known-enemy", (seat,))
        return  # a seat that knows the party needs no clues
    if not _belief_agrees(decider, seat, good):
        return
    heard = claims_of(decider.view.facts, decider.claims)
    for number, facts in enumerate(rounds_of(decider.view.facts)[1:], start=1):
        recent = 1 / (1 + 0.1 * (decider.table.round - number))
        for weight, reason in _clues_in_round(decider, number, facts, heard.get(number, ()), seat, good):
            yield weight * recent, reason


def _belief_agrees(decider: SeasonedDecider, seat: Seat, good: bool) -> bool:
    """Return True if the decider trusts a seat (if ``good``) or suspects it, compared with the start.

    A Fascist goes by the table's belief.
    """
    public = decider.party == "fascist"
    danger = decider.seat_danger(seat, public)
    at_start = decider.danger_at_start_to_table if public else decider.danger_at_start_to_self
    return danger <= at_start + 0.02 if good else danger >= at_start - 0.02


def _clues_in_round(
    decider: SeasonedDecider,
    number: int,
    facts: Sequence[Fact],
    claims: Sequence[Claim],
    seat: Seat,
    good: bool,
) -> Iterator[Weighed]:
    session = legislation_of(facts)
    if session is not None:
        yield from _clues_in_session(decider, number, session, claims, seat, good)
    if _is_communist(decider):
        return  # to a Communist it does not matter who was called a Liberal
    for fact in facts:
        if isinstance(fact, f.Investigated) and fact.target == seat and fact.seat != decider.seat:
            said = next((c.said[0] for c in claims if c.kind == "party" and c.seat == fact.seat), None)
            if said is not None and (said == "liberal") == good:
                code = "called-good" if good else "called-bad"
                yield 2 * (1 - decider.seat_danger(fact.seat)), Reason(code, (fact.seat, seat), number)


def _is_communist(decider: SeasonedDecider) -> bool:
    """Return True for a Communist, who wants its own tiles. A Fascist judges as the table does."""
    return decider.secretive and decider.party != "fascist"


def _clues_in_session(
    decider: SeasonedDecider,
    number: int,
    session: SessionFacts,
    claims: Sequence[Claim],
    seat: Seat,
    good: bool,
) -> Iterator[Weighed]:
    """Yield the reasons from a session for a seat that governed (if ``good``) or against it.

    Only sessions in which a tile was enacted count.
    """
    drew, passed, enacted = session.drew, session.passed, session.enacted
    government = (drew.seat, passed.seat)
    if enacted is None or seat not in government:
        return
    liberal = colour(enacted.tile) == "liberal"
    if _is_communist(decider):
        if good and colour(enacted.tile) == decider.party:
            yield 0.6, Reason("enacted-yours", government, number)
        return
    if good == liberal:
        yield 0.6, Reason("enacted-liberal" if liberal else "enacted-other", government, number)
    if good or liberal:
        return
    if tiles.UNKNOWN not in passed.hand and decider.seat in government:
        held = [colour(tile) for tile in passed.hand]
        if "liberal" in held and seat == passed.seat:
            yield 4.0, Reason("buried", (seat,), number)
        elif "liberal" not in held and seat == drew.seat:
            yield 1.5, Reason("passed-none", (seat,), number)
    if (contradiction := _contradiction(decider, claims, drew, passed)) is not None:
        yield 2.5, Reason(contradiction, government, number)


def _contradiction(
    decider: SeasonedDecider, claims: Sequence[Claim], drew: f.Drew, passed: f.Passed
) -> str | None:
    """Return how the claims of President and Chancellor contradict each other, as a code, or None.

    None also if the decider was one of the two, because it saw the tiles itself.
    """
    if decider.seat in (drew.seat, passed.seat):
        return None
    colours = decider.own_state.game.colours
    government = (drew.seat, passed.seat)
    told = {one.kind: count_colours(one.said, colours) for one in claims if one.seat in government}
    hand, pair = told.get("president"), told.get("chancellor")
    if hand is None or pair is None:
        return None
    if all(remove_one(hand, at) != pair for at in range(len(colours))):
        return "conflict"
    liberal = colours.index("liberal")
    # Both may be telling the truth, but a Liberal hardly ever discards the only Liberal tile.
    return "none-passed" if hand[liberal] > 0 and not pair[liberal] else None
