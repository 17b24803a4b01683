"""Lines that tell a fact: to the group when it happens, to a seat in private, and in a history later."""

from markupsafe import Markup

from bot.display.expansions import SHOWN
from bot.display.telling import Telling
from engine.facts import Fact


def line(telling: Telling, fact: Fact) -> Markup | None:
    """Return the group's line for a fact, or None if it has none."""
    found = SHOWN.lines.get(type(fact))
    return None if found is None else found(telling, fact)


def remembered(telling: Telling, fact: Fact) -> Markup | None:
    """Return a history's line about a fact, as far as the reader knows it, or None if it has none."""
    kind = type(fact)
    if kind in SHOWN.forgotten:
        return None
    found = SHOWN.remembered.get(kind) or SHOWN.lines.get(kind)
    return None if found is None else found(telling, fact)


# --- whispers -----------------------------------------------------------------------------------------------


def whisper(telling: Telling, fact: Fact) -> Markup | None:
    """Return the private line about a fact for a seat that may know all of it, or None if it has none."""
    found = SHOWN.whispers.get(type(fact))
    return None if found is None else found(telling, fact)
