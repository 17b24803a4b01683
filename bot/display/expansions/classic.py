"""The published game, and the sealed veto, an option of every ruleset."""

from markupsafe import Markup

from bot.display.expansion_parts import HITLER, Expansion, icons_of
from bot.display.telling import Line, Telling, ballot_lines, tells
from bot.display.words import Words
from engine import Setup, board_of
from engine import facts as f
from engine.board import Party
from engine.question import JA, NEIN
from engine.steps import sealed_veto
from engine.steps.legislation import VETO
from engine.tiles import UNKNOWN


def _candidacy(t: Telling, fact: f.CandidacyPassed) -> Markup:
    if fact.special:
        return t.html("candidacy.special", seat=t.seat(fact.seat))
    return t.html("candidacy.back" if t.is_back_in_turn(fact) else "candidacy", seat=t.seat(fact.seat))


def _voted(t: Telling, fact: f.Voted) -> Markup:
    lines = ballot_lines(t, fact.ballots)
    return Markup("\n").join([*lines, t.html("voted.passed" if fact.passed else "voted.failed")])


def _tracker(t: Telling, fact: f.TrackerAdvanced) -> Markup:
    most = t.board.chaos
    return t.html("tracker", value=fact.value, of=most, level=1 + most - fact.value)


def _enacted(t: Telling, fact: f.Enacted) -> Markup:
    if fact.chaos:
        chaos = t.html("enacted.chaos", tile=t.tile(fact.tile))
        if t.view.table.winners is not None:
            return chaos
        return t.html("sentences", first=chaos, second=t.html("enacted.chaos.limits"))
    pair = None  # the last government elected before this; it may be out of office by now
    for told in t.view.facts:
        if isinstance(told, f.Elected):
            pair = told
        if told is fact:
            break
    if pair is None:
        return t.html("history.enacted", tile=t.tile(fact.tile))
    president, chancellor = t.seat(pair.president), t.seat(pair.chancellor)
    return t.html("enacted", president=president, chancellor=chancellor, tile=t.tile(fact.tile))


def _shuffled(t: Telling, fact: f.Shuffled) -> Markup | None:
    # The first shuffle is part of the setup, and a five-year plan has its own line.
    if t.view.table.shuffles == 1 or fact.discards_kept:
        return None
    return t.html("shuffled", count=len(fact.pile))


def _killed(t: Telling, fact: f.Killed) -> Markup:
    if "hitler-killed" not in t.board.endings:
        # If the game can go on after Hitler's death, the line must not say whether it was Hitler.
        return t.html("players.line", seat=t.seat(fact.seat), marks=t.html("mark.dead"))
    if t.view.table.roles[fact.seat] == "hitler":
        return t.html("killed.hitler", seat=t.seat(fact.seat))
    if fact.by is None:
        return t.html("killed.by-nobody", seat=t.seat(fact.seat))
    return t.html("killed", seat=t.seat(fact.seat), by=t.seat(fact.by))


def _killing(t: Telling, fact: f.Killed) -> Markup:
    told = _killed(t, fact)
    if fact.by is None or t.view.table.roles[fact.seat] != "hitler":
        return told
    # The group's line about Hitler's death does not say who did it. A history must.
    return Markup("🗡 {}\n{}").format(t.html("ask.pick", seat=t.seat(fact.by), choice=t.seat(fact.seat)), told)


def _game_over(t: Telling, fact: f.GameOver) -> Markup:
    winners = Markup(" + ").join(t.html(f"parties.{party}") for party in fact.winners)
    return t.html("over", winners=winners, reason=t.html(f"reason.{fact.reason}"))


def _known_hand(key: str) -> Line:
    """Return the line about a hand, which is told only if the reader knows its tiles."""

    def told(t: Telling, fact: f.Drew | f.Passed) -> Markup | None:
        known = UNKNOWN not in fact.hand
        return t.html(key, seat=t.seat(fact.seat), tiles=t.hand(fact.hand)) if known else None

    return told


def _discarded(t: Telling, fact: f.Discarded) -> Markup | None:
    if fact.tile == UNKNOWN:
        return None
    return t.html("replay.discarded", seat=t.seat(fact.seat), tile=t.hand([fact.tile]))


def _vetoed(t: Telling, fact: f.Vetoed) -> Markup:
    line = t.html("history.vetoed")
    return line if UNKNOWN in fact.tiles else Markup("{} {}").format(line, t.hand(fact.tiles))


def _looked(t: Telling, fact: f.Investigated) -> Markup:
    names = {"seat": t.seat(fact.seat), "target": t.seat(fact.target)}
    if fact.party is None:
        return t.html("investigated", **names)
    return t.html("replay.investigated", party=t.html(f"party.{fact.party}"), **names)


def _peeking(t: Telling, fact: f.Peeked) -> Markup | None:
    # Only propaganda shows a single tile, and the next line says what became of it.
    count = len(fact.pile)
    return None if count == 1 else t.words.counted("peeked", count, seat=t.seat(fact.seat))


def _peeked(t: Telling, fact: f.Peeked) -> Markup:
    if UNKNOWN in fact.pile:
        return t.words.counted("peeked", len(fact.pile), seat=t.seat(fact.seat))
    return t.html("replay.peeked", seat=t.seat(fact.seat), tiles=t.hand(fact.pile))


def _selected(t: Telling, fact: sealed_veto.Selected) -> Markup | None:
    if fact.tile == UNKNOWN:
        return None
    return Markup("✉️ {}").format(t.html("ask.pick", seat=t.seat(fact.seat), choice=t.hand([fact.tile])))


def wins(words: Words, setup: Setup, party: Party) -> list[Markup]:
    """Return a sentence for each way in which a party wins on this setup's board."""
    board = board_of(setup)
    ways = [ending for ending, winners in board.endings.items() if party in winners]
    track = [f"wins.{party}"] if party in board.tracks else []
    return [words.html(key, zone=board.zone) for key in (*track, *(f"wins.{ending}" for ending in ways))]


CLASSIC = Expansion(
    lines={
        f.CandidacyPassed: _candidacy,
        f.LimitsWaived: tells("limits-waived"),
        f.Nominated: tells("nominated", "president", "chancellor"),
        f.Voted: _voted,
        f.NoElection: lambda t, fact: t.html(f"no-election.{fact.reason}"),
        f.Elected: tells("elected", "president", "chancellor"),
        f.ConfirmedNotHitler: tells("not-hitler", "seat"),
        f.TrackerAdvanced: _tracker,
        f.Enacted: _enacted,
        f.VetoUnlocked: tells("veto.unlocked"),
        f.VetoRequested: tells("veto.requested", "seat"),
        f.VetoRefused: tells("veto.refused", "seat"),
        f.Vetoed: tells("vetoed"),
        f.Shuffled: _shuffled,
        f.PowerLapsed: tells("power-lapsed", "power"),
        f.Investigated: tells("investigated", "seat", "target"),
        f.Peeked: _peeking,
        f.SpecialElectionCalled: tells("special-called", "seat", "target"),
        f.Killed: _killed,
        f.ClockAnswered: lambda t, fact: t.html("clock-answered", seats=t.seats(fact.seats)),
        f.GameOver: _game_over,
        sealed_veto.SealedVeto: lambda t, fact: t.html(
            "sealed.vetoed" if fact.vetoed else "sealed.not-vetoed"
        ),
    },
    without_line=frozenset(
        {
            *(f.Opened, f.TracksLaid, f.Dealt, f.Recognised),
            *(f.Drew, f.Discarded, f.Passed, f.RoundEnded, sealed_veto.Selected),
        }
    ),
    remembered={
        f.Drew: _known_hand("replay.drew"),
        f.Discarded: _discarded,
        f.Passed: _known_hand("replay.handed"),
        f.Enacted: lambda t, fact: t.html(
            "history.chaos" if fact.chaos else "history.enacted", tile=t.tile(fact.tile)
        ),
        f.Vetoed: _vetoed,
        f.Investigated: _looked,
        f.Peeked: _peeked,
        f.Killed: _killing,
        sealed_veto.Selected: _selected,
    },
    # A history lists the roles before the first round, and who knows whom follows from them.
    forgotten=frozenset({f.Opened, f.TracksLaid, f.Dealt, f.Recognised, f.RoundEnded}),
    whispers={
        f.Investigated: tells("investigated.result", "target", "party"),
        f.Peeked: lambda t, fact: t.html("peeked.result", tiles=t.tiles(fact.pile)),
    },
    showings={f.Investigated: lambda fact: (fact.seat, fact.target, fact.party)},
    icons=icons_of("classic"),
    endings={"hitler-elected": (HITLER, "scroll"), "hitler-killed": (HITLER, "power/kill")},
    open_choices=frozenset({"ballot", "nominate", "veto", "investigate", "special", "kill"}),
    fatal=frozenset({"kill"}),
    without_record=frozenset({"ballot", "sealed-veto"}),
    verbs=frozenset({JA, NEIN, VETO}),
)
