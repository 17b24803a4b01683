"""Erase a room's finished games and leaderboard, or only the names in them, and what is stored about people.

To erase a room, the service saves it with a mark and makes it due at once. The next invocation that
loads the room continues the erasure before anything else, so it is finished even if a process dies.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.conversation.waking import due
from bot.records.archive import archive_key
from bot.records.leaderboard import SORT, alias_of, decode_board, encode_board, renamed
from bot.records.own_record import SORT as RECORD
from bot.rooms.codec import decode
from bot.rooms.names import from_key
from handlers.service.effects import ERASURE
from infra.outbox.plan import LATELY, PAUSE, SENT, TRIED
from infra.store.archives import Archive, Archives
from infra.store.items import KEEP, Change, Conflict, RoomItem
from infra.store.keys import parse_game_reference, user_key
from infra.store.people import Users
from infra.store.rooms import ATTEMPTS, Rooms
from infra.store.set_aside import TRIES, Aside, SetAside
from infra.store.table import StoreError, StoreUnavailable

_PAGE = 20


@dataclass(frozen=True, slots=True)
class Eraser:
    """Erase rooms' finished games and leaderboards."""

    rooms: Rooms
    archives: Archives
    users: Users
    #: Fresh random bytes as hexadecimal digits.
    entropy: Callable[[], str]
    set_aside: SetAside

    def erase(self, key: str) -> None:
        """Carry out the erasure that a key's room is marked for, if any. Raises StoreUnavailable."""
        item = self.rooms.load_following(key)
        if item is not None:
            self.erase_of(item)

    def erase_of(self, item: RoomItem) -> RoomItem | None:
        """Carry out the erasure that a room is marked for, if any. Returns the room as stored.

        Requests: two for each game and two for each person. After some tries, an erasure that cannot be
        written is set aside. Raises StoreUnavailable. Repeating it is safe.
        """
        for _ in range(ATTEMPTS):
            marked = item.remembered.get(ERASURE)
            if marked is None:
                return item
            room = decode(item.body, item.schema)
            records = archive_key(room)
            keys = {item.key, records, item.moved_from or item.key}
            try:
                self._carry_out(marked, records, keys)
            except StoreError as error:
                body = json.dumps({**marked, "records": records, "keys": sorted(keys)}).encode()
                self.set_aside.count_failure(item, "erasure", str(item.version), body, error)
            if from_key(item.key).private:
                # A private room's key is the person's id, so the whole item goes, unsent messages included.
                if self.rooms.delete(item):
                    return None
                found = self.rooms.load_following(item.key)
                if found is None:
                    return None
                item = found
                continue
            gone = dict.fromkeys((ERASURE, TRIES, *filter(_of_a_person, item.remembered)))
            saved = self.rooms.save(item, Change(remembered=gone, due=KEEP if item.outbox else due(room)))
            if not isinstance(saved, Conflict):
                return saved
            if saved.item is None:
                return None
            item = saved.item
        raise StoreUnavailable("the room is too busy")

    def retry(self, aside: Aside) -> None:
        """Repeat an erasure that was set aside. Raises StoreError."""
        marked = json.loads(aside.body)
        self._carry_out(marked, marked["records"], set(marked["keys"]))
        self.set_aside.drop(aside)

    def _carry_out(self, marked: Mapping[str, Any], records: str, keys: set[str]) -> None:
        self._unlink(marked["people"], keys)
        self.set_aside.forget(rooms=keys)
        (self._delete if marked["whole"] else self._rename)(records, keys)

    def _delete(self, records: str, keys: set[str]) -> None:
        """Delete games and leaderboard. People are unlinked first, because the games name them."""
        while games := self.archives.latest(records, _PAGE):
            self._unlink({user for game in games for user in game.people.values()}, keys)
            for game in games:
                self.archives.delete(records, game.game)
        self._unlink(decode_board(self.archives.load_document(records, SORT).body).entries, keys)
        self.archives.delete_document(records, SORT)

    def _rename(self, records: str, keys: set[str]) -> None:
        """Replace everybody by an alias, first on the leaderboard, then in each game. Then unlink them."""
        aliases = self._rename_on_leaderboard(records)
        last = None
        while games := self.archives.latest(records, _PAGE, last):
            for game in games:
                self._rename_in(game, aliases)
            last = games[-1].game
        self._unlink(aliases, keys)
        for _ in range(ATTEMPTS):
            stored = self.archives.load_document(records, SORT)
            board = decode_board(stored.body)
            left = {user: alias for user, alias in board.leaving.items() if user not in aliases}
            if left == dict(board.leaving):
                return
            if self.archives.save_document(replace(stored, body=encode_board(replace(board, leaving=left)))):
                return
        raise StoreUnavailable("the leaderboard is too busy")

    def _rename_on_leaderboard(self, records: str) -> dict[int, int]:
        """Replace everybody on the leaderboard by an alias; return the aliases by user id."""
        for _ in range(ATTEMPTS):
            stored = self.archives.load_document(records, SORT)
            board = decode_board(stored.body)
            aliases = {user: alias_of(self.entropy()) for user in board.entries if user > 0}
            leaving = {**board.leaving, **{user: (alias, board.last) for user, alias in aliases.items()}}
            changed = replace(renamed(board, aliases), leaving=leaving)
            if changed == board or self.archives.save_document(replace(stored, body=encode_board(changed))):
                return {user: alias for user, (alias, _) in leaving.items()}
        raise StoreUnavailable("the leaderboard is too busy")

    def _rename_in(self, game: Archive, aliases: dict[int, int]) -> None:
        for user in {user for user in game.people.values() if user > 0}:
            alias = aliases.setdefault(user, alias_of(self.entropy()))
            self.archives.forget(game.room, game.game, user, alias)

    def _unlink(self, people: Iterable[int], keys: set[str]) -> None:
        """Remove the room and its games from people's items. Their own statistics stay."""
        for person in sorted(set(people)):
            if person <= 0:
                continue
            user_item = self.users.load(person)
            games = {
                game for game in self.users.finished_games(person) if parse_game_reference(game)[0] in keys
            }
            self.users.unlink(person, user_item.rooms & keys, games)


def _of_a_person(name: str) -> bool:
    """Return True if a value that a room remembers under this name is about a private chat."""
    if name == LATELY:
        return True
    for prefix in (PAUSE, TRIED, SENT):
        if name.startswith(prefix):
            return not name.removeprefix(prefix).startswith("-")
    return False


@dataclass(frozen=True, slots=True)
class PersonEraser:
    """Delete what is stored about people."""

    users: Users
    archives: Archives
    #: Fresh random bytes as hexadecimal digits.
    entropy: Callable[[], str]
    set_aside: SetAside

    def forget(self, user: int, rooms: Collection[str] = ()) -> None:
        """Delete what is stored about a person outside rooms. Keep only the list of ``rooms`` where they sit.

        Requests: three for each group, two for each game. Raises StoreUnavailable. Repeating it is safe.
        """
        for _ in range(ATTEMPTS):
            finished, archives = self.users.load(user).finished, self.users.finished_games(user)
            for key in sorted({parse_game_reference(archive)[0] for archive in archives}):
                self._rename_in_room(key, user)
            self.archives.delete_document(user_key(user), RECORD)
            self.set_aside.forget(chats=[user])
            # A game that ended meanwhile may have put them on the leaderboard again.
            self.users.drop_games(user, archives)
            if self.users.forget(user, finished, rooms):
                return
        raise StoreUnavailable("too much at once")

    def _rename_in_room(self, key: str, user: int) -> None:
        """Replace a person by an alias on one leaderboard, then in its archives.

        The leaderboard is changed first. It stores the last game that gets the alias. A later game of the
        person there counts as a new player's.
        """
        for _ in range(ATTEMPTS):
            stored = self.archives.load_document(key, SORT)
            board = decode_board(stored.body)
            leaving = dict(board.leaving)
            if user in leaving:
                alias, last = leaving.pop(user)
                self._rename(key, user, alias, last)
                changed = replace(board, leaving=leaving)
            elif user in board.entries:
                alias = alias_of(self.entropy())
                leaving[user] = alias, board.last
                changed = replace(renamed(board, {user: alias}), leaving=leaving)
            else:
                return
            # If somebody else wrote first, nothing is saved. Either way, look again at what is left.
            self.archives.save_document(replace(stored, body=encode_board(changed)))
        raise StoreUnavailable("the leaderboard is too busy")

    def _rename(self, key: str, user: int, alias: int, last: str) -> None:
        for archive in sorted(self.users.finished_games(user)):
            room, game = parse_game_reference(archive)
            if room == key and game <= last:
                self.archives.forget(room, game, user, alias)
