"""A group's local time: when a day and an hour come next, also where clocks change."""

from datetime import UTC, datetime

import pytest

from bot.rooms.night import local, next_at, zone_named, zones_like

FRIDAY, SUNDAY = 4, 6
EIGHT = 20 * 60


def utc(*when: int) -> int:
    return int(datetime(*when, tzinfo=UTC).timestamp())  # type: ignore[arg-type, misc]


#: By zone: a Friday before the change of summer time, and 20:00 of the next two Fridays there, in UTC.
CHANGES = [
    pytest.param("UTC", (2030, 3, 28), (2030, 3, 29, 20), (2030, 4, 5, 20), id="no summer time"),
    pytest.param("Europe/Berlin", (2030, 3, 28), (2030, 3, 29, 19), (2030, 4, 5, 18), id="Berlin, spring"),
    pytest.param("Europe/Berlin", (2030, 10, 24), (2030, 10, 25, 18), (2030, 11, 1, 19), id="Berlin, autumn"),
    pytest.param("America/New_York", (2030, 3, 7), (2030, 3, 9, 1), (2030, 3, 16, 0), id="New York, spring"),
    pytest.param("Pacific/Auckland", (2030, 4, 4), (2030, 4, 5, 7), (2030, 4, 12, 8), id="Auckland, autumn"),
    pytest.param(
        "Asia/Kolkata", (2030, 3, 28), (2030, 3, 29, 14, 30), (2030, 4, 5, 14, 30), id="half an hour"
    ),
]


@pytest.mark.parametrize(("zone", "now", "first", "second"), CHANGES)
def test_a_weekly_hour_stays_the_same_on_local_clocks(
    zone: str, now: tuple[int, ...], first: tuple[int, ...], second: tuple[int, ...]
) -> None:
    at = next_at(zone, FRIDAY, EIGHT, utc(*now))
    assert at == utc(*first)
    assert next_at(zone, FRIDAY, EIGHT, at) == utc(*second)
    assert {local(zone, moment).hour for moment in (at, utc(*second))} == {20}


def test_an_hour_that_clocks_skip_is_an_hour_later_on_them() -> None:
    at = next_at("Europe/Berlin", SUNDAY, 2 * 60 + 30, utc(2030, 3, 30))
    assert at == utc(2030, 3, 31, 1, 30)
    assert (local("Europe/Berlin", at).hour, local("Europe/Berlin", at).minute) == (3, 30)
    after = next_at("Europe/Berlin", SUNDAY, 2 * 60 + 30, at)
    assert after == utc(2030, 4, 7, 0, 30), "a week later it is there again"


def test_an_hour_that_comes_twice_counts_once() -> None:
    at = next_at("Europe/Berlin", SUNDAY, 2 * 60 + 30, utc(2030, 10, 26))
    assert at == utc(2030, 10, 27, 0, 30), "before clocks go back"
    assert next_at("Europe/Berlin", SUNDAY, 2 * 60 + 30, at) == utc(2030, 11, 3, 1, 30)


def test_an_hour_that_is_over_today_comes_next_week() -> None:
    friday = utc(2030, 3, 29, 20)
    assert next_at("UTC", FRIDAY, EIGHT, friday - 1) == friday
    assert next_at("UTC", FRIDAY, EIGHT, friday) == friday + 7 * 86400


def test_without_a_day_it_is_today_or_tomorrow() -> None:
    assert next_at("UTC", None, EIGHT, utc(2030, 3, 29, 19)) == utc(2030, 3, 29, 20)
    assert next_at("UTC", None, EIGHT, utc(2030, 3, 29, 21)) == utc(2030, 3, 30, 20)


def test_the_day_is_the_one_on_local_clocks() -> None:
    # In Auckland Friday has begun while it is Thursday in UTC.
    assert next_at("Pacific/Auckland", FRIDAY, 60, utc(2030, 3, 28, 11)) == utc(2030, 3, 28, 12)


@pytest.mark.parametrize(
    ("written", "name"),
    [("europe/berlin", "Europe/Berlin"), ("America/New York", "America/New_York"), ("utc", "UTC")],
)
def test_zones_are_named_in_any_case(written: str, name: str) -> None:
    assert zone_named(written) == name


@pytest.mark.parametrize(
    "written", ["Berlin", "", "../etc/passwd", "/Europe/Berlin", "Europe/", "a\0b", "localtime"]
)
def test_nothing_is_guessed_about_a_zone(written: str) -> None:
    assert zone_named(written) is None


def test_zones_with_such_a_name_are_offered() -> None:
    assert zones_like("berlin") == ("Europe/Berlin",)
    assert len(zones_like("america")) == 5
    assert zones_like("") == ()


def test_a_zone_that_is_no_longer_known_is_utc() -> None:
    assert next_at("Europe/Atlantis", FRIDAY, EIGHT, utc(2030, 3, 28)) == utc(2030, 3, 29, 20)
