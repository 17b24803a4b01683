"""Lines for facts: to the group when they happen, and in a history afterwards."""

from bot.display.expansions import SHOWN
from bot.display.telling import Telling
from bot.display.words import Html
from engine.facts import Fact


def line(telling: Telling, fact: Fact) -> Html | None:
    """Return the group's line for a fact, or None if it has none."""
    found = SHOWN.lines.get(type(fact))
    return None if found is None else found(telling, fact)


def remembered(telling: Telling, fact: Fact) -> Html | None:
    """Return a history's line about a fact, as far as its reader knows it; None if others say the same."""
    kind = type(fact)
    if kind in SHOWN.forgotten:
        return None
    found = SHOWN.remembered.get(kind) or SHOWN.lines.get(kind)
    return None if found is None else found(telling, fact)


# --- whispers -----------------------------------------------------------------------------------------------
# Lines for facts that a seat alone may know.


def whisper(telling: Telling, fact: Fact) -> Html | None:
    """Return the seat's own line for a fact, or None if its prompts say enough."""
    found = SHOWN.whispers.get(type(fact))
    return None if found is None else found(telling, fact)
