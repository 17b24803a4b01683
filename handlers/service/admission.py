"""Decide which groups may play, reject forged taps, and limit how often one person may ask."""

from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from bot.conversation import limits
from bot.conversation.incoming import Command, DeepLink, Incoming, Tap
from bot.display.buttons import IN_PRIVATE
from bot.rooms.codec import decode
from bot.rooms.names import RoomName, from_key
from infra.store.orders import Orders
from infra.store.people import Users
from infra.store.rooms import Rooms

#: Taps that join or begin a game.
BEGINNING = frozenset({"join", "sit", "rematch"})
#: The same for practice.
BEGINNING_ALONE = frozenset({"practice", "start", "rematch"})


@dataclass(frozen=True, slots=True)
class Admission:
    """Keep out forged taps, and groups that are not on the list."""

    rooms: Rooms
    users: Users
    #: The groups that may play; None: those that the operator allowed.
    allowed_chats: frozenset[int] | None = None
    #: The operator's orders; None: there are none.
    orders: Orders | None = None

    def admits(self, incoming: Incoming, name: RoomName) -> bool:
        """Return True if the room may handle this."""
        if not self._is_in_named_chat(incoming):
            return False
        # A running game is played to its end, since the people at the table are not to blame.
        beginning = BEGINNING_ALONE if name.private else BEGINNING
        if isinstance(incoming, Command | DeepLink) or (
            isinstance(incoming, Tap) and incoming.verb in beginning
        ):
            return self.may_play(name) and self.is_welcome(name.chat, incoming.person.id)
        return self._is_listed(name, self.allowed_chats)

    def is_welcome(self, *who: int) -> bool:
        """Return True if the operator has banned none of these groups and people."""
        return self.orders is None or self.orders.known().banned.isdisjoint(who)

    def may_play(self, name: RoomName) -> bool:
        """Return True if games may begin there: by the deployment's list, or else by the operator's."""
        listed = self.allowed_chats
        if listed is None and self.orders is not None:
            listed = self.orders.known().allowed or None
        return self._is_listed(name, listed)

    def _is_listed(self, name: RoomName, listed: frozenset[int] | None) -> bool:
        """Return True if a group is on the list, or was before it became a supergroup.

        People who are known in such a group may practise.
        """
        if listed is None or name.chat in listed:
            return True
        if name.private:
            known = map(from_key, self.users.load(name.chat).rooms)
            return any(self._is_listed(room, listed) for room in known if not room.private)
        item = self.rooms.load_following(name.key)
        return item is not None and decode(item.body, item.schema).origin in listed

    def _is_in_named_chat(self, incoming: Incoming) -> bool:
        """Return True if a tapped button is in the chat that it names.

        If a group became a supergroup, its buttons name the old chat, wherever Telegram shows them now.
        """
        if not isinstance(incoming, Tap):
            return True
        if incoming.room.private:  # only the owner of a private chat can tap there
            return incoming.room.chat == incoming.person.id and bool(incoming.private_message)
        if incoming.verb in IN_PRIVATE or incoming.group == incoming.room.chat:
            return True
        item = None if incoming.group is None else self.rooms.load_following(incoming.room.key)
        return item is not None and from_key(item.key).chat == incoming.group


# --- throttle -----------------------------------------------------------------------------------------------
# Limit how often one person may ask the bot. Each process counts for itself.

#: The private commands of one person answered within a minute.
PER_MINUTE = 20
#: The commands of one person in one group that reach the room within a minute. The last one gets a warning.
IN_A_GROUP = limits.PER_PERSON + 1
#: The taps of one person in private answered within a minute. Reading the rules takes many.
TAPS = 60
MINUTE = 60.0
#: The most people remembered. The person who has been silent for longest is forgotten first.
PEOPLE = 5_000
#: The most updates whose answers are remembered; the oldest is forgotten first.
UPDATES = 5_000


class Throttle:
    """Count people's requests, in memory only: a limit that needs a write costs more than it saves."""

    def __init__(self, clock: Callable[[], float], per_minute: int = PER_MINUTE) -> None:
        self._clock = clock
        self._per_minute = per_minute
        self._asked: dict[Hashable, deque[float]] = {}
        #: The decision by person and update, made when Telegram first brought the update.
        self._decided: dict[tuple[Hashable, int], bool] = {}

    def allows(self, who: Hashable, update_id: int | None = None) -> bool:
        """Count a command of a person, or of a person in a group. Returns whether to answer it.

        An update counts once, however often Telegram sends it.
        """
        if update_id is None:
            return self._count(who)
        if (who, update_id) not in self._decided:
            self._decided[who, update_id] = self._count(who)
            if len(self._decided) > UPDATES:
                del self._decided[next(iter(self._decided))]
        return self._decided[who, update_id]

    def _count(self, who: Hashable) -> bool:
        now = self._clock()
        times = self._asked.pop(who, None) or deque()
        self._asked[who] = times
        if len(self._asked) > PEOPLE:
            del self._asked[next(iter(self._asked))]
        while times and not now - MINUTE < times[0] <= now:  # long ago, or timed before a clock was set back
            times.popleft()
        if len(times) >= self._per_minute:
            return False
        times.append(now)
        return True


@dataclass(frozen=True, slots=True)
class Throttles:
    """One throttle for each kind of request."""

    #: Private commands.
    commands: Throttle
    #: Taps in private.
    taps: Throttle
    #: Commands in a group, so that one person cannot use up the group's limit.
    in_groups: Throttle
    #: Warnings to rate-limited people.
    warnings: Throttle


def throttles(clock: Callable[[], float]) -> Throttles:
    """Return the throttles of one bot."""
    return Throttles(Throttle(clock), Throttle(clock, TAPS), Throttle(clock, IN_A_GROUP), Throttle(clock, 1))
