"""How often one person may ask the bot, as far as this process knows."""

from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from bot.conversation import limits

#: Private commands of one person that are answered within a minute.
PER_MINUTE = 20
#: Commands of one person in one group that reach the room: one more than it answers, to which it says so.
IN_A_GROUP = limits.PER_PERSON + 1
#: Taps of one person in private: who reads the rules turns many pages.
TAPS = 60
MINUTE = 60.0
#: So many people are remembered at most; the longest unheard is forgotten first.
PEOPLE = 5_000
#: Of so many updates it is remembered at most what was said to them; the oldest is forgotten first.
UPDATES = 5_000


class Throttle:
    """Counts what people ask. In memory only: a limit that needs a write costs more than it saves."""

    def __init__(self, clock: Callable[[], float], per_minute: int = PER_MINUTE) -> None:
        self._clock = clock
        self._per_minute = per_minute
        self._asked: dict[Hashable, deque[float]] = {}
        #: By person and update, what was decided when Telegram first brought it.
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
        while times and not now - MINUTE < times[0] <= now:  # long ago, or by a clock that was set back
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
    #: Commands in a group, so that no one alone uses up what it may ask.
    in_groups: Throttle
    #: How often somebody hears that it is too much.
    warnings: Throttle


def throttles(clock: Callable[[], float]) -> Throttles:
    """The throttles of one bot."""
    return Throttles(Throttle(clock), Throttle(clock, TAPS), Throttle(clock, IN_A_GROUP), Throttle(clock, 1))
