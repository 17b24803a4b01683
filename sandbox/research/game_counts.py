"""Count what happens in games of seven computers, to compare them with people's games."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import exp, log
from typing import Any

import ai
from ai.record import Record
from ai.rounds import claims_of, in_public, legislation_of, rounds_of
from engine import Chance, Event, Setup, View, fold, view
from engine.claim import Claim, colour
from engine.facts import (
    CandidacyPassed,
    Enacted,
    Investigated,
    Nominated,
    SpecialElectionCalled,
    Voted,
)
from engine.question import JA
from sandbox.computer_games import SEASONED, ComputerGame, PlayedGame

PLAYERS = 7
#: By name: how often something happened, and how often it could have happened.
Counts = dict[str, list[int]]
#: An election: the votes outside the pair (1: Ja), the pair, and the phase.
Election = tuple[dict[int, int], tuple[int, int], int]
#: A game's ballots: for each seat 1 if it is on the Fascist side, and the elections.
Ballots = tuple[list[int], list[Election]]


class AccusingGame(ComputerGame):
    """A game in which some Fascist Presidents always claim one Liberal tile after a Fascist policy."""

    def __init__(self, setup: Setup, chance: Chance, levels: Sequence[str], accusers: int) -> None:
        self.left = accusers
        self.accusers: set[int] = set()
        super().__init__(setup, chance, levels)

    def _speak(self) -> None:
        if not self.accusers:
            parties = fold(event.fact for event in self.played.events).parties
            own = [seat for seat, party in enumerate(parties) if party == "fascist"]
            self.accusers = set(own[: self.left])
        before = len(self.played.claims)
        super()._speak()
        self.played.claims[before:] = [self._accuse(claim) for claim in self.played.claims[before:]]

    def _accuse(self, claim: Claim) -> Claim:
        facts = rounds_of(self.seats[claim.seat].view.facts)[claim.round]
        session = legislation_of(facts)
        if claim.kind != "president" or claim.seat not in self.accusers or session is None:
            return claim
        if session.enacted is None or colour(session.enacted.tile) == "liberal":
            return claim
        return replace(claim, said=("liberal", "fascist", "fascist"))


def play_game(number: int, accusers: int = 0, level: str = SEASONED) -> PlayedGame:
    """Play a game of seven computers of one level. ``number`` decides the deal."""
    setup, chance = Setup("classic@1", PLAYERS), Chance(f"{number:064x}")
    levels = [level] * PLAYERS
    game = AccusingGame(setup, chance, levels, accusers) if accusers else ComputerGame(setup, chance, levels)
    return game.play()


@dataclass(slots=True)
class Counted:
    """Counts over one or more games."""

    counts: Counts = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    #: The ending of each game.
    endings: list[str] = field(default_factory=list)
    #: For each game and seat: the probability, before the last round and by all that is public, that the seat
    #: is on the Fascist side; and 1 if it is.
    seen: list[list[tuple[float, int]]] = field(default_factory=list)
    #: The ballots of each game.
    votes: list[Ballots] = field(default_factory=list)

    def plain(self) -> dict[str, Any]:
        """Return the counts as plain data for JSON."""
        votes = [
            [own, [[list(cast.items()), *rest] for cast, *rest in cast_in]] for own, cast_in in self.votes
        ]
        return {"counts": dict(self.counts), "endings": self.endings, "seen": self.seen, "votes": votes}

    def add(self, plain: Mapping[str, Any]) -> None:
        """Add the counts of other games, as ``plain`` returned them."""
        for name, (k, n) in plain["counts"].items():
            self.counts[name][0] += k
            self.counts[name][1] += n
        self.endings += plain["endings"]
        self.seen += [[(p, own) for p, own in seats] for seats in plain["seen"]]
        for own, elections in plain["votes"]:
            told = [(dict(cast), (pair[0], pair[1]), phase) for cast, pair, phase in elections]
            self.votes.append((own, told))

    def note(self, name: str, holds: object, times: int = 1) -> None:
        """Count ``times`` occasions on which something could happen, and whether it did."""
        row = self.counts[name]
        row[0] += times * bool(holds)
        row[1] += times


def count(game: PlayedGame, into: Counted) -> None:
    """Add one game to the counts."""
    whole = view(game.events, None)
    truth = fold(event.fact for event in game.events)
    roles = [str(role) for role in truth.roles]
    own = [int(role != "liberal") for role in roles]
    into.endings.append(str(truth.reason))
    facts = _facts(game.events)
    rounds = rounds_of(facts)[1:]
    into.counts["rounds"][0] += len(rounds)
    into.counts["rounds"][1] += 1
    heard = claims_of(in_public(facts), game.claims)
    fascist = 0
    votes: list[Election] = []
    tracker = 0
    record = Record()
    for number, told in enumerate(rounds, start=1):
        claims = heard.get(number, ())
        votes += _count_election(told, roles, own, fascist >= 3, tracker, into)
        into.note("chaos", any(isinstance(fact, Enacted) and fact.chaos for fact in told))
        _count_session(told, roles, claims, record, into)
        _count_targets(told, roles, own, into)
        after = record.after(in_public(told), claims)
        record = after
        for fact in told:
            if isinstance(fact, Enacted):
                fascist += colour(fact.tile) == "fascist"
                tracker = 0
            elif isinstance(fact, Voted) and not fact.passed:
                tracker += 1
    into.votes.append((own, votes))
    before = _before_last_round(whole)
    believed = ai.beliefs(before, game.claims)
    into.seen.append([(round(1 - believed.party(seat)["liberal"], 4), own[seat]) for seat in range(len(own))])


def _facts(events: Sequence[Event]) -> tuple[Any, ...]:
    return tuple(event.fact for event in events)


def _before_last_round(whole: View) -> View:
    starts = [at for at, fact in enumerate(whole.facts) if isinstance(fact, CandidacyPassed)]
    # The end reveals all roles, so the facts before the last round are taken.
    facts = in_public(whole.facts[: starts[-1]])
    return View(None, fold(facts), facts)


def _count_election(
    facts: Sequence[Any], roles: list[str], own: list[int], zone: bool, tracker: int, into: Counted
) -> Iterator[Election]:
    pair = next(((f.president, f.chancellor) for f in facts if isinstance(f, Nominated)), None)
    voted = next((f for f in facts if isinstance(f, Voted)), None)
    if pair is None or voted is None:
        return
    cast = {seat: int(vote == JA) for seat, vote in enumerate(voted.ballots) if vote is not None}
    into.note("passed", voted.passed)
    into.note("unanimous", len(set(cast.values())) == 1)
    with_own = own[pair[0]] or own[pair[1]]
    for seat, ja in cast.items():
        if seat in pair or zone:
            continue
        into.note(f"early ja {roles[seat]}", ja)
        if roles[seat] == "fascist":
            into.note("early ja fascist, own in the pair" if with_own else "early ja fascist, strangers", ja)
    yield {seat: ja for seat, ja in cast.items() if seat not in pair}, pair, int(zone) + 2 * (tracker == 2)


def _count_session(
    facts: Sequence[Any], roles: list[str], claims: Sequence[Claim], record: Record, into: Counted
) -> None:
    session = legislation_of(tuple(facts))
    if session is None or session.enacted is None:
        return
    pair = (session.drew.seat, session.passed.seat)
    hand = [colour(tile) for tile in session.drew.hand]
    role = roles[pair[0]]
    enacted = colour(session.enacted.tile)
    thrown = None if session.discarded is None else colour(session.discarded.tile)
    of_hands = [claim for claim in claims if claim.kind in ("president", "chancellor")]
    told = {claim.kind: claim for claim in of_hands if claim.seat in pair}
    if hand.count("liberal") == 1:
        into.note(f"throws the only Liberal, {role}", thrown == "liberal")
        if role != "liberal" and thrown == "liberal" and "president" in told:
            into.note("then accuses", told["president"].said.count("liberal") == 1)
    held = [colour(tile) for tile in session.passed.hand]
    if enacted != "liberal" and len(told) == 2:
        clashes = record.after(tuple(facts), claims).clashes
        into.note("claims clash", len(clashes) > len(record.clashes))
    if set(held) == {"liberal", "fascist"}:
        into.note(f"enacts against a Liberal, {roles[pair[1]]}", enacted == "fascist")
    for kind, seat, seen in (("president", pair[0], hand), ("chancellor", pair[1], held)):
        if kind in told and roles[seat] == "liberal":
            into.note("a Liberal's claim is wrong", sorted(told[kind].said) != sorted(seen))


def _count_targets(facts: Sequence[Any], roles: list[str], own: list[int], into: Counted) -> None:
    chancellor = next((f.chancellor for f in facts if isinstance(f, Nominated)), None)
    for fact in facts:
        if isinstance(fact, SpecialElectionCalled) and roles[fact.seat] == "fascist":
            into.note("calls its own", own[fact.target])
            into.note("calls a fellow Fascist", roles[fact.target] == "fascist")
        elif isinstance(fact, Investigated):
            into.note("investigates its Chancellor", fact.target == chancellor)


def auc(seen: Sequence[tuple[float, int]]) -> float:
    """Return the probability that a Fascist seat looks more suspicious than a Liberal one (AUC)."""
    ordered = sorted(seen)
    total = ones = 0.0
    at = 0
    while at < len(ordered):
        end = at
        while end < len(ordered) and ordered[end][0] == ordered[at][0]:
            end += 1
        middle = (at + end + 1) / 2
        for _, one in ordered[at:end]:
            total += one * middle
            ones += one
        at = end
    others = len(ordered) - ones
    return (total - ones * (ones + 1) / 2) / (ones * others) if ones and others else 0.5


def ballots_alone(games: Sequence[Ballots]) -> list[list[tuple[float, int]]]:
    """Return for each game and seat the probability, by ballots alone, that it is Fascist; and 1 if it is.

    It uses how each side votes on average in these games, by phase and by the parties in the pair.
    """
    rates: dict[tuple[int, int, int], list[float]] = defaultdict(lambda: [1.0, 2.0])
    for own, votes in games:
        for cast, pair, phase in votes:
            with_own = max(own[pair[0]], own[pair[1]])
            for seat, ja in cast.items():
                row = rates[own[seat], with_own, phase]
                row[0] += ja
                row[1] += 1
    odds = {key: (log(1 - ja / number), log(ja / number)) for key, (ja, number) in rates.items()}
    return [_read(own, votes, odds) for own, votes in games]


def _read(
    own: Sequence[int], votes: Sequence[Election], odds: Mapping[tuple[int, int, int], tuple[float, float]]
) -> list[tuple[float, int]]:
    even = (log(0.5), log(0.5))
    worlds = list(combinations(range(len(own)), sum(own)))
    weights = [
        sum(
            odds.get((int(seat in world), int(bool({*pair} & {*world})), phase), even)[ja]
            for cast, pair, phase in votes
            for seat, ja in cast.items()
        )
        for world in worlds
    ]
    most = max(weights)
    shares = [exp(weight - most) for weight in weights]
    whole = sum(shares)
    return [
        (sum(share for share, world in zip(shares, worlds, strict=True) if seat in world) / whole, own[seat])
        for seat in range(len(own))
    ]
