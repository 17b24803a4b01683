"""Notes about other seats in a seat's prompts: public facts, parties that it was shown, claims.

Nothing here may give the reader's role away by its mere presence. So knowledge from the deal, and from a
meeting of Communists, is only on the covered cards of /role. It is public that a seat has seen a party.
"""

from collections.abc import Iterable, Sequence

from bot.display.board import running_out
from bot.display.expansions import SHOWN
from bot.display.telling import Compact, Telling
from bot.display.words import Html
from bot.rooms.governments import PARTY, governments
from engine.claim import Claim, colour
from engine.facts import CandidacyPassed
from engine.table import NOT_HITLER

#: The most governments of a seat that a line recalls.
_RECALLED = 3


def known_lines(
    telling: Telling, seats: Iterable[int], claims: Sequence[Claim], *, governed: bool = False
) -> list[Html]:
    """Return a line for each of these seats about which something is known, except for the reader's own.

    With ``governed`` it also recalls the seat's latest governments and what they enacted.
    """
    seen = _seen(telling, claims)
    past = _governed(telling) if governed else {}
    lines = []
    for seat in seats:
        marks = [*_open(telling, seat), *seen.get(seat, ()), *past.get(seat, ())[-_RECALLED:]]
        if marks and seat != telling.view.seat:
            known = Html(" · ".join(marks))
            lines.append(telling.html("players.line", seat=telling.seat(seat), marks=known))
    return lines


def _open(t: Telling, seat: int) -> list[Html]:
    """Return the public facts about a seat that are still in force."""
    table = t.view.table
    confirmed = [t.html("mark.not-hitler")] if seat in table.tagged(NOT_HITLER) else []
    return [*confirmed, *running_out(t, seat)]


def _governed(telling: Telling) -> dict[int, list[Html]]:
    """By seat, what each of its governments enacted, and with whom it governed."""
    t = Compact(telling.view, telling.players, telling.words, telling.notes)
    found: dict[int, list[Html]] = {}
    for now in governments(t.view.facts):
        if now.chancellor is None or not now.enacted or now.chaos:
            continue
        said = t.colours(map(colour, now.enacted))
        for seat, other in ((now.president, now.chancellor), (now.chancellor, now.president)):
            found.setdefault(seat, []).append(t.html("known.governed", said=said, seat=t.seat(other)))
    return found


def _seen(telling: Telling, claims: Sequence[Claim]) -> dict[int, list[Html]]:
    """Return by seat who was shown its party: what the reader saw, or what others claim to have seen."""
    # Viewers' names are short and not bold, because they are not options here.
    t = Compact(telling.view, telling.players, telling.words, telling.notes)
    claimed = {(claim.seat, claim.round): claim.said[0] for claim in claims if claim.kind == PARTY}
    found: dict[int, list[Html]] = {}
    number = 0
    for fact in t.view.facts:
        number += isinstance(fact, CandidacyPassed)
        if (showing := SHOWN.showings.get(type(fact))) is not None:
            who, whose, party = showing(fact)
            found.setdefault(whose, []).append(_showing(t, who, party, claimed.get((who or 0, number))))
    return found


def _showing(t: Telling, who: int | None, party: str | None, claimed: str | None) -> Html:
    if who is None:
        return t.html("known.all", party=t.party(party))
    if who == t.view.seat and party is not None:
        return t.html("known.you", party=t.party(party))
    if claimed is not None:
        return t.html("known.claimed", seat=t.seat(who), party=t.party(claimed))
    return t.html("known.other", seat=t.seat(who))
