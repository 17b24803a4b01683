"""Rooms as this code stores them, for `test_stored_rooms`.

    python -m tests.handlers.rooms.store_rooms

writes those of the present schema number into `stored/`. Until the first release that may be done again
after a change of the shape; after it, a change needs a number, a migration and files of its own.
"""

import random
from dataclasses import replace
from pathlib import Path

from pydantic_core import to_json

from engine import Chance, Event, Setup, ruleset
from engine.facts import ClockAnswered
from handlers.rooms.codec import SCHEMA, encode
from handlers.rooms.model import Claim, Match, Player, Room
from handlers.rooms.own_board import OwnBoard
from handlers.rooms.stored import write_log
from sandbox.desk import desk_in_memory
from sandbox.random_play import random_game
from sandbox.setups import every_setup, option_sets
from tests.system.table import Table

STORED = Path(__file__).parent / "stored"
#: By name, what is played.
GAMES = {
    "classic": Setup("classic@1", 7),
    "online": Setup("online@1", 5),
    "red-dawn": Setup("red-dawn@1", 9),
    "xl": Setup("xl@1", 12),
}
#: So many rounds of answers are missing at the end.
LEFT = 5


def rooms() -> dict[str, Room]:
    """By name, a room in the middle of each game, and one with everything that a room can have."""
    made = {name: _in_a_game(setup) for name, setup in GAMES.items()}
    return {**made, "everything": _with_everything(made["classic"])}


def facts() -> tuple[Event, ...]:
    """Events from random games, one of every kind of fact that came up in them; and the clock's."""
    rng, found = random.Random(1), {"ClockAnswered": Event(ClockAnswered("nominate", (0,)))}
    for setup in (*every_setup(), *every_setup(), *every_setup()):
        for event in random_game(setup, rng)[1]:
            found.setdefault(type(event.fact).__name__, event)
    return tuple(found[name] for name in sorted(found))


def _in_a_game(setup: Setup) -> Room:
    options = option_sets(ruleset(setup.ruleset), setup.players)
    rng = random.Random(setup.ruleset)
    with desk_in_memory(seed=1, validated=False) as desk:
        table = Table(desk)
        table.open(
            setup.players,
            ruleset=setup.ruleset,
            options=options.get("all", {}),
            chance=Chance(rng.randbytes(32).hex()),
        )
        rooms = [table.room()]
        while not table.match().over:
            table.step_on(rng)
            rooms.append(table.room())
        return rooms[-1 - LEFT]


def _with_everything(room: Room) -> Room:
    waiting = Player(77, "Zoe", "pt_BR")
    own = OwnBoard(1, "Ours", "classic@1", 7)
    with desk_in_memory(seed=2, validated=False) as desk:
        lobby = Table(desk).gather(3).room().lobby
    assert lobby is not None
    assert room.match is not None
    match: Match = replace(
        room.match,
        away=(2,),
        former={78: 1},
        missed={1: 2},
        against={1: (0, 3)},
        claims=(Claim(0, 1, "president", ("fascist", "liberal", "fascist"), 9),),
        own=own,
        reminders=1,
    )
    return replace(
        room,
        topic=9,
        match=match,
        lobby=replace(lobby, own=own, panel=2, shakes={lobby.players[0].id: 3}),
        next_game=(waiting,),
        origin=-4000001,
        boards=(own,),
        pictures=False,
    )


if __name__ == "__main__":
    for name, stored in rooms().items():
        (STORED / f"{SCHEMA}-{name}.json").write_bytes(encode(stored) + b"\n")
    (STORED / f"{SCHEMA}.facts").write_bytes(to_json(write_log(facts())) + b"\n")
