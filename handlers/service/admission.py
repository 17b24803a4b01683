"""Decide which groups may play, reject forged taps, and limit commands and private taps."""

from collections import deque
from collections.abc import Callable, Hashable

from bot.conversation import limits
from bot.conversation.incoming import Command, DeepLink, Incoming, Tap
from bot.display.buttons import IN_PRIVATE, Verb
from bot.rooms.codec import decode
from bot.rooms.names import ChatId, RoomName, from_key
from engine.frozen import frozen
from infra.store.orders import Orders
from infra.store.people import Users
from infra.store.rooms import Rooms

#: Taps in a group that join a game or open a lobby.
STARTING_TAPS: frozenset[Verb] = frozenset({"join", "sit", "rematch"})
#: Taps in private that start a practice game or its lobby.
STARTING_TAPS_IN_PRIVATE: frozenset[Verb] = frozenset({"practice", "start", "rematch"})


@frozen
class Admission:
    """Keep out forged taps, groups that may not play, and people whom the operator has banned."""

    rooms: Rooms
    users: Users
    #: The groups that the deployment's settings allow; None: the operator's orders decide.
    allowed_chats: frozenset[int] | None = None
    #: The operator's bans and list of groups; None: nobody is banned, and there is no list.
    orders: Orders | None = None

    def admits(self, incoming: Incoming, room: RoomName) -> bool:
        """Return True if the room may handle this update."""
        if isinstance(incoming, Tap) and not self._is_in_named_chat(incoming):
            return False
        # The operator's list and bans apply to commands, and to taps that join or start something. Other taps
        # still work if the deployment's list allows the group, so that a game can be played to its end.
        beginning = STARTING_TAPS_IN_PRIVATE if room.private else STARTING_TAPS
        if isinstance(incoming, Command | DeepLink) or (
            isinstance(incoming, Tap) and incoming.verb in beginning
        ):
            return self.may_play(room) and self.is_welcome(room.chat, incoming.person.id)
        return self.allowed_chats is None or self._is_listed(room, self.allowed_chats)

    def is_welcome(self, *ids: int) -> bool:
        """Return True if the operator has banned none of these groups and people."""
        return self.orders is None or self.orders.known().banned.isdisjoint(ids)

    def may_play(self, room: RoomName) -> bool:
        """Return True if games may begin there. The deployment's list decides, or else the operator's.

        If neither has a list, games may begin everywhere.
        """
        listed = self.allowed_chats
        if listed is None and self.orders is not None:
            listed = self.orders.known().allowed or None
        return listed is None or self._is_listed(room, listed)

    def _is_listed(self, room: RoomName, listed: frozenset[int]) -> bool:
        """Return True if a group is on the list, or was before it became a supergroup.

        A person's own room counts as listed if their item names a room of such a group.
        """
        if room.chat in listed:
            return True
        if room.private:
            known = map(from_key, self.users.load(room.chat).rooms)
            return any(self._is_listed(other, listed) for other in known if not other.private)
        item = self.rooms.load_following(room.key)
        return item is not None and decode(item.body, item.schema).origin in listed

    def _is_in_named_chat(self, tap: Tap) -> bool:
        """Return False if a tap comes from a chat in which its button cannot be. Such a tap may be forged.

        If a group became a supergroup, its old buttons still name the old chat.
        """
        if tap.room.private:  # only the owner of a private chat can tap there
            return tap.room.chat == ChatId(tap.person.id) and bool(tap.private_message)
        if tap.verb in IN_PRIVATE or tap.group == tap.room.chat:
            return True
        item = None if tap.group is None else self.rooms.load_following(tap.room.key)
        return item is not None and from_key(item.key).chat == tap.group


# --- throttle -----------------------------------------------------------------------------------------------
# Limit how many commands and private taps the bot takes from one person. Each process counts for itself.

#: The most private commands of one person that are answered within a minute. /start and /role count
#: separately.
PER_MINUTE = 20
#: The most commands of one person in one group that reach the room within a minute. The last one exceeds the
#: room's own limit, so the room warns the group. Commands that a game needs do not count.
GROUP_COMMANDS_PER_MINUTE = limits.PER_PERSON + 1
#: The most taps of one person in private that are answered within a minute. Reading the rules takes many.
PRIVATE_TAPS_PER_MINUTE = 60
MINUTE = 60.0
#: The most keys (such as people) that a throttle counts. If there are more, the key whose last request is the
#: longest ago is forgotten.
MOST_KEYS = 5_000
#: The most updates for which a throttle remembers its decision. The oldest is forgotten first.
MOST_UPDATES = 5_000


class Throttle:
    """Count requests by key, in memory only: a limit that needs a write costs more than it saves."""

    def __init__(self, clock: Callable[[], float], per_minute: int) -> None:
        self._clock = clock
        self._per_minute = per_minute
        self._times: dict[Hashable, deque[float]] = {}
        #: The decision by key and update, made when Telegram first sent the update.
        self._decided: dict[tuple[Hashable, int], bool] = {}

    def allows(self, key: Hashable, update_id: int | None = None) -> bool:
        """Count a request. Return True if its key is still within the limit.

        The key is a person, or a person in a group, for example. An update counts once, however often
        Telegram sends it.
        """
        if update_id is None:
            return self._count(key)
        if (key, update_id) not in self._decided:
            self._decided[key, update_id] = self._count(key)
            if len(self._decided) > MOST_UPDATES:
                del self._decided[next(iter(self._decided))]
        return self._decided[key, update_id]

    def _count(self, key: Hashable) -> bool:
        now = self._clock()
        times = self._times.pop(key, None) or deque()
        self._times[key] = times
        if len(self._times) > MOST_KEYS:
            del self._times[next(iter(self._times))]
        # Forget times that are a minute ago or more, and times in the future (the clock was set back since).
        while times and not now - MINUTE < times[0] <= now:
            times.popleft()
        if len(times) >= self._per_minute:
            return False
        times.append(now)
        return True


class Throttles:
    """One bot's throttles, one for each kind of request."""

    def __init__(self, clock: Callable[[], float]) -> None:
        #: Private commands.
        self.commands = Throttle(clock, PER_MINUTE)
        #: Taps in private.
        self.taps = Throttle(clock, PRIVATE_TAPS_PER_MINUTE)
        #: Commands in a group, so that one person cannot use up the group's limit.
        self.in_groups = Throttle(clock, GROUP_COMMANDS_PER_MINUTE)
        #: Warnings to rate-limited people.
        self.warnings = Throttle(clock, 1)
