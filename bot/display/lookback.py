"""The text of *What decided it*: acts that moved the table, the end, the lie, and the reader's own part."""

from collections import Counter
from collections.abc import Iterator, Sequence
from operator import itemgetter

from markupsafe import Markup

from ai.lookback import LIBERAL, Act, Lookback
from bot.display.history import claim_line, discarded_note, lie_lines, line, remembered, said
from bot.display.telling import Telling
from bot.records.accuracy import lie_of_the_game
from bot.records.frames import TAIL
from bot.rooms.rounds import CHANCELLOR, OF_SESSION, PRESIDENT, contradictions, rounds_of
from engine import SEATS, Seat, fold
from engine import facts as f
from engine.claim import Claim
from engine.facts import Enacted, Fact, GameOver, Vetoed, Voted
from engine.question import JA, NEIN
from engine.steps.communists import PartyChanged
from engine.table import Table
from engine.tiles import track

# --- lookback -----------------------------------------------------------------------------------------------


def decided_text(telling: Telling, claims: Sequence[Claim], found: Lookback, reader: Seat | None) -> Markup:
    """Say what decided a game. ``reader``: the seat that the reader had, or None.

    The telling has the view of a finished game, which shows everything.
    """
    t = telling.compact
    last = len(found.beliefs) - 1
    acts = [act for act in found.acts if act.claim is not None or act.round < last]
    # Changes of sides moved nobody's suspicion.
    conversions = [
        (round_.number, t.html("decided.act", round=round_.number, what=text))
        for round_ in rounds_of(t.view)
        for fact in round_.facts
        if isinstance(fact, PartyChanged) and (text := remembered(t, fact))
    ]
    most = "decided.most.changed" if conversions else "decided.most"
    told = t.html(most if acts else "decided.nothing")
    parts = [Markup("{}\n{}").format(t.html("decided.title"), t.html("decided.legend")), told]
    told_acts = [(act.round, _act(t, act, found, claims)) for act in acts]
    events = sorted([*told_acts, *conversions, *_missed(t), *_chaos(t)], key=itemgetter(0))
    parts += [*(text for _, text in events), _ended(t, last)]
    computers = [seat for seat, player in zip(SEATS, t.players, strict=False) if player.computer]
    lie = lie_of_the_game(t.view, claims, computers)
    if lie is not None:
        parts.append(lie_lines(t, lie))
    if found.best:
        parts.append(t.html("decided.best", seats=t.seats(found.best)))
    if reader is not None:
        parts.append(_summary_line(t, found, reader, claims))
    return Markup("\n\n").join(parts)


def _missed(t: Telling) -> Iterator[tuple[int, Markup]]:
    """Yield a line for each discard of a policy that would have filled its track, with its round."""
    tracks, table, number = t.board.tracks, Table(), 0
    held: Counter[str | None] = Counter()
    for fact in t.view.facts:
        number += isinstance(fact, f.CandidacyPassed)
        if isinstance(fact, f.Drew | f.Passed):
            held = Counter(map(track, fact.hand))
        elif isinstance(fact, f.Discarded) and (own := track(fact.tile)) is not None:
            held -= Counter({own: 1})
            # A seat that has nothing else, or can still pass such a policy on, threw nothing away.
            if held and not held[own] and len(table.tracks.get(own, ())) == len(tracks[own]) - 1:
                values = {"seat": t.seat(fact.seat), "tile": t.tile(fact.tile)}
                yield number, t.html("decided.missed", round=number, **values)
        table = fold((fact,), table)


def _chaos(t: Telling) -> Iterator[tuple[int, Markup]]:
    """Yield a line for each policy that chaos enacted, with its round. They moved nobody's suspicion.

    The line about the end tells one that ended the game.
    """
    for round_ in rounds_of(t.view)[:-1]:
        for fact in round_.facts:
            if isinstance(fact, Enacted) and fact.chaos:
                yield round_.number, t.html("decided.chaos", rounds=round_.number, tile=t.tile(fact.tile))


def _act(t: Telling, act: Act, found: Lookback, claims: Sequence[Claim]) -> Markup:
    """Tell an act, whose suspicion it changed most, and what role that seat really had."""
    way = "decided.up" if act.after > act.before else "decided.down"
    role = t.envelope(found.roles[act.seat], found.parties[act.seat])
    moved = t.html(way, seat=t.html("decided.seat", seat=t.seat(act.seat), role=role))
    return Markup("{}\n{}").format(_happened(t, act, act.seat, claims), moved)


def _claimed(t: Telling, claim: Claim, seat: Seat, claims: Sequence[Claim]) -> Markup:
    """Tell a claim, and why it made ``seat`` more suspect.

    It clashes with another claim, or a President discarded a Liberal tile by it, or liars say the same.
    """
    if claim.kind not in OF_SESSION:
        return claim_line(t, claim)
    rounds = rounds_of(t.view)
    round_, made = rounds[claim.round - 1], [*claims[: claims.index(claim) + 1]]
    for clash in contradictions(rounds, made).get(claim.round, ()):
        if claim in clash and len(clash) > 1:
            other = next(one for one in clash if one != claim)
            told = said(t, rounds[other.round - 1], other)
            return Markup("{} · {} {}").format(claim_line(t, claim), told, t.html("claim.clash"))
    why = t.html("decided.claim", tile=t.html("sign.liberal"))
    hands = {one.kind: one for one in made if one.round == claim.round}
    if note := discarded_note(t, round_, made):
        told = Markup("{} · {}").format(claim_line(t, hands[PRESIDENT]), said(t, round_, hands[CHANCELLOR]))
        return told + (note if seat == hands[PRESIDENT].seat else " " + why)
    return Markup("{} {}").format(claim_line(t, claim), why)


def _ended(t: Telling, number: int) -> Markup:
    """Say how the last round ended the game. If Hitler was elected, say which Liberals voted for it."""
    *facts, over = t.view.facts
    assert isinstance(over, GameOver), "a finished game"
    voted = next((fact for fact in reversed(facts) if isinstance(fact, Voted)), None)
    ballots = Markup() if voted is None else _ballots(t, voted, number)
    if over.reason != "hitler-elected":
        told, at = next((text, at) for at, fact in reversed([*enumerate(facts)]) if (text := line(t, fact)))
        full = over.reason.endswith("-track")
        enacted = facts[at]
        if full and isinstance(enacted, Enacted) and not enacted.chaos:
            told = Markup("{} {}").format(ballots, told)
        ended = Markup("🏁 {}").format(t.html("decided.act", round=number, what=told))
        return Markup("{}\n{}").format(ended, t.html(f"reason.{over.reason}")) if full else ended
    assert voted is not None, "Hitler was elected"
    sides = zip(SEATS, voted.ballots, t.view.table.parties, strict=False)
    liberals = [seat for seat, ballot, party in sides if (ballot, party) == (JA, LIBERAL)]
    what = Markup("{} {}").format(ballots, t.html("reason.hitler-elected"))
    ended = t.html("decided.act", round=number, what=what)
    if not liberals:
        return Markup("🏁 {}").format(ended)
    whose = Markup("{} ({})").format(t.html("option.ja"), t.html(f"party.{LIBERAL}"))
    return Markup("🏁 {}\n{}").format(ended, t.html("named", name=whose, value=t.seats(liberals)))


def _ballots(t: Telling, voted: Fact | None, number: int) -> Markup:
    """Return the count of this round's ballots, or that there was no election."""
    names = _government(t, number)
    if not isinstance(voted, Voted):
        return t.html("history.government.open", round=number, mark="❌", **names)
    return t.html("decided.ballots", ja=voted.ballots.count(JA), nein=voted.ballots.count(NEIN), **names)


def _happened(t: Telling, act: Act, seat: Seat, claims: Sequence[Claim]) -> Markup:
    """Say in which round an act was, and what it was. ``seat``: whose suspicion it changed."""
    if act.claim is not None:
        what = _claimed(t, act.claim, seat, claims)
    elif act.kind == "session":
        done = next((fact for fact in act.facts if isinstance(fact, Enacted | Vetoed)), None)
        names = _government(t, act.round)
        if isinstance(done, Enacted):
            what = t.html("decided.enacted", tile=t.tile(done.tile), **names)
        else:
            what = t.html("decided.vetoed", **names)
    elif act.kind == "power":
        told = (remembered(t, fact) for fact in act.facts if not isinstance(fact, (Enacted, *TAIL)))
        what = Markup(" ").join(text for text in told if text)
    else:
        voted = next((fact for fact in act.facts if isinstance(fact, Voted | f.NoElection)), None)
        what = _ballots(t, voted, act.round)
    return t.html("decided.act", round=act.round, what=what)


def _government(t: Telling, number: int) -> dict[str, Markup]:
    round_ = rounds_of(t.view)[number - 1]
    chancellor = Markup("–") if round_.chancellor is None else t.seat(round_.chancellor)
    return {"president": t.seat(round_.president), "chancellor": chancellor}


def _accuser(t: Telling, claims: Sequence[Claim], accused: Seat) -> Seat | None:
    """Return the first seat that claimed to have seen that ``accused`` is not Liberal."""
    rounds = rounds_of(t.view)
    for claim in claims:
        if claim.kind == "party" and claim.said[0] != LIBERAL:
            looked = rounds[claim.round - 1].looked
            if any((looker, target) == (claim.seat, accused) for looker, target, _ in looked):
                return claim.seat
    return None


def _summary_line(t: Telling, found: Lookback, reader: Seat, claims: Sequence[Claim]) -> Markup:
    """Return the line about the reader's own part, as "you"."""
    summary, accuser = found.summaries[reader], _accuser(t, claims, reader)
    if summary.code == "hidden" and accuser is not None:
        return t.html("decided.you.hidden.accused", seat=t.seat(accuser))
    values: dict[str, object] = {"until": summary.until, "since": summary.since}
    if summary.other is not None:
        values["seat"] = t.seat(summary.other)
    code = "never" if summary.code == "saw" and not summary.until else summary.code
    told = t.html(f"decided.you.{code}", **values)
    if summary.other is not None:
        told = t.html("sentences", first=told, second=t.html("decided.known", **values))
    if summary.cause is None:
        return told
    known = reader if summary.other is None else summary.other
    cause = t.html("decided.cause", what=_happened(t, summary.cause, known, claims))
    return t.html("sentences", first=told, second=cause)
