"""Measure the writes for a person at the end of a game: at the first game, and after ten thousand."""

import math
from typing import Any

from bot.records.accuracy import COUNTS
from bot.records.own_record import CURVE, EXPECTED, SORT, OwnRecord, encode_record
from bot.records.ratings import NEWCOMER
from engine import OFFERED
from infra.store.archives import Archive, Archives
from infra.store.people import user_game_key, user_primary_key
from infra.store.table import DynamoTable, game_reference, user_key
from local.dynamodb import Client, LocalTable
from sandbox.harness import TABLE
from sandbox.item_size import item_size
from sandbox.measurements import table

GAMES = (1, 100, 1_000, 10_000)
#: More roles than any ruleset deals.
ROLES = tuple(f"role-number-{number}" for number in range(16))
_ROOM, _PERSON = "room#-1001234567890", 7_123_456_789


def run() -> list[str]:
    """Finish games of one person, and measure the writes at some of them."""
    client: Any = Client(LocalTable())
    store = DynamoTable(client, TABLE)
    archives = Archives(store)
    rows: list[list[object]] = []
    first = 0
    for number in range(1, max(GAMES) + 1):
        game = f"{number:014}"
        stored = archives.load_document(user_key(_PERSON), SORT)
        document = stored._replace(body=encode_record(_record(number)))
        counts = {"games": 1, "games/ruleset/classic": 1}
        archives.finish(Archive(_ROOM, game, b""), {_PERSON: counts}, [document])
        if number in GAMES:
            keys = (
                user_primary_key(_PERSON),
                user_game_key(_PERSON, game_reference(_ROOM, game)),
                {"pk": {"S": user_key(_PERSON)}, "sk": {"S": SORT}},
            )
            sizes = [item_size(store.call("get_item", Key=key)["Item"]) for key in keys]
            # A transaction takes two units for each KB of each item.
            units = sum(2 * math.ceil(size / 1024) for size in sizes)
            first = first or units
            rows.append([f"{number:,}", *sizes, units, f"{units / first:.2f} ×"])
    return table(["game", "person", "game's item", "record", "write units", "against the first"], rows)


def _record(games: int) -> OwnRecord:
    """Return a person's record after ``games`` games, with as many ratings as they can have by then."""
    names = ["", *(f"ruleset/{rules.name}" for rules in OFFERED), *(f"role/{role}" for role in ROLES)]
    curve = tuple(1000 + (at * 37) % 450 for at in range(min(games, CURVE)))
    counts = {name: games * at for at, name in enumerate((EXPECTED, *COUNTS), start=1)}
    return OwnRecord(dict.fromkeys(names[: 2 + games], NEWCOMER), curve, counts)
