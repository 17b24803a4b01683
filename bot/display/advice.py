"""Advice for newcomers, and a good player's reasons for a choice, as texts."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from markupsafe import Markup

from bot.display.board import shown_to_all
from bot.display.expansions import SHOWN
from bot.display.expansions.communists import CONVERTING
from bot.display.prompts import about, label
from bot.display.telling import Telling
from bot.display.words import Words, bold
from bot.rooms.rounds import HANDS, rounds_of
from engine import Question, Seat, in_hitler_zone
from engine.claim import colour
from engine.question import JA, NEIN
from engine.rulesets.red_dawn.article_48 import ConversionTried
from engine.steps.communists import COMMUNIST, ConversionFailed, MeetingEnded, PartyChanged, RecruitmentTried
from engine.steps.dealing import PARTY as OWN_PARTY
from engine.steps.legislation import VETO

if TYPE_CHECKING:
    from ai import Reason

#: Questions that share the advice of another one.
ALIKE: Mapping[str, str] = {
    "select": "enact",
    "sealed-veto": "veto",
    "radicalisation": "recruitment",
    "convert": "recruitment",
    "mark": "kill",
    "revenge": "kill",
    "resurrect": "pardon",
}
T = TypeVar("T", str, Markup)
#: The party that hides nothing; all other parties do.
OPEN = "liberal"
_OTHER = "advice.other"
#: Keys that several questions share, by question and moment.
_KEYS = {
    **{(step, "last"): "advice.last" for step in ("discard", "enact")},
    **{(step, "wins"): "advice.wins" for step in ("discard", "enact")},
    ("ballot", "race"): "advice.race",
    ("kill", "hunts"): "advice.kill.open",
    ("smear", "hunts"): "advice.kill.open",
}
#: By question, the ending that it brings if Hitler is the target.
_FELLS_HITLER = {"kill": "hitler-killed", "smear": "hitler-smeared"}
#: The most reasons given.
MOST = 2
#: The key of the text, as a reason and as advice, for a hand whose tiles are all the same.
_ALIKE = "reason.alike"
#: Reasons about a tile, which have another text if the tile is thrown away; and that text, by question.
_OF_TILES = ("own-tile", "wins", "loses")
_THROWN: Mapping[str, str] = {"discard": "discard", "veto": "veto", "sealed-veto": "veto"}


def advice_line(telling: Telling, question: Question, *, covered: bool = False) -> Markup:
    """Return a line of advice for this question and the seat's party. It begins with what the seat knows.

    ``covered``: put it under a spoiler, because its words tell a neighbour at the table the seat's party.
    """
    t, seat = telling, telling.view.seat
    assert seat is not None, "advice is a seat's"
    seats, parties = about(t, question), t.view.table.parties
    known = {one: party for one in seats if one != seat and (party := parties[one])}
    named, chancellor = Markup(), t.view.table.chancellor
    if question.step in HANDS and len(set(question.options[question.seats.index(seat)])) == 1:
        key = _ALIKE
    elif question.step == "ballot" and chancellor is not None and _wins_with(t, chancellor):
        key, named = "reason.elects-hitler", t.seat(chancellor)
        key = "advice.ballot.you-win" if chancellor == seat else key
    else:
        step = ALIKE.get(question.step, question.step)
        key = f"advice.{step}" if t.words.has(f"advice.{step}") else _OTHER
        for moment in _moments(t, question, seats, known):
            special = _KEYS.get((step, moment), f"advice.{step}.{moment}")
            if t.words.has(special):
                key = special
                break
        if key == "advice.ballot.enemy":
            named = t.seat(next(one for one, party in known.items() if party != OPEN))
        elif key == "advice.ballot.friend":
            named = t.seats(known)
    candidate = Markup() if chancellor is None else t.seat(chancellor)
    ending = [t.html(f"party.{party}") for party in t.nearly_full if party != parties[seat]]
    listed = t.words.listed(ending)
    values = {"seat": named, "candidate": candidate, "parties": listed}
    advice = t.html(key, **_fixed_values(t.words), **values)
    last_failure = t.view.table.tracker + 1 == t.board.chaos
    if last_failure and key in ("advice.ballot.zone", "advice.ballot.last", "advice.race"):
        advice = t.html("sentences", first=advice, second=t.html("advice.ballot.tracker"))
    if ending and key in ("advice.ballot.zone", "advice.nominate.zone"):
        advice = t.html("sentences", first=advice, second=t.html("advice.also", parties=listed))
    if known and not named:
        doubted = [one for one in known if _may_have_changed(t, one)]
        sure = [one for one in known if one not in doubted]
        keys = {one: f"party.{party}" for one, party in known.items()}
        keys |= {one: "role.hitler" for one in known if t.view.table.roles[one] == "hitler"}
        for key, seats in (("advice.known.before", doubted), ("advice.known", sure)):
            told = [t.html("named", name=t.seat(one), value=t.html(keys[one])) for one in seats]
            if told:
                first = t.html(key, known=t.words.listed(told))
                advice = t.html("sentences", first=first, second=advice)
    if covered:
        return t.html("advice.covered", advice=Markup("<tg-spoiler>{}</tg-spoiler>").format(advice))
    return t.html("advice", advice=advice)


@lru_cache
def _fixed_values(words: Words) -> Mapping[str, Markup]:
    """Return the values of all advice that depend only on the words: both ballots, Hitler, the open tile."""
    ballots = {ballot: _unmarked(words.html(f"option.{ballot}")) for ballot in (JA, NEIN)}
    return {**ballots, "hitler": words.html("role.hitler"), "tile": words.html(f"party.{OPEN}")}


def _may_have_changed(t: Telling, seat: Seat) -> bool:
    """Return True if a seat may have become a Communist since the reader learned its party."""
    table = t.view.table
    if table.parties[seat] == COMMUNIST or table.roles[seat] == "hitler":
        return False
    # A Communist knows whom its own meeting tried to recruit, and a target knows that it was the target.
    # These facts follow the meeting's end, or the attempt.
    elsewhere = False
    for fact in reversed(t.view.facts):
        if isinstance(fact, PartyChanged | ConversionFailed) and fact.seat == t.view.seat:
            elsewhere = True
        elif isinstance(fact, ConversionTried | RecruitmentTried) and fact.target is not None:
            if fact.target == seat:
                return True
            elsewhere = isinstance(fact, RecruitmentTried)
        elif isinstance(fact, ConversionTried) or (
            isinstance(fact, MeetingEnded) and fact.power in CONVERTING
        ):
            if not elsewhere:
                return True
            elsewhere = False
        if (showing := SHOWN.showings.get(type(fact))) is not None and showing(fact)[1] == seat:
            return False
    return False


def _wins_with(t: Telling, chancellor: Seat) -> bool:
    """Return True if the seat is a Fascist or Hitler, and knows that electing this Chancellor wins."""
    table = t.view.table
    fascist = table.parties[t.view.seat or Seat(0)] == "fascist"
    return fascist and table.roles[chancellor] == "hitler" and in_hitler_zone(table, t.board)


def board_explained(telling: Telling) -> Markup:
    """Explain the board line of prompts to somebody who reads it for the first time."""
    offices = Markup(" · ").join(telling.html(f"mark.{office}") for office in ("president", "chancellor"))
    board = telling.html("sentences", first=telling.html("advice.board"), second=offices)
    return telling.html("advice", advice=board)


def _moments(
    telling: Telling, question: Question, seats: Sequence[Seat], known: Mapping[Seat, str]
) -> tuple[str, ...]:
    """Return what is special about this moment for the seat, the most urgent first.

    ``seats``: those that the question is about. ``known``: the parties that the seat knows of them.
    """
    table, board = telling.view.table, telling.board
    seat, step = telling.view.seat or Seat(0), ALIKE.get(question.step, question.step)
    chancellor = None if question.step == "special" else table.chancellor
    ballot, begins = question.step == "ballot", not any(table.tracks.values())
    own_party = table.parties[seat]
    open_ = own_party == OPEN
    hand = question.options[question.seats.index(seat)] if question.step in HANDS else ()
    colours = {colour(str(tile)) for tile in hand if tile != VETO}
    governments = [one for one in rounds_of(telling.view) if one.elected and one.enacted]
    untried = {seat for one in governments for seat in (one.president, one.chancellor)}.isdisjoint(seats)
    pair = {table.president, chancellor}
    governs = ballot and seat in pair
    hitler = table.roles.index("hitler") if "hitler" in table.roles else None
    barred = step == "nominate" and hitler is not None and hitler not in seats
    hitler_may_win = in_hitler_zone(table, board) and (
        not barred if chancellor is None else _may_be_hitler(telling, chancellor)
    )
    # Liberals' own advice about the tiles of a hand says enough.
    elects = not open_ or step in ("nominate", "ballot")
    # Others were dealt the seat's party, and it knows of none.
    dealt = sum([count for role, count in board.roles.items() if OWN_PARTY.get(role, role) == own_party])
    alone = dealt > 1 and table.parties.count(own_party) == 1
    fears_hitler = own_party not in board.endings.get("hitler-elected", ())
    moments = {
        "wins": own_party in colours & set(telling.nearly_full),
        "veto": VETO in hand and own_party not in colours,
        "zone": hitler_may_win and fears_hitler,
        "zone-hidden": hitler_may_win and not fears_hitler and table.roles[seat] != "hitler",
        "race": elects and not governs and {own_party} < set(telling.nearly_full),
        "enemy": ballot and open_ and not {*known.values()} <= {OPEN},
        "friend": ballot and open_ and bool(known) and pair - {seat} == known.keys(),
        "last": elects and not governs and not {*telling.nearly_full} <= {own_party},
        "tracker": table.tracker + 1 == board.chaos,
        "proven": not open_ and seat in [whose for whose, _ in shown_to_all(telling)],
        "first": (begins and (open_ or (ballot and not known))) or (open_ and not ballot and untried),
        "own": open_ and seat in pair and not (ballot and known),
        "own-hidden": not open_ and governs,
        "new": ballot and open_ and untried,
        "hunts": not open_ and own_party in board.endings.get(_FELLS_HITLER.get(step, ""), ()),
        "alone": not open_ and alone,
        "none": bool(colours) and own_party not in colours,
        "blameless": own_party in colours and OPEN not in colours,
        "open": open_,
        "hidden": not open_,
    }
    return tuple([name for name, now in moments.items() if now])


def _may_be_hitler(telling: Telling, seat: Seat) -> bool:
    """Return True if a seat may be Hitler, as far as the reader knows. Hitler never changes party."""
    table = telling.view.table
    if "hitler" in table.roles or table.roles[seat] is not None or seat in telling.not_hitler:
        return table.roles[seat] == "hitler"
    return table.parties[seat] in (None, "fascist")


def hint_text(
    telling: Telling, question: Question, choice: int | None, reasons: Sequence["Reason"]
) -> Markup:
    """Return a good player's choice in this seat, and the strongest reasons, each on a line.

    If ``choice`` is None (options are face down, or about equally good), return only the reason.
    """
    told = [_reason(telling, question, reason) for reason in reasons[:MOST]]
    if choice is None:
        return Markup("\n").join(telling.html("hint.alone", reason=reason) for reason in told)
    options = question.options[question.seats.index(telling.view.seat or Seat(0))]
    chosen = bold(_unmarked(label(telling.words, telling.players, options[choice])))
    lines = [telling.html("hint.reason", reason=reason) for reason in told]
    return Markup("\n").join([telling.html("hint", choice=chosen), *lines])


def _unmarked(text: T) -> T:
    """Return a ballot's name without its exclamation mark, to continue a sentence."""
    return text.rstrip("!！")


def _reason(telling: Telling, question: Question, reason: "Reason") -> Markup:
    thrown = _THROWN.get(question.step) if reason.code in _OF_TILES else None
    key = f"reason.{reason.code}.{thrown}" if thrown else f"reason.{reason.code}"
    others = [seat for seat in reason.seats if seat != telling.view.seat]
    if len(others) < len(reason.seats) and telling.words.has(f"{key}.you"):
        key = f"{key}.you"
        seats = [Markup(), *map(telling.seat, others)]
    else:
        seats = [telling.seat(seat) for seat in reason.seats]
    values = {
        "seat": seats[0] if seats else "",
        "other": seats[1] if len(seats) > 1 else "",
        "hitler": telling.html("role.hitler"),
        "tile": telling.tile(OPEN),
        "round": "" if reason.round is None else reason.round,
    }
    return telling.html(key, **values)
