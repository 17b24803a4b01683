"""A seat's role card. Covered it tells nothing: for every role of a setup it has as many lines, all as wide.

A spoiler hides letters, but lines and their lengths are seen. So the text is broken here and not by the
client, each line is filled up to one width, and the card to as many lines as the longest of its setup needs.
"""

import html
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from bot.display.expansions.classic import wins
from bot.display.figures import figure_line, figure_lines
from bot.display.telling import Telling, called
from bot.display.widths import cut, filled, width, wrapped
from bot.display.words import Html, Words, name
from bot.rooms.model import Match
from engine import Setup, board_of, ruleset
from engine.board import Board
from engine.facts import Recognised
from engine.steps.communists import COMMUNIST
from engine.steps.dealing import ANY, envelope

#: How wide a line of the card is, in hundredths of an em: at 16 px it goes into a bubble on 360 px.
LINE = 1500
#: What lines of text leave for the filling: a space and a dot.
_ROOM = width(" .")
#: How wide a name that is cut stays at least, in hundredths of an em.
_NAME = 600
#: A name that is cut wherever there is little room.
_LONG = "W" * 20
_TAG = re.compile(r"<[^>]*>")


def card(telling: Telling, match: Match) -> Html:
    """What the role card of the seat that is told says, under its cover."""
    view, words = telling.view, telling.words
    seat = view.seat
    assert seat is not None
    party, role = str(view.table.parties[seat]), str(view.table.roles[seat])
    lines = _envelope(words, view.setup, party, role)
    if figure := figure_line(words, match, seat):
        lines += _broken(figure)
    for fact in view.facts:
        if isinstance(fact, Recognised):
            lines += _known(words, called(words, telling.players, fact.seat), fact)
    lines += [""] * (lines_of(words, view.setup) - len(lines))
    return Html("\n".join(html.escape(filled(line, LINE), quote=False) for line in lines))


def lines_of(words: Words, setup: Setup) -> int:
    """How many lines every role card of a setup has.

    As many as the longest envelope and its figure take, and those whom a seat may know at most.
    """
    board = board_of(setup)
    longest = max(
        len(_envelope(words, setup, party, role)) + _most_figure(words, party)
        for party, role in envelopes(board)
    )
    # Whoever knows the most knows all of its party, and Hitler, whose line may be the longest.
    sizes = Counter[str]()
    for role, count in board.roles.items():
        sizes[envelope(role)[0]] += count
    most = max(len(_known(words, _LONG, Recognised(0, party, False))) for party in sizes)
    hitler = len(_known(words, _LONG, Recognised(0, "fascist", True)))
    return longest + (max(sizes.values()) - 1) * most + hitler


def envelopes(board: Board) -> Iterator[tuple[str, str]]:
    """Every party with every role that a seat may have on this board, those of converts too."""
    parties = dict.fromkeys(envelope(role)[0] for role in board.roles)
    converts = [party for party in parties if party == COMMUNIST]
    for plain in (*board.roles, *board.secret_roles):
        party, role = envelope(plain)
        yield from ((each, role) for each in dict.fromkeys(parties if party == ANY else [party, *converts]))


def _envelope(words: Words, setup: Setup, party: str, role: str) -> list[str]:
    """Who one is and how one wins, in lines. Whoever became a Communist plays as one."""
    board, apart = board_of(setup), ruleset(setup.ruleset).own_sides.get(role)
    # A role that wins apart from its party does so until its holder belongs to another one.
    plain = (role in board.roles and role != "hitler") or (apart is not None and apart.party != party)
    alone = role == COMMUNIST and board.roles[role] == 1
    known = party if plain else role
    first = words.html("role.communist.about.alone" if alone else f"role.{known}.about", zone=board.zone)
    about = [first] if apart is not None and not plain else [first, *wins(words, setup, party)]
    named = {"role": words.html(f"role.{role}"), "party": words.html(f"party.{party}")}
    return _broken(words.html("dealt", **named, about=Html("\n".join(about))))


def _known(words: Words, whom: str, fact: Recognised) -> list[str]:
    """Somebody whom the seat knows, their name cut to the room that there is."""
    shown = words.html("role.hitler" if fact.hitler else f"party.{fact.party}")
    left = LINE - _ROOM - width(_plain(words.html("recognised", seat="", shown=shown)))
    return _broken(words.html("recognised", seat=name(cut(whom, max(left, _NAME))), shown=shown))


def _most_figure(words: Words, party: str) -> int:
    return max((len(_broken(line)) for line in figure_lines(words, party)), default=0)


def _broken(text: Html) -> list[str]:
    """The lines of a text, none too wide, without its markup: bold letters are wider than others."""
    return list(_lines(text))


@lru_cache(maxsize=1024)
def _lines(text: Html) -> tuple[str, ...]:
    return tuple(line for part in _plain(text).split("\n") for line in wrapped(part, LINE - _ROOM))


def _plain(text: Html) -> str:
    return html.unescape(_TAG.sub("", text))
