"""Prepare an archived game for ``python -m ai.explain``: recompute the deal, and find the answers.

An archive holds events, not answers. The search plays the game again and keeps the answers that lead to the
events in the log. If several answers lead to the same events, it takes the first.
"""

import base64
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from ai.explain import Answered, to_plain
from bot.records.archive import ReplayableGame, decode_replayable
from engine import Chance, Event, Game, Question, Reply, Setup, answer, start, time_out
from engine.facts import ClockAnswered, Opened, Voted
from infra.store.keys import GAME_PREFIX

#: Answers to a question, the game after them, and the events that they cause.
Way = tuple[tuple[Answered, ...], Game, tuple[Event, ...]]


def load_explainable(path: Path, number: int | None) -> dict[str, Any]:
    """Return one game of a group's export (``python -m operate export``) as plain data for JSON.

    ``number``: the game's number in its group; None: the latest finished game. Raises ValueError if the
    export has no such game, or if this code would play it differently.
    """
    items = json.loads(path.read_text(encoding="utf-8"))
    games = [item for item in items if item["sk"]["S"].startswith(GAME_PREFIX)]
    # A sort key begins with the time of the game's end.
    bodies = [_body(item) for item in sorted(games, key=lambda item: str(item["sk"]["S"]))]
    found = [game for game in map(decode_replayable, bodies) if number in (None, game.number)]
    if not found:
        raise ValueError("no such game was archived")
    return to_explainable(found[-1])


def to_explainable(game: ReplayableGame) -> dict[str, Any]:
    """Return an archived game as plain data for JSON. Raises ValueError if it cannot be played again."""
    opened = game.log[0].fact
    assert isinstance(opened, Opened)
    chance = game.proof.chance(opened.setup, game.number)
    return to_plain(opened.setup, chance, find_answers(opened.setup, chance, game.log), game.claims)


def _body(item: Mapping[str, Any]) -> bytes:
    return zlib.decompress(base64.b64decode(item["body"]["B"]))


def find_answers(setup: Setup, chance: Chance, log: Sequence[Event]) -> list[Answered]:
    """Return the answers that lead to this log. Raises ValueError if none do."""
    game, told = start(setup, chance)
    if told != tuple(log[: len(told)]):
        raise ValueError("this code deals another game from the same seed")
    found = _onward(game, log, len(told))
    if found is None:
        raise ValueError("no answers lead to this log with this code")
    return found


def _onward(game: Game, log: Sequence[Event], at: int) -> list[Answered] | None:
    """Return the answers from event ``at`` to the end of the log, or None if no answers match."""
    if game.question is None:
        return [] if at == len(log) else None
    for given, then, told in _ways(game, game.question, log, at):
        rest = _onward(then, log, at + len(told))
        if rest is not None:
            return [*given, *rest]
    return None


def _ways(game: Game, question: Question, log: Sequence[Event], at: int) -> Iterator[Way]:
    """Yield every set of answers to the open question whose events match the log from ``at`` on."""
    known: list[object] = []
    for replies, closing in _tries(question, log, at):
        then = game
        told: tuple[Event, ...] = ()
        for one in replies:
            then, told = answer(then, one)
        for _ in closing:
            then, told = time_out(then)
        # Equal logs give equal tables. So two games are the same if they also agree in what comes next.
        future = (then.agenda, then.question)
        if future not in known and told == tuple(log[at : at + len(told)]):
            known.append(future)
            yield (*replies, *closing), then, told


def _tries(
    question: Question, log: Sequence[Event], at: int
) -> Iterator[tuple[tuple[Reply, ...], tuple[Answered, ...]]]:
    """Yield the combinations of answers that the next events in the log do not rule out."""
    first = log[at].fact if at < len(log) else None
    missed = first.seats if isinstance(first, ClockAnswered) else ()
    cast = _cast(question, log, at)
    choices: list[list[Reply | None]] = []
    for seat, options in zip(question.seats, question.options, strict=True):
        # If several tiles are equal, it does not matter which one is chosen.
        kinds = {option: index for index, option in reversed(list(enumerate(options)))}
        wanted = [kinds[cast[seat]]] if seat in cast else sorted(kinds.values())
        replies: list[Reply | None] = [Reply(seat, question.number, index) for index in wanted]
        choices.append([None] if seat in missed else [*replies, None] if question.meeting else replies)
    clock: tuple[Answered, ...] = (None,) if question.meeting or missed else ()
    for combination in product(*choices):
        yield tuple(one for one in combination if one is not None), clock


def _cast(question: Question, log: Sequence[Event], at: int) -> dict[int, str]:
    """Return the ballots by seat if the next events report an election, else nothing."""
    if question.step != "ballot":
        return {}
    voted = next((event.fact for event in log[at : at + 2] if isinstance(event.fact, Voted)), None)
    return {} if voted is None else {s: b for s, b in enumerate(voted.ballots) if b is not None}
