"""Thirteen languages are complete, and whole games in each use no word of another."""

import random
import re
from functools import cache

import pytest

from bot.conversation.group.settings import items
from bot.display.words import DEFAULT_LANGUAGE, LOCALES, languages
from sandbox.harness import Harness
from scripts.catalogues import missing, read_catalogue
from tests.system.table import Table

SPOKEN = {"de", "en", "es", "fa", "fr", "id", "it", "pl", "pt_BR", "ru", "tr", "uk", "zh_Hans"}
#: Shorter pieces of sentences may be the same in two languages.
TELLING = 16


def test_thirteen_languages_say_everything_in_both_themes() -> None:
    assert set(languages()) == SPOKEN
    gaps = missing()
    assert {name.partition("/")[0] for name in gaps} == SPOKEN
    assert {name: keys for name, keys in gaps.items() if keys} == {}


@cache
def pieces(language: str, theme: str) -> set[str]:
    """Return a catalogue's text between its placeholders and tags, if it is long enough to tell."""
    said = read_catalogue(LOCALES / language / "LC_MESSAGES" / f"{theme}.po")
    found = (piece.strip() for texts in said.values() for text in texts for piece in _cut(text))
    return {piece for piece in found if len(piece) >= TELLING}


def _cut(text: str) -> list[str]:
    return re.split(r"\{[^}]*\}|<[^>]*>|\n|/\w+", text)


def speaking(harness: Harness, language: str, theme: str) -> Table:
    """Return a group that has set this language and theme, of people who use it themselves."""
    table = Table(harness)
    code = language.replace("_", "-").lower()
    for name in ("Anna", "Ben", "Clara", "David", "Emma", "Felix"):
        table.person(name, language_code=code)
    table.say(table.owner, "/settings")
    for key, value in (("language", language), ("theme", theme)):
        things = items(table.room())
        number = [item.key for item in things].index(key) + 1
        place = things[number - 1].values.index(value) + 1
        table.forge(table.owner, f"set|{table.name.short}|{number}|{place}")
    return table


@pytest.mark.parametrize(
    ("language", "theme"),
    [(language, "weimar") for language in sorted(SPOKEN - {DEFAULT_LANGUAGE})]
    + [(language, "cold-war") for language in ("de", "fa", "ru")],
)
@pytest.mark.quick("fa-weimar", "de-cold-war")
def test_a_whole_game_is_told_in_one_language(at: Harness, language: str, theme: str) -> None:
    table = speaking(at, language, theme)
    already = len(table.group_views())
    table.open(6, ruleset="red-dawn@1", options={"article-48": "on"})
    table.say(table.people[0], "/status").say(table.people[0], "/board").say(table.people[0], "/players")
    table.press(table.people[1], "role")
    rng = random.Random(len(language))
    for _ in range(5):
        table.step_on(rng)
    table.say(table.people[0], "/history").finish(seed=len(language))
    table.say(table.people[0], "/history").say(table.people[0], "/rules").say(table.people[0], "/help")
    told = table.group_texts()[already:]
    told += [text for seat in range(6) for text in table.seat(seat).texts()]
    told += [toast.text for toast in table.tg.toasts() if toast.user != table.owner.id]
    english = pieces(DEFAULT_LANGUAGE, "weimar") | pieces(DEFAULT_LANGUAGE, "cold-war")
    theirs = "\n".join(pieces(language, "weimar") | pieces(language, "cold-war"))
    strange = {piece for piece in english if piece not in theirs}
    assert len(strange) > 100, "nearly everything is said otherwise than in English"
    assert sorted({piece for piece in strange for text in told if piece in text}) == []
