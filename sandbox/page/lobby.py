"""Prepare a game with a few calls: open a lobby, add computers, take a seat and start."""

from collections.abc import Callable

from bot.display import buttons
from bot.rooms.model import Lobby, Room
from bot.rooms.names import RoomName
from sandbox.buttons import data_with_verb, newest_with_button
from sandbox.game import newest_ruleset, taps_to_choose
from sandbox.page.auto_players import JOIN, START
from sandbox.telegram import Chat, Message, Telegram, User


class LobbyHost:
    """Open lobbies and start games in a group, with the commands and taps that people use."""

    def __init__(
        self,
        telegram: Telegram,
        group: Chat,
        room: Callable[[], Room | None],
        settle: Callable[[], None],
    ) -> None:
        """``room`` returns the group's stored room. ``settle`` lets the bot handle everything that is due."""
        self.telegram = telegram
        self.group = group
        self._room = room
        self._settle = settle

    def open_lobby(self, host: User, ruleset: str | None = None) -> None:
        """Open a lobby as ``host``. Raises ValueError if no ruleset has this name."""
        wanted = None if ruleset is None else newest_ruleset(ruleset).id
        self.telegram.send(host, self.group, "/newgame")
        self._settle()
        room, message = self._room(), newest_with_button(self.group, JOIN)
        if wanted is None or room is None or room.lobby is None or message is None:
            return
        for data in taps_to_choose(room, "ruleset", wanted):
            self._tap(host, message, data)

    def add_computers(self, host: User, seats: int) -> None:
        """Add computers as ``host`` until ``seats`` seats are taken, or as many as the game needs."""
        lobby, message = self._lobby(), newest_with_button(self.group, JOIN)
        if lobby is None or message is None:
            return
        missing = min(max(seats, min(lobby.sizes)), max(lobby.sizes)) - len(lobby.players)
        if missing <= 0:
            return
        # The lobby's own buttons add fewer at a time, but the bot takes any number.
        data = buttons.data(
            RoomName(self.group.id), "computers", lobby.number, lobby.computer_count + missing
        )
        self.telegram.tap(host, message, data, forged=True)
        self._settle()

    def seat_and_start(self, user: User, seats: int) -> None:
        """Seat ``user`` with computers, and start the game. Open a lobby first if there is none.

        Raises ValueError if a game is running already.
        """
        if self._begun():
            raise ValueError("a game is running already")
        if self._lobby() is None:
            self.open_lobby(user)
        lobby, message = self._lobby(), newest_with_button(self.group, JOIN)
        if lobby is None or message is None:
            return  # the bot told the group why no lobby opens
        if not lobby.is_seated(user.id):
            self._tap(user, message, data_with_verb(message, JOIN)[0])
            self._follow(user)
        self.add_computers(user, seats)
        self._tap(user, message, data_with_verb(message, START)[0])

    def _follow(self, user: User) -> None:
        """Press Start in the private chat, if joining led there first."""
        toasts = self.telegram.toasts(user)
        if toasts and toasts[-1].url and not user.started:
            self.telegram.open_link(user, toasts[-1].url)
            self._settle()

    def _tap(self, user: User, message: Message, data: str) -> None:
        self.telegram.tap(user, message, data)
        self._settle()

    def _lobby(self) -> Lobby | None:
        room = self._room()
        return None if room is None else room.lobby

    def _begun(self) -> bool:
        room = self._room()
        return room is not None and (room.playing is not None or room.sealed is not None)


def group_state(room: Room | None, *, unsent: bool) -> str:
    """Return the state of the group: ``empty``, ``lobby``, ``sealed``, ``playing`` or ``over``.

    ``unsent``: messages wait to be sent. A game counts as playing until its end is announced.
    """
    if room is None:
        return "empty"
    if room.lobby is not None:
        return "lobby"
    if room.sealed is not None:
        return "sealed"
    if room.match is None:
        return "empty"
    return "playing" if unsent or not room.match.over else "over"
