"""What a seat alone is told about a fact that others may not know."""

from bot.display.expansions import SHOWN
from bot.display.telling import Telling, called
from bot.display.words import Html, plain_name
from engine.facts import Fact, Recognised


def whisper(telling: Telling, fact: Fact) -> Html | None:
    """The seat's own line for a fact, or None where its prompts say enough."""
    found = SHOWN.whispers.get(type(fact))
    return None if found is None else found(telling, fact)


#: Telegram's limit for a pop-up.
POPUP = 200


def role_popup(telling: Telling) -> str:
    """A seat's role and whom it knows, short enough for a pop-up; the whole is in the private chat."""
    view, words = telling.view, telling.words
    seat = view.seat
    assert seat is not None
    lines = [words.plain("popup.role", role=words.plain(f"role.{view.table.roles[seat]}"))]
    if view.table.parties[seat] is not None:
        lines.append(words.plain("popup.party", party=words.plain(f"party.{view.table.parties[seat]}")))
    for fact in view.facts:
        if isinstance(fact, Recognised):
            shown = "role.hitler" if fact.hitler else f"party.{fact.party}"
            name = plain_name(called(words, telling.players, fact.seat), 20)
            lines.append(words.plain("popup.recognised", name=name, shown=words.plain(shown)))
    text = "\n".join(lines)
    return text if len(text) <= POPUP else text[: POPUP - 1] + "…"
