"""A seat's role: in a pop-up that only the tapper sees, and at length for /role."""

from collections.abc import Sequence
from typing import cast

from markupsafe import Markup

from bot.display.expansions.classic import wins
from bot.display.signs import SIGNS
from bot.display.telling import Telling, called, seat_mark
from bot.display.words import Words, plain_name
from bot.rooms.model import Match
from engine import Chance, Event, Seat, Setup, board_of, fold, ruleset
from engine.board import PARTIES, Party, Role
from engine.facts import Dealt, Recognised
from engine.rulesets.xl.own_roles import ANARCHIST, CAPITALIST
from engine.steps.communists import COMMUNIST
from engine.steps.dealing import PARTY as OWN_PARTY

# --- figures ------------------------------------------------------------------------------------------------
# In the cold-war theme each seat has a historical figure. Figures are drawn by the game's randomness, so they
# can be proven like its deal. A figure is secret: only its seat sees it, and everybody at the end. Source:
# Secret Struggle's role cards.

#: By party as dealt, the figures that its seats are or serve, as keys of the catalogue.
FIGURES = {
    "liberal": (
        *("reagan", "roosevelt", "truman", "churchill", "eisenhower"),
        *("kennedy", "u-thant", "walesa", "johnson", "eden"),
    ),
    "fascist": ("khrushchev", "brezhnev", "andropov"),
}


def historical_names(chance: Chance, events: Sequence[Event]) -> tuple[str | None, ...]:
    """Return each seat's figure, all of them different. ``events``: all events of a game.

    Hitler, who serves Stalin, has None, as do third parties, converts, and seats for which no figure is left.
    """
    table = fold(event.fact for event in events)
    names: list[str | None] = [None] * table.seats
    for party, figures in FIGURES.items():
        dealt = [e.fact.seat for e in events if isinstance(e.fact, Dealt) and e.fact.party == party]
        seats = [seat for seat in dealt if table.roles[seat] != "hitler"]
        for seat, figure in zip(seats, chance.shuffle(f"names/{party}", figures), strict=False):
            if table.parties[seat] == party:
                names[seat] = figure
    return tuple(names)


#: A key that only themes with figures have.
_SIGN = "figure.revealed"


def figure_line(words: Words, match: Match, seat: Seat) -> Markup | None:
    """Return the line about a seat's figure, or None if it has none."""
    figure = _figures(words, match)[seat]
    if figure is None:
        return None
    party = next(party for party, names in FIGURES.items() if figure in names)
    return words.html(f"figure.{party}", figure=words.html(f"figure.{figure}"))


def revealed(words: Words, match: Match, seat: Seat, role: Markup) -> Markup:
    """Return a seat's role as shown at the end, with its figure if it has one."""
    figure = _figures(words, match)[seat]
    if figure is None:
        return role
    return words.html(_SIGN, role=role, figure=words.html(f"figure.{figure}"))


def _figures(words: Words, match: Match) -> tuple[str | None, ...]:
    if not words.has(_SIGN):
        return (None,) * len(match.players)
    return historical_names(match.game.chance, match.log)


# --- role card ----------------------------------------------------------------------------------------------

#: Telegram's limit for a pop-up, counted in UTF-16 units.
POPUP = 200
#: The most letters of a name that a pop-up shows.
_LONGEST_NAME = 24


def card(telling: Telling, match: Match) -> Markup:
    """Return the seat's role at length, with how it wins and what it knows from the start."""
    seat, party, role = _own(telling)
    lines = [_envelope(telling.words, telling.view.setup, party, role)]
    if figure := figure_line(telling.words, match, seat):
        lines.append(figure)
    for fact in telling.view.facts:
        if isinstance(fact, Recognised):
            shown = telling.html(_shown(fact))
            lines.append(telling.html("recognised", seat=telling.seat(fact.seat), shown=shown))
    return Markup("\n").join(lines)


def role_popup(telling: Telling) -> str:
    """Return the seat's role and party, what it knows from the start and how it wins, in ``POPUP`` units.

    Names are cut until everything fits. The seats' numbers always stay.
    """
    for longest in range(_LONGEST_NAME, 0, -1):
        text = _popup(telling, longest)
        if len(text.encode("utf-16-le")) <= 2 * POPUP:
            return text
    return _popup(telling, 0)


def _popup(telling: Telling, longest: int) -> str:
    words, (_, party, role) = telling.words, _own(telling)
    lines = [
        words.plain("popup.role", role=words.plain(f"role.{role}")),
        words.plain("popup.party", party=words.plain(f"party.{party}")),
    ]
    known: dict[str, list[str]] = {}
    for fact in telling.view.facts:
        if isinstance(fact, Recognised):
            known.setdefault(_shown(fact), []).append(_short(telling, fact.seat, longest))
    for shown, seats in known.items():
        listed = words.html("list.separator").join(seats)
        lines.append(words.plain("named", name=words.plain(shown), value=listed))
    setup = telling.view.setup
    apart = wins_apart(setup, party, role)
    ways = " / ".join(_own_ways(words, setup, role) if apart else ways_to_win(words, setup, party))
    return "\n".join([*lines, words.plain("popup.win", ways=ways)])


def ways_to_win(words: Words, setup: Setup, party: Party, slots: str = "") -> list[str]:
    """Return the ways in which a party wins, a few words each.

    ``slots``: the length of its track, as text, if it is not that of this setup.
    """
    board, ways = board_of(setup), []
    if party in board.tracks:
        count = slots or len(board.tracks[party])
        ways.append(words.plain("popup.way.track", count=count, sign=words.plain(f"sign.{party}")))
    hitler = words.plain("role.hitler")
    for ending, winners in board.endings.items():
        if party in winners:
            values = {"hitler": hitler, "zone": board.zone, "sign": words.plain("sign.fascist")}
            ways.append(words.plain(f"popup.way.{ending}", **values))
    return ways


def _own_ways(words: Words, setup: Setup, role: Role) -> list[str]:
    """Return the ways to win of a role with a side of its own. Sources: XL handbook, XL mark 3."""
    if role == CAPITALIST:
        return [words.plain("parties.liberal"), words.plain("parties.fascist")]
    party = COMMUNIST if role == ANARCHIST else "fascist"
    slots, sign = len(board_of(setup).tracks[party]), words.plain(f"sign.{party}")
    track = words.plain("popup.way.track", count=slots, sign=sign)
    if role != ANARCHIST:
        return [track]
    killed = words.plain("popup.way.hitler-killed", hitler=words.plain("role.hitler"))
    return [killed, f"{track} (2 {SIGNS['anarchy']})"]


def _envelope(words: Words, setup: Setup, party: Party, role: Role) -> Markup:
    """Say who the seat is and how it wins. A seat that became a Communist plays as one."""
    board, own = board_of(setup), wins_apart(setup, party, role)
    # A role that wins apart from its party does so only until its holder changes party.
    apart = role in ruleset(setup.ruleset).own_sides and not own
    known = party if (role in board.roles and role != "hitler" and not own) or apart else role
    alone = role == COMMUNIST and board.roles[role] == 1
    first = words.html("role.communist.about.alone" if alone else f"role.{known}.about", zone=board.zone)
    about = [first] if own else [first, *wins(words, setup, party)]
    named = {"role": words.html(f"role.{role}"), "party": words.html(f"party.{party}")}
    dealt = OWN_PARTY.get(role, role)
    if dealt in PARTIES and dealt != party:
        named["role"] = words.html("own.converted", **named)
    return words.html("dealt", **named, about=Markup("\n").join(about))


def wins_apart(setup: Setup, party: Party, role: Role) -> bool:
    """Return True if a seat with this party and role wins apart from its party."""
    own = ruleset(setup.ruleset).own_sides.get(role)
    return own is not None and own.party == party


def _own(telling: Telling) -> tuple[Seat, Party, Role]:
    seat, table = telling.view.seat, telling.view.table
    assert seat is not None, "only a seat has a role"
    return seat, cast("Party", table.parties[seat]), cast("Role", table.roles[seat])


def _shown(fact: Recognised) -> str:
    return "role.hitler" if fact.hitler else f"party.{fact.party}"


def _short(telling: Telling, seat: Seat, longest: int) -> str:
    """Return a seat's number, and at most this many letters of its name."""
    if not longest:
        return seat_mark(seat)
    return plain_name(called(telling.players[seat], seat), longest + 4)
