"""Stored rooms of every schema number that there ever was: they are read, and played to their end."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic_core import from_json, to_json

from bot.conversation.game.answering import answer_question
from bot.conversation.incoming import Person, Tap, Wake
from bot.conversation.outcome import Context
from bot.conversation.routing import respond
from bot.rooms.codec import MIGRATIONS, SCHEMA, NewerSchema, decode, encode
from bot.rooms.model import Room
from bot.rooms.stored import read_log, write_log
from engine import OFFERED, Reply, fold
from tests.bot.rooms.store_rooms import STORED

FILES = sorted(STORED.glob("*.json"))
CHANGED = (
    "The shape of stored rooms has changed. Before the first release store them again: "
    "python -m tests.bot.rooms.store_rooms. After it raise SCHEMA, write the migration, and store new ones."
)


def schema_of(path: Path) -> int:
    return int(path.stem.partition("-")[0])


def test_every_schema_number_has_rooms_and_a_migration() -> None:
    numbers = range(1, SCHEMA + 1)
    assert {schema_of(path) for path in FILES} == set(numbers)
    assert set(MIGRATIONS) == set(numbers) - {SCHEMA}
    for number in numbers:
        names = {path.stem.partition("-")[2] for path in FILES if schema_of(path) == number}
        assert "no-person" in names
        # No rooms of a ruleset exist from before it was made.
        played = {rules.name for rules in OFFERED} if number == SCHEMA else set()
        assert names >= played | {"everything"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_stored_room_is_read_and_its_game_played_to_the_end(path: Path) -> None:
    room = decode(path.read_bytes(), schema_of(path))
    assert room.match is not None
    assert not room.match.over
    assert room.match.players
    played = played_out(room, random.Random(path.stem))
    assert played.match is not None
    assert played.match.game.table.winners or played.match.game.question is None
    assert played.match.game.table == fold(event.fact for event in played.match.log)
    assert decode(encode(played), SCHEMA) == played


@pytest.mark.parametrize(
    "path", [path for path in FILES if schema_of(path) == SCHEMA], ids=lambda path: path.stem
)
def test_rooms_are_written_as_by_the_same_schema(path: Path) -> None:
    # Older code must find everything that it knows in such a room, and keep everything new.
    stored = path.read_bytes()
    assert from_json(encode(decode(stored, SCHEMA))) == from_json(stored), CHANGED


@pytest.mark.parametrize("number", range(1, SCHEMA + 1))
def test_facts_of_almost_every_kind_are_read_as_they_were_stored(number: int) -> None:
    rows = from_json((STORED / f"{number}.facts").read_bytes())
    assert from_json(to_json(write_log(read_log(rows)))) == rows, CHANGED
    assert len({name for name, _, _ in rows}) > 40


def test_a_room_of_a_later_number_is_not_touched() -> None:
    with pytest.raises(NewerSchema):
        decode(FILES[0].read_bytes(), SCHEMA + 1)


@pytest.mark.parametrize(("name", "renew"), [
    ("classic", lambda room: room["match"]["log"].append(["Unheard", None, {}])),
    ("classic", lambda room: room["match"]["game"]["setup"].update(ruleset="classic@99")),
    ("everything", lambda room: room["lobby"]["setup"].update(ruleset="classic@99")),
], ids=["a newer fact", "a game of newer rules", "a lobby of newer rules"])  # fmt: skip
def test_a_room_with_something_newer_is_not_touched(name: str, renew: Callable[[Any], None]) -> None:
    stored = from_json((STORED / f"{SCHEMA}-{name}.json").read_bytes())
    renew(stored)
    with pytest.raises(NewerSchema):
        decode(to_json(stored), SCHEMA)


@pytest.mark.parametrize("ended", ["played", "cancelled"])
def test_a_room_whose_last_rules_are_gone_can_be_read(ended: str) -> None:
    room = decode((STORED / f"{SCHEMA}-classic.json").read_bytes(), SCHEMA)
    if ended == "played":
        room = played_out(room, random.Random(1))
    stored = from_json(encode(room))
    stored["match"]["cancelled"] = ended == "cancelled"
    stored["match"]["game"]["setup"]["ruleset"] = "classic@0"
    match = decode(to_json(stored), SCHEMA).match
    assert match is not None
    assert match.over
    assert match.game.setup.ruleset == "classic@0"


def test_a_room_without_a_field_that_has_no_default_is_refused() -> None:
    stored = from_json((STORED / f"{SCHEMA}-classic.json").read_bytes())
    for torn in ({**stored, "chat": "x"}, {k: v for k, v in stored.items() if k != "chat"}):
        with pytest.raises(ValueError, match="chat"):
            decode(to_json(torn), SCHEMA)


def played_out(room: Room, rng: random.Random) -> Room:
    """Return the room after its game was played to the end through the conversation, at random."""
    now = 2_000_000_000
    for step in range(5_000):
        match = room.match
        assert match is not None
        question = match.game.question
        if question is None:
            return room
        context = Context(now + step, "00" * 32, "some_bot", b"key", is_admin=False, language="en")
        if question.meeting and step % 3 == 0:
            room = respond(room, Wake(room.name), replace(context, now=now * 2)).room
            continue
        place = rng.randrange(len(question.seats))
        choice = rng.randrange(len(question.options[place]))
        seat = question.seats[place]
        if seat not in match.in_person:
            room = answer_question(room, Reply(seat, question.number, choice), context).room
            continue
        person = Person(match.people[seat], "")
        numbers = (match.number, question.number, choice)
        room = respond(room, Tap(person, room.name, "1", "answer", numbers), context).room
    raise AssertionError("the game does not end")
