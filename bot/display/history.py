"""A game's history, round by round: for the group, for a seat, and at the end the whole truth.

All three tell the same rounds, as far as the reader knows them. Each expansion has the lines for its own
facts (``Expansion.remembered``).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat

from markupsafe import Markup

from bot.display.buttons import expandable_texts, pages
from bot.display.expansions import SHOWN
from bot.display.remarks import remark
from bot.display.reveal import roles_text
from bot.display.signs import SIGNS
from bot.display.telling import Telling, ballot_lines
from bot.records.accuracy import Lie
from bot.rooms.model import Match, Suspicion
from bot.rooms.rounds import (
    CHANCELLOR,
    OF_SESSION,
    PARTY,
    PEEK,
    PRESIDENT,
    Clash,
    Round,
    contradictions,
    is_pointless,
    rounds_of,
    truth,
)
from engine import SEATS, Seat, View
from engine import facts as f
from engine.board import Party, Role
from engine.claim import Claim, colours_of
from engine.facts import CandidacyPassed, Dealt, Discarded, Drew, Elected, Fact, Nominated, Passed, Voted
from engine.question import JA, NEIN
from engine.steps.sealed_veto import SealedVeto
from engine.tiles import UNKNOWN, track

#: How many of the latest rounds are unfolded.
UNFOLDED = 2

#: The facts in a round's first lines.
_FRAME = (CandidacyPassed, Nominated, Voted, Elected)
#: Indents the events of a round.
_INDENT = Markup("\u3000")

#: Claims, and the line that tells them.
ToldClaims = tuple[Clash, Markup]
#: The lines that computers say with their claims; None for a claim without one.
Lines = Mapping[Claim, Markup | None]


def history_texts(
    telling: Telling,
    claims: Sequence[Claim],
    suspicions: Sequence[Suspicion] = (),
    earlier: Markup | None = None,
) -> tuple[Markup, ...]:
    """Return all rounds as the reader knows them, in as many texts as needed. Only the latest are unfolded.

    Each round has its claims and suspicions. Claims that cannot all be true are marked. ``earlier``: return
    only one text, with this line in place of the rounds that do not fit.
    """
    t = telling.compact
    rounds = rounds_of(t.view)
    wrong = contradictions(rounds, claims)
    blocks = []
    for round_ in rounds:
        clashes = wrong.get(round_.number, ())
        clashing = [one for clash in clashes for one in clash]
        alone = [one for one in claims if one.round == round_.number and one not in clashing]
        told: list[ToldClaims] = [((one,), claim_line(t, one)) for one in alone]
        hands = [place for place, one in enumerate(alone) if one.kind in (PRESIDENT, CHANCELLOR)]
        if hands:
            clash, line = told[hands[-1]]
            told[hands[-1]] = clash, line + discarded_note(t, round_, claims)
        told += [(clash, _clash_line(t, rounds, clash, "", {})) for clash in clashes]
        blocks.append(round_block(t, round_, told, suspicions))
    return _texts(t.html("history.title"), blocks, earlier, UNFOLDED)


def replay_texts(
    telling: Telling,
    claims: Sequence[Claim],
    suspicions: Sequence[Suspicion] = (),
    earlier: Markup | None = None,
) -> tuple[Markup, ...]:
    """Return all rounds of a game that has no secrets any more, folded.

    They tell all roles, hands and secret acts, and which claims were lies. ``earlier``: as for
    ``history_texts``.
    """
    t = telling.compact
    blocks = [dealt(t)]
    blocks += [_judged_block(t, round_, claims, suspicions) for round_ in rounds_of(t.view)]
    return _texts(t.html("replay.title"), blocks, earlier, 0)


def _texts(
    title: Markup, blocks: Sequence[Markup], earlier: Markup | None, unfolded: int
) -> tuple[Markup, ...]:
    """Return all rounds or, with ``earlier``, as many of the latest as fit into one text below that line."""
    if earlier is None:
        return expandable_texts(title, blocks, unfolded)
    cut = Markup("{}\n{}").format(title, earlier)
    kept = pages(cut, blocks[::-1])[0][::-1]
    return expandable_texts(title if len(kept) == len(blocks) else cut, kept, unfolded)[:1]


def open_text(telling: Telling, match: Match, above: Markup) -> Markup:
    """Return all cards of a game for a dead player, in one text: roles, and rounds as in a replay.

    It shows as many of the latest rounds as fit. ``above`` comes first.
    """
    t = telling.compact
    title = Markup("{}\n{}\n\n{}\n").format(above, t.html("watch.title"), roles_text(t, match))
    blocks = [_judged_block(t, round_, match.claims) for round_ in rounds_of(t.view)]
    (text,) = _texts(title, blocks, Markup("…"), UNFOLDED)
    return text


def known_texts(telling: Telling, mine: Sequence[tuple[int, Markup]]) -> tuple[Markup, ...]:
    """Return a seat's own knowledge, in as many texts as needed.

    ``mine``: lines, each with the number of the round in which the seat learned it (0: before the first).
    """
    blocks: dict[int, list[Markup]] = {}
    for number, text in mine:
        blocks.setdefault(number, []).extend(_indented([text]) if number else [text])
    for number, lines in blocks.items():
        if number:
            lines.insert(0, telling.html("round", round=number))
    joined = [Markup("\n").join(lines) for lines in blocks.values()]
    return tuple(Markup("\n").join(page) for page in pages(Markup(), joined) if page)


def round_block(
    t: Telling, round_: Round, told: Sequence[ToldClaims] = (), suspicions: Sequence[Suspicion] = ()
) -> Markup:
    """Return a round: candidates, votes, the events in order, claims and suspicions.

    Claims about the session follow it. Those about a power, and all suspicions, come last.
    """
    before = [line for fact in round_.before if (line := remembered(t, fact))]
    of_session = [line for claims, line in told if {one.kind for one in claims} <= {*OF_SESSION}]
    others = [line for claims, line in told if not {one.kind for one in claims} <= {*OF_SESSION}]
    # A suspicion is stored with its round, but not with its place in it.
    others += [suspicion_line(t, one, "suspect.during") for one in suspicions if one[1] == round_.number]
    after: list[Markup] = []
    hand = None
    for fact in round_.facts:
        if isinstance(fact, Discarded) and fact.seat == hand and fact.tile != UNKNOWN:
            after[-1] = Markup("{} 🗑 {}").format(after[-1], t.hand([fact.tile]))
        elif isinstance(fact, SealedVeto):
            after.append(_sealed(t, round_, fact))
        elif not isinstance(fact, _FRAME) and (line := remembered(t, fact)):
            after.append(line)
            # The seat whose hand the last line shows. The next fact may add to that line.
            hand = fact.seat if isinstance(fact, Drew | Passed) else None
        if isinstance(fact, f.Enacted | f.Vetoed):
            after, of_session = [*after, *of_session], []
    lines = [*ballot_lines(t, round_.ballots), *after, *of_session, *others]
    return Markup("\n").join([*before, _government(t, round_), *_indented(lines)])


def dealt(t: Telling) -> Markup:
    """List the dealt roles, each with its seats."""
    hands: dict[tuple[Role, Party], list[Seat]] = {}
    for fact in t.view.facts:
        if isinstance(fact, Dealt):
            hands.setdefault((fact.role, fact.party), []).append(fact.seat)
    lines = [
        t.html("replay.dealt", card=t.envelope(*card), seats=t.seats(seats))
        for card, seats in sorted(hands.items())
    ]
    return Markup("\n").join([t.html("replay.start"), *lines])


def claim_line(telling: Telling, claim: Claim) -> Markup:
    """Return a claim as a line of its own."""
    return Markup("💬 {}").format(said(telling, rounds_of(telling.view)[claim.round - 1], claim))


def said(t: Telling, round_: Round, claim: Claim) -> Markup:
    """Say in short who claims what. The round's first line already tells who was President and Chancellor."""
    if claim.kind == PARTY:
        target = next(whose for seat, whose, _ in round_.looked if seat == claim.seat)
        party = t.html(f"party.{claim.said[0]}")
        told = t.html("claim.says.party", seat=t.seat(claim.seat), target=t.seat(target), said=party)
    else:
        key = "claim.says.peek" if claim.kind == PEEK else "claim.says"
        told = t.html(key, seat=t.seat(claim.seat), said=t.colours(claim.said))
    if claim.instead_of in ((), claim.said):
        return told
    before = t.html(f"party.{claim.instead_of[0]}") if claim.kind == PARTY else t.colours(claim.instead_of)
    return t.html("claim.says.instead", claim=told, before=before)


def suspicion_line(telling: Telling, suspicion: Suspicion, key: str = "suspect.line") -> Markup:
    """List the seats that a seat suspects. Once the game is won, add their roles, and changes of party."""
    t, table = telling, telling.view.table

    def shown(seat: Seat) -> Markup:
        if table.winners is None:
            return t.seat(seat)
        side = t.envelope(table.roles[seat], table.parties[seat])
        return t.html("own.secret-role", role=t.seat(seat), party=side)

    return t.html(key, seat=t.seat(suspicion[0]), seats=t.words.listed(map(shown, suspicion[2])))


def _judged_block(
    t: Telling, round_: Round, claims: Sequence[Claim], suspicions: Sequence[Suspicion] = ()
) -> Markup:
    """Return a round with its claims and suspicions. Claims that were lies are marked."""
    told = [((claim,), marked_if_false(t, round_, claim)) for claim in claims if claim.round == round_.number]
    return round_block(t, round_, told, suspicions)


def marked_if_false(t: Telling, round_: Round, claim: Claim) -> Markup:
    """Return a claim, marked if it was not true. A computer that gained nothing by it has misremembered."""
    real, line = truth(round_, claim), claim_line(t, claim)
    if real is None or real == tuple(sorted(claim.said)):
        return line
    gains = t.view.table.parties[claim.seat] != "liberal" and not is_pointless(round_, claim, real)
    return t.html("replay.slip" if t.players[claim.seat].computer and not gains else "replay.lie", claim=line)


def _government(t: Telling, round_: Round) -> Markup:
    chancellor = Markup("–") if round_.chancellor is None else t.seat(round_.chancellor)
    names = {"round": round_.number, "president": t.seat(round_.president), "chancellor": chancellor}
    mark = "✅" if round_.elected else "❌" if round_.resolved else "…"
    if round_.ja or round_.nein:
        line = t.html("history.government", **names, mark=mark, ja=round_.ja, nein=round_.nein)
    else:
        line = t.html("history.government.open", **names, mark=mark)
    return Markup("<b>{}{}</b>").format("📯 " if round_.special else "", line)


def _sealed(t: Telling, round_: Round, fact: SealedVeto) -> Markup:
    """Return the result of a sealed veto and, if the reader knows them, both ballots."""
    ballots = [
        t.html("ask.pick", seat=t.seat(seat), choice=t.html(f"option.{ballot}"))
        for seat, ballot in zip((round_.president, round_.chancellor), fact.ballots, strict=True)
        if seat is not None and ballot is not None
    ]
    result = remembered(t, fact) or Markup()
    return t.html("aside", said=result, more=Markup(" · ").join(ballots)) if ballots else result


def _indented(lines: Iterable[Markup]) -> list[Markup]:
    return [_INDENT + part for line in lines for part in line.splitlines()]


# --- votes --------------------------------------------------------------------------------------------------
# Show all ballots as a grid: a line for each round, a column for each seat.

#: The grid's signs for each ballot and for none.
CAST = {JA: "+", NEIN: "-", None: "."}
#: Makes the grid run from left to right in every language.
_LEFT_TO_RIGHT = Markup("\u200e")
#: Up to the first number of seats, there is a space between columns. More columns come in groups of the
#: second number.
_SPACED, _GROUP = 10, 5


def votes_texts(telling: Telling) -> tuple[Markup, ...]:
    """Return the grid of a game so far, and the names for its columns, in as many texts as needed."""
    t = telling.compact
    seats = t.view.table.seats
    rounds = [_line(t, round_) for round_ in rounds_of(t.view)]
    signs = {ballot: t.html(f"option.{ballot}") for ballot in (JA, NEIN)}
    key = Markup("{}🎩→📜  {} {}  {} {}").format(_LEFT_TO_RIGHT, CAST[JA], signs[JA], CAST[NEIN], signs[NEIN])
    if any(round_.ballots and None in round_.ballots for round_ in rounds_of(t.view)):
        key = Markup("{}  {} {}").format(key, CAST[None], t.html("votes.none"))
    title, named = Markup("\n").join([t.html("votes.title"), key]), t.seats(SEATS[:seats])
    # The digits of a seat's number are one above the other.
    numbers = [f"{seat + 1:>2}" for seat in range(seats)]
    rows = [_spread([number[place] for number in numbers]) for place in (0, 1)]
    head = [_LEFT_TO_RIGHT + " " * 9 + row.rstrip() for row in rows if row.strip()]
    grids = [
        Markup("<pre>{}</pre>").format(Markup("\n").join([*head, *page]))
        for page in pages(Markup("\n").join([title, *head, named]), rounds)
    ]
    return (Markup("{}\n{}\n{}").format(title, grids[0], named), *grids[1:])


def _line(t: Telling, round_: Round) -> Markup:
    """Return a round: its number, its government, every ballot, their count, and the result."""
    chancellor = "–" if round_.chancellor is None else str(round_.chancellor + 1)
    ballots = _spread([CAST.get(ballot, "?") for ballot in round_.ballots])
    count = f"{round_.ja}:{round_.nein}" if round_.ballots else ""
    pair = f"{round_.president + 1:>2}→{chancellor:<2}"
    tiles = "".join(t.words.plain(f"sign.{track(tile) or 'card'}") for tile in round_.enacted)
    result = f"{SIGNS['burst'] if round_.chaos else ''}{SIGNS['palm'] if round_.vetoed else ''}{tiles}"
    return _LEFT_TO_RIGHT + f"{round_.number:>2} {pair} {ballots} {count:<5}{result}".rstrip()


def _spread(cells: list[str]) -> str:
    """Join cells of one character, with spaces if they fit, otherwise in groups."""
    if len(cells) <= _SPACED:
        return " ".join(cells)
    return " ".join("".join(cells[at : at + _GROUP]) for at in range(0, len(cells), _GROUP))


# --- recap --------------------------------------------------------------------------------------------------
# Tell a seat the news since its last ballot in a line or two: governments, what they did, claims.

#: Facts that are left out, because the recap has other lines for them, or the prompt shows them in its board
#: line or marks.
_TOLD = (
    *(f.CandidacyPassed, f.Nominated, f.Voted, f.Elected, f.Vetoed, f.VetoRequested, f.VetoRefused),
    *(f.TrackerAdvanced, f.VetoUnlocked, f.LimitsWaived, f.ClockAnswered, f.GameOver, SealedVeto),
)


def last_ballot(view: View, seat: Seat) -> int | None:
    """Return the index of the fact that shows a seat's last ballot, or None if it has not voted."""
    voted = [at for at, fact in enumerate(view.facts) if isinstance(fact, f.Voted) and fact.ballots[seat]]
    return voted[-1] if voted else None


def recap_lines(telling: Telling, since: int | None, claims: Sequence[Claim]) -> list[Markup]:
    """Return the news since a seat's last ballot, see ``last_ballot``.

    ``telling`` has the group's view, in the seat's language, so the recap tells nothing that others may not
    know. Each round has one line, and one more if a power was used.
    """
    t = telling.compact
    before = t.view.facts[: since or 0]
    first = max(0, sum(map(isinstance, before, repeat(f.CandidacyPassed))) - 1)
    # The prompt of the seat's last ballot has told what came before that round's candidate.
    lines = [
        told
        for at, round_ in enumerate(rounds_of(t.view)[first:])
        for told in _round(t, round_, whole=since is None or at > 0)
    ]
    news = claims_line(t, [one for one in claims if one.round > first or one.at >= (since or 0)], claims)
    return [*lines, *([news] if news else [])]


def claims_line(
    telling: Telling, news: Sequence[Claim], claims: Sequence[Claim], *, talk: bool = False
) -> Markup | None:
    """Return new claims: a line for each round, and one for each pair of claims that contradict each other.

    Claims name their round if there was a nomination since. ``claims``: all claims of the game,
    to find contradictions. ``talk``: computers say a line with theirs. Return None if there is no ``news``.
    """
    if not news:
        return None
    t = telling.compact
    rounds = rounds_of(t.view)
    wrong = {
        number: [clash for clash in clashes if not set(clash).isdisjoint(news)]
        for number, clashes in contradictions(rounds, claims).items()
    }
    clashing = [one for clashes in wrong.values() for clash in clashes for one in clash]
    lines = {one: remark(t, rounds[one.round - 1], one, claims) for one in news} if talk else {}
    told = []
    for round_ in rounds:
        late = {later.chancellor for later in rounds[round_.number :]} - {None}
        about = t.html("claim.about", round=round_.number) if late else Markup()
        if single := [one for one in news if one.round == round_.number and one not in clashing]:
            hands = [one for one in single if one.kind in (PRESIDENT, CHANCELLOR)]
            clash = round_.number in [one.round for one in clashing]
            discarded = discarded_note(t, round_, claims) if hands and not clash else Markup()
            others = [one for one in single if one not in hands]
            parts = [_joined(t, rounds, hands, lines) + discarded, _joined(t, rounds, others, lines)]
            told.append(Markup("💬 {}{}").format(about, Markup(" · ").join(filter(None, parts))))
        told += [_clash_line(t, rounds, clash, about, lines) for clash in wrong.get(round_.number, ())]
    return Markup("\n").join(told)


def discarded_note(t: Telling, round_: Round, claims: Sequence[Claim]) -> Markup:
    """Say that a session's President discarded a Liberal policy, but had others, if both claims are true.

    Return an empty text if the claims do not say so.
    """
    hands = {one.kind: one for one in claims if one.round == round_.number}
    if PRESIDENT not in hands or CHANCELLOR not in hands or not round_.enacted:
        return Markup()
    left = Counter(hands[PRESIDENT].said) - Counter(hands[CHANCELLOR].said)
    if left != Counter({"liberal": 1}) or set(hands[PRESIDENT].said) == {"liberal"}:
        return Markup()
    tile = t.html("sign.liberal")
    return Markup(" {}").format(t.html("claim.discarded", seat=t.seat(hands[PRESIDENT].seat), tile=tile))


def _clash_line(t: Telling, rounds: Sequence[Round], clash: Clash, about: str, lines: Lines) -> Markup:
    """Return two claims that contradict each other, or one that cannot be true, with a mark."""
    mark = t.html("claim.clash" if len(clash) > 1 else "claim.clash.alone")
    return Markup("💬 {}{} {}").format(about, _joined(t, rounds, clash, lines), mark)


def _joined(t: Telling, rounds: Sequence[Round], claims: Sequence[Claim], lines: Lines) -> Markup:
    """Return these claims in one line, each with what its computer says with it."""
    told = []
    for one in claims:
        told.append(said(t, rounds[one.round - 1], one))
        if (line := lines.get(one)) is not None:
            told[-1] = Markup("{} {}").format(told[-1], line)
    return Markup(" · ").join(told)


def _round(t: Telling, round_: Round, whole: bool) -> list[Markup]:
    """Return a line for a round's government, and one for each use of a power.

    If ``whole``, begin with what happened before the round's candidate was known.
    """
    before, after = [
        [
            told
            for fact in facts
            if not isinstance(fact, _TOLD)
            if not isinstance(fact, f.Enacted) or fact.chaos
            if (told := line(t, fact))
        ]
        for facts in (round_.before if whole else [], round_.facts)
    ]
    if round_.chancellor is not None and round_.resolved:
        result = "elected" if round_.elected else "rejected"
        if round_.elected and round_.vetoed:
            result = "vetoed"
        elif round_.elected and round_.enacted and not round_.chaos:
            result = "enacted"
        tiles = t.words.listed([t.tile(tile) for tile in round_.enacted])
        pair = {"president": t.seat(round_.president), "chancellor": t.seat(round_.chancellor)}
        before.append(t.html(f"recap.{result}", **pair, tile=tiles, ja=round_.ja, nein=round_.nein))
    return [*before, *after]


# --- lines --------------------------------------------------------------------------------------------------
# Lines that tell a fact: to the group when it happens, to a seat in private, and in a history later.


def line(telling: Telling, fact: Fact) -> Markup | None:
    """Return the group's line for a fact, or None if it has none."""
    found = SHOWN.lines.get(type(fact))
    return None if found is None else found(telling, fact)


def remembered(telling: Telling, fact: Fact) -> Markup | None:
    """Return a history's line about a fact, as far as the reader knows it, or None if it has none."""
    kind = type(fact)
    if kind in SHOWN.forgotten:
        return None
    found = SHOWN.remembered.get(kind) or SHOWN.lines.get(kind)
    return None if found is None else found(telling, fact)


def whisper(telling: Telling, fact: Fact) -> Markup | None:
    """Return the private line about a fact for a seat that may know all of it, or None if it has none."""
    found = SHOWN.whispers.get(type(fact))
    return None if found is None else found(telling, fact)


# --- lies ---------------------------------------------------------------------------------------------------


def lie_lines(t: Telling, lie: Lie) -> Markup:
    """Tell the lie of a game: its round, the claim, the truth, and the later votes for the liar."""
    order, liar = colours_of(t.board), t.seat(lie.claim.seat)
    if lie.claim.kind == PARTY:
        true = t.html(f"party.{lie.truth[0]}")
    else:
        true = t.colours(sorted(lie.truth, key=order.index))
    why = t.html("end.lie.held", seat=liar)
    if lie.voters:
        why = t.html("end.lie.trusted", seat=liar, ja=lie.ja, all=lie.voters)
    told = t.html("end.lie", round=lie.claim.round)
    return Markup("\n").join([told, claim_line(t, lie.claim), t.html("end.truth", truth=true), why])
