"""About how wide a text is shown, in hundredths of an em, and lines of it that are all about as wide.

Clients have fonts of their own. What is reckoned with are Arial's widths, between which and those of Roboto,
Open Sans and San Francisco a line of text differs by a few per cent. See docs/decisions/0019-role-card.md.
"""

import re
from collections.abc import Iterator
from functools import cache
from unicodedata import category, combining, east_asian_width

#: By width in hundredths of an em, the characters that are so wide; measured with Liberation Sans, which
#: has Arial's widths.
_CLASSES = {
    22: "'ijlł’",
    28: " \u00a0!,./:;I[]ftİІЇآان|·،؛",
    34: '"()-`r{}“”گبپتثلی',
    45: "*^зкгґтدذه",
    51: "Jcksvxyzçśżźćşєсухчьэرزژعغقو",
    61: "+<=>FTZ~ßЗКТдлъم",
    67: "&ABEKPSVXYÀÁÂÃÄÈÉÊŚŞАБВЕЛРУХЧЬжجچحخ",
    73: "CDHNRUwÇÑÜÚÙДИЙНПСЭЯмыФЦю",
    80: "GOQÓÖÕОЪфшщ",
    86: "MmМطظ",
    94: "%WЖШЫЩسشصض",
    100: "@—…Ю",
}
_WIDTH = {ord(one): width for width, each in _CLASSES.items() for one in each}
#: Any other character, and those that stand in a square of their own; emoji are wider still.
_OTHER, _SQUARE, _EMOJI = 56, 100, 130

#: What is not broken: a name between its isolates, an ideograph with its punctuation, a word. Compiled when
#: it is first used: that takes longer than most of a cold start's steps.
_PIECE = (
    r"\u2068[^\u2069]*\u2069[^\s\u2e80-\uffef]*[，。：；！？）」、]*"
    r"|[（「]?[\u2e80-\u9fff][，。：；！？）」、]*"
    r"|[（「]?(?:[^\s\u2068\u2e80-\u9fff\uff00-\uffef]|\u00a0)+[，。：；！？）」、]*"
    r"|\s+|."
)


def width(text: str) -> int:
    """About how wide a text is in one line, in hundredths of an em."""
    return sum(map(_wide, text))


def cut(text: str, most: int) -> str:
    """A text, cut where it is wider than so many hundredths of an em."""
    if width(text) <= most:
        return text
    kept = text
    while kept and width(kept) + width("…") > most:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def wrapped(text: str, most: int) -> list[str]:
    """A text in lines of so many hundredths of an em at most, broken between words where that can be."""
    lines, wide = [""], 0
    for piece in _pieces(text, most):
        if lines[-1] and wide + width(piece.rstrip()) > most:
            lines.append("")
            wide = 0
        added = piece if lines[-1] else piece.lstrip()
        lines[-1] += added
        wide += width(added)
    return [line.rstrip() for line in lines]


def filled(line: str, most: int) -> str:
    """A line made so many hundredths of an em wide by what can be seen, since clients may trim what cannot.

    Behind a text stand dots; an empty line is crossed out, by letters whose width goes with a font's text.
    """
    start = f"{line} " if line else "x" * (most // width("x"))
    return start + "." * ((most - width(start)) // width("."))


@cache
def _wide(one: str) -> int:
    if (found := _WIDTH.get(ord(one))) is not None:
        return found
    if combining(one) or category(one) in ("Cf", "Mn"):
        return 0
    if category(one) == "So":
        return _EMOJI
    return _SQUARE if east_asian_width(one) in "WF" else _OTHER


def _pieces(text: str, most: int) -> Iterator[str]:
    for piece in re.findall(_PIECE, text):
        if width(piece) <= most:
            yield piece
        else:
            yield from piece
