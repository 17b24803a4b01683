"""Long texts in as many messages as Telegram takes, the older part of them expandable."""

import re
from collections.abc import Sequence

from bot.display.words import Html, shown_length

#: The length of a text, below Telegram's limit to leave room for more.
LONGEST = 3900
#: The number of entities that Telegram shows in a text, with room for more. Of 100 and more it shows the rest
#: as plain text.
MOST_ENTITIES = 90

_TAGS = re.compile(r"<[a-z]")


def entity_count(html_text: str) -> int:
    """Return how many entities a text has: Telegram's name for bold, quoted or linked parts."""
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
    """Return a text of which Telegram shows the first lines, and the rest when tapped."""
    return Html(f"<blockquote expandable>{text}</blockquote>")


def latest(blocks: Sequence[Html], length: int) -> list[Html]:
    """Return as many of the latest blocks as fit into this many UTF-16 units, a line each.

    An ellipsis replaces the others. Each block is whole HTML.
    """
    kept: list[Html] = []
    for block in reversed(blocks):
        length -= shown_length(block) + 1
        if length < 0:
            kept.append(Html("…"))
            break
        kept.append(block)
    return kept[::-1]
