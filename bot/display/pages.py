"""Long texts in as many messages as Telegram takes, the older part of them expandable."""

import re
from collections.abc import Sequence

from bot.display.words import Html, shown_length

#: Telegram's limit for a text, with room for what surrounds it.
LONGEST = 3900
#: How many entities of one text Telegram shows, with room for what surrounds it. Of 100 and more it leaves
#: the rest plain.
MOST_ENTITIES = 90

_TAGS = re.compile(r"<[a-z]")


def entity_count(html_text: str) -> int:
    """How many entities a text has, as Telegram calls what is bold, quoted or linked."""
    return len(_TAGS.findall(html_text))


def pages(title: Html, blocks: Sequence[Html]) -> tuple[tuple[Html, ...], ...]:
    """Return the blocks, each whole HTML, in pages that fit a text; on the first one, below a title."""
    found: list[list[Html]] = [[]]
    length, entities = shown_length(title), entity_count(title)
    for block in blocks:
        length += shown_length(block) + 1
        entities += entity_count(block)
        if found[-1] and (length > LONGEST or entities > MOST_ENTITIES):
            found.append([])
            length, entities = shown_length(block), entity_count(block)
        found[-1].append(block)
    return tuple(tuple(page) for page in found)


def expandable_texts(title: Html, blocks: Sequence[Html], latest: int = 0) -> tuple[Html, ...]:
    """Return the blocks in texts whose blocks expand when tapped. The last ``latest`` ones stay open."""
    of_pages = pages(title, blocks)
    texts = []
    for number, page in enumerate(of_pages, start=1):
        still_open = latest if number == len(of_pages) else 0
        closed, left_open = page[: max(len(page) - still_open, 0)], page[max(len(page) - still_open, 0) :]
        lines = [title] if number == 1 else []
        lines += [expandable(Html("\n".join(closed)))] if closed else []
        texts.append(Html("\n".join([*lines, *left_open])))
    return tuple(texts)


def expandable(text: Html) -> Html:
    """A text of which Telegram shows the first lines, and the rest when somebody taps it."""
    return Html(f"<blockquote expandable>{text}</blockquote>")


def latest(blocks: Sequence[Html], length: int) -> list[Html]:
    """Return as many of the latest blocks as fit into so many UTF-16 units, a line each.

    An ellipsis replaces the others. Blocks are whole HTML each.
    """
    kept: list[Html] = []
    for block in reversed(blocks):
        length -= shown_length(block) + 1
        if length < 0:
            kept.append(Html("…"))
            break
        kept.append(block)
    return kept[::-1]
