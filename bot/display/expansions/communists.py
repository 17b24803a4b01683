"""The Communists of Red Dawn and XL: their meetings, and the powers of their track."""

from markupsafe import Markup

from bot.display.expansion_parts import Expansion, Page, Shapes, Tables
from bot.display.expansions.classic import wins
from bot.display.telling import Telling
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
    changed = t.html("party-changed", party=t.party(fact.party))
    return Markup("\n").join([changed, *wins(t.words, t.view.setup, fact.party)])


def _congress(t: Telling, fact: communists.CongressHeld) -> Markup:
    held = t.html("congress")
    return held if fact.members is None else Markup("{}\n{}").format(held, listed(t, fact.members))


def _met(t: Telling, fact: communists.MeetingBegan) -> Markup:
    """Say that the Communists met or, while it goes on, that they are meeting."""
    of_meetings = (communists.MeetingBegan, communists.MeetingEnded)
    latest = next(one for one in reversed(t.view.facts) if isinstance(one, of_meetings))
    key = f"waiting.{fact.power}" if latest is fact else "meeting.met"
    return t.html(key, power=t.power(fact.power))


def _meeting_ended(t: Telling, fact: communists.MeetingEnded) -> Markup:
    """Say that a meeting is over, and what it may have done. The words are the same whatever it did."""
    ended = t.html("meeting.ended", power=t.power(fact.power))
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


FIST: Shapes = (
    (
        "fill",
        (
            "M22 40C22 34 32 34 32 40L32 26C32 17 45 17 45 26L45 23C45 14 58 14 58 23L58 26C58 18 70 18 70 26"
            "L70 32C70 26 81 26 81 33L81 54C81 64 76 70 72 74L72 96L34 96L34 76C26 70 22 62 22 54Z"
        ),
    ),
    ("slit", "M45 26L45 44M58 26L58 44M70 30L70 44"),
    ("cut", "M24 52L46 52C54 52 56 62 48 64L40 64"),
)
FLAG = "M18 6C22 6 24 8 24 12L24 96L14 96L14 12C14 8 15 6 18 6Z"

ICONS: dict[str, Shapes] = {
    "power/bugging": (
        ("line", "M12 62L12 50C12 28 28 10 50 10C72 10 88 28 88 50L88 62"),
        (
            "fill",
            "M6 58C6 54 10 52 14 52L24 52C29 52 32 55 32 60L32 84C32 89 29 92 24 92L18 92C10 92 6 86 6 78Z",
        ),
        (
            "fill",
            (
                "M94 58C94 54 90 52 86 52L76 52C71 52 68 55 68 60L68 84C68 89 71 92 76 92L82 92"
                "C90 92 94 86 94 78Z"
            ),
        ),
    ),
    "power/recruitment": FIST,
    "power/radicalisation": FIST,
    "power/five-year-plan": (
        ("fill", "M8 94L8 46L34 62L34 46L60 62L60 46L66 50L70 8L84 8L92 94Z"),
        ("hole", "M20 72L32 72L32 82L20 82ZM42 72L54 72L54 82L42 82ZM64 72L76 72L76 82L64 82Z"),
        ("thin", "M64 10C54 4 48 14 40 8C32 3 26 10 20 8"),
    ),
    "power/congress": (
        ("fill", FLAG),
        ("fill", "M28 10C44 2 58 20 92 10L84 32L92 54C60 64 44 44 28 54Z"),
        ("fill", "M36 96C36 84 42 78 50 78C58 78 64 84 64 96ZM68 96C68 84 74 78 82 78C90 78 96 84 96 96Z"),
        (
            "fill",
            "M43 68A7.5 7.5 0 1 0 58 68A7.5 7.5 0 1 0 43 68ZM74 68A7.5 7.5 0 1 0 89 68A7.5 7.5 0 1 0 74 68Z",
        ),
    ),
    "power/confession": (
        (
            "fill",
            (
                "M16 8L84 8C92 8 96 12 96 20L96 60C96 68 92 72 84 72L52 72L28 94L30 72L16 72C8 72 4 68 4 60"
                "L4 20C4 12 8 8 16 8Z"
            ),
        ),
        ("cut", "M50 22L50 46M50 58L50 59"),
    ),
}

COMMUNISTS = Expansion(
    lines={
        communists.MeetingEnded: _meeting_ended,
        communists.CongressHeld: lambda t, fact: t.html("congress"),
        communists.TilesAdded: lambda t, fact: t.html("tiles-added", tiles=t.tiles(fact.tiles)),
        communists.Confessed: lambda t, fact: t.html(
            "confessed", seat=t.seat(fact.seat), party=t.party(fact.party)
        ),
    },
    without_line=frozenset(
        {
            # While the Communists meet, the end of the group's post says so, and their prompts say who meets.
            communists.MeetingBegan,
            communists.Convened,
            communists.Bugged,
            communists.RecruitmentTried,
            communists.PartyChanged,
            communists.ConversionFailed,
        }
    ),
    whispers={
        communists.Bugged: lambda t, fact: t.html(
            "bugged", target=t.seat(fact.target), party=t.party(fact.party)
        ),
        communists.RecruitmentTried: lambda t, fact: t.html("recruitment-tried", target=t.seat(fact.target)),
        communists.PartyChanged: _changed,
        communists.ConversionFailed: lambda t, fact: t.html("conversion-failed"),
        communists.CongressHeld: lambda t, fact: known(t, fact.members),
    },
    remembered={
        communists.MeetingBegan: _met,
        communists.Convened: lambda t, fact: listed(t, fact.seats),
        communists.CongressHeld: _congress,
        communists.ConversionFailed: lambda t, fact: t.html("replay.party-kept", seat=t.seat(fact.seat)),
        communists.PartyChanged: lambda t, fact: t.html(
            "replay.party-changed", seat=t.seat(fact.seat), party=t.party(fact.party)
        ),
        communists.Bugged: lambda t, fact: t.html(
            "replay.bugged", target=t.seat(fact.target), party=t.party(fact.party)
        ),
        communists.RecruitmentTried: lambda t, fact: tried(t, t.html(f"parties.{COMMUNIST}"), fact.target),
    },
    showings={communists.Confessed: lambda fact: (None, fact.seat, fact.party)},
    # The line about a meeting's beginning says which power it was for.
    forgotten=frozenset({communists.MeetingEnded}),
    explained={"recruitment": recruitment},
    icons=ICONS,
    without_record=frozenset({"bugging", "recruitment", "radicalisation"}),
    pages=(_page,),
)
