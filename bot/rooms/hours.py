"""A group's local time: find its zone, and the next time of a weekday and hour there."""

from datetime import date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.rooms.night import UTC

#: Zones of the tz database that are not places: its folders, and the machine's time.
_NO_PLACES = ("posix/", "right/", "localtime", "Factory")


def zone_named(text: str) -> str | None:
    """Return a time zone's name as the tz database writes it, or None if there is no such zone."""
    return {name.casefold(): name for name in _names()}.get(text.casefold().replace(" ", "_"))


def zones_like(text: str, most: int = 5) -> tuple[str, ...]:
    """Return zones whose name contains these letters, at most this many."""
    wanted = text.casefold().replace(" ", "_")
    return tuple(name for name in _names() if wanted and wanted in name.casefold())[:most]


def local(zone: str, at: int) -> datetime:
    """Return a time (seconds since 1970) as a zone's clocks show it."""
    return datetime.fromtimestamp(at, _zone(zone))


def next_at(zone: str, day: int | None, minutes: int, after: int) -> int:
    """Return the first moment after ``after`` (seconds since 1970) at which it is that time in the zone.

    ``day``: the day of the week, 0 for Monday; None: any. An hour that comes twice counts the first time. A
    time that clocks skip is moved to the same distance after the jump.
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
