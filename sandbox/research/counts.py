"""Count what happens in a game of computers, to compare it with people's games. All counts are plain data."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import exp, log
from typing import Any

import ai
from ai.record import Record
from ai.rounds import claims_of, in_public, legislation_of, rounds_of
from engine import SEATS, View, fold, view
from engine.claim import Claim, colour
from engine.facts import CandidacyPassed, Enacted, Investigated, Nominated, SpecialElectionCalled, Voted
from engine.question import JA
from sandbox.computer_games import ComputerGame

#: The pair, the phase, and the votes outside the pair as (seat, 1 for Ja).
Election = tuple[tuple[int, int], int, Sequence[tuple[int, int]]]
#: For each seat: the probability that it is on the Fascist side, and 1 if it is.
Seen = Sequence[tuple[float, int]]
EARLY = {"liberal": "early Ja of Liberals", "hitler": "early Ja of Hitler"}
THROWS = {
    "fascist": "a Fascist President discards its only Liberal tile",
    "hitler": "Hitler as President discards its only Liberal tile",
}


class GameCounts:
    """The counts of one game.

    ``counts``: by name, how often something happened, and how often it could have happened. ``own``: for each
    seat, 1 if it is on the Fascist side. ``votes``: the elections.
    """

    def __init__(self, game: ComputerGame) -> None:
        self.roles = [str(role) for role in fold(event.fact for event in game.events).roles]
        self.own = [int(role != "liberal") for role in self.roles]
        self.counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        self.votes: list[Election] = []
        self._fascist = self._failed = 0
        self._record = Record()
        facts = tuple(event.fact for event in game.events)
        heard = claims_of(in_public(facts), game.claims)
        rounds = rounds_of(facts)[1:]
        self.counts["rounds"] = [len(rounds), 1]
        for number, told in enumerate(rounds, start=1):
            claims = heard.get(number, ())
            self._election(told)
            self._session(told, claims)
            self._targets(told)
            self._record = self._record.after(in_public(told), claims)
            self._tracks(told)

    def _note(self, name: str, holds: object) -> None:
        row = self.counts[name]
        row[0] += bool(holds)
        row[1] += 1

    def _tracks(self, facts: Sequence[Any]) -> None:
        self._note(
            "rounds that end in chaos", any(isinstance(fact, Enacted) and fact.chaos for fact in facts)
        )
        for fact in facts:
            if isinstance(fact, Enacted):
                self._fascist += colour(fact.tile) == "fascist"
                self._failed = 0
            elif isinstance(fact, Voted) and not fact.passed:
                self._failed += 1

    def _election(self, facts: Sequence[Any]) -> None:
        pair = next(((f.president, f.chancellor) for f in facts if isinstance(f, Nominated)), None)
        voted = next((f for f in facts if isinstance(f, Voted)), None)
        if pair is None or voted is None:
            return
        cast = {seat: int(vote == JA) for seat, vote in enumerate(voted.ballots) if vote is not None}
        self._note("elections that pass", voted.passed)
        self._note("unanimous ballots", len(set(cast.values())) == 1)
        others = [(seat, ja) for seat, ja in cast.items() if seat not in pair]
        zone = self._fascist >= 3
        fellow = self.own[pair[0]] or self.own[pair[1]]
        fascist = f"early Ja of a Fascist to {'a pair with a fellow or Hitler' if fellow else 'two Liberals'}"
        for seat, ja in () if zone else others:
            self._note(EARLY.get(self.roles[seat], fascist), ja)
        self.votes.append((pair, int(zone) + 2 * (self._failed == 2), others))

    def _session(self, facts: Sequence[Any], claims: Sequence[Claim]) -> None:
        session = legislation_of(tuple(facts))
        if session is None or session.enacted is None:
            return
        pair = (session.drew.seat, session.passed.seat)
        hand, held = (sorted(map(colour, tiles)) for tiles in (session.drew.hand, session.passed.hand))
        role = self.roles[pair[0]]
        told = {c.kind: c for c in claims if c.kind in ("president", "chancellor") and c.seat in pair}
        if hand.count("liberal") == 1 and role in THROWS:
            thrown = session.discarded is not None and colour(session.discarded.tile) == "liberal"
            self._note(THROWS[role], thrown)
            if thrown and "president" in told:
                self._note(
                    "after that, either claims to have drawn one Liberal tile",
                    told["president"].said.count("liberal") == 1,
                )
        if colour(session.enacted.tile) != "liberal" and len(told) == 2:
            clashes = self._record.after(tuple(facts), claims).clashes
            self._note("claims clash after a Fascist policy", len(clashes) > len(self._record.clashes))
        for kind, seat, seen in (("president", pair[0], hand), ("chancellor", pair[1], held)):
            if kind in told and self.roles[seat] == "liberal":
                self._note("a Liberal's claim is wrong", sorted(told[kind].said) != seen)

    def _targets(self, facts: Sequence[Any]) -> None:
        chancellor = next((f.chancellor for f in facts if isinstance(f, Nominated)), None)
        for fact in facts:
            if isinstance(fact, SpecialElectionCalled) and self.roles[fact.seat] == "fascist":
                self._note(
                    "a Fascist calls a fellow Fascist to a special election",
                    self.roles[fact.target] == "fascist",
                )
            elif isinstance(fact, Investigated):
                self._note("a President investigates the Chancellor of this round", fact.target == chancellor)


def count(game: ComputerGame) -> dict[str, Any]:
    """Count one game. ``seen``: for each seat, how suspect it is to the table before the last round."""
    found = GameCounts(game)
    facts = view(game.events, None).facts
    starts = [at for at, fact in enumerate(facts) if isinstance(fact, CandidacyPassed)]
    # The end reveals all roles, so the facts before the last round are taken.
    before = in_public(facts[: starts[-1]])
    believed = ai.beliefs(View(None, fold(before), before), game.claims)
    owned = zip(SEATS, found.own, strict=False)
    seen = [(round(1 - believed.party(seat)["liberal"], 4), own) for seat, own in owned]
    return {"counts": dict(found.counts), "seen": seen, "own": found.own, "votes": found.votes}


def auc(seen: Seen) -> float:
    """Return the probability that a Fascist seat looks more suspicious than a Liberal one (AUC)."""
    fascists = [p for p, own in seen if own]
    liberals = sorted(p for p, own in seen if not own)
    above = sum(bisect_left(liberals, p) + bisect_right(liberals, p) for p in fascists) / 2
    return above / (len(fascists) * len(liberals)) if fascists and liberals else 0.5


def ballots_alone(games: Sequence[Mapping[str, Any]]) -> list[Seen]:
    """Return for each game and seat the probability, by ballots alone, that it is Fascist; and 1 if it is.

    It uses how each side votes on average in these games, by phase and by the parties in the pair.
    """
    rates: dict[tuple[int, int, int], list[float]] = defaultdict(lambda: [1.0, 2.0])
    for game in games:
        own = game["own"]
        for pair, phase, votes in game["votes"]:
            for seat, ja in votes:
                row = rates[own[seat], max(own[pair[0]], own[pair[1]]), phase]
                row[0] += ja
                row[1] += 1
    odds = {key: (log(1 - ja / number), log(ja / number)) for key, (ja, number) in rates.items()}
    return [_read(game["own"], game["votes"], odds) for game in games]


def _read(
    own: Sequence[int],
    elections: Sequence[Election],
    odds: Mapping[tuple[int, int, int], tuple[float, float]],
) -> Seen:
    even = (log(0.5), log(0.5))
    worlds = list(combinations(range(len(own)), sum(own)))
    weights = [
        sum(
            odds.get((int(seat in world), int(bool({*pair} & {*world})), phase), even)[ja]
            for pair, phase, votes in elections
            for seat, ja in votes
        )
        for world in worlds
    ]
    shares = [exp(weight - max(weights)) for weight in weights]
    pairs = [(share / sum(shares), world) for share, world in zip(shares, worlds, strict=True)]
    return [(sum(share for share, world in pairs if seat in world), one) for seat, one in enumerate(own)]
