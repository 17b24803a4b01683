"""Erase rooms' finished games and leaderboards, or replace the people in them by aliases.

Also delete what is stored about a person.

To erase a room's games, the service saves the room with a mark and makes it due at once. If the process dies
before the erasure is done, the next invocation that loads the room carries it out before anything else.
"""

import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from bot.conversation.waking import due
from bot.records.archive import archive_key
from bot.records.leaderboard import SORT, Leaderboard, alias_of, decode_board, encode_board, renamed
from bot.records.own_record import SORT as RECORD
from bot.rooms.codec import decode
from bot.rooms.names import UserId, from_key
from engine.frozen import frozen
from infra.store.archives import Archives
from infra.store.items import KEEP, Change, Conflict, Erasure, Patch, Remembered, RoomItem
from infra.store.people import Users
from infra.store.rooms import WRITE_ATTEMPTS, Rooms
from infra.store.set_aside import Aside, SetAside
from infra.store.table import StoreError, StoreUnavailable, parse_game_reference, user_key

_PAGE = 20


@frozen
class Eraser:
    """Erase rooms' finished games and leaderboards, and delete what is stored about people."""

    rooms: Rooms
    archives: Archives
    users: Users
    #: Fresh random bytes as hexadecimal digits.
    entropy: Callable[[], str]
    set_aside: SetAside

    def erase(self, item: RoomItem | None) -> RoomItem | None:
        """Carry out the erasure for which a room is marked, if any. Return the room's item, or None if gone.

        It calls the store several times for each game and each person. After some tries, an erasure that
        fails is set aside. Raises StoreError. Repeating it is safe.
        """
        for _ in range(WRITE_ATTEMPTS):
            if item is None or (marked := item.remembered.erasure) is None:
                return item
            room = decode(item.body, item.schema)
            archives_key = archive_key(room)
            keys = {item.key, archives_key, item.moved_from or item.key}
            try:
                self._carry_out(marked, archives_key, keys)
            except StoreError as error:
                body = json.dumps({**marked, "records": archives_key, "keys": sorted(keys)}).encode()
                self.set_aside.count_failure(item, "erasure", str(item.version), body, error)
            if from_key(item.key).private:
                # A private room's key contains the person's id. So delete the whole item, with its unsent
                # messages.
                if self.rooms.delete(item):
                    return None
                item = self.rooms.load_following(item.key)
                continue
            gone = _without_private_chats(item.remembered) | {"erasure": None, "tries": None}
            saved = self.rooms.save(item, Change(remembered=gone, due=KEEP if item.outbox else due(room)))
            if not isinstance(saved, Conflict):
                return saved
            item = saved.item
        raise StoreUnavailable("the room is too busy")

    def retry(self, aside: Aside) -> None:
        """Repeat an erasure that was set aside. Raises StoreError."""
        marked = json.loads(aside.body)
        self._carry_out(marked, marked["records"], set(marked["keys"]))
        self.set_aside.drop(aside)

    def _carry_out(self, marked: Erasure, archives_key: str, keys: set[str]) -> None:
        self._unlink(marked["people"], keys)
        self.set_aside.forget(rooms=keys)
        (self._delete if marked["whole"] else self._rename)(archives_key, keys)

    def _delete(self, archives_key: str, keys: set[str]) -> None:
        """Delete games and leaderboard.

        First unlink the people, because their ids are read from the games and the leaderboard.
        """
        while archives := self.archives.latest(archives_key, _PAGE):
            self._unlink({user for archive in archives for user in archive.people.values()}, keys)
            for archive in archives:
                self.archives.delete(archives_key, archive.game)
        self._unlink(decode_board(self.archives.load_document(archives_key, SORT).body).entries, keys)
        self.archives.delete_document(archives_key, SORT)

    def _rename(self, archives_key: str, keys: set[str]) -> None:
        """Replace everybody by an alias, first on the leaderboard, then in each game. Then unlink them."""

        def hidden(leaderboard: Leaderboard) -> Leaderboard:
            aliases = {user: alias_of(self.entropy()) for user in leaderboard.entries if user > 0}
            new = {user: (alias, leaderboard.last) for user, alias in aliases.items()}
            return replace(renamed(leaderboard, aliases), leaving={**leaderboard.leaving, **new})

        leaving = self._change_leaderboard(archives_key, hidden).leaving
        aliases = {user: alias for user, (alias, _) in leaving.items()}
        last = None
        while archives := self.archives.latest(archives_key, _PAGE, last):
            for archive in archives:
                for user in {UserId(user) for user in archive.people.values() if user > 0}:
                    alias = aliases.setdefault(user, alias_of(self.entropy()))
                    self.archives.forget(archive.room, archive.game, user, alias)
            last = archives[-1].game
        self._unlink(aliases, keys)

        def forgotten(leaderboard: Leaderboard) -> Leaderboard:
            left = {user: alias for user, alias in leaderboard.leaving.items() if user not in aliases}
            return replace(leaderboard, leaving=left)

        self._change_leaderboard(archives_key, forgotten)

    def _change_leaderboard(self, key: str, change: Callable[[Leaderboard], Leaderboard]) -> Leaderboard:
        """Store and return the changed leaderboard. If somebody else writes first, change the newer one."""
        for _ in range(WRITE_ATTEMPTS):
            stored = self.archives.load_document(key, SORT)
            leaderboard = decode_board(stored.body)
            changed = change(leaderboard)
            document = stored._replace(body=encode_board(changed))
            if changed == leaderboard or self.archives.save_document(document):
                return changed
        raise StoreUnavailable("the leaderboard is too busy")

    def _unlink(self, people: Iterable[int], keys: set[str]) -> None:
        """Remove the room and its games from what is stored about people. Their own statistics stay."""
        for user in sorted(set(people)):
            if user <= 0:
                continue
            user_item = self.users.load(user)
            games = {one for one in self.users.finished_games(user) if parse_game_reference(one)[0] in keys}
            self.users.unlink(user, user_item.rooms & keys, games)

    # --- one person -----------------------------------------------------------------------------------------

    def forget_person(self, user: UserId, rooms: Collection[str] = ()) -> None:
        """Delete what is stored about a person outside rooms.

        ``rooms`` are the keys of the rooms in which they still take part. If there are any, these keys stay,
        and the bot may still write to the person. It calls the store several times for each group and each
        game. Raises StoreError. Repeating it is safe.
        """
        for _ in range(WRITE_ATTEMPTS):
            finished, references = self.users.load(user).finished, self.users.finished_games(user)
            for key in sorted({parse_game_reference(reference)[0] for reference in references}):
                self._rename_in_room(key, user)
            self.archives.delete_document(user_key(user), RECORD)
            self.set_aside.forget(chats=[user])
            self.users.drop_games(user, references)
            # If a game ended meanwhile, it may have put them on the leaderboard again. Then begin again.
            if self.users.forget(user, finished, rooms):
                return
        raise StoreUnavailable("too much at once")

    def _rename_in_room(self, key: str, user: UserId) -> None:
        """Replace a person by an alias on one leaderboard, then in its archives.

        The leaderboard is changed first. It stores the alias, and the last game counted so far. In the games
        up to that one, the alias replaces the person. If they play there later, they count as a new player.
        """
        for _ in range(WRITE_ATTEMPTS):
            stored = self.archives.load_document(key, SORT)
            leaderboard = decode_board(stored.body)
            leaving = dict(leaderboard.leaving)
            if user in leaving:
                alias, last = leaving.pop(user)
                for reference in sorted(self.users.finished_games(user)):
                    room, game = parse_game_reference(reference)
                    if room == key and game <= last:
                        self.archives.forget(room, game, user, alias)
                changed = replace(leaderboard, leaving=leaving)
            elif user in leaderboard.entries:
                alias = alias_of(self.entropy())
                leaving[user] = alias, leaderboard.last
                changed = replace(renamed(leaderboard, {user: alias}), leaving=leaving)
            else:
                return
            # If somebody else wrote first, nothing is saved. Either way, read it again and go on.
            self.archives.save_document(stored._replace(body=encode_board(changed)))
        raise StoreUnavailable("the leaderboard is too busy")


def _without_private_chats(remembered: Remembered) -> Patch:
    """Return the patch that forgets the times and failures of private chats."""
    return {
        "private_sends": None,
        "pauses": {chat: None for chat in remembered.pauses if chat > 0},
        "failures": {chat: None for chat in remembered.failures if chat > 0},
    }
