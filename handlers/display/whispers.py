"""What a seat alone is told about a fact that others may not know."""

from collections.abc import Callable
from typing import Any

from engine import facts as f
from engine.facts import Fact
from handlers.display.telling import Telling
from handlers.display.words import Html

Whisper = Callable[[Telling, Any], Html]


def whisper(telling: Telling, fact: Fact) -> Html | None:
    """The seat's own line for a fact, or None where its prompts say enough."""
    found = WHISPERS.get(type(fact))
    return None if found is None else found(telling, fact)


def _dealt(t: Telling, fact: f.Dealt) -> Html:
    return t.html(
        "dealt", role=t.role(fact.role), party=t.party(fact.party), about=t.html(f"role.{fact.role}.about")
    )


def _recognised(t: Telling, fact: f.Recognised) -> Html:
    shown = t.role("hitler") if fact.hitler else t.party(fact.party)
    return t.html("recognised", seat=t.seat(fact.seat), shown=shown)


#: By fact. What is missing here is not whispered.
WHISPERS: dict[type[Fact], Whisper] = {
    f.Dealt: _dealt,
    f.Recognised: _recognised,
    f.Investigated: lambda t, fact: t.html(
        "investigated.result", target=t.seat(fact.target), party=t.party(fact.party)
    ),
    f.Peeked: lambda t, fact: t.html("peeked.result", tiles=t.tiles(fact.pile)),
}
