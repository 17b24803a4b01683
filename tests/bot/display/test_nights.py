"""The ways in which people write a game night's time."""

import pytest

from bot.display.nights import day_name, read_when
from bot.display.words import Words, languages

ENGLISH = Words("en")


@pytest.mark.parametrize(("written", "day", "minutes"), [
    ("fri 20:00", 4, 1200), ("Friday, 20.30", 4, 1230), ("SAT 8pm", 5, 1200), ("sun 12 am", 6, 0),
    ("mon 12:15pm", 0, 735), ("wed 20h", 2, 1200), ("thu 20h45", 3, 1245), ("tu 9", 1, 540),
    ("20:00", None, 1200), ("0:00", None, 0),
])  # fmt: skip
def test_a_day_and_an_hour_are_read(written: str, day: int | None, minutes: int) -> None:
    assert read_when(written, ENGLISH) == (day, minutes)


@pytest.mark.parametrize("written", [
    "", "fri", "fri 24:00", "fri 20:60", "fri 13pm", "fri 0am", "t 20:00", "someday 20:00",
    "fri 20:00 21:00", "-1",
])  # fmt: skip
def test_what_is_no_time_is_not_read(written: str) -> None:
    assert read_when(written, ENGLISH) is None


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("short", [False, True])
def test_every_language_reads_its_own_days(language: str, short: bool) -> None:
    words = Words(language)
    for day in range(7):
        assert read_when(f"{day_name(words, day, short=short)} 20:00", words) == (day, 1200)


def test_english_days_are_read_everywhere() -> None:
    assert read_when("fri 20:00", Words("ru")) == (4, 1200)


@pytest.mark.parametrize("written", ["周五20:00", "周五 20:00", "星期五 20:00"])
def test_a_day_may_stand_right_before_the_hour(written: str) -> None:
    assert read_when(written, Words("zh_Hans")) == (4, 1200)


def test_digits_of_any_script_are_read() -> None:
    assert read_when("جمعه ۲۰:۰۰", Words("fa")) == (4, 1200)
