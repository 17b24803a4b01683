"""Limit how often one person may ask the bot, as far as this process knows."""

from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from bot.conversation import limits

#: The private commands of one person answered within a minute.
PER_MINUTE = 20
#: The commands of one person in one group that reach the room. The last one is told that it is too many.
IN_A_GROUP = limits.PER_PERSON + 1
#: Taps of one person in private: somebody who reads the rules turns many pages.
TAPS = 60
MINUTE = 60.0
#: The most people remembered; the one unheard of for longest is forgotten first.
PEOPLE = 5_000
#: The most updates whose answers are remembered; the oldest is forgotten first.
UPDATES = 5_000


class Throttle:
    """Counts what people ask. In memory only: a limit that needs a write costs more than it saves."""

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
            return self._counted(who)
        if (who, update_id) not in self._decided:
            self._decided[who, update_id] = self._counted(who)
            if len(self._decided) > UPDATES:
                del self._decided[next(iter(self._decided))]
        return self._decided[who, update_id]

    def _counted(self, who: Hashable) -> bool:
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
    """All that is counted of what people ask."""

    #: Private commands.
    commands: Throttle
    #: Taps in private.
    taps: Throttle
    #: Commands in a group, so that one person cannot use up the group's limit.
    in_groups: Throttle
    #: Warnings to people who ask too much.
    warnings: Throttle


def throttles(clock: Callable[[], float]) -> Throttles:
    """Return the throttles of one bot."""
    return Throttles(Throttle(clock), Throttle(clock, TAPS), Throttle(clock, IN_A_GROUP), Throttle(clock, 1))
