"""The signs in texts are those of the icons in the board's picture."""

import pytest

from bot.display.expansions import SHOWN
from bot.display.pictures.icons import ICONS
from bot.display.pictures.palette import PALETTES
from bot.display.signs import SIGNS, party_sign
from bot.display.words import THEMES, Words, languages

#: The catalogues' sign for each icon of a power or a tile.
CATALOGUED = {
    "power/investigate": "🔎",
    "power/special": "🗳",
    "power/peek": "👁",
    "power/kill": "🗡",
    "power/bugging": "🎧",
    "power/recruitment": "✊",
    "power/radicalisation": "✊",
    "power/five-year-plan": "🏭",
    "power/congress": "🚩",
    "power/confession": "💬",
    "power/smear": "📰",
    "power/convert": "✊",
    "power/resurrect": "⚰️",
    "power/comrades": "🚩",
    "power/propaganda": "📣",
    "power/impeachment": "⚖️",
    "power/mark": "🎯",
    "power/pardon": "🔓",
    "power/no-confidence": "👎",
    "power/social-democratic": "↗️",
    "arrows": "↙️",
    "anarchy": SIGNS["anarchy"],
}
EVERY = [Words(language, theme) for language in languages() for theme in THEMES]


def shown_sign(words: Words, key: str) -> str:
    """Return the sign that a text of the catalogue begins with."""
    return words.plain(key).partition(" ")[0]


@pytest.mark.parametrize("theme", THEMES)
def test_a_partys_sign_is_the_icon_on_its_tiles(theme: str) -> None:
    for party, look in PALETTES[theme].parties.items():
        assert party_sign(Words("en", theme), party) == SIGNS[look.icon]
    assert SIGNS.keys() <= ICONS.keys()


def test_every_power_with_an_icon_has_its_sign_in_all_texts() -> None:
    powers = {name for name in SHOWN.icons if name.startswith("power/")}
    assert powers <= CATALOGUED.keys() <= ICONS.keys()
    for words in EVERY:
        for icon in powers:
            assert shown_sign(words, icon.replace("/", ".")) == CATALOGUED[icon], words


def test_a_tile_with_a_face_has_its_sign_in_all_texts() -> None:
    for words in EVERY:
        for tile, face in SHOWN.faces.items():
            sign = f"🚫{party_sign(words, face.against)}" if face.against else CATALOGUED[str(face.icon)]
            assert shown_sign(words, f"tile.{tile}") == sign, words
