"""Record each finished game once: in the archive, in each person's own data, and on the leaderboard.

A person's own data are *counts* (games and wins) and a *record* (ratings, and how well they played).

When a game ends, its room is due at once, and stays due until the game is recorded
(``Match.needs_archiving``). The invocation that ended the game records it. If that fails, the next invocation
that loads the room records it before it does anything else. So a room's games are rated in the order in which
they were played.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from itertools import islice

from bot.conversation.waking import due
from bot.records.archive import archive_key, encode_archive
from bot.records.leaderboard import (
    SORT,
    Shown,
    Standing,
    decode_board,
    encode_board,
    in_season,
    season_at,
    standings,
    with_game,
)
from bot.records.own_record import SORT as RECORD
from bot.records.own_record import decode_record, encode_record, is_counted
from bot.records.own_record import with_game as record_with_game
from bot.records.ratings import counts_of, result_of
from bot.rooms.codec import SCHEMA, decode, encode
from bot.rooms.model import Match, Room
from bot.rooms.names import UserId
from engine import Seat
from engine.frozen import frozen
from infra.store.archives import Archive, Archives, Document, time_ordered_id
from infra.store.items import KEEP, Change, Conflict, Patch, RoomItem
from infra.store.people import Users
from infra.store.rooms import WRITE_ATTEMPTS, Rooms
from infra.store.set_aside import Aside, SetAside
from infra.store.table import StoreError, StoreUnavailable, user_key

#: The most players shown on a leaderboard.
MOST_SHOWN = 10


def archive_id(match: Match) -> str:
    """Return the id of a match's archive, the same at each call. Later games sort after earlier ones.

    The id consists of the second in which the game ended and the match's number.
    """
    return time_ordered_id(match.time_began_at, match.number)


@frozen
class Recorder:
    """Record finished games, and read the leaderboard."""

    rooms: Rooms
    archives: Archives
    users: Users
    set_aside: SetAside

    def record(self, item: RoomItem | None) -> RoomItem | None:
        """Record a room's game, if it is over and not recorded yet. Return the room's item, or None if gone.

        If the recording fails, it is set aside after some tries. Raises StoreError. Repeating it is safe.
        """
        for _ in range(WRITE_ATTEMPTS):
            if item is None:
                return None
            room = decode(item.body, item.schema)
            if room.match is None or not room.match.needs_archiving:
                return item
            try:
                self._finish(room, room.match)
            except StoreError as error:
                name = archive_id(room.match)
                self.set_aside.count_failure(item, "record", name, encode(room), error)
            archived = replace(room.match, archived=True, former={}, silent_leavers=(), rated={})
            done = replace(room, match=archived, acts=())
            # If messages are unsent, the room is due for their retry: keep that time.
            next_due_at, forgotten = KEEP if item.outbox else due(done), Patch(tries=None)
            change = Change(body=encode(done), schema=SCHEMA, remembered=forgotten, due=next_due_at)
            saved = self.rooms.save(item, change)
            if not isinstance(saved, Conflict):
                return saved
            item = saved.item
        raise StoreUnavailable("the room is too busy")

    def retry(self, aside: Aside) -> None:
        """Repeat a recording that was set aside. Raises StoreError."""
        room = decode(aside.body, SCHEMA)
        assert room.match is not None
        self._finish(room, room.match)
        self.set_aside.drop(aside)

    def best(self, room: Room, now: float) -> Shown:
        """Return a group's best players, best first, without those who are not counted in statistics.

        It reads once, and once more for each player who is looked at.
        """
        leaderboard = decode_board(self.archives.load_document(archive_key(room), SORT).body)
        leaderboard = in_season(leaderboard, season_at(now))
        counted = cache(self._is_counted)

        def top(rows: Iterable[tuple[UserId, Standing]]) -> tuple[Standing, ...]:
            return tuple(islice((entry for user, entry in rows if user > 0 and counted(user)), MOST_SHOWN))

        overall, current = top(standings(leaderboard.entries)), top(standings(leaderboard.current))
        return Shown(overall, leaderboard.season, current, leaderboard.before, top(leaderboard.best_before))

    def _finish(self, room: Room, match: Match) -> None:
        """Write archive, counts, own records and leaderboard, in one transaction."""
        key, game_id, result = archive_key(room), archive_id(match), result_of(match.log)
        people = {seat: player.id for seat, player in match.rated.items() if player.id is not None}
        named = {str(seat): user for seat, user in people.items()}
        ended = {"ruleset": result.ruleset, "winners": list(result.winners), "reason": result.reason}
        facts = {**ended, "players": len(match.players)}
        archive = Archive(key, game_id, encode_archive(match), named, facts)
        with_computers = bool(match.computers_from_start)
        counts: dict[int, Mapping[str, int]] = {
            user: counts_of(result, seat, computers=with_computers) for seat, user in people.items()
        }
        names = {user: match.rated[seat].name for seat, user in people.items()}
        for _ in range(WRITE_ATTEMPTS):
            stored = self.archives.load_document(key, SORT)
            leaderboard = decode_board(stored.body)
            leaderboard = with_game(leaderboard, game_id, result, people, names, computers=with_computers)
            documents = [stored._replace(body=encode_board(leaderboard))]
            if not with_computers:
                documents += self._records(match, people)
            if self.archives.finish(archive, counts, documents):
                return
        raise StoreUnavailable("the leaderboard is too busy")

    def _records(self, match: Match, people: Mapping[Seat, UserId]) -> list[Document]:
        """Return each person's own record with this game in it. One read for each person."""
        stored = {seat: self.archives.load_document(user_key(user), RECORD) for seat, user in people.items()}
        before = {seat: decode_record(document.body) for seat, document in stored.items()}
        after = record_with_game(before, match.log, match.claims)
        return [stored[seat]._replace(body=encode_record(record)) for seat, record in after.items()]

    def _is_counted(self, user: UserId) -> bool:
        return is_counted(self.users.load(user).options)
