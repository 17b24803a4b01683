"""The news for a seat since its last ballot, in a line or two: governments, what they did, claims."""

from collections.abc import Iterable, Sequence

from bot.display.history import compact, said
from bot.display.lines import line
from bot.display.remarks import remark
from bot.display.telling import Telling
from bot.display.words import Html
from bot.rooms.contradictions import contradictions
from bot.rooms.governments import Government, governments
from engine import facts as f
from engine.claim import Claim
from engine.facts import Fact
from engine.steps.sealed_veto import SealedVeto

#: Facts left out because the recap's own lines tell them, or the prompt shows them: the board line, marks on
#: seats.
_TOLD = (
    *(f.CandidacyPassed, f.Nominated, f.Voted, f.Elected, f.Vetoed, f.VetoRequested, f.VetoRefused),
    *(f.ConfirmedNotHitler, f.TrackerAdvanced, f.Shuffled, f.VetoUnlocked, f.LimitsWaived, f.ClockAnswered),
    *(f.GameOver, SealedVeto),
)


def recap_lines(telling: Telling, seat: int, claims: Sequence[Claim]) -> list[Html]:
    """Return the news for a seat since its last ballot.

    ``telling`` tells the group's view, in the seat's language: the recap holds nothing that others may not
    know. Each round since then has one line, and one for whatever a power did.
    """
    t = compact(telling)
    rounds = governments(t.view.facts)
    voted = [place for place, now in enumerate(rounds) if seat < len(now.ballots) and now.ballots[seat]]
    first = voted[-1] if voted else 0
    # The ballot that the seat cast told what came before its round.
    lines = [
        told
        for at, now in enumerate(rounds)
        if at >= first
        for told in _round(t, now, not voted or at > first)
    ]
    ballots = [at for at, fact in enumerate(t.view.facts) if isinstance(fact, f.Voted) and fact.ballots[seat]]
    asked = ballots[-1] if ballots else 0
    news = claims_line(t, [one for one in claims if one.round > first or one.at >= asked], claims)
    return [*lines, *([news] if news else [])]


def claims_line(
    telling: Telling, news: Sequence[Claim], claims: Sequence[Claim], *, talk: bool = False
) -> Html | None:
    """Return claims, a line for each round. A round with a contradiction tells all of its claims.

    ``claims``: all of the game's, to find contradictions. ``talk``: computers say a line with their news.
    None if there is no ``news``.
    """
    if not news:
        return None
    t = compact(telling)
    rounds = governments(t.view.facts)
    wrong, told = contradictions(rounds, claims), []
    for number in sorted({claim.round for claim in news}):
        of_round = [one for one in (claims if number in wrong else news) if one.round == number]
        now, spoken = rounds[number - 1], news if talk else ()
        claimed = Html(" · ".join(_spoken(t, now, one, spoken) for one in of_round))
        told.append(Html(f"💬 {claimed} {t.html('claim.clash')}" if number in wrong else f"💬 {claimed}"))
    return Html("\n".join(told))


def _spoken(t: Telling, now: Government, claim: Claim, spoken: Sequence[Claim]) -> Html:
    """Return who claims what, and a computer's line if the claim is among those ``spoken``."""
    line = remark(t, now, claim) if claim in spoken else None
    return said(t, now, claim) if line is None else Html(f"{said(t, now, claim)} {line}")


def _round(t: Telling, now: Government, whole: bool) -> Iterable[Html]:
    """Return the results of a round, a line each: its government, and its powers.

    If ``whole``, what happened before its candidate was known comes first.
    """
    if whole:
        yield from _told(t, now.before)
    if now.chancellor is not None and now.resolved:
        result = "rejected"
        if now.elected:
            result = "vetoed" if now.vetoed else "enacted" if now.enacted and not now.chaos else "elected"
        tiles = t.words.listed(t.tile(tile) for tile in now.enacted)
        pair = {"president": t.seat(now.president), "chancellor": t.seat(now.chancellor)}
        yield t.html(f"recap.{result}", **pair, tile=tiles, ja=now.ja, nein=now.nein)
    yield from _told(t, now.facts)


def _told(t: Telling, facts: Iterable[Fact]) -> Iterable[Html]:
    for fact in facts:
        quiet = isinstance(fact, _TOLD) or (isinstance(fact, f.Enacted) and not fact.chaos)
        if not quiet and (told := line(t, fact)):
            yield told
