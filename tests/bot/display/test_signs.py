"""Signs in texts: powers have those of their icons, and a party has one sign wherever it is meant."""

import re

from bot.display.expansions import SHOWN
from bot.display.pictures.svg import ICONS
from bot.display.prompts import EXPLAINED
from bot.display.signs import NOTES, SIGNS
from bot.display.words import LOCALES, THEMES, Words, languages

#: The catalogues' sign for each icon of a power or a tile.
CATALOGUED = {
    "power/investigate": "🔎", "power/special": "📯", "power/peek": "👁", "power/kill": "🗡",
    "power/bugging": "🎧", "power/recruitment": "✊", "power/radicalisation": "✊",
    "power/five-year-plan": "🏭", "power/congress": "🚩", "power/confession": "🙏", "power/smear": "📰",
    "power/convert": "✊", "power/resurrect": "⚰️", "power/comrades": "🚩", "power/propaganda": "📣",
    "power/impeachment": "⚖️", "power/mark": "🎯", "power/pardon": "🔓", "power/no-confidence": "👎",
    "power/social-democratic": "↗️", "arrows": "↙️", "anarchy": SIGNS["anarchy"],
}  # fmt: skip
#: A circle, a square and a diamond, so that nobody needs the colours to tell them apart.
PARTY_SIGNS = {"liberal": "🔵", "fascist": "🟥", "communist": "🔶"}
EVERY = [Words(language, theme) for language in languages() for theme in THEMES]


def shown_sign(words: Words, key: str) -> str:
    return words.plain(key).partition(" ")[0]


def test_a_party_has_one_sign_in_tiles_claims_and_tracks() -> None:
    for words in EVERY:
        for party, sign in PARTY_SIGNS.items():
            assert words.plain(f"sign.{party}") == sign
            assert shown_sign(words, f"tile.{party}") == shown_sign(words, f"colour.{party}") == sign
    assert len({*PARTY_SIGNS.values(), *NOTES.values()}) == len(PARTY_SIGNS) + len(NOTES)
    assert SIGNS.keys() <= ICONS.keys()


def test_no_text_shows_another_sign_of_a_party() -> None:
    """The picture's dove and skull were taken for other things than the tiles in claims."""
    for path in LOCALES.glob("*/LC_MESSAGES/*.po"):
        assert re.findall("🕊|⚒|🗽|⭐|🚫[💣💀]", path.read_text(encoding="utf-8")) == [], path


def test_every_power_with_an_icon_has_its_sign_in_all_texts() -> None:
    powers = {name for name in SHOWN.icons if name.startswith("power/")}
    assert powers <= CATALOGUED.keys() <= ICONS.keys()
    for words in EVERY:
        for icon in powers:
            assert shown_sign(words, icon.replace("/", ".")) == CATALOGUED[icon], words


def test_a_tile_with_a_face_has_its_sign_in_all_texts() -> None:
    for words in EVERY:
        for tile, face in SHOWN.faces.items():
            sign = f"🚫{PARTY_SIGNS[face.against]}" if face.against else CATALOGUED[str(face.icon)]
            assert shown_sign(words, f"tile.{tile}") == sign, words


def test_each_sign_of_known_lines_begins_its_explanation() -> None:
    for words in EVERY:
        assert all(words.html(key).startswith(sign) for sign, key in EXPLAINED.items())
