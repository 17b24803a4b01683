"""What a seat alone is told about a fact that others may not know."""

from engine import Setup, board_of
from engine import facts as f
from engine.facts import Fact
from engine.rulesets.red_dawn import article_48, secret_roles
from engine.rulesets.xl import emergency
from engine.steps import communists
from handlers.display.telling import Line, Telling
from handlers.display.words import Html, Words, plain_name


def whisper(telling: Telling, fact: Fact) -> Html | None:
    """The seat's own line for a fact, or None where its prompts say enough."""
    found = WHISPERS.get(type(fact))
    return None if found is None else found(telling, fact)


def _dealt(t: Telling, fact: f.Dealt) -> Html:
    about = Html("\n".join([t.html(f"role.{fact.role}.about"), *wins(t.words, t.view.setup, fact.party)]))
    return t.html("dealt", role=t.role(fact.role), party=t.party(fact.party), about=about)


def wins(words: Words, setup: Setup, party: str) -> list[Html]:
    """What a party wins by, on the board of this setup."""
    board = board_of(setup)
    ways = [ending for ending, winners in board.endings.items() if party in winners]
    track = [f"wins.{party}"] if party in board.tracks else []
    return [words.html(key, zone=board.zone) for key in (*track, *(f"wins.{ending}" for ending in ways))]


def _recognised(t: Telling, fact: f.Recognised) -> Html:
    shown = t.role("hitler") if fact.hitler else t.party(fact.party)
    return t.html("recognised", seat=t.seat(fact.seat), shown=shown)


def _convened(t: Telling, fact: communists.Convened) -> Html | None:
    others = [seat for seat in fact.seats if seat != t.view.seat]
    return t.html("convened", seats=t.seats(others)) if others else None


def _known(t: Telling, seats: tuple[int, ...] | None) -> Html:
    return t.html("communists", seats=t.seats(seats)) if seats else t.html("communists.none")


#: By fact. What is missing here is not whispered.
WHISPERS: dict[type[Fact], Line] = {
    f.Dealt: _dealt,
    f.Recognised: _recognised,
    f.Investigated: lambda t, fact: t.html(
        "investigated.result", target=t.seat(fact.target), party=t.party(fact.party)
    ),
    f.Peeked: lambda t, fact: t.html("peeked.result", tiles=t.tiles(fact.pile)),
    communists.Convened: _convened,
    communists.Bugged: lambda t, fact: t.html(
        "bugged", target=t.seat(fact.target), party=t.party(fact.party)
    ),
    communists.RecruitmentTried: lambda t, fact: t.html("recruitment-tried", target=t.seat(fact.target)),
    communists.PartyChanged: lambda t, fact: t.html("party-changed", party=t.party(fact.party)),
    communists.ConversionFailed: lambda t, fact: t.html("conversion-failed"),
    communists.CongressHeld: lambda t, fact: _known(t, fact.members),
    article_48.ComradesLearned: lambda t, fact: _known(t, fact.comrades),
    secret_roles.WentIntoHiding: lambda t, fact: t.html("went-into-hiding"),
    emergency.Impeached: lambda t, fact: t.html(
        "investigated.result", target=t.seat(fact.target), party=t.party(fact.party)
    ),
}

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
        if isinstance(fact, f.Recognised):
            shown = "role.hitler" if fact.hitler else f"party.{fact.party}"
            name = plain_name(telling.players[fact.seat].name, 20)
            lines.append(words.plain("popup.recognised", name=name, shown=words.plain(shown)))
    text = "\n".join(lines)
    return text if len(text) <= POPUP else text[: POPUP - 1] + "…"
