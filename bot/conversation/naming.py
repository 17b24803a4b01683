"""Clean the names of people, groups and boards: the one place through which they come in.

Telegram lets through what turns the text around a name about, breaks its line, or cannot be seen. A name is
what is drawn of it, on one line.
"""

from unicodedata import category

#: Joiners between two letters or signs: emoji and several scripts (Persian, Hindi …) need them.
_JOINERS = "\u200c\u200d"
#: An emoji flag of a region is a black flag followed by tags.
_FLAG, _TAGS = "\U0001f3f4", range(0xE0020, 0xE0080)
#: The most combining marks that stay on a letter. No script needs more; unlimited, they cover other lines.
MARKS = 4


def cleaned(name: str) -> str:
    """Return a name without control characters: of direction, of format, halves of pairs.

    Line breaks become spaces, and several spaces one. Only the first few marks on a letter stay.
    """
    kept, marks = "", 0
    for at, letter in enumerate(name):
        kind = category(letter)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks > MARKS:
            continue
        if kind in ("Cc", "Zl", "Zp"):
            kept += " "
        elif kind not in ("Cf", "Cs") or _needed(kept[-1:], letter, name[at + 1 : at + 2]):
            kept += letter
    return " ".join(kept.split())


def _needed(before: str, letter: str, after: str) -> bool:
    """Return whether a format character belongs to what is drawn around it."""
    if letter in _JOINERS:
        return _drawn(before) and _drawn(after)
    return ord(letter) in _TAGS and before != "" and (before == _FLAG or ord(before) in _TAGS)


def _drawn(letter: str) -> bool:
    return letter != "" and category(letter)[0] not in "CZ"
