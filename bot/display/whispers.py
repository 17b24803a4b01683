"""Lines for facts that a seat alone may know."""

from bot.display.expansions import SHOWN
from bot.display.telling import Telling
from bot.display.words import Html
from engine.facts import Fact


def whisper(telling: Telling, fact: Fact) -> Html | None:
    """Return the seat's own line for a fact, or None if its prompts say enough."""
    found = SHOWN.whispers.get(type(fact))
    return None if found is None else found(telling, fact)
