"""Prepare an archived game for ``python -m ai.explain``: recompute the deal, take the answers from the log.

An archive holds events, not answers. The answers are found by playing the game again: at each question, those
are taken whose next events match the log. If several would match (differences that nobody ever heard of), the
first one is taken.
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

#: One way of answering a question, and its result.
Way = tuple[tuple[Answered, ...], Game, tuple[Event, ...]]


def explainable(path: Path, number: int | None) -> dict[str, Any]:
    """Return a group's game, from the output of ``python -m operate export``, as plain data for JSON.

    ``number``: the game's number in its group; None: the latest finished one. Raises ValueError if there is
    none, or if this code would play it differently.
    """
    items = json.loads(path.read_text(encoding="utf-8"))
    games = [item for item in items if item["sk"]["S"].startswith(GAME_PREFIX)]
    # Their ids sort by the end of the game.
    bodies = [_body(item) for item in sorted(games, key=lambda item: str(item["sk"]["S"]))]
    found = [game for game in map(decode_replayable, bodies) if number in (None, game.number)]
    if not found:
        raise ValueError("no such game was archived")
    return as_written(found[-1])


def as_written(game: ReplayableGame) -> dict[str, Any]:
    """Return an archived game as plain data for JSON. Raises ValueError if it cannot be played again."""
    opened = game.log[0].fact
    assert isinstance(opened, Opened)
    chance = game.proof.chance(opened.setup, game.number)
    return to_plain(opened.setup, chance, answers(opened.setup, chance, game.log), game.claims)


def _body(item: Mapping[str, Any]) -> bytes:
    return zlib.decompress(base64.b64decode(item["body"]["B"]))


def answers(setup: Setup, chance: Chance, log: Sequence[Event]) -> list[Answered]:
    """Return the answers that lead to this log. Raises ValueError if none do."""
    game, told = start(setup, chance)
    if told != tuple(log[: len(told)]):
        raise ValueError("it was dealt otherwise than this code deals it")
    found = _onward(game, log, len(told))
    if found is None:
        raise ValueError("it went otherwise than this code plays it")
    return found


def _onward(game: Game, log: Sequence[Event], at: int) -> list[Answered] | None:
    """Return the answers from here to the end of the log; None if no game continues so."""
    if game.question is None:
        return [] if at == len(log) else None
    for given, then, told in _ways(game, game.question, log, at):
        rest = _onward(then, log, at + len(told))
        if rest is not None:
            return [*given, *rest]
    return None


def _ways(game: Game, question: Question, log: Sequence[Event], at: int) -> Iterator[Way]:
    """Yield every way to answer the open question that matches the log from ``at`` on."""
    known: list[object] = []
    for replies, closing in _tries(question, log, at):
        then = game
        told: tuple[Event, ...] = ()
        for one in replies:
            then, told = answer(then, one)
        for _ in closing:
            then, told = time_out(then)
        # The table follows from the log, so games with the same continuation are the same.
        future = (then.agenda, then.question)
        if future not in known and told == tuple(log[at : at + len(told)]):
            known.append(future)
            yield (*replies, *closing), then, told


def _tries(
    question: Question, log: Sequence[Event], at: int
) -> Iterator[tuple[tuple[Reply, ...], tuple[Answered, ...]]]:
    """Yield every way to answer a question that the log does not rule out at first sight."""
    first = log[at].fact if at < len(log) else None
    missed = first.seats if isinstance(first, ClockAnswered) else ()
    cast = _cast(question, log, at)
    choices: list[list[Reply | None]] = []
    for seat, options in zip(question.seats, question.options, strict=True):
        # Any one of several equal tiles.
        kinds = {option: index for index, option in reversed(list(enumerate(options)))}
        wanted = [kinds[cast[seat]]] if seat in cast else sorted(kinds.values())
        replies: list[Reply | None] = [Reply(seat, question.number, index) for index in wanted]
        choices.append([None] if seat in missed else [*replies, None] if question.meeting else replies)
    clock: tuple[Answered, ...] = (None,) if question.meeting or missed else ()
    for combination in product(*choices):
        yield tuple(one for one in combination if one is not None), clock


def _cast(question: Question, log: Sequence[Event], at: int) -> dict[int, str]:
    """Return the ballots, by seat, of the election that the log tells next."""
    if question.step != "ballot":
        return {}
    voted = next((event.fact for event in log[at : at + 2] if isinstance(event.fact, Voted)), None)
    return {} if voted is None else {s: b for s, b in enumerate(voted.ballots) if b is not None}
