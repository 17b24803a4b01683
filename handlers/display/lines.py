"""What the group is told about each fact: one line, or nothing where a fact is quiet."""

from engine.facts import Fact
from handlers.display.expansions import SHOWN
from handlers.display.telling import Telling
from handlers.display.words import Html


def line(telling: Telling, fact: Fact) -> Html | None:
    """The group's line for a fact, or None for a quiet one."""
    found = SHOWN.lines.get(type(fact))
    return None if found is None else found(telling, fact)
