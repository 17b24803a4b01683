"""Look back on a finished game: compare what could be known after each round with the truth.

The result says which acts changed the table's belief most, and which Liberals voted best by what they could
know then. For each seat that is not Liberal, it says from which round on this could be known. After a game,
the bot shows this to players in the private message *What decided it*.

- The table's belief: the probability of each party for each seat, from public knowledge alone.
- Suspicion: the probability, by the table's belief, that a seat is not Liberal.
- Known: the suspicion of a seat is so high that the table could know that it is not Liberal (see ``KNOWN``).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Literal, cast

from ai.beliefs import beliefs
from ai.rounds import Facts
from engine import Event, Seat, View, board_of, fold, in_hitler_zone, seen
from engine.board import Party, Role
from engine.claim import Claim
from engine.facts import CandidacyPassed, Enacted, Fact, GameOver, Investigated, NoElection, Vetoed, Voted
from engine.frozen import frozen
from engine.question import JA, SEATS
from engine.table import Table

LIBERAL: Party = "liberal"
#: At most ``ACTS`` acts are reported. They are from the ``ROUNDS`` rounds that changed the belief most. Each
#: of these acts changed the suspicion of a seat by at least ``LEAST``.
ACTS, ROUNDS, LEAST = 3, 4, 0.08
#: A seat's odds are the table's odds that the seat is not Liberal. The seat becomes known when its odds reach
#: ``KNOWN`` times the odds at the start. It stays known until its odds fall below ``DOUBTED`` times the odds
#: at the start. With seven players of the published game, these are probabilities of 60 % and 50 %.
KNOWN, DOUBTED = 2.0, 4 / 3
#: The use of a power is told only if it showed everybody a party, so that suspicion is this near to 0 or 1.
SURE = 0.005
#: A ballot is not judged if the chance that both candidates are Liberals differs by less than this from the
#: chance for an average pair.
EVEN = 0.05
#: Suspicion that has risen by no more than this since the start has not risen much.
SLIGHT = 0.05
#: With so many votes against a seat before it was known, a Liberal saw through it.
SEEN = 2
#: The best voters are named only if at least one seat has this many judged ballots.
JUDGED = 3

#: The probability of each party, by seat.
Parties = tuple[Mapping[Party, float], ...]


ActKind = Literal["ballots", "session", "claim", "power"]


@frozen
class Act:
    """Something that everybody saw, and how it changed the table's belief."""

    round: int
    kind: ActKind
    #: The facts of the act; none for a claim.
    facts: Facts
    claim: Claim | None
    #: The seat whose suspicion changed most, and the suspicion before and after.
    seat: Seat
    before: float
    after: float
    #: By seat, how much the act raised its suspicion (below 0: lowered it).
    changes: tuple[float, ...]
    #: How far the belief moved, over all seats.
    shift: float


@frozen
class Votes:
    """The rounds in which a seat's ballot could be judged: those with a right ballot and with a wrong one."""

    right: tuple[int, ...]
    wrong: tuple[int, ...]
    #: From -1 (all wrong) to 1, with each ballot weighted by how much it mattered.
    score: float

    @property
    def judged(self) -> int:
        """Return how many ballots could be judged."""
        return len(self.right) + len(self.wrong)


@frozen
class SeatSummary:
    """The summary of one seat's game.

    The codes for Liberals (only what was known before the last round counts, because they could not vote
    after it):

    - ``trusted``: it still voted for a pair with ``other`` in round ``until``, though ``other`` was known
      from round ``since`` on.
    - ``forced``: the same, but a failed election would have enacted the top tile.
    - ``saw``: it voted Nein at least ``SEEN`` times to pairs with ``other`` in rounds before ``since``, and
      never voted Ja to such a pair again. ``other`` was known from the end of round ``since`` on. The seat's
      last Ja to such a pair was in round ``until`` (0: there was none).
    - ``even``: it voted Ja to no pair with a seat that was already known, but did vote on such pairs.
      ``other`` is the first of these seats, known from round ``since`` on.
    - ``gone``: it had no vote on a pair with a seat that was already known. ``other`` was known first, from
      round ``since`` on.
    - ``unknown``: nobody was known before the last round.

    The codes for the others:

    - ``caught``: it was known from round ``since`` on.
    - ``hidden``: it was never more suspect than the average.
    - ``level``: it was more suspect than the average, but never much more than at the start.
    - ``doubted``: it was more suspect than both. Its suspicion was highest in round ``since``.
    """

    code: Literal[
        "trusted", "forced", "saw", "unknown", "even", "gone", "caught", "hidden", "level", "doubted"
    ]
    other: Seat | None = None
    until: int = 0
    since: int = 0
    #: The act that raised the suspicion most until round ``since``; None if no seat was known, or if a
    #: reader would not see why any act raised it.
    cause: Act | None = None


@frozen
class Lookback:
    """A finished game as the table saw it: its beliefs, the acts that moved them, and how each seat did."""

    #: The party at the end, and the role that was dealt, by seat.
    parties: tuple[Party, ...]
    roles: tuple[Role, ...]
    #: The table's belief before the first round, and after each.
    beliefs: tuple[Parties, ...]
    #: For each seat whether it was alive before the first round, and at the end of each.
    alive: tuple[tuple[bool, ...], ...]
    #: The acts that moved the belief most, in the order of play.
    acts: tuple[Act, ...]
    #: The Liberal seats that voted best by what the table knew, and how the first of them voted.
    best: tuple[Seat, ...]
    best_votes: Votes | None
    summaries: tuple[SeatSummary, ...]

    def suspicion(self, number: int, seat: Seat) -> float:
        """Return the probability that a seat is not Liberal, after this round (0: before the first)."""
        return suspicion(self.beliefs[number][seat])


def suspicion(parties: Mapping[Party, float]) -> float:
    """Return the probability that a seat is not Liberal."""
    return 1.0 - parties.get(LIBERAL, 0.0)


def look_back(log: Sequence[Event], claims: Sequence[Claim]) -> Lookback:
    """Look back on a finished game. Raises ValueError if it is not over."""
    if not log or not isinstance(log[-1].fact, GameOver):
        raise ValueError("not a finished game")
    public = _Public(seen(log[:-1], None), tuple(claims))
    truth = [event.fact for event in log]
    end = fold(truth)
    parties, roles = cast("tuple[Party, ...]", end.parties), cast("tuple[Role, ...]", end.roles)
    alive = tuple(table.alive for table in public.tables)
    liberals = [seat for seat in end.all_seats() if parties[seat] == LIBERAL]
    votes = {seat: one for seat in liberals if (one := _votes(public, seat)) is not None}
    best = _best(votes, _final_votes(truth))
    best_votes, acts = votes[best[0]] if best else None, tuple(_acts(public))
    summaries = tuple(_summarise(public, seat, parties) for seat in end.all_seats())
    return Lookback(parties, roles, public.after, alive, acts, best, best_votes, summaries)


class _Public:
    """The public game cut into rounds, with the table's belief after each."""

    def __init__(self, facts: Facts, claims: tuple[Claim, ...]) -> None:
        self.facts = facts
        self.claims = claims
        self.board = board_of(View(None, Table(), facts).setup)
        starts = [at for at, fact in enumerate(facts) if isinstance(fact, CandidacyPassed)]
        #: The number of facts before the first round, and after each.
        self.cuts = (*starts, len(facts)) if starts else (len(facts),)
        #: By round, the number of facts up to the next ballots. Claims made until then belong to the round.
        self.heard = tuple(map(self._heard_until, self.cuts))
        #: The table after each round.
        self.tables = [fold(facts[:cut]) for cut in self.cuts]
        #: The table's belief after each round.
        self.after = tuple(self.believes(cut, self.claims_by(at)) for at, cut in enumerate(self.cuts))
        #: The acts of each round that somebody asked for.
        self._acts: dict[int, tuple[Act, ...]] = {}
        #: A seat becomes known when its suspicion reaches ``known``, until it falls below ``doubted``.
        start = sum(map(suspicion, self.after[0])) / max(len(self.after[0]), 1)
        self.known, self.doubted = _more_likely(start, KNOWN), _more_likely(start, DOUBTED)

    def claims_by(self, number: int) -> tuple[Claim, ...]:
        """Return all claims made before the first vote after a round.

        In the result, a claim made after the end of the round has the end of the round as its time (``at``).
        """
        cut, until = self.cuts[number], self.heard[number]
        return tuple(replace(claim, at=min(claim.at, cut)) for claim in self.claims if claim.at <= until)

    def believes(self, cut: int, claims: Sequence[Claim]) -> Parties:
        """Return the table's belief after this many facts, with these claims."""
        facts = self.facts[:cut]
        return beliefs(View(None, fold(facts), facts), claims).parties

    def rounds(self) -> range:
        return range(1, len(self.cuts))

    def round(self, number: int) -> Facts:
        """Return the facts of a round."""
        return self.facts[self.cuts[number - 1] : self.cuts[number]]

    def voted(self, number: int) -> Voted | None:
        """Return the ballots of a round, if there were any."""
        return next((fact for fact in self.round(number) if isinstance(fact, Voted)), None)

    def pair(self, number: int) -> tuple[Seat, Seat] | None:
        """Return the President and Chancellor candidates of a round; None if nobody was nominated."""
        table = self.tables[number]
        if table.president is None or table.chancellor is None:
            return None
        return table.president, table.chancellor

    def suspicion(self, number: int, seat: Seat) -> float:
        """Return the table's probability that a seat is not Liberal, after a round."""
        return suspicion(self.after[number][seat])

    def acts(self, number: int) -> tuple[Act, ...]:
        """Return a round's acts in order: its ballots, its session, its powers, and then its claims."""
        if number not in self._acts:
            self._acts[number] = tuple(_acts_of(self, number))
        return self._acts[number]

    def known_from(self, seat: Seat, rounds: Iterable[int] | None = None) -> int | None:
        """Return the round at whose end a seat became known and stayed known, or None.

        ``rounds``: only those, in order. By default all rounds of the game count.
        """
        found = None
        for number in self.rounds() if rounds is None else rounds:
            shown = self.suspicion(number, seat)
            if shown >= self.known and found is None:
                found = number
            elif shown < self.doubted:
                found = None
        return found

    def _heard_until(self, cut: int) -> int:
        last = max([len(self.facts), *(claim.at for claim in self.claims)])
        ballots = (at for at, fact in enumerate(self.facts) if isinstance(fact, Voted | NoElection))
        return next((at for at in ballots if at >= cut), last)


def _more_likely(probability: float, times: float) -> float:
    """Multiply the odds of a probability by ``times``, and return the new probability."""
    odds = times * probability / max(1e-9, 1 - probability)
    return odds / (1 + odds)


# --- acts ---------------------------------------------------------------------------------------------------


def _acts(public: _Public) -> list[Act]:
    """Return the acts that moved the belief most, from the rounds that moved it most."""
    moved = {
        number: _measure_shift(public.after[number - 1], public.after[number]) for number in public.rounds()
    }
    most = sorted(moved, key=lambda number: (-moved[number], number))[:ROUNDS]
    found = [
        act
        for number in sorted(most)
        for act in public.acts(number)
        if abs(act.after - act.before) >= LEAST and _is_plain(public, act, act.seat, act.after > act.before)
    ]
    best = sorted(found, key=lambda act: (-act.shift, act.round))[:ACTS]
    return [act for act in found if act in best]


def _is_plain(public: _Public, act: Act, seat: Seat, more: bool) -> bool:
    """Return False if a reader would not understand why the act made a seat more or less suspect.

    For example, if a suspect seat accuses another, the accused may become less suspect, because partners
    rarely accuse each other. Or the suspicion of the accuser may change more than that of the accused.
    """
    claim, voted, pair = act.claim, public.voted(act.round), public.pair(act.round)
    if claim is not None and claim.kind == "party":
        return claim.seat != seat == act.seat and more != (claim.said == (LIBERAL,))
    if claim is not None:
        return more and _speaks_against(public, claim, seat)
    if act.kind == "power":
        return seat == act.seat and min(act.after, 1 - act.after) < SURE
    if pair is None or seat not in pair:
        return False  # what others did says too little of this seat
    return act.kind != "ballots" or voted is None or more != voted.passed


def _speaks_against(public: _Public, claim: Claim, seat: Seat) -> bool:
    """Return True if a claim about a session's tiles, with earlier ones of its round, speaks against a seat.

    Claims of a President and a Chancellor speak against both seats if they cannot both be true, or if they
    say together that the President had a Liberal tile and passed none, and a tile was enacted. Without such
    another claim, a claim without a Liberal tile speaks against its own seat: whoever had hidden one would
    say the same.
    """
    if claim.kind not in ("president", "chancellor"):
        return False
    made = public.claims[: public.claims.index(claim) + 1]
    enacted = any(isinstance(fact, Enacted) for fact in public.round(claim.round))
    said = {one.kind: one for one in made if one.round == claim.round}
    if "president" in said and "chancellor" in said:
        drew, passed = said["president"], said["chancellor"]
        hidden = enacted and LIBERAL in drew.said and LIBERAL not in passed.said
        if hidden or Counter(passed.said) - Counter(drew.said):
            return seat in (drew.seat, passed.seat)
    return claim.seat == seat and LIBERAL not in claim.said


def _acts_of(public: _Public, number: int) -> list[Act]:
    facts, start = public.round(number), public.cuts[number - 1]
    before, heard = public.after[number - 1], public.claims_by(number - 1)
    acts = []
    for kind, first, last in _parts(facts):
        now = public.believes(start + last, heard)
        acts.append(_act(number, kind, facts[first:last], None, before, now))
        before = now
    said = {_about(claim): claim for claim in heard}
    fresh = [claim for claim in public.claims_by(number) if said.get(_about(claim)) != claim]
    for claim in fresh:
        heard = (*(one for one in heard if _about(one) != _about(claim)), claim)
        now = public.believes(public.cuts[number], heard)
        # A claim about a party is told of the seat that it names, although others may have changed more.
        looks = (fact for fact in facts if isinstance(fact, Investigated) and fact.seat == claim.seat)
        named = next((look.target for look in looks if claim.kind == "party"), None)
        made = next(one for one in public.claims if replace(claim, at=one.at) == one)
        acts.append(_act(number, "claim", (), made, before, now, named))
        before = now
    return acts


def _parts(facts: Facts) -> list[tuple[ActKind, int, int]]:
    """Return the kind of each act in a round's facts, with its beginning and end."""
    edges: list[tuple[ActKind, int]] = []
    for at, fact in enumerate(facts, start=1):
        if isinstance(fact, Voted | NoElection):
            edges.append(("ballots", at))
        elif isinstance(fact, Enacted | Vetoed) and (not edges or edges[-1][0] == "ballots"):
            edges.append(("session", at))
    edges.append(("power", len(facts)))
    found, first = [], 0
    for kind, last in edges:
        found.append((kind, first, last))
        first = last
    return [part for part in found if part[2] > part[1]]


def _act(
    number: int,
    kind: ActKind,
    facts: Facts,
    claim: Claim | None,
    before: Parties,
    after: Parties,
    seat: Seat | None = None,
) -> Act:
    """Return an act that changed the table's belief. ``seat`` None: tell it of the seat that changed most."""
    changes = tuple(suspicion(now) - suspicion(was) for was, now in zip(before, after, strict=True))
    seat = Seat(max(range(len(changes)), key=lambda one: abs(changes[one]))) if seat is None else seat
    was, now = suspicion(before[seat]), suspicion(after[seat])
    return Act(number, kind, facts, claim, seat, was, now, changes, _measure_shift(before, after))


def _measure_shift(before: Parties, after: Parties) -> float:
    """Return how far a belief moved, as a sum over all seats.

    For each seat, add up the absolute changes of its parties' probabilities, and halve the sum.
    """
    return sum(
        sum(abs(now.get(party, 0.0) - was.get(party, 0.0)) for party in {*was, *now}) / 2
        for was, now in zip(before, after, strict=True)
    )


def _about(claim: Claim) -> tuple[int, Seat, str]:
    return claim.round, claim.seat, claim.kind


# --- ballots ------------------------------------------------------------------------------------------------


def _votes(public: _Public, seat: Seat) -> Votes | None:
    """Return how a seat voted, judged by the table's belief alone, so that all seats are judged alike.

    A Ja is right if the two candidates were likelier to be both Liberal than an average pair; a Nein, if they
    were less likely.
    """
    right: list[int] = []
    wrong: list[int] = []
    won = stake = 0.0
    for number in public.rounds():
        voted, pair = public.voted(number), public.pair(number)
        if voted is None or pair is None or voted.ballots[seat] is None:
            continue
        # In the Hitler zone a wrong Ja may lose at once. So the candidates' parties alone do not decide.
        if in_hitler_zone(public.tables[number - 1], public.board):
            continue
        trust = [1 - suspicion(row) for row in public.after[number - 1]]
        pairs = [trust[one] * trust[two] for one, two in combinations(public.tables[number - 1].able(), 2)]
        margin = trust[pair[0]] * trust[pair[1]] - sum(pairs) / max(len(pairs), 1)
        if abs(margin) < EVEN:
            continue
        good = (voted.ballots[seat] == JA) == (margin > 0)
        (right if good else wrong).append(number)
        won, stake = won + (abs(margin) if good else -abs(margin)), stake + abs(margin)
    return Votes(tuple(right), tuple(wrong), won / stake) if stake else None


def _final_votes(facts: Sequence[Fact]) -> tuple[Seat, ...]:
    """Return the seats that elected Hitler and so ended the game; none if it ended otherwise."""
    if not isinstance(over := facts[-1], GameOver) or over.reason != "hitler-elected":
        return ()
    voted = next(fact for fact in reversed(facts) if isinstance(fact, Voted))
    return tuple(seat for seat, ballot in zip(SEATS, voted.ballots, strict=False) if ballot == JA)


def _best(votes: Mapping[Seat, Votes], failed: Collection[Seat]) -> tuple[Seat, ...]:
    """Return the seats that voted best. ``failed``: those that elected Hitler at the end.

    A seat is compared only if it has at least half as many judged ballots as the seat with the most. The
    share of right ballots decides, then the score. Return () if no seat has ``JUDGED`` judged ballots, none
    had more right than wrong, or all Liberals were equally good.
    """
    most = max((one.judged for one in votes.values()), default=0)
    if most < JUDGED:
        return ()
    ranks = {
        seat: (len(one.right) / one.judged, round(one.score, 3))
        for seat, one in votes.items()
        if 2 * one.judged >= most and len(one.right) > len(one.wrong)
    }
    best = tuple(seat for seat, rank in ranks.items() if rank == max(ranks.values()))
    return () if len(best) == len(votes) else tuple(seat for seat in best if seat not in failed)


# --- each seat ----------------------------------------------------------------------------------------------


def _summarise(public: _Public, seat: Seat, parties: Sequence[Party]) -> SeatSummary:
    liberal = parties[seat] == LIBERAL
    found = _summarise_liberal(public, seat, parties) if liberal else _summarise_other(public, seat)
    known = seat if found.code == "caught" else found.other
    return found if known is None else replace(found, cause=_cause(public, found.since, known))


def _cause(public: _Public, known: int, seat: Seat) -> Act | None:
    """Return the act that raised a seat's suspicion most until it was known.

    It is from the two rounds that raised it most. None if in neither a reader would see why.
    """
    rounds = range(1, known + 1)
    rises = {number: public.suspicion(number, seat) - public.suspicion(number - 1, seat) for number in rounds}
    most = sorted(rounds, key=lambda number: (-rises[number], number))[:2]
    acts = [act for number in most for act in public.acts(number) if act.changes[seat] >= LEAST]
    plain = [act for act in acts if _is_plain(public, act, seat, more=True)]
    return max(plain, key=lambda act: act.changes[seat], default=None)


def _summarise_liberal(public: _Public, seat: Seat, parties: Sequence[Party]) -> SeatSummary:
    others = [one for one, party in zip(SEATS, parties, strict=False) if party != LIBERAL]
    could = {one: public.known_from(one, public.rounds()[:-1]) for one in others}
    known = [(since, one) for one, since in could.items() if since is not None]
    # Each summary has a rank: "trusted" comes before "saw", and that before "forced". Then more rounds count.
    found: list[tuple[tuple[int, int], SeatSummary]] = []
    for since, one in known:
        ballots = _ballots_on(public, seat, one)
        trusts = [number for number, ballot in ballots.items() if ballot == JA]
        last = max(trusts, default=0)
        # In the other rounds, a failed election would have enacted the top tile.
        free = [number for number in trusts if public.tables[number - 1].tracker + 1 < public.board.chaos]
        until = max(free, default=0)
        if until > since:
            found.append(((2, until - since), SeatSummary("trusted", one, until, since)))
        elif last > since:
            found.append(((0, last - since), SeatSummary("forced", one, last, since)))
        elif sum(last < number < since for number in ballots) >= SEEN:
            found.append(((1, since - last), SeatSummary("saw", one, last, since)))
    if found:
        return max(found, key=lambda each: each[0])[1]
    if not known:
        return SeatSummary("unknown")
    voted_on = [each for each in known if any(n > each[0] for n in _ballots_on(public, seat, each[1]))]
    since, other = min(voted_on or known)
    return SeatSummary("even" if voted_on else "gone", other, since=since)


def _summarise_other(public: _Public, seat: Seat) -> SeatSummary:
    since = public.known_from(seat, public.rounds()[:-1])
    if since is not None:
        return SeatSummary("caught", since=since)
    above = []
    for number in public.rounds():
        living = public.tables[number].living()
        mean = sum(public.suspicion(number, one) for one in living) / max(len(living), 1)
        if public.suspicion(number, seat) > mean:
            above.append(number)
    if not above:
        return SeatSummary("hidden")
    most = max(above, key=lambda number: public.suspicion(number, seat))
    if public.suspicion(most, seat) <= public.suspicion(0, seat) + SLIGHT:
        return SeatSummary("level")
    return SeatSummary("doubted", since=most)


def _ballots_on(public: _Public, seat: Seat, other: Seat) -> dict[int, str]:
    """Return a seat's ballots, by round, on pairs with ``other``; also on a pair that it was in itself."""
    rounds = [number for number in public.rounds() if other in (public.pair(number) or ())]
    cast = {number: voted.ballots[seat] for number in rounds if (voted := public.voted(number)) is not None}
    return {number: ballot for number, ballot in cast.items() if ballot is not None}
