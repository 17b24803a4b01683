"""A game night: its time, its guests, and the bot's next step."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.rooms.names import UserId
from bot.rooms.player import Player
from engine.frozen import frozen

#: The zone of a group that has set none.
UTC: Final = "UTC"
#: When a night's steps are due, in seconds before it: the post in the group, two reminders, the lobby. A
#: night that somebody has just planned is posted at once.
STEPS: Final = (2 * 86400, 3600, 600, 0)
ANNOUNCE, OPEN = 0, len(STEPS) - 1
#: The most people who can sign up.
MOST_GUESTS: Final = 32


@frozen
class Guest:
    """Somebody who signed up."""

    player: Player
    #: True if they said that they might come, False if they said that they will.
    maybe: bool = False


@frozen
class Night:
    """The next game night of a group."""

    #: The time when it begins, in seconds since 1970. Buttons identify the night by this.
    at: int
    #: The time as people gave it, in the group's time zone: the day (0: Monday), and minutes since midnight.
    day: int
    minutes: int
    weekly: bool = False
    #: The planner's user id; None if it is not known.
    host: UserId | None = None
    guests: tuple[Guest, ...] = ()
    #: The index in ``STEPS`` of the next step.
    step: int = ANNOUNCE + 1
    #: The number of nights in a row for which nobody signed up.
    empty: int = 0

    @property
    def next_at(self) -> int:
        """Return when the next step is due, in seconds since 1970."""
        return self.at - STEPS[self.step]

    @property
    def opens_at(self) -> int | None:
        """Return when the lobby opens if that is the next step, else None. Only this step must be on time."""
        return self.at if self.step == OPEN else None

    def due_step(self, now: int) -> int:
        """Return the index of the latest of ``STEPS`` whose time has come; -1 before the first."""
        return sum(self.at - seconds <= now for seconds in STEPS) - 1

    @property
    def people(self) -> Mapping[int, UserId]:
        """Return the user ids of the people who signed up, by place in the list."""
        return {
            place: guest.player.id for place, guest in enumerate(self.guests) if guest.player.id is not None
        }

    def knows(self, user: UserId) -> bool:
        """Return True if a person planned it or signed up."""
        return user == self.host or user in self.people.values()


# --- hours --------------------------------------------------------------------------------------------------
# A group's local time: find its zone, and the next time of a weekday and hour there.

#: Names in the tz database that are not places: two folders with copies of all zones, the machine's own
#: zone, and a placeholder.
_NO_PLACES = ("posix/", "right/", "localtime", "Factory")


def zone_named(text: str) -> str | None:
    """Return a time zone's name as the tz database writes it, or None if there is no such zone."""
    return {name.casefold(): name for name in _names()}.get(text.casefold().replace(" ", "_"))


def zones_like(text: str) -> tuple[str, ...]:
    """Return at most five zones whose name contains these letters."""
    wanted = text.casefold().replace(" ", "_")
    return tuple(name for name in _names() if wanted and wanted in name.casefold())[:5]


def local(zone: str, at: int) -> datetime:
    """Return a time (seconds since 1970) as a zone's clocks show it."""
    return datetime.fromtimestamp(at, _zone(zone))


def next_at(zone: str, day: int | None, minutes: int, after: int) -> int:
    """Return the next moment after ``after`` with this local time in the zone, in seconds since 1970.

    ``day``: the day of the week, 0 for Monday; None: any. If clocks change and a time comes twice, the first
    one counts. A time that the clocks skip moves forward by the length of the jump.
    """
    today = local(zone, after).date()
    coming = (today + timedelta(ahead) for ahead in range(9))
    moments = (_moment(zone, on, minutes) for on in coming if day in (None, on.weekday()))
    return next(at for at in moments if at > after)


def _moment(zone: str, on: date, minutes: int) -> int:
    return int(datetime.combine(on, time(*divmod(minutes, 60)), _zone(zone)).timestamp())


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError:  # a name that newer data no longer has
        return ZoneInfo(UTC)


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(name for name in available_timezones() if not name.startswith(_NO_PLACES)))
