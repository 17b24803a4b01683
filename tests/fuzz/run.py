"""Send blocks of updates, and check what each update did."""

from __future__ import annotations

import random
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bot.conversation.incoming import read_update, update_of
from tests.fuzz.oracle import act_of, complaints
from tests.fuzz.updates import update
from tests.fuzz.world import World, opened
from tests.swallowed import swallowed

#: The number of updates that are sent to the same world.
BLOCK = 200
#: In one of this many worlds, each call to Telegram is checked, and the game is then played to its end.
EVERY = 10

#: The kinds of updates that the bot handles.
HANDLED = ("callback_query", "message", "edited_message", "my_chat_member", "chat_member")
Json = dict[str, Any]


@dataclass
class Tally:
    updates: int = 0
    worlds: int = 0
    ended: int = 0
    #: The number of updates by kind, and of those that changed something.
    kinds: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    #: The number of updates that could not be read because of broken fields.
    failed: int = 0
    failures: list[str] = field(default_factory=list)


def run(first: int, last: int, tally: Tally) -> Iterator[int]:
    """Send the updates ``first`` to ``last``. After each block, yield the number of the next update."""
    with swallowed() as thrown:
        for block in range(first // BLOCK, -(-last // BLOCK)):
            thorough = block % EVERY == 0
            with opened(block, validated=thorough) as world:
                rng = random.Random(f"updates/{block}")
                start = block * BLOCK
                for number in range(start, min(start + BLOCK, last)):
                    # Updates before ``first`` are sent only for the state that they leave.
                    send_one(world, number, rng, tally if number >= first else Tally(), thrown)
                if thorough:
                    _play_to_end(world, start, tally)
                tally.worlds += 1
            yield min(start + BLOCK, last)


def send_one(world: World, number: int, rng: random.Random, tally: Tally, thrown: list[Exception]) -> None:
    world.harness.clock.advance(rng.choice((0, 1, 5, 40)))  # type: ignore[attr-defined]
    if rng.random() < 0.2:
        world.harness.settle()
    body, sound = update(world, rng)
    act = act_of(body)
    rooms = frozenset() if act.person is None else world.harness.built.app.users.load(act.person).rooms
    kind = next((name for name in body if name != "update_id"), "none")
    said = len(world.harness.telegram.journal)
    status, lines, changes = world.post(body)
    faults = [] if status == 200 else [f"status {status}"]
    if len([line for line in lines if line["event"] == "update_failed"]) != len(thrown):
        faults.append("an exception without a log line, or a log line without an exception")
    for error in thrown:
        tally.failed += 1
        if sound or changes or _readable(body):
            faults.append("".join(traceback.format_exception(error)))
    faults += complaints(world, act, changes, rooms)
    if kind not in HANDLED and (changes or len(world.harness.telegram.journal) != said):
        faults.append("the bot handled a kind that it should ignore")
    thrown.clear()
    tally.updates += 1
    tally.kinds[kind] += 1
    tally.changed[kind] += bool(changes)
    tally.failures += [f"{number}: {fault}\n    {body}" for fault in faults]


def _readable(body: Json) -> bool:
    """Return True if the bot can read the update, with parts of the right types."""
    try:
        said = read_update(update_of(body), "chancellery_bot")
    except Exception:
        return False
    room = getattr(said, "room", None)
    person = getattr(said, "person", None)
    numbers = [getattr(room, "chat", 0), getattr(room, "topic", None) or 0, getattr(person, "id", 0)]
    return all(type(number) is int and abs(number) < 2**52 for number in numbers) and isinstance(
        getattr(person, "name", ""), str
    )


def _play_to_end(world: World, start: int, tally: Tally) -> None:
    try:
        world.finish()
    except AssertionError as error:
        tally.failures.append(f"{start}: {error}")
    tally.ended += 1
    tally.failures += [f"{start}: {call}" for call in world.harness.telegram.violations]
