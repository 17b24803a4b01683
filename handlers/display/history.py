"""The history that /history shows, and the replay at the end: the same rounds, then with the truth."""

from collections.abc import Iterable, Mapping, Sequence

from engine.claim import Claim
from engine.facts import Fact
from handlers.display.expansions import SHOWN
from handlers.display.telling import Line, Telling
from handlers.display.words import Html, shown_length
from handlers.rooms.governments import PARTY, Government, contradicted, governments, truth

#: Telegram's limit for a text, with room for what surrounds it.
LONGEST = 3900


def history_text(telling: Telling, claims: Sequence[Claim]) -> Html:
    """Governments, ballots, what was enacted, claims; and where they contradict each other."""
    blocks = []
    for now in governments(telling.view.facts):
        made = [claim for claim in claims if claim.round == now.round]
        lines = [_government(telling, now), *(claim_line(telling, claim) for claim in made)]
        if contradicted(now, made):
            lines.append(telling.html("history.contradiction"))
        blocks.append(Html("\n".join(lines)))
    title = telling.html("history.title")
    return Html("\n".join([title, *latest(blocks, LONGEST - shown_length(title))]))


def replay_texts(telling: Telling, claims: Sequence[Claim]) -> tuple[Html, ...]:
    """Round by round what the government held, discarded and enacted, and which claims were lies.

    Then comes what happened in secret beside that, in as many texts as it takes.
    """
    blocks = []
    for now in governments(telling.view.facts):
        lines = [_government(telling, now), *_hands(telling, now)]
        for claim in claims:
            if claim.round == now.round:
                real = truth(now, claim)
                key = "replay.true" if real is None or real == tuple(sorted(claim.said)) else "replay.lie"
                lines.append(telling.html(key, claim=claim_line(telling, claim)))
        blocks.append(Html("\n".join(lines)))
    hidden = _said(telling, SHOWN.in_secret, telling.view.facts)
    return _pages(telling.html("replay.title"), [*blocks, *hidden])


def _government(t: Telling, now: Government) -> Html:
    chancellor = Html("–") if now.chancellor is None else t.seat(now.chancellor)
    names = {"round": now.round, "president": t.seat(now.president), "chancellor": chancellor}
    mark = "✅" if now.elected else "❌" if now.resolved else "⏳"
    if now.ja or now.nein:
        line = t.html("history.government", **names, mark=mark, ja=now.ja, nein=now.nein)
    else:
        line = t.html("history.government.open", **names, mark=mark)
    ends = [t.html("history.chaos" if now.chaos else "history.enacted", tile=t.tile(x)) for x in now.enacted]
    if now.vetoed:
        ends.append(t.html("history.vetoed"))
    return Html("\n".join([line, *ends]))


def _hands(t: Telling, now: Government) -> list[Html]:
    lines = []
    if now.drawn:
        lines.append(t.html("replay.drew", seat=t.seat(now.president), tiles=t.tiles(now.drawn)))
    for seat, tile in now.discarded:
        lines.append(t.html("replay.discarded", seat=t.seat(seat), tile=t.tile(tile)))
    if now.sealed:
        lines.append(_sealed(t, now))
    for seat, target, party in now.looked:
        seen = t.party(party)
        lines.append(t.html("replay.investigated", seat=t.seat(seat), target=t.seat(target), party=seen))
    lines += _said(t, SHOWN.replayed, now.others)
    for seat, pile in now.peeked:
        lines.append(t.html("replay.peeked", seat=t.seat(seat), tiles=t.tiles(pile)))
    return lines


def _sealed(t: Telling, now: Government) -> Html:
    """The tile that the Chancellor selected, and both sealed ballots; a ballot not cast is none."""
    said = []
    if now.chancellor is not None and now.selected is not None:
        said.append(t.html("ask.pick", seat=t.seat(now.chancellor), choice=t.tile(now.selected)))
    for seat, ballot in zip((now.president, now.chancellor), now.sealed, strict=True):
        if seat is not None and ballot is not None:
            said.append(t.html("ask.pick", seat=t.seat(seat), choice=t.html(f"option.{ballot}")))
    return Html(f"\u3000✉️ {' · '.join(said)}")


def claim_line(telling: Telling, claim: Claim) -> Html:
    """What somebody claims, as the group reads it."""
    if claim.kind == PARTY:
        now = governments(telling.view.facts)[claim.round - 1]
        target = next(telling.seat(target) for seat, target, _ in now.looked if seat == claim.seat)
        seen = telling.party(claim.said[0])
        return telling.html("claim.party", seat=telling.seat(claim.seat), target=target, said=seen)
    said = Html(" · ".join(telling.html(f"colour.{colour}") for colour in claim.said))
    return telling.html(f"claim.{claim.kind}", seat=telling.seat(claim.seat), said=said)


def _said(t: Telling, lines: Mapping[type[Fact], Line], facts: Iterable[Fact]) -> list[Html]:
    """What these lines say of those facts that they are for."""
    told = (lines[type(fact)](t, fact) for fact in facts if type(fact) in lines)
    return [said for said in told if said is not None]


def _pages(title: Html, blocks: Sequence[Html]) -> tuple[Html, ...]:
    """The blocks in texts that Telegram takes, the first one under the title; blocks are whole HTML each."""
    pages: list[list[Html]] = [[title]]
    length = shown_length(title)
    for block in blocks:
        length += shown_length(block) + 1
        if length > LONGEST:
            pages.append([])
            length = shown_length(block)
        pages[-1].append(block)
    return tuple(Html("\n".join(page)) for page in pages)


def latest(blocks: Sequence[Html], length: int) -> list[Html]:
    """As many of the latest blocks as fit into so many UTF-16 units, a line each.

    An ellipsis stands above them where some do not. Blocks are whole HTML each.
    """
    kept: list[Html] = []
    for block in reversed(blocks):
        length -= shown_length(block) + 1
        if length < 0:
            kept.append(Html("…"))
            break
        kept.append(block)
    return kept[::-1]
