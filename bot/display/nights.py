"""A game night's post and its buttons, and how to read the time that people write."""

import re
from typing import Final

from markupsafe import Markup

from bot.display.buttons import Button, Row, data
from bot.display.words import DEFAULT_LANGUAGE, Words, name
from bot.rooms import night
from bot.rooms.model import Room
from bot.rooms.night import Guest, Night

#: The buttons of a night, as numbers in callback data.
IN, MAYBE, OUT, WEEKLY, ONCE, CANCEL, CANCEL_SURELY, KEEP = range(1, 9)
#: The word after /schedule that repeats a night.
EVERY_WEEK: Final = "weekly"

_WHEN = re.compile(r"(\D*?)\s*(\d{1,2})(?:[:.h](\d{2})|h)?\s*(am|pm)?")
#: Signs in a day's name that people may leave out or write in several ways.
_LOOSE = re.compile(r"[\s.,'’ʼ\u200c-]")
#: The fewest letters of a name that can stand for the day.
_SHORTEST = 2


def read_when(text: str, words: Words) -> tuple[int | None, int] | None:
    """Read "fri 20:00": the day (0: Monday; None: any) and minutes since midnight; None if it says neither.

    Days are read in this language and in English, in full or shortened.
    """
    found = _WHEN.fullmatch(text.casefold().strip())
    if found is None:
        return None
    named, hour, minute, half = found[1], int(found[2]), int(found[3] or 0), found[4]
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "pm" else 0)
    if hour > 23 or minute > 59:
        return None
    if not named:
        return None, hour * 60 + minute
    days = (_day(named, Words(language)) for language in (words.language, DEFAULT_LANGUAGE))
    day = next((day for day in days if day is not None), None)
    return None if day is None else (day, hour * 60 + minute)


def day_name(words: Words, day: int, *, short: bool = False) -> str:
    """Return the name of a day of the week, 0 for Monday."""
    return _days(words, "night.days-short" if short else "night.days")[day]


def local_time(words: Words, zone: str, at: int) -> Markup:
    """Return the day and time of a moment in a group's zone, with the zone's name."""
    there = night.local(zone, at)
    day, time = day_name(words, there.weekday()), words.time_of_day(there)
    return words.html("night.when", day=day, time=time, zone=zone)


def moment(words: Words, zone: str, at: int, form: str = "wDt") -> Markup:
    """Return a moment that Telegram shows in each reader's own zone. Older clients show the group's time."""
    return Markup('<tg-time unix="{}" format="{}">{}</tg-time>').format(at, form, local_time(words, zone, at))


def night_text(words: Words, room: Room, night: Night) -> Markup:
    """Say when the night is, and who signed up."""
    zone = room.settings.timezone
    lines = [
        words.html("night.title", when=moment(words, zone, night.at)),
        words.html("night.local", when=local_time(words, zone, night.at)),
        *([words.html("night.weekly")] if night.weekly else []),
        "",
        *_guests(words, "night.in", [guest for guest in night.guests if not guest.maybe]),
        *_guests(words, "night.maybe", [guest for guest in night.guests if guest.maybe]),
    ]
    return Markup("\n").join(lines if night.guests else [*lines, words.html("night.ask")])


def night_keyboard(words: Words, room: Room, night: Night, *, cancelling: bool = False) -> tuple[Row, ...]:
    """Return buttons to sign up, and to repeat or cancel the night; if ``cancelling``, to confirm that."""

    def button(key: str, what: int) -> Button:
        return Button(words.plain(key), data(room.name, "night", night.at, what))

    if cancelling:
        return (button("button.night-cancel-surely", CANCEL_SURELY),), (button("button.keep", KEEP),)
    answers = (
        button("button.night-in", IN),
        button("button.night-maybe", MAYBE),
        button("button.night-out", OUT),
    )
    repeat = button("button.night-once", ONCE) if night.weekly else button("button.night-weekly", WEEKLY)
    return answers, (repeat, button("button.night-cancel", CANCEL))


def how_to(words: Words, room: Room) -> Markup:
    """Say how to plan a night, and in which zone times are."""
    day = day_name(words, 4, short=True)
    return words.html("night.how", day=day, weekly=EVERY_WEEK, zone=room.settings.timezone)


def _guests(words: Words, key: str, guests: list[Guest]) -> list[Markup]:
    names = words.listed(name(guest.player.name) for guest in guests)
    return [words.html(key, names=names, count=len(guests))] if guests else []


def _day(written: str, words: Words) -> int | None:
    """Return the day with this name, or the only one whose name begins with these letters."""
    wanted = _loosely(written)
    full = [_loosely(day) for day in _days(words, "night.days")]
    short = [_loosely(day) for day in _days(words, "night.days-short")]
    for days in (full, short):
        if wanted in days:
            return days.index(wanted)
    begin = [place for place, day in enumerate(full) if day.startswith(wanted)]
    return begin[0] if len(wanted) >= _SHORTEST and len(begin) == 1 else None


def _days(words: Words, key: str) -> list[str]:
    return words.plain(key).split(" · ")


def _loosely(text: str) -> str:
    return _LOOSE.sub("", text.casefold())
