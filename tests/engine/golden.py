"""Golden games: setups and answers with the events that follow, and counts of possible answers.

A game is written to be read: a line for each move, and below it what happened.

    round 2 · nominate · seat 3: 5 (4)
        nominated president=3 chancellor=5

    python -m tests.engine.golden            # writes the files again; check the diff before committing

A difference means that the rules changed for games that run: then the ruleset needs a new version.
"""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from engine import KNOWN, Chance, Event, Game, Reply, Seat, Setup, answer, start, time_out
from engine.setups import option_sets
from sandbox.random_games import random_key
from tests.engine.builders import open_question

FOLDER = Path(__file__).parent / "golden"
#: The sizes with golden games, by ruleset: without options, and with all of them.
SIZES = {"classic": (5, 7, 10), "online": (7,), "red-dawn": (6, 9, 12), "xl": (7, 12, 16)}
#: The number of questions in a row over which possible answers are counted.
DEPTH = 6
#: A step of a game: seat and index of the option, or None for the clock.
Move = tuple[int, int] | None
CLOCK = "the clock"
#: The audience of an event that nobody may know before the end.
NOBODY = "nobody"
#: A written move: the seat, and the index of the option.
MOVE = re.compile(r"^round \d+ · .* · seat (\d+): .* \((\d+)\)$")


def setups() -> Iterator[tuple[str, Setup]]:
    for rules in KNOWN:
        for players in SIZES.get(rules.name, (min(rules.players), max(rules.players))):
            sets = option_sets(rules, players)
            for name in [name for name in ("none", "all") if name in sets]:
                yield f"{rules.id}-{players}-{name}", Setup(rules.id, players, sets[name])


def playing(game: Game, moves: list[Move]) -> Iterator[tuple[Game, tuple[Event, ...]]]:
    """Yield the game and the events after each move."""
    for move in moves:
        if move is None:
            game, told = time_out(game)
        else:
            assert game.question is not None
            game, told = answer(game, Reply(Seat(move[0]), game.question.number, move[1]))
        yield game, told


def last(game: Game, moves: list[Move]) -> Game:
    return [game, *[after for after, _ in playing(game, moves)]][-1]


def random_moves(game: Game, rng: random.Random) -> list[Move]:
    """Return random moves to the game's end: answers, and sometimes the clock, which also ends meetings."""
    moves: list[Move] = []
    while (question := game.question) is not None:
        asked = zip(question.seats, question.options, strict=True)
        new: list[Move] = [(seat, rng.randrange(len(options))) for seat, options in asked]
        if rng.random() < 0.03:
            new = new[: rng.randrange(len(new))] if len(new) > 1 else []
            new.append(None)
        elif question.meeting:
            new.append(None)
        game = last(game, new)
        moves += new
    return moves


def plain(value: Any) -> Any:
    """Return a fact's field as JSON."""
    if isinstance(value, Setup):
        return {"ruleset": value.ruleset, "players": value.players, "options": dict(value.options)}
    return list(value) if isinstance(value, tuple) else value


def event_line(event: Event) -> str:
    """Write an event: its kind, its fields by name, and its audience unless that is everyone."""
    values = [(f.name, plain(getattr(event.fact, f.name))) for f in fields(event.fact)]
    told = [f"{name}={json.dumps(value, separators=(',', ':'))}" for name, value in values]
    if event.to is not None:
        told.append(f"→ {' '.join(map(str, event.to)) or NOBODY}")
    return " ".join([event.fact.id, *told])


def move_line(game: Game, move: Move) -> str:
    """Write a move: the round, who is asked what, and the choice."""
    question = open_question(game)
    if move is None:
        return f"round {game.table.round} · {question.step} · {CLOCK}"
    seat, choice = move
    option = question.options[question.seats.index(seat)][choice]
    return f"round {game.table.round} · {question.step} · seat {seat}: {option} ({choice})"


@dataclass(frozen=True)
class Golden:
    """A golden game: its setup, key and moves."""

    setup: Setup
    key: str
    moves: list[Move]

    def text(self) -> str:
        """Play the game again, and write it: a line for each move, and below it the events."""
        game, told = start(self.setup, Chance(self.key))
        lines = [f"setup {json.dumps(plain(self.setup))}", f"key {self.key}", *map(_indented, told)]
        for move, (after, events) in zip(self.moves, playing(game, self.moves), strict=True):
            lines += [move_line(game, move), *map(_indented, events)]
            game = after
        return "".join(f"{line}\n" for line in lines)


def _indented(event: Event) -> str:
    return f"    {event_line(event)}"


def parsed(text: str) -> Golden:
    setup, key, *lines = text.splitlines()
    moves: list[Move] = []
    for line in lines:
        if line.endswith(CLOCK):
            moves.append(None)
        elif made := MOVE.search(line):
            moves.append((int(made[1]), int(made[2])))
    return Golden(Setup(**json.loads(setup.removeprefix("setup "))), key.removeprefix("key "), moves)


def made(setup: Setup, name: str) -> Golden:
    rng = random.Random(name)
    chance = Chance(random_key(rng))
    return Golden(setup, chance.key, random_moves(start(setup, chance)[0], rng))


def count(game: Game, depth: int) -> int:
    """Count the ways to answer this many questions in a row.

    Every option of a single seat's question is a way. A ballot has two (all Ja or all Nein), a meeting one
    (nobody picks).
    """
    question = game.question
    if depth == 0 or question is None:
        return 1
    if question.meeting:
        return count(time_out(game)[0], depth - 1)
    if len(question.seats) > 1:
        return sum(count(_all(game, choice), depth - 1) for choice in range(len(question.options[0])))
    (seat,), (options,) = question.seats, question.options
    replies = (Reply(seat, question.number, choice) for choice in range(len(options)))
    return sum(count(answer(game, reply)[0], depth - 1) for reply in replies)


def _all(game: Game, choice: int) -> Game:
    question = open_question(game)
    for seat in question.seats:
        game, _ = answer(game, Reply(seat, question.number, choice))
    return game


def counts(golden: Golden) -> list[int]:
    """Count the ways to answer DEPTH questions at a game's start, its thirds and near its end."""
    moves = golden.moves
    game, _ = start(golden.setup, Chance(golden.key))
    places = [0, len(moves) // 3, 2 * len(moves) // 3, 9 * len(moves) // 10]
    return [count(last(game, moves[:place]), DEPTH) for place in places]


def read(name: str) -> str:
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def counted() -> dict[str, list[int]]:
    found: dict[str, list[int]] = json.loads((FOLDER / "counts.json").read_text(encoding="utf-8"))
    return found


def main() -> None:
    """Write all files again, and remove files of games that no longer exist."""
    FOLDER.mkdir(exist_ok=True)
    games = {name: made(setup, name) for name, setup in setups()}
    rows = ",\n ".join(f'"{name}": {counts(golden)}' for name, golden in games.items())
    (FOLDER / "counts.json").write_text(f"{{\n {rows}\n}}\n", encoding="utf-8")
    for name, golden in games.items():
        (FOLDER / f"{name}.txt").write_text(golden.text(), encoding="utf-8")
    for path in FOLDER.iterdir():
        if path.name not in {"counts.json", *(f"{name}.txt" for name in games)}:
            path.unlink()


if __name__ == "__main__":
    main()
