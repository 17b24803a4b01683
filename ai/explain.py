"""Explain a game: what a seat believed at each question, what it would choose, and the reasons of advice.

    python -m ai.explain GAME.json --seat 3 --round 5 [--level seasoned]
    python -m ai.explain GAME.json --decided

The second command looks back on the whole game: the table's beliefs, the acts that moved them most, who voted
best, and a summary of each seat.
Seats and rounds are numbered from 1, as players see them. The file describes a game so that the engine can
play it again:

    {"schema": 1,
     "setup": {"ruleset": "classic@1", "players": 7, "options": {}, "board": null},
     "chance": {"key": "…", "recorded": {"roles": ["liberal", …], "first": [0], …}},
     "answers": [{"seat": 0, "question": 1, "choice": 2}, null, …],
     "claims": [{"seat": 0, "round": 1, "kind": "president", "said": ["fascist", …], "at": 9}, …]}

``null`` among the answers: the clock closed the question.
``at``: how many facts the public view had when the claim was made. ``python -m sandbox explainable``
writes such files, of fresh games and of archived ones.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import ai
from ai.choosing import options_of
from ai.lookback import Act, SeatSummary, look_back
from ai.rounds import claims_of, in_public
from engine import SEATS, Board, Chance, Event, Option, Question, Reply, Seat, Setup, View
from engine.claim import Claim
from engine.events import view
from engine.facts import fold
from engine.game import Game, answer, question_for, start, time_out

SCHEMA = 1
#: A seat's answer; None if the clock closed the question.
Answered = Reply | None


def to_plain(
    setup: Setup, chance: Chance, answers: Sequence[Answered], claims: Sequence[Claim]
) -> dict[str, Any]:
    """Return a game as plain data for JSON."""
    given, said = [reply and asdict(reply) for reply in answers], [asdict(claim) for claim in claims]
    plain = {"schema": SCHEMA, "setup": asdict(setup), "chance": asdict(chance)}
    return {**plain, "answers": given, "claims": said}


def from_plain(plain: Mapping[str, Any]) -> tuple[Setup, Chance, list[Answered], list[Claim]]:
    """Return the game from the data of ``to_plain``.

    Raises ValueError for another schema, KeyError or TypeError if something is missing.
    """
    if plain["schema"] != SCHEMA:
        raise ValueError(f"schema {plain['schema']} is not {SCHEMA}")
    data = _with_tuples(plain)
    board = data["setup"]["board"]
    setup = Setup(**{**data["setup"], "board": None if board is None else Board(**board)})
    answers = [reply and Reply(**reply) for reply in data["answers"]]
    return setup, Chance(**data["chance"]), answers, [Claim(**claim) for claim in data["claims"]]


def _with_tuples(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _with_tuples(part) for name, part in value.items()}
    return tuple(map(_with_tuples, value)) if isinstance(value, list | tuple) else value


def play_again(
    setup: Setup, chance: Chance, answers: Sequence[Answered]
) -> Iterator[tuple[Game, tuple[Event, ...], Answered]]:
    """Yield the game before each answer, the events so far, and the answer. Raises Illegal."""
    game, told = start(setup, chance)
    events = list(told)
    for reply in answers:
        yield game, tuple(events), reply
        game, told = time_out(game) if reply is None else answer(game, reply)
        events += told


def explain(plain: Mapping[str, Any], seat: Seat, number: int, level: str = "seasoned") -> Iterator[str]:
    """Yield lines about each answer of a seat (from 0) in a round (from 1)."""
    setup, chance, answers, claims = from_plain(plain)
    for game, events, reply in play_again(setup, chance, answers):
        known = view(events, seat)
        if known.table.round != number or not isinstance(reply, Reply) or reply.seat != seat:
            continue
        question = question_for(game, seat)
        if question is not None:
            drawn = chance.apart(f"ai/{seat}/{question.number}")
            shared = chance.apart(f"ai/shared/{question.number}")
            yield from _moment(known, question, claims, reply, level)
            followed = options_of(question, seat)[ai.choose(known, question, claims, drawn, level, shared)]
            yield f"  with this game's seed, a computer without a character chooses: {_named(followed)}"


def _moment(
    known: View, question: Question, claims: Sequence[Claim], reply: Reply, level: str
) -> Iterator[str]:
    seat = reply.seat
    table = known.table
    heard = [claim for told in claims_of(known.facts, claims).values() for claim in told]
    options = options_of(question, seat)
    role = f"{table.parties[seat]}, {table.roles[seat]}"
    yield f"Round {table.round}, seat {seat + 1} ({role}): {question.step}"
    tracks = ", ".join(f"{name} {len(laid)}" for name, laid in table.tracks.items())
    pair = ("nobody" if one is None else str(one + 1) for one in (table.president, table.chancellor))
    yield f"  tracks: {tracks}; failed elections: {table.tracker}; government: {' and '.join(pair)}"
    public = in_public(known.facts)
    believed, seen = ai.beliefs(known, claims), ai.beliefs(View(None, fold(public), public), claims)
    for other in table.all_seats():
        state = "" if table.alive[other] else " (dead)"
        table_says = _percentages(seen.party(other))
        yield f"  seat {other + 1}{state}: {_percentages(believed.role(other))}; the table: {table_says}"
    for claim in heard:
        yield f"  seat {claim.seat + 1} says of round {claim.round} ({claim.kind}): {' '.join(claim.said)}"
    shares: dict[Option, float] = {}
    for option, share in zip(options, ai.probabilities(known, question, claims, level), strict=True):
        shares[option] = shares.get(option, 0.0) + share
    ranked = sorted(shares.items(), key=lambda item: -item[1])
    likely = ", ".join(f"{_named(option)} {100 * share:.0f}%" for option, share in ranked if share)
    yield f"  would choose: {likely}; chose: {_named(options[reply.choice])}"
    for reason in ai.reasons(known, claims, question):
        about = " ".join(str(one + 1) for one in reason.seats)
        of = f" in round {reason.round}" if reason.round else ""
        yield f"  because {reason.code}{' ' + about if about else ''}{of}"


def explain_outcome(plain: Mapping[str, Any]) -> Iterator[str]:
    """Yield lines that look back on a game. Raises ValueError if the game is not over.

    They tell the table's beliefs, the acts that moved them most, who voted best, and a summary of each seat.
    """
    setup, chance, answers, claims = from_plain(plain)
    game, told = start(setup, chance)
    events = list(told)
    for reply in answers:
        game, told = answer(game, reply) if isinstance(reply, Reply) else time_out(game)
        events += told
    found = look_back(events, claims)
    yield "How likely each seat is not Liberal to the table, in percent, before round 1 and after each round:"
    for seat, party, role in zip(SEATS, found.parties, found.roles, strict=False):
        row = " ".join(f"{100 * found.suspicion(number, seat):3.0f}" for number in range(len(found.beliefs)))
        yield f"  seat {seat + 1:2} {row}  {party}, {role}"
    for act in found.acts:
        yield (
            f"Round {act.round}, {_act(act)}: seat {act.seat + 1} from {100 * act.before:.0f}% "
            f"to {100 * act.after:.0f}%"
        )
    for seat in found.best:
        votes = found.best_votes
        assert votes is not None
        yield f"Voted best: seat {seat + 1}, {len(votes.right)} of {votes.judged} ballots right"
    for seat, summary in zip(SEATS, found.summaries, strict=False):
        yield f"Seat {seat + 1}: {_describe_summary(summary)}"


def _act(act: Act) -> str:
    if act.claim is not None:
        return f"claim of seat {act.claim.seat + 1} ({act.claim.kind}: {' '.join(act.claim.said)})"
    return act.kind


def _describe_summary(summary: SeatSummary) -> str:
    about = {
        "trusted": f"trusted seat {(summary.other or 0) + 1} until round {summary.until}, "
        f"could have known from round {summary.since} on",
        "saw": f"did not vote for seat {(summary.other or 0) + 1} after round {summary.until}, "
        f"and could have known from round {summary.since} on",
        "caught": f"could be known from round {summary.since} on",
        "doubted": f"was suspected most in round {summary.since}",
    }
    return about.get(summary.code, summary.code)


def _percentages(row: Mapping[Any, float]) -> str:
    return " ".join(f"{name} {100 * share:.0f}%" for name, share in row.items() if share >= 0.005)


def _named(option: Option) -> str:
    return f"seat {option + 1}" if isinstance(option, int) else option


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m ai.explain",
        description="Show what a seat believed in a game, and why it chose what it chose.",
    )
    parser.add_argument("game", help="the file of the game, from `python -m sandbox explainable`")
    parser.add_argument("--seat", type=int, help="the seat, from 1")
    parser.add_argument("--round", type=int, help="the round, from 1 (default: all)")
    parser.add_argument("--level", choices=("novice", "seasoned"), default="seasoned")
    parser.add_argument("--decided", action="store_true", help="show what decided the whole game instead")
    args = parser.parse_args(arguments)
    try:
        with open(args.game, encoding="utf-8") as file:
            plain = json.load(file)
        setup = from_plain(plain)[0]
    except (OSError, ValueError, KeyError, TypeError) as error:
        parser.error(f"this is no game: {error}")
    if args.decided:
        try:
            lines = list(explain_outcome(plain))
        except ValueError as error:
            parser.error(str(error))
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        return
    if args.seat is None or not 1 <= args.seat <= setup.players:
        parser.error(f"seats are 1 to {setup.players}")
    rounds = [args.round] if args.round else range(1, len(plain["answers"]) + 1)
    for number in rounds:
        for line in explain(plain, args.seat - 1, number, args.level):
            sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
