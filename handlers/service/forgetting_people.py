"""A person wants to be forgotten: their statistics go, and in the archives of their games an alias stands.

The alias is drawn anew in each room and says nothing of who it is; games and ratings of the others stay
what they were. Begun and interrupted anywhere, it is carried on when it is asked for again.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from bot.records.leaderboard import SORT, alias_of, decode_board, encode_board
from infra.store.archives import Archives
from infra.store.keys import parse_game_reference
from infra.store.people import Users
from infra.store.rooms import ATTEMPTS
from infra.store.table import StoreUnavailable


@dataclass(frozen=True, slots=True)
class Forgetting:
    """Forgets people."""

    users: Users
    archives: Archives
    #: Fresh random bytes as hexadecimal digits.
    entropy: Callable[[], str]

    def forget(self, user: int, rooms: Collection[str] = ()) -> None:
        """Delete what is kept of a person outside of rooms, but for the rooms in which they still sit.

        Requests: three for each group, two for each game. Raises StoreUnavailable; repeating it is safe.
        """
        for _ in range(ATTEMPTS):
            archives = self.users.load(user).archives
            for key in sorted({parse_game_reference(archive)[0] for archive in archives}):
                self._leave(key, user)
            # A game that ended meanwhile has put them on the board again.
            if self.users.forget(user, archives, rooms):
                return
        raise StoreUnavailable("too much at once")

    def _leave(self, key: str, user: int) -> None:
        """Put an alias in the person's place on one leaderboard, then in the archives behind it.

        The leaderboard comes first and says until which game the alias holds: a game that ends from now
        on finds the person new there.
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
                entries = dict(board.entries)
                entries[alias] = replace(entries.pop(user), name="")
                changed = replace(board, entries=entries, leaving={**leaving, user: (alias, board.last)})
            else:
                return
            # Whether or not somebody else was quicker, look again what is left to do.
            self.archives.save_document(replace(stored, body=encode_board(changed)))
        raise StoreUnavailable("the leaderboard is too busy")

    def _rename(self, key: str, user: int, alias: int, last: str) -> None:
        for archive in self.users.load(user).archives:
            room, game = parse_game_reference(archive)
            if room == key and game <= last:
                self.archives.forget(room, game, user, alias)
