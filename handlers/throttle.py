"""How often one person may ask the bot in private, as far as this process knows."""

from collections import deque
from collections.abc import Callable

#: Private commands of one person that are answered within a minute.
PER_MINUTE = 20
MINUTE = 60.0
#: So many people are remembered at most; the longest unheard is forgotten first.
PEOPLE = 5_000


class Throttle:
    """Counts what people ask. In memory only: a limit that needs a write costs more than it saves."""

    def __init__(self, clock: Callable[[], float], per_minute: int = PER_MINUTE) -> None:
        self._clock = clock
        self._per_minute = per_minute
        self._asked: dict[int, deque[float]] = {}

    def allows(self, user: int) -> bool:
        """Count one more command of a person; whether it is to be answered."""
        now = self._clock()
        times = self._asked.pop(user, None) or deque()
        self._asked[user] = times
        if len(self._asked) > PEOPLE:
            del self._asked[next(iter(self._asked))]
        while times and times[0] <= now - MINUTE:
            times.popleft()
        if len(times) >= self._per_minute:
            return False
        times.append(now)
        return True
