"""Running blocks of updates, and looking at what each of them did."""

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

#: The number of updates that meet the same world, one after the other.
BLOCK = 200
#: In one of this many worlds, each call to Telegram is checked, and the game is played out.
EVERY = 10

#: The kinds of updates that the bot hears.
HEARD = ("callback_query", "message", "edited_message", "my_chat_member", "chat_member")

Json = dict[str, Any]


@dataclass
class Tally:
    """The results of the updates."""

    updates: int = 0
    worlds: int = 0
    ended: int = 0
    #: By kind: how many updates there were, and how many of them changed something.
    kinds: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    #: How many could not be read, because their fields were broken.
    failed: int = 0
    failures: list[str] = field(default_factory=list)


def run(first: int, last: int, tally: Tally) -> Iterator[int]:
    """Run the updates with these numbers; after each block, yield the number with which to go on."""
    with swallowed() as thrown:
        for block in range(first // BLOCK, -(-last // BLOCK)):
            thorough = block % EVERY == 0
            with opened(block, validated=thorough) as world:
                rng = random.Random(f"updates/{block}")
                start = block * BLOCK
                for number in range(start, min(start + BLOCK, last)):
                    # Updates before the first count only for the changes that they make.
                    one(world, number, rng, tally if number >= first else Tally(), thrown)
                if thorough:
                    _played_out(world, start, tally)
                tally.worlds += 1
            yield min(start + BLOCK, last)


def one(world: World, number: int, rng: random.Random, tally: Tally, thrown: list[Exception]) -> None:
    """Send one update."""
    world.desk.clock.advance(rng.choice((0, 1, 5, 40)))  # type: ignore[attr-defined]
    if rng.random() < 0.2:
        world.desk.settle()
    body, sound = update(world, rng)
    act = act_of(body)
    rooms = frozenset() if act.person is None else world.desk.built.app.users.load(act.person).rooms
    kind = next((name for name in body if name != "update_id"), "none")
    said = len(world.desk.telegram.journal)
    status, lines, changes = world.post(body)
    faults = [] if status == 200 else [f"status {status}"]
    if len([line for line in lines if line["event"] == "update_failed"]) != len(thrown):
        faults.append("raised without a line, or the other way round")
    for error in thrown:
        tally.failed += 1
        if sound or changes or _readable(body):
            faults.append("".join(traceback.format_exception(error)))
    faults += complaints(world, act, changes, rooms)
    if kind not in HEARD and (changes or len(world.desk.telegram.journal) != said):
        faults.append("not the bot's business")
    thrown.clear()
    tally.updates += 1
    tally.kinds[kind] += 1
    tally.changed[kind] += bool(changes)
    tally.failures += [f"{number}: {fault}\n    {body}" for fault in faults]


def _readable(body: Json) -> bool:
    """Return whether it can be read as an update whose parts are what they should be."""
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


def _played_out(world: World, start: int, tally: Tally) -> None:
    try:
        world.finish()
    except AssertionError as error:
        tally.failures.append(f"{start}: {error}")
    tally.ended += 1
    tally.failures += [f"{start}: {call}" for call in world.desk.telegram.violations]
