"""Lies, in words: the claim, and the truth."""

from collections.abc import Sequence

from bot.display.history import claim_line
from bot.display.telling import Telling
from bot.display.words import Html
from bot.records.lies import Lie
from bot.rooms.governments import PARTY
from engine.claim import Claim


def lie_lines(t: Telling, lie: Lie) -> Html:
    """Return the lie of a game: its round, the claim, the truth, and the votes for the liar afterwards."""
    said = [t.html("end.lie", round=lie.claim.round), claim_line(t, lie.claim)]
    lines = [*said, truth_line(t, lie.claim, lie.truth)]
    if lie.voters:
        liar = t.seat(lie.claim.seat)
        lines.append(t.html("end.lie.trusted", seat=liar, ja=lie.ja, all=lie.voters))
    return Html("\n".join(lines))


def truth_line(t: Telling, claim: Claim, truth: Sequence[str]) -> Html:
    """Return what a claim should have said."""
    said = t.party(truth[0]) if claim.kind == PARTY else t.colours(truth)
    return t.html("end.truth", truth=said)
