"""Rooms as this code stores them, for `test_stored_rooms`.

    python -m tests.bot.rooms.store_rooms

writes those of the present schema number into `stored/`. Until the first release that may be done again
after a change of the shape; after it, a change needs a number, a migration and files of its own.
"""

import random
from dataclasses import replace
from pathlib import Path

from pydantic_core import to_json

from bot.rooms.codec import SCHEMA, encode
from bot.rooms.model import ClockCall, Match, Muted, Player, Room
from bot.rooms.names import ChatId, UserId
from bot.rooms.night import Guest, Night
from bot.rooms.own_board import OwnBoard
from bot.rooms.player import Guess, Guesser
from bot.rooms.sealing import Proof, Sealed
from bot.rooms.stored import write_log
from engine import OFFERED, Chance, Event, Seat, Setup, ruleset
from engine.claim import Claim
from engine.facts import ClockAnswered
from engine.setups import option_sets
from sandbox.harness import harness_in_memory
from sandbox.random_games import every_setup, play_random_game
from tests.engine.builders import open_question, seats
from tests.expected import EXPECTED
from tests.system.table import Table

STORED = Path(__file__).parent / "stored"
#: The setup of each game, by name.
GAMES = {rules.name: Setup(rules.id, EXPECTED[rules.name].stored) for rules in OFFERED}
#: The number of rounds of answers missing at the end.
LEFT = 5


def rooms() -> dict[str, Room]:
    """Return a room in the middle of each game, by name, and one with everything that a room can have."""
    made = {name: _in_a_game(setup) for name, setup in GAMES.items()}
    others = {"everything": _with_everything(made["classic"]), "no-person": _without_people(made["online"])}
    others["computers"] = _with_computers(made["xl"])
    return {**made, **others}


def facts() -> tuple[Event, ...]:
    """Return events from random games, one of every kind of fact that came up in them; and the clock's."""
    rng, found = random.Random(1), {ClockAnswered.id: Event(ClockAnswered("nominate", seats(0)))}
    for setup in (*every_setup(), *every_setup(), *every_setup()):
        for event in play_random_game(setup, rng)[1]:
            found.setdefault(event.fact.id, event)
    return tuple(found[name] for name in sorted(found))


def _in_a_game(setup: Setup) -> Room:
    options = option_sets(ruleset(setup.ruleset), setup.players)
    rng = random.Random(setup.ruleset)
    with harness_in_memory(seed=1, validated=False) as harness:
        table = Table(harness)
        chance = Chance(rng.randbytes(32).hex())
        table.open(setup.players, ruleset=setup.ruleset, options=options.get("all", {}), chance=chance)
        rooms = [table.room()]
        while not table.match().over:
            table.step_on(rng)
            rooms.append(table.room())
        return rooms[-1 - LEFT]


def _without_people(room: Room) -> Room:
    """Return the room with two of its game's seats without a person."""
    assert room.match is not None
    seated = enumerate(room.match.players)
    players = tuple(replace(player, id=None) if seat in (1, 3) else player for seat, player in seated)
    return replace(room, match=replace(room.match, players=players))


def _with_computers(room: Room) -> Room:
    """Return the room with computers in all but one of its game's seats; one of them has decided."""
    assert room.match is not None
    question = open_question(room.match.game)
    person = next(seat for seat in range(len(room.match.players)) if seat not in question.seats[:1])
    seated = enumerate(room.match.players)
    players = tuple(p if seat == person else replace(p, id=None, computer=True) for seat, p in seated)
    match = replace(room.match, players=players, computer_choices={question.seats[0]: 0})
    return replace(room, match=match, settings=replace(room.settings, strength="novice"))


def _with_everything(room: Room) -> Room:
    waiting = Player(UserId(77), "Zoe", "pt_BR")
    own = OwnBoard(1, "Ours", "classic@1", 7)
    with harness_in_memory(seed=2, validated=False) as harness:
        lobby = Table(harness).gather(3).room().lobby
    assert lobby is not None
    assert room.match is not None
    guests = (Player(UserId(80 + n), f"Guest {n}", "de") for n in range(7 - len(lobby.players)))
    got_up = replace(room.match.players[2], computer=True)
    match: Match = replace(
        room.match, players=(*room.match.players[:2], got_up, *room.match.players[3:]), away=seats(2),
        stood_in_at=1_800_000_002, former={UserId(78): Seat(1)}, silent_leavers=(UserId(78),),
        told_cannot_silence=True, watching=seats(2), missed={Seat(1): 2},
        guessers=(Guesser(waiting, (Guess(2, 3, seats(0, 4)),), seats(1), 3), Guesser(None)),
        replacement_votes={Seat(1): seats(0, 3)}, own=own, reminders=1,
        claims=(Claim(Seat(0), 1, "president", ("fascist", "liberal", "fascist"), 9),),
        clock_call=ClockCall(room.match.game.asked, 1_800_000_000), named_at=1_800_000_005, has_notice=True,
    )  # fmt: skip
    sealed = Sealed(
        lobby.number, UserId(78), Proof("ab" * 32, 2, 35700000), lobby.setup_for(7),
        (*lobby.players, *guests), at=1_800_000_010, next_try_at=1_800_000_011, own=own,
        given_up=("5eed" * 16,), asked=True, gone={UserId(78): True},
    )  # fmt: skip
    coming = (Guest(waiting), Guest(Player(UserId(79), "Ned", "en"), True))
    return replace(
        room, topic=9, match=match, lobby=replace(lobby, own=own, panel=2, given_up=("5eed" * 16,)),
        sealed=sealed, next_game=(waiting,), night=Night(1_800_003_600, 4, 1200, True, UserId(77), coming),
        origin=ChatId(-4000001), boards=(own,), pictures=False, pictures_at=1_800_000_600,
        muted=Muted(1_800_000_000, 1_800_000_060, 1_800_000_000, over=True),
    )  # fmt: skip


if __name__ == "__main__":
    for name, stored in rooms().items():
        (STORED / f"{SCHEMA}-{name}.json").write_bytes(encode(stored) + b"\n")
    (STORED / f"{SCHEMA}.facts").write_bytes(to_json(write_log(facts())) + b"\n")
