"""Recompute statistics and ratings from a room's archives, to compare them with the table."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bot.records.archive import decode_archive, decode_replayable
from bot.records.leaderboard import Leaderboard, with_game
from bot.records.own_record import OwnRecord, decode_record, encode_record
from bot.records.own_record import with_game as record_with_game
from bot.records.ratings import counts_of
from bot.rooms.names import UserId
from engine import Seat
from infra.store.archives import Archive, Archives


@dataclass
class Recount:
    board: Leaderboard = field(default_factory=Leaderboard)
    #: Statistics by user id. Ids below 0 are aliases, which have none in the table.
    counts: dict[int, dict[str, int]] = field(default_factory=dict)
    #: Records by user id, from this room's games alone.
    records: dict[int, OwnRecord] = field(default_factory=dict)
    games: int = 0


def recount(archives: Iterable[Archive]) -> Recount:
    """Count and rate one room's games, oldest first."""
    out = Recount()
    for archive in archives:
        archived = decode_archive(archive.body)
        result, computers = archived.result, bool(archived.computers)
        people = {Seat(int(seat)): UserId(user) for seat, user in archive.people.items()}
        out.board = with_game(out.board, archive.game, result, people, {}, computers=computers)
        out.games += 1
        if not computers:
            before = {seat: out.records.get(user, OwnRecord()) for seat, user in people.items()}
            after = record_with_game(before, archived.log, decode_replayable(archive.body).claims)
            for seat, record in after.items():
                out.records[people[seat]] = decode_record(encode_record(record))
        for seat, user in people.items():
            counts = out.counts.setdefault(user, {})
            for name, amount in counts_of(result, seat, computers=computers).items():
                counts[name] = counts.get(name, 0) + amount
    return out


def all_archives(archives: Archives, key: str) -> Iterator[Archive]:
    found: list[Archive] = []
    while page := archives.latest(key, 50, found[-1].game if found else None):
        found += page
    return reversed(found)
