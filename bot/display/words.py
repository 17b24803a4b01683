"""Look up texts in the catalogues (gettext) by language, theme and key, and fill in their values.

A theme is a catalogue that replaces some texts. All others are those of weimar.
"""

import gettext
import html
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from markupsafe import Markup, escape

from engine.frozen import frozen

LOCALES = Path(__file__).parent / "locales"
DEFAULT_LANGUAGE = "en"
#: The themes. Links name them by their index: add at the end only.
THEMES = ("weimar", "cold-war")
DEFAULT_THEME = THEMES[0]

#: Telegram's apps turn text after these signs into commands, mentions, tags, links and addresses. In names,
#: an invisible word joiner after the sign prevents that. Digits alone make no tag.
_SIGNS = re.compile(r"(?<=[/@$.:＃＠])(?=[\w/])|(?<=#)(?=\w)(?!\d+(?!\w))")
_JOINER = "\u2060"
#: First-strong isolate and its end, so that a right-to-left name does not turn the sentence around it.
_ISOLATE, _END = "\u2068", "\u2069"


#: Old language codes that Android and Java still send, with the new ones.
_ONCE = {"in": "id"}
_TAG = re.compile(r"<[^>]*>")


@frozen
class Words:
    """The texts in one language and theme."""

    language: str = DEFAULT_LANGUAGE
    theme: str = DEFAULT_THEME

    def html(self, key: str, **values: object) -> Markup:
        """Return a sentence for a message, with the values escaped unless they are ``Markup``."""
        for name, value in values.items():
            if not isinstance(value, Markup):  # escape would copy it
                values[name] = escape(value)
        # Markup's own format takes ten times as long.
        return Markup(_catalogue(self.language, self.theme).gettext(key).format(**values))

    def counted(self, key: str, count: int, **values: object) -> Markup:
        """Return a sentence in this language's plural form for the number ``count``."""
        found = _catalogue(self.language, self.theme).ngettext(key, key, count)
        return Markup(found).format(count=count, **values)

    def listed(self, things: Iterable[str]) -> Markup:
        """Return several things in a row, separated as in this language. Plain text is escaped."""
        return Markup(_catalogue(self.language, self.theme).gettext("list.separator")).join(things)

    def plain(self, key: str, **values: object) -> str:
        """Return a sentence for a button or a toast, which do not take HTML."""
        return _catalogue(self.language, self.theme).gettext(key).format(**values)

    def clock(self, seconds: float) -> Markup:
        """Return the time of day of a moment since 1970, in UTC, as this language writes it."""
        return self.time_of_day(datetime.fromtimestamp(seconds, UTC)) + " UTC"

    def time_of_day(self, at: datetime) -> Markup:
        """Return the hour and minute, as this language writes them."""
        pattern = _catalogue(self.language, DEFAULT_THEME).gettext("babel.clock")
        return Markup(pattern).format(hour=at.hour, minute=at.minute)

    def has(self, key: str) -> bool:
        """Return True if there is a text for this key."""
        return _catalogue(self.language, self.theme).gettext(key) != key


def bold(text: str) -> Markup:
    """Return text in bold. It is escaped unless it is ``Markup``."""
    return Markup("<b>{}</b>").format(text)


def italic(text: str) -> Markup:
    """Return text in italics. It is escaped unless it is ``Markup``."""
    return Markup("<i>{}</i>").format(text)


def name(text: str) -> Markup:
    """Return a person's or a group's name as safe HTML, whatever its characters and direction.

    Nothing in it can be tapped.
    """
    return escape(plain_name(text, len(text)))


def plain_name(text: str, limit: int = 64) -> str:
    """Return a person's name for a button, cut to at most ``limit`` characters.

    Telegram's apps find no link, mention or command in it.
    """
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    return f"{_ISOLATE}{_SIGNS.sub(_JOINER, cut)}{_END}"


def shown_length(html_text: str) -> int:
    """Return a text's length in UTF-16 units without its tags, which is about what Telegram counts."""
    return len(html.unescape(_TAG.sub("", html_text)).encode("utf-16-le")) // 2


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that have catalogues."""
    found = {path.parent.parent.name for path in LOCALES.glob("*/LC_MESSAGES/weimar.mo")}
    return tuple(sorted(found))


def closest(code: str | None) -> str:
    """Return our language closest to a Telegram ``language_code``, or English if none is."""
    wanted = (code or DEFAULT_LANGUAGE).replace("-", "_")
    wanted = _ONCE.get(wanted.lower().partition("_")[0], wanted)
    known = {language.lower(): language for language in languages()}
    for candidate in (wanted.lower(), wanted.lower().partition("_")[0]):
        if candidate in known:
            return known[candidate]
        for lowered, language in known.items():
            if lowered.partition("_")[0] == candidate:
                return language
    return DEFAULT_LANGUAGE


@cache
def _catalogue(language: str, theme: str) -> gettext.NullTranslations:
    chain = [(theme, language), (DEFAULT_THEME, language), (DEFAULT_THEME, DEFAULT_LANGUAGE)]
    found: gettext.NullTranslations | None = None
    for domain, code in dict.fromkeys(chain):
        catalogue = gettext.translation(domain, LOCALES, [code], fallback=True)
        if found is None:
            found = catalogue
        else:
            found.add_fallback(catalogue)
    assert found is not None
    return found
