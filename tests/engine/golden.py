"""Golden games: setups and answers with the events that follow, and counts of what may be answered.

    python -m tests.engine.golden            # writes the files anew; look at the difference before committing

A difference means that the rules changed for games that run: then the ruleset needs a new version.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine import RULESETS, Chance, Event, Game, Reply, Setup, answer, start, time_out
from sandbox.random_play import key
from sandbox.setups import option_sets

FOLDER = Path(__file__).parent / "golden"
#: By ruleset, the sizes of which golden games are kept: without options, and with all of them.
SIZES = {"classic": (5, 7, 10), "online": (7,), "red-dawn": (6, 9, 12), "xl": (7, 12, 16)}
#: Questions deep that the ways to answer are counted.
DEPTH = 6
#: A step of a game: seat and index of the option, or None for the clock.
Move = tuple[int, int] | None


def setups() -> Iterator[tuple[str, Setup]]:
    """The name and the setup of every golden game."""
    for rules in RULESETS:
        for players in SIZES.get(rules.name, (min(rules.players), max(rules.players))):
            sets = option_sets(rules, players)
            for name in [name for name in ("none", "all") if name in sets]:
                yield f"{rules.id}-{players}-{name}", Setup(rules.id, players, sets[name])


def playing(game: Game, moves: list[Move]) -> Iterator[tuple[Game, tuple[Event, ...]]]:
    """The games and events that these moves lead to, one after another."""
    for move in moves:
        if move is None:
            game, told = time_out(game)
        else:
            assert game.question is not None
            game, told = answer(game, Reply(move[0], game.question.number, move[1]))
        yield game, told


def last(game: Game, moves: list[Move]) -> Game:
    """The game after these moves."""
    return [game, *[after for after, _ in playing(game, moves)]][-1]


def random_moves(game: Game, rng: random.Random) -> list[Move]:
    """Moves to the end of a game: the asked seats answer, time closes meetings and seldom other questions."""
    moves: list[Move] = []
    while (question := game.question) is not None:
        new: list[Move] = [
            (seat, rng.randrange(len(options)))
            for seat, options in zip(question.seats, question.options, strict=True)
        ]
        if rng.random() < 0.03:
            new = new[: rng.randrange(len(new))] if len(new) > 1 else []
            new.append(None)
        elif question.meeting:
            new.append(None)
        game = last(game, new)
        moves += new
    return moves


def plain(value: Any) -> Any:
    """A fact, or a part of one, as JSON."""
    if isinstance(value, Setup):
        return {"ruleset": value.ruleset, "players": value.players, "options": dict(value.options)}
    return list(value) if isinstance(value, tuple) else value


def written(event: Event) -> list[Any]:
    """An event as a short JSON list: kind, fields in order, audience."""
    fields = [plain(getattr(event.fact, name)) for name in event.fact.__dataclass_fields__]  # type: ignore[attr-defined]
    return [type(event.fact).__name__, fields, plain(event.to)]


def record(setup: Setup, name: str) -> dict[str, Any]:
    """A golden game, made from its name alone."""
    rng = random.Random(name)
    chance = Chance(key(rng))
    game, told = start(setup, chance)
    moves = random_moves(game, rng)
    steps = [[written(event) for event in told]]
    steps += [[written(event) for event in told] for _, told in playing(game, moves)]
    return {
        "setup": plain(setup),
        "key": chance.key,
        "moves": moves,
        "events": [event for step in steps for event in step],
    }


def replayed(golden: dict[str, Any]) -> list[Any]:
    """The events that follow from a golden game's setup, key and moves."""
    setup = Setup(**golden["setup"])
    game, told = start(setup, Chance(golden["key"]))
    events = [*told]
    for _, told in playing(game, moves_of(golden)):
        events += told
    return [written(event) for event in events]


def count(game: Game, depth: int) -> int:
    """How many ways there are to answer so many questions in a row, ballots being passed by all, or by none.

    Every option of a single seat's question is a way; a ballot has two, a meeting one (nobody picks).
    """
    question = game.question
    if depth == 0 or question is None:
        return 1
    if question.meeting:
        return count(time_out(game)[0], depth - 1)
    if len(question.seats) > 1:
        return sum(count(_all(game, choice), depth - 1) for choice in range(len(question.options[0])))
    (seat,), (options,) = question.seats, question.options
    return sum(
        count(answer(game, Reply(seat, question.number, choice))[0], depth - 1)
        for choice in range(len(options))
    )


def _all(game: Game, choice: int) -> Game:
    question = game.question
    assert question is not None
    for seat in question.seats:
        game, _ = answer(game, Reply(seat, question.number, choice))
    return game


def counts(golden: dict[str, Any]) -> list[int]:
    """The ways to answer, DEPTH questions deep: from a golden game's start, its thirds and near its end."""
    moves = moves_of(golden)
    game, _ = start(Setup(**golden["setup"]), Chance(golden["key"]))
    places = [0, len(moves) // 3, 2 * len(moves) // 3, 9 * len(moves) // 10]
    return [count(last(game, moves[:place]), DEPTH) for place in places]


def moves_of(golden: dict[str, Any]) -> list[Move]:
    """The moves of a golden game as they were read."""
    return [None if move is None else (move[0], move[1]) for move in golden["moves"]]


def read(name: str) -> Any:
    """A golden file's content."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def main() -> None:
    """Write all files anew, and remove those of games that are no longer kept."""
    FOLDER.mkdir(exist_ok=True)
    contents: dict[str, Any] = {name: record(setup, name) for name, setup in setups()}
    rows = ",\n ".join(f'"{name}": {counts(golden)}' for name, golden in contents.items())
    (FOLDER / "counts.json").write_text(f"{{\n {rows}\n}}\n", encoding="utf-8")
    for name, golden in contents.items():
        lines = ",\n  ".join(json.dumps(event, ensure_ascii=False) for event in golden.pop("events"))
        head = json.dumps(golden, ensure_ascii=False)[:-1]
        text = f'{head},\n "events": [\n  {lines}\n]}}\n'
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")
    for path in FOLDER.glob("*.json"):
        if path.stem not in contents and path.stem != "counts":
            path.unlink()


if __name__ == "__main__":
    main()
