"""Lines that computers say with their claims, at most one with each.

A line depends only on what everybody knows: the claim, the government that it is about, and the computer's
name. So it tells nothing about a role, and nothing has to be stored.
"""

from collections.abc import Sequence
from hashlib import sha256

from markupsafe import Markup

from bot.display.telling import Telling
from bot.rooms.rounds import CHANCELLOR, PARTY, PRESIDENT, Round
from engine import Seat
from engine.claim import Claim, colour

#: The number of lines for each subject.
VARIANTS = 2
#: The share of claims with which the quietest and the loudest computer say something.
QUIET, LOUD = 0.2, 0.7
LIBERAL = "liberal"


def remark(telling: Telling, round_: Round, claim: Claim, claims: Sequence[Claim] = ()) -> Markup | None:
    """Return what a computer says with its claim about a round, in quotation marks; None if nothing.

    ``claims``: all claims of the game.
    """
    player = telling.players[claim.seat]
    subject = _subject(round_, claim, claims) if player.computer else None
    if subject is None:
        return None
    loudness = sha256(player.name.encode()).digest()[0] / 255
    moment = (player.name, round_.number, claim.kind, round_.president, round_.chancellor, round_.ballots)
    often, which = sha256(repr(moment).encode()).digest()[:2]
    if often > 255 * (QUIET + (LOUD - QUIET) * loudness):
        return None
    code, other = subject
    about = {} if other is None else {"name": telling.seat(other)}
    line = telling.html(f"talk.{code}.{1 + which % VARIANTS}", **about)
    return telling.html("talk.quote", line=line)


def _subject(round_: Round, claim: Claim, claims: Sequence[Claim]) -> tuple[str, Seat | None] | None:
    """Return the subject of a line, and the other seat that it may name."""
    if claim.kind == PARTY:
        target = next(target for seat, target, _ in round_.looked if seat == claim.seat)
        return ("says-good" if claim.said == (LIBERAL,) else "says-bad", target)
    if claim.kind not in (PRESIDENT, CHANCELLOR) or not round_.enacted or round_.chaos:
        return None
    other = round_.chancellor if claim.kind == PRESIDENT else round_.president
    if colour(round_.enacted[0]) == LIBERAL:
        return ("good-pair" if claim.kind == PRESIDENT else "chose-good", other)
    if LIBERAL not in claim.said:
        if claim.kind == CHANCELLOR:
            return "handed-bad", other
        return ("no-choice", other) if len(set(claim.said)) == 1 else None
    # These lines say that the Chancellor got a Liberal policy. Beside a claim that there was none, readers
    # could not tell if the two claims clash.
    of_chancellor = [one for one in claims if (one.round, one.kind) == (claim.round, CHANCELLOR)]
    denied = any(LIBERAL not in one.said for one in of_chancellor)
    return ("ask", other) if claim.kind == PRESIDENT and not denied else None
