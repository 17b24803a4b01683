"""The Communists of Red Dawn and XL: their meetings, and the powers of their track."""

from markupsafe import Markup

from bot.display.expansion_parts import Expansion, Page, Tables, icons_of
from bot.display.expansions.classic import wins
from bot.display.telling import Telling, tells
from bot.display.words import Words
from engine import Seat
from engine.steps import communists
from engine.steps.communists import COMMUNIST

#: The powers with which a meeting may change somebody's party.
CONVERTING = ("recruitment", "radicalisation")


def known(t: Telling, seats: tuple[Seat, ...] | None) -> Markup:
    """Name the other Communists to a seat that learns who they are."""
    return t.html("communists", seats=t.seats(seats)) if seats else t.html("communists.none")


def listed(t: Telling, seats: tuple[Seat, ...] | None) -> Markup:
    """Name the Communists for a history, or write a dash if there are none."""
    return t.html("communists", seats=t.seats(seats) if seats else "–")


def _changed(t: Telling, fact: communists.PartyChanged) -> Markup:
    changed = t.html("party-changed", party=t.html(f"party.{fact.party}"))
    return Markup("\n").join([changed, *wins(t.words, t.view.setup, fact.party)])


def _congress(t: Telling, fact: communists.CongressHeld) -> Markup:
    held = t.html("congress")
    return held if fact.members is None else Markup("{}\n{}").format(held, listed(t, fact.members))


def _met(t: Telling, fact: communists.MeetingBegan) -> Markup:
    """Say that the Communists met or, while it goes on, that they are meeting."""
    of_meetings = (communists.MeetingBegan, communists.MeetingEnded)
    latest = next(one for one in reversed(t.view.facts) if isinstance(one, of_meetings))
    key = f"waiting.{fact.power}" if latest is fact else "meeting.met"
    return t.html(key, power=t.html(f"power.{fact.power}"))


def _meeting_ended(t: Telling, fact: communists.MeetingEnded) -> Markup:
    """Say that a meeting is over, and what it may have done. The words are the same whatever it did."""
    ended = t.html("meeting.ended", power=t.html(f"power.{fact.power}"))
    if fact.power not in CONVERTING:
        return ended
    return t.html("sentences", first=ended, second=t.html("meeting.changed"))


def tried(t: Telling, who: Markup, target: Seat) -> Markup:
    """Say who tried to make whom a Communist. The next line says whether it worked."""
    return Markup("✊ {}").format(t.html("ask.pick", seat=who, choice=t.seat(target)))


def recruitment(words: Words, tables: Tables) -> Markup:
    """Say what recruitment does. If there are Capitalists, add that nobody can convert them."""
    cards = (card.partition(":")[2] for board in tables.boards for card in board.secret_roles)
    staunch = not communists.STAUNCH_ROLES.isdisjoint(cards)
    return words.html(f"rules.power.{'recruitment' if staunch else 'radicalisation'}")


def _page(words: Words, tables: Tables) -> Page | None:
    there = [board for board in tables.boards if COMMUNIST in board.tracks or board.roles.get(COMMUNIST)]
    if not there:
        return None
    slots = [slot for board in there for slot in board.tracks.get(COMMUNIST, ())]
    return Page("communists", words.html("rules.communists"), tuple(slot for slot in slots if slot))


COMMUNISTS = Expansion(
    lines={
        communists.MeetingEnded: _meeting_ended,
        communists.CongressHeld: tells("congress"),
        communists.TilesAdded: lambda t, fact: t.html("tiles-added", tiles=t.tiles(fact.tiles)),
        communists.Confessed: tells("confessed", "seat", "party"),
    },
    # While the Communists meet, the end of the group's post says so, and their prompts say who meets.
    without_line=frozenset(
        {
            *(communists.MeetingBegan, communists.Convened, communists.Bugged),
            *(communists.RecruitmentTried, communists.PartyChanged, communists.ConversionFailed),
        }
    ),
    whispers={
        communists.Bugged: tells("bugged", "target", "party"),
        communists.RecruitmentTried: tells("recruitment-tried", "target"),
        communists.PartyChanged: _changed,
        communists.ConversionFailed: tells("conversion-failed"),
        communists.CongressHeld: lambda t, fact: known(t, fact.members),
    },
    remembered={
        communists.MeetingBegan: _met,
        communists.Convened: lambda t, fact: listed(t, fact.seats),
        communists.CongressHeld: _congress,
        communists.ConversionFailed: tells("replay.party-kept", "seat"),
        communists.PartyChanged: tells("replay.party-changed", "seat", "party"),
        communists.Bugged: tells("replay.bugged", "target", "party"),
        communists.RecruitmentTried: lambda t, fact: tried(t, t.html(f"parties.{COMMUNIST}"), fact.target),
    },
    showings={communists.Confessed: lambda fact: (None, fact.seat, fact.party)},
    # The line about a meeting's beginning says which power it was for.
    forgotten=frozenset({communists.MeetingEnded}),
    explained={"recruitment": recruitment},
    icons=icons_of("communists"),
    without_record=frozenset({"bugging", "recruitment", "radicalisation"}),
    pages=(_page,),
)
