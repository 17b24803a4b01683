"""Compute people's records from the facts in a simple way, without the bot's code, to check it."""

from collections import Counter
from collections.abc import Sequence

from engine import Event, Seat
from engine import facts as f
from engine.claim import Claim, colour
from engine.facts import Dealt
from engine.rulesets.xl.emergency import Impeached


def recount(log: Sequence[Event], claims: Sequence[Claim]) -> list[dict[str, int]]:
    """Return each seat's counts of ballots, shots and lies. Nobody may change party in the game."""
    facts = [event.fact for event in log]
    parties = {fact.seat: fact.party for fact in facts if isinstance(fact, Dealt)}
    seats: list[Counter[str]] = [Counter() for _ in parties]
    rounds: list[dict[str, object]] = []
    for fact in facts:
        if isinstance(fact, f.CandidacyPassed):
            rounds.append({"president": fact.seat})
        elif isinstance(fact, f.Nominated):
            rounds[-1]["chancellor"] = fact.chancellor
        elif isinstance(fact, f.Voted):
            rounds[-1]["ballots"] = fact.ballots
            fine = {parties[rounds[-1]["president"]], parties[rounds[-1]["chancellor"]]} == {"liberal"}  # type: ignore[index]
            for seat, ballot in enumerate(fact.ballots):
                if parties[Seat(seat)] == "liberal" and ballot:
                    seats[seat]["votes"] += 1
                    seats[seat]["votes/right"] += ballot == ("ja" if fine else "nein")
        elif isinstance(fact, f.Drew):
            rounds[-1]["president's"] = fact.hand
        elif isinstance(fact, f.Passed):
            rounds[-1]["chancellor's"] = fact.hand
        elif isinstance(fact, f.Peeked):
            rounds[-1]["peek's"] = fact.pile
        elif isinstance(fact, f.Investigated | Impeached):
            rounds[-1]["party's"] = (fact.party,)
        elif isinstance(fact, f.Killed) and fact.by is not None and parties[fact.by] == "liberal":
            seats[fact.by]["shots"] += 1
            seats[fact.by]["shots/right"] += parties[fact.seat] != "liberal"
    for claim in claims:
        held = rounds[claim.round - 1].get(f"{claim.kind}'s", ())
        true = sorted(held if claim.kind == "party" else map(colour, held))  # type: ignore[call-overload,arg-type]
        if not held or true == sorted(claim.said):
            continue
        seats[claim.seat]["lies"] += 1
        for later in rounds[claim.round :]:
            ballots = later.get("ballots")
            if ballots and claim.seat in (later["president"], later["chancellor"]):
                own = parties[claim.seat]
                others = [said for seat, said in enumerate(ballots) if parties[Seat(seat)] != own and said]  # type: ignore[arg-type,var-annotated]
                seats[claim.seat]["trust"] += len(others)
                seats[claim.seat]["trust/ja"] += others.count("ja")
                break
    return [{name: amount for name, amount in own.items() if amount} for own in seats]
