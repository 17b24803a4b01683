"""How often one person may ask the bot, as far as this process knows."""

from collections import deque
from collections.abc import Callable, Hashable

#: Private commands of one person that are answered within a minute.
PER_MINUTE = 20
#: Commands of one person in one group, of the few that the group is answered: see `conversation.limits`.
IN_A_GROUP = 5
MINUTE = 60.0
#: So many people are remembered at most; the longest unheard is forgotten first.
PEOPLE = 5_000


class Throttle:
    """Counts what people ask. In memory only: a limit that needs a write costs more than it saves."""

    def __init__(self, clock: Callable[[], float], per_minute: int = PER_MINUTE) -> None:
        self._clock = clock
        self._per_minute = per_minute
        self._asked: dict[Hashable, deque[float]] = {}

    def allows(self, who: Hashable) -> bool:
        """Count one more command of a person, or of a person in a group; whether it is to be answered."""
        now = self._clock()
        times = self._asked.pop(who, None) or deque()
        self._asked[who] = times
        if len(self._asked) > PEOPLE:
            del self._asked[next(iter(self._asked))]
        while times and times[0] <= now - MINUTE:
            times.popleft()
        if len(times) >= self._per_minute:
            return False
        times.append(now)
        return True
