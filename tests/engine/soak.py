"""Play whole random games, and check everything that must be true in each of them.

    python -m tests.engine.soak 0:100000          # games by number; a range can begin anywhere
    python -m tests.engine.soak 4711 --ruleset xl # play one game of a ruleset again

A game's number decides its setup (they take turns), its deal and every choice in it. A game that fails
is printed with the command that repeats it.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field, fields
from typing import Any

from engine import (
    KNOWN,
    Chance,
    Event,
    Game,
    Illegal,
    QuestionNumber,
    Reply,
    Seat,
    Setup,
    answer,
    board_of,
    dead_may_return,
    fold,
    question_for,
    start,
    tiles,
    time_out,
    waiting_on,
)
from engine.events import seen
from engine.facts import Enacted, Fact, GameOver, Shuffled, Voted
from engine.steps.communists import TilesAdded
from engine.table import Table
from sandbox.random_games import every_setup, random_key
from tests import audiences
from tests.engine.builders import open_question, tiles_of

#: A reply; None: the clock answers.
Move = Reply | None
REMOVING = ("anti-communist", "anti-fascist", "social-democratic")
SETUPS = {rules.id: tuple(every_setup((rules,))) for rules in KNOWN}


@dataclass
class Record:
    """A played game, with everything that is needed to play it again."""

    setup: Setup
    chance: Chance
    moves: list[Move] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    game: Game | None = None


def check_game(setup: Setup, seed: int) -> Record:
    """Play a game at random; check each step and the end. Raises AssertionError."""
    rng = random.Random(seed)
    record = Record(setup, Chance(random_key(rng)))
    game, told = start(setup, record.chance)
    audiences.check_knowledge(setup, game.table, told)
    table = Table()
    deck: Counter[str] = Counter()
    added: Counter[str] = Counter()
    for move in moves(rng):
        record.events += told
        before_told = table
        table = fold([event.fact for event in told], table)
        deck = deck or Counter(next(e.fact.pile for e in told if isinstance(e.fact, Shuffled)))
        assert table == game.table, "the fold of all facts is the table"
        added.update(tile for event in told for tile in _new_tiles(event.fact))
        assert tiles_of(game.table) == deck + added, "no tile is lost, and none comes from nowhere"
        check_audiences(setup, before_told, told)
        check_dead(setup, before_told, table)
        if game.question is None:
            break
        record.moves.append(reply := move(game))
        before = deepcopy(game) if rng.random() < 0.02 else None
        if before:
            check_question(game, rng)
            check_views(record.events, setup.players)
        after, told = _moved(game, reply)
        check_votes(game, told)
        assert before is None or before == game, "a game that was answered stays as it was"
        game = after
    record.game = game
    check_end(record, deck)
    check_replay(record)
    return record


def check_dead(setup: Setup, before: Table, after: Table) -> None:
    """Check that the dead stay dead, unless the ruleset says otherwise."""
    back = [seat for seat, alive in enumerate(before.alive) if not alive and after.alive[seat]]
    assert not back or dead_may_return(setup), f"{back} came back"


def moves(rng: random.Random) -> Iterator[Any]:
    """Yield functions from a game to its next move: mostly answers, and sometimes the clock."""
    while True:
        yield lambda game: _move(game, rng)


def _moved(game: Game, move: Move) -> tuple[Game, tuple[Event, ...]]:
    return time_out(game) if move is None else answer(game, move)


def check_votes(game: Game, told: tuple[Event, ...]) -> None:
    """Check that more than half of the eligible voters elect, even if some did not vote (R1.8, R7.1)."""
    question = open_question(game)
    for event in told:
        if isinstance(event.fact, Voted):
            assert event.fact.passed == (2 * event.fact.ballots.count("ja") > len(question.seats))


def _move(game: Game, rng: random.Random) -> Move:
    question = open_question(game)
    seats = waiting_on(game) or question.seats
    if not seats or rng.random() < (0.2 if question.meeting else 0.01):
        return None
    if question.changeable and rng.random() < 0.05:
        seats = question.seats
    seat = rng.choice(seats)
    return Reply(seat, question.number, rng.randrange(len(question.options[question.seats.index(seat)])))


def _new_tiles(fact: Fact) -> tuple[str, ...]:
    return fact.tiles if isinstance(fact, TilesAdded) else ()


def check_audiences(setup: Setup, table: Table, told: tuple[Event, ...]) -> None:
    """Check that facts are plain data with the audiences of the rules, and that nothing follows the end."""
    table = table.copy()
    for event in told:
        audiences.check(setup, table, event)
        event.fact.fold(table)
        assert Fact.kinds[event.fact.id] is type(event.fact)
        assert all(_plain(getattr(event.fact, f.name)) for f in fields(event.fact))
        # The part of a fact that others see contains nothing more to hide.
        scrubbed = event.fact.scrub()
        assert scrubbed is None or scrubbed.scrub() == scrubbed
    assert not any(isinstance(event.fact, GameOver) for event in told[:-1])


def _plain(value: object) -> bool:
    if isinstance(value, tuple):
        return all(_plain(part) for part in value)
    return value is None or isinstance(value, int | str | Setup)


def check_question(game: Game, rng: random.Random) -> None:
    """Check that only asked seats can act, that they have a choice, and that the state is plain data."""
    question = open_question(game)
    assert len(set(question.seats)) == len(question.seats) == len(question.options) == len(question.answers)
    assert all(question.options), "an asked seat has an option"
    assert game.asked == question.number
    assert all(_plain(call) for call in game.agenda)
    assert _plain(question.args)
    for seat in range(-1, game.table.seats + 1):
        if seat not in question.seats:
            assert question_for(game, Seat(seat)) is None
            assert _refusal(game, Reply(Seat(seat), question.number, 0)) == "not-asked"
    if question.seats:
        seat = rng.choice(question.seats)
        own = open_question(game, seat)
        assert len(own.options[own.seats.index(seat)]) == len(question.options[question.seats.index(seat)])
        assert _refusal(game, Reply(seat, QuestionNumber(question.number - 1), 0)) == "closed"
        assert _refusal(game, Reply(seat, question.number, 99)) == "no-option"
    public = question_for(game, None)
    assert public is not None
    assert (public.options, public.answers, public.args, public.clock) == ((), (), (), None)
    assert public.seats == (() if question.meeting else question.seats)
    if question.step == "nominate":
        assert len(game.table.pile) >= 3, "there is always a hand to draw"
        assert game.table.hand == ()


def _refusal(game: Game, reply: Reply) -> str | None:
    try:
        answer(game, reply)
    except Illegal as illegal:
        return illegal.reason
    return None


def check_views(events: list[Event], players: int) -> None:
    """Check that every view contains only what its seat may see."""
    for seat in (None, *range(players)):
        facts = iter(seen(events, seat))
        for event in events:
            if event.to is None or seat in event.to:
                assert next(facts) == event.fact
            elif (scrubbed := event.fact.scrub()) is not None:
                assert next(facts) == scrubbed
        assert next(facts, None) is None
        fold(seen(events, seat))


def check_end(record: Record, deck: Counter[str]) -> None:
    """Check that somebody won in time (rules, "Every game ends")."""
    assert record.game is not None
    table = record.game.table
    over = record.events[-1].fact
    assert isinstance(over, GameOver)
    assert (table.winners, table.reason) == (over.winners, over.reason)
    assert record.game.agenda == ()
    board = board_of(record.setup)
    slots = sum(len(track) - 1 for track in board.tracks.values())
    removing = sum(count for tile, count in deck.items() if tiles.kind(tile) in REMOVING)
    off_track = sum(count for tile, count in deck.items() if tiles.track(tile) is None)
    most = slots + 1 + min(removing, 3) + off_track
    assert sum(isinstance(event.fact, Enacted) for event in record.events) <= most
    assert table.elections <= board.chaos * most
    for colour, laid in table.tracks.items():
        assert len(laid) <= len(board.tracks[colour])
        assert len(laid) < len(board.tracks[colour]) or over.reason == f"{colour}-track"


def check_replay(record: Record) -> None:
    """Check that the same setup, chance and answers give the same game."""
    game, told = start(record.setup, record.chance)
    events = list(told)
    for move in record.moves:
        game, told = _moved(game, move)
        events += told
    assert game == record.game
    assert events == record.events


def numbered(number: int, name: str | None = None) -> Setup:
    """Return the setup of game ``number``: all setups take turns, or those of one ruleset."""
    setups = SETUPS[name] if name else [setup for every in SETUPS.values() for setup in every]
    return setups[number % len(setups)]


def main() -> int:
    """Run the command; return the number of failed games, at most ten."""
    parser = argparse.ArgumentParser(prog="python -m tests.engine.soak", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("games", help="a number, or a range such as 0:2000")
    parser.add_argument("--ruleset", choices=SETUPS, help="play only this ruleset, by its id")
    given = parser.parse_args()
    first, _, last = given.games.partition(":")
    span = range(int(first), int(last) if last else int(first) + 1)
    failed = []
    for number in span:
        setup = numbered(number, given.ruleset)
        try:
            check_game(setup, number)
        except Exception as error:
            failed.append(number)
            only = f" --ruleset {given.ruleset}" if given.ruleset else ""
            print(f"{setup}\n{type(error).__name__}: {error}\n  python -m tests.engine.soak {number}{only}")
            if len(failed) == 10:
                break
        if (number + 1) % 1000 == 0:
            print(f"{number + 1} done, {len(failed)} failed", flush=True)
    print(f"{len(span)} games from {span.start}: {len(failed)} failed")
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
