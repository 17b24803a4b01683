"""Callback data: a verb, the room, and small numbers, within Telegram's 64 bytes.

It holds no secret: an answer is identified by its question's number and its option's index.
"""

import re
from dataclasses import dataclass

from bot.rooms.names import RoomName, from_short

#: The verbs, each with the count of numbers that follow it.
VERBS = {
    "join": 1,  # lobby
    "leave": 1,  # lobby
    "start": 1,  # lobby
    "beacon": 2,  # lobby, 1: deal without it, 0: wait
    "host": 2,  # lobby, user
    "remove": 2,  # lobby, user (below 0: a computer, by its name's checksum)
    "computers": 2,  # lobby, their new number
    "rematch": 1,  # game
    "night": 2,  # the game night's beginning, the answer
    "setup": 3,  # lobby, item (-1: close, 0: all), value (0: show its values)
    "answer": 3,  # game, question, option
    "guess": 2,  # game, seat
    "claim": 4,  # game, round, kind, choice
    "clock": 2,  # game, question
    "cancel": 3,  # lobby or game, the game's question (0: only a lobby yet), 1: yes, 0: no
    "off": 1,  # game: vote to cancel it, too
    "back": 1,  # game: the player for whom a computer answered is back
    "quit": 3,  # game, seat, 1: leave, 0: stay
    "sit": 2,  # game, seat
    "replace": 2,  # game, seat
    "unseat": 2,  # game, seat (-1: show them)
    "set": 2,  # setting (-1: close, 0: all), value (0: show its values)
    "board": 4,  # board of the group's own, panel, thing, change
    "rules": 3,  # ruleset (0: the one played here), page (-1: choose), power (0: none)
    "own-rules": 3,  # the same in a private chat
    "role": 1,  # game
    "note": 3,  # game, seat (-1: show the game's buttons), the note to store (0: none)
    "again": 2,  # command, the number of lobbies so far
    "language": 1,  # its number (0: Telegram's)
    "counted": 1,  # 1: counted in statistics, 0: not
    "curve": 1,  # 0
    "forget": 1,  # 1: yes, 0: no
    "fair": 1,  # 1: why a deal is fair, 2 and 4: how to play, 3: what the bot stores, 0: back
    "proof": 1,  # game
    "film": 2,  # game, time of its end: watch it again, in private
    "decided": 2,  # game, time of its end: what decided it, in private
    "step": 4,  # game, when it ended, step, 0: as the table saw it, 1: as it was (of step -1: a new message)
    "lookback": 2,  # game, when it ended
    "opened": 2,  # game, when it ended: its proof
    "watch": 1,  # game: as a dead player, see all cards from now on
    "erase": 2,  # the number of lobbies so far, 1: erase all of the group's data, 0: nothing
    "howto": 1,  # lobby: how to play, in private
    "learn": 1,  # lobby: practice by its rules, in private
    "practice": 2,  # 0: open a table, 1: end the game, 2: go on with it; the game (0 for a table)
    "advise": 2,  # game, question: what a good player would do
}

#: The places of buttons: under messages of the group that they name, or in private chats. Anybody can forge
#: callback data, but not the chat of a tap. So if a verb belongs only in groups, a tap from elsewhere does
#: not count. In private chats a tap concerns only the tapper's own seat or data.
IN_GROUPS = frozenset(
    {
        *("join", "leave", "start", "beacon", "host", "remove", "rematch", "setup", "answer", "clock"),
        *("cancel", "off", "computers"),
        *("quit", "sit", "replace", "unseat", "set", "board", "rules", "role", "again", "howto"),
        *("learn", "proof", "erase", "film", "decided", "night"),
    }
)
#: A lobby's buttons are also in a person's own room. "role" is also in groups: it shows the tapper their own
#: role.
IN_PRIVATE = frozenset(
    {
        *("answer", "claim", "guess", "watch", "own-rules", "language", "counted", "curve", "forget", "fair"),
        *("practice", "advise", "role", "note", "step", "lookback", "opened", "back"),
    }
)

_SEPARATOR = "|"
#: Numbers as we write them. Python's ``int`` also takes spaces, underscores and other scripts' digits.
_NUMBER = re.compile("-?[0-9]{1,17}")
#: Enough digits for a user id or a language, and few enough to be safe with forged buttons.
_TOO_LARGE = 10**17
#: Telegram's limit.
MAX_BYTES = 64


@dataclass(frozen=True, slots=True)
class Button:
    """One button of an inline keyboard: exactly one of ``data`` and ``url``."""

    text: str
    data: str | None = None
    url: str | None = None


#: A row of buttons.
Row = tuple[Button, ...]


def data(room: RoomName, verb: str, *args: int) -> str:
    """Return a button's callback data.

    Raises ValueError for an unknown verb, a wrong number of arguments, or one that ``read`` does not accept.
    """
    if VERBS.get(verb) != len(args):
        raise ValueError(f"{verb!r} does not take {len(args)} arguments")
    if max(map(abs, args), default=0) >= _TOO_LARGE:
        raise ValueError(f"{verb!r} carries a number that is too large")
    return _SEPARATOR.join((verb, room.short, *map(str, args)))


def read(text: str) -> tuple[RoomName, str, tuple[int, ...]] | None:
    """Read callback data; None if it is not ours. Anybody can forge it."""
    if len(text.encode()) > MAX_BYTES:
        return None
    verb, _, rest = text.partition(_SEPARATOR)
    short, *numbers = rest.split(_SEPARATOR)
    if VERBS.get(verb) != len(numbers) or not all(map(_NUMBER.fullmatch, numbers)):
        return None
    try:
        return from_short(short), verb, tuple(int(number) for number in numbers)
    except ValueError:
        return None
