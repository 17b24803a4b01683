"""The ways in which people write a game night's time."""

import pytest

from bot.display.nights import day_name, read_when
from bot.display.words import Words, languages

ENGLISH = Words("en")


@pytest.mark.parametrize(("written", "day", "minutes", "language"), [
    ("fri 20:00", 4, 1200, "en"), ("Friday, 20.30", 4, 1230, "en"), ("SAT 8pm", 5, 1200, "en"),
    ("sun 12 am", 6, 0, "en"), ("mon 12:15pm", 0, 735, "en"), ("wed 20h", 2, 1200, "en"),
    ("thu 20h45", 3, 1245, "en"), ("tu 9", 1, 540, "en"), ("20:00", None, 1200, "en"),
    ("0:00", None, 0, "en"),
    # English days are read everywhere, days right before the hour, and digits of any script.
    ("fri 20:00", 4, 1200, "ru"), ("周五20:00", 4, 1200, "zh_Hans"), ("周五 20:00", 4, 1200, "zh_Hans"),
    ("星期五 20:00", 4, 1200, "zh_Hans"), ("جمعه ۲۰:۰۰", 4, 1200, "fa"),
])  # fmt: skip
def test_a_day_and_an_hour_are_read(written: str, day: int | None, minutes: int, language: str) -> None:
    assert read_when(written, Words(language)) == (day, minutes)


@pytest.mark.parametrize("written", [
    "", "fri", "fri 24:00", "fri 20:60", "fri 13pm", "fri 0am", "t 20:00", "someday 20:00",
    "fri 20:00 21:00", "-1",
])  # fmt: skip
def test_what_is_no_time_is_not_read(written: str) -> None:
    assert read_when(written, Words("en")) is None


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("short", [False, True])
def test_every_language_reads_its_own_days(language: str, short: bool) -> None:
    words = Words(language)
    for day in range(7):
        assert read_when(f"{day_name(words, day, short=short)} 20:00", words) == (day, 1200)
