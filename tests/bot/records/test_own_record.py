"""A person's record: what a game adds to it, and how large it becomes."""

import random
import zlib
from dataclasses import replace
from itertools import count

import pytest

from bot.records.accuracy import COUNTS, accuracy_of
from bot.records.own_record import CURVE, EXPECTED, OwnRecord, decode_record, encode_record, with_game
from bot.records.ratings import NEWCOMER, Rating
from bot.rooms.balance import expected_wins, shares
from bot.rooms.rounds import split_into_rounds
from engine import OFFERED, Chance, Event, Seat, Setup, view
from engine.board import Side
from engine.claim import Claim
from engine.facts import Killed
from sandbox.computer_games import NOVICE, RANDOM, play_computer_game
from tests.recount_records import recount


def lied(log: tuple[Event, ...], rng: random.Random) -> tuple[Claim, ...]:
    """Return claims of every President and Chancellor, true or not."""
    claims = []
    for round_ in split_into_rounds([event.fact for event in log]):
        for kind, seat, hand in (
            ("president", round_.president, round_.drawn),
            ("chancellor", round_.chancellor, round_.passed),
        ):
            if hand and seat is not None:
                said = tuple(rng.choice(("liberal", "fascist")) for _ in hand)
                claims.append(Claim(seat, round_.number, kind, said, len(log)))
    return tuple(claims)


@pytest.mark.parametrize("seed", range(6))
def test_accuracy_is_recounted_by_a_plain_walk(seed: int) -> None:
    players = 5 + seed % 6
    setup = Setup("classic@1", players)
    chance = Chance(random.Random(seed).randbytes(32).hex())
    log = tuple(play_computer_game(setup, chance, [NOVICE] * players).events)
    claims = lied(log, random.Random(seed))
    found = accuracy_of(log, claims)
    assert all(set(own) <= set(COUNTS) for own in found)
    without = [{name: own[name] for name in own if name != "lies/held"} for own in found]
    assert without == recount(log, claims)
    assert all(own.get("lies/held", 0) <= own.get("lies", 0) for own in found)


def test_some_games_have_right_and_wrong_of_everything() -> None:
    total: dict[str, int] = {}
    for seed in range(12):
        chance = Chance(random.Random(seed).randbytes(32).hex())
        log = tuple(play_computer_game(Setup("classic@1", 9), chance, [RANDOM] * 9).events)
        for own in accuracy_of(log, lied(log, random.Random(seed))):
            for name, amount in own.items():
                total[name] = total.get(name, 0) + amount
    parts = {"votes": "votes/right", "shots": "shots/right", "lies": "lies/held", "trust": "trust/ja"}
    for name, part in parts.items():
        assert 0 < total[part] < total[name]


def test_shots_of_nobody_count_for_nobody() -> None:
    chance = Chance(random.Random(3).randbytes(32).hex())
    log = list(play_computer_game(Setup("classic@1", 7), chance, [NOVICE] * 7).events)
    nobodys = [
        replace(event, fact=replace(event.fact, by=None)) if isinstance(event.fact, Killed) else event
        for event in log
    ]
    assert not any("shots" in own for own in accuracy_of(nobodys, ()))


def test_wins_to_expect_are_those_that_were_counted() -> None:
    red_dawn = Setup("red-dawn@1", 7)
    parties: tuple[Side, ...] = ("liberal", "fascist", "communist")
    seven = shares()["red-dawn@1"]["7"]
    assert expected_wins(red_dawn, "liberal", parties) == seven["none"]["liberal"]
    printed = replace(red_dawn, options={"deck": "as-printed"})
    assert expected_wins(printed, "liberal", parties) == seven["deck=as-printed"]["liberal"] > 0.9
    assert expected_wins(Setup("classic@1", 7), "fascist", ("liberal", "fascist", "liberal")) == 0.5
    assert all(
        0 <= share <= 1
        for by_players in shares().values()
        for by_set in by_players.values()
        for row in by_set.values()
        for share in row.values()
    )


def test_winners_rise_and_losers_fall_in_each_kind() -> None:
    chance = Chance(random.Random(1).randbytes(32).hex())
    log = play_computer_game(Setup("classic@1", 5), chance, [NOVICE] * 5).events
    table = view(log, None).table
    for seat, record in with_game({Seat(seat): OwnRecord() for seat in range(5)}, log, ()).items():
        won = table.parties[seat] in (table.winners or ())
        assert set(record.ratings) == {"", f"role/{table.roles[seat]}", "ruleset/classic"}
        assert all((one.mu > NEWCOMER.mu) == won for one in record.ratings.values())
        assert record.curve == (record.rating("").shown,)
        assert record.counts[EXPECTED] == 500


def test_a_record_is_stored_as_it_is() -> None:
    record = OwnRecord({"": Rating(25.1234, 8.0)}, (1000, 1010), {"votes": 3})
    assert decode_record(encode_record(record)) == record
    assert decode_record(b"") == OwnRecord()


@pytest.mark.thorough
def test_a_record_is_small_after_many_games() -> None:
    rng = random.Random(4)
    record, games = OwnRecord(), count()
    logs = []
    for rules in OFFERED:
        for players in (rules.players[0], rules.players[-1]):
            setup = Setup(rules.id, players)
            logs.append(play_computer_game(setup, Chance(rng.randbytes(32).hex()), [RANDOM] * players).events)
    while next(games) < 1000:
        log = rng.choice(logs)
        seat = rng.randrange(5)
        record = decode_record(encode_record(with_game({Seat(seat): record}, log, ())[Seat(seat)]))
    record = replace(record, counts={name: 10**6 + at for at, name in enumerate((EXPECTED, *COUNTS))})
    # As many roles as there ever were, each with its own rating.
    roles = {f"role/a-long-name-of-a-role-{at}": Rating(20 + rng.random(), rng.random()) for at in range(8)}
    record = replace(record, ratings={**record.ratings, **roles})
    assert len(record.curve) == CURVE
    assert len(zlib.compress(encode_record(record), 9)) < 1000
