"""Short ways to begin games of the expansions.

``cards("lff communist:convert")`` names tiles or roles: words of letters, or full names. Red Dawn and XL
boards list their roles as Liberals, Fascists, Hitler, Communists; without ``roles`` that is the deal.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine import Board, Chance, Setup, board_of
from engine.tiles import KINDS
from tests.engine.builders import LETTERS, Play


def cards(text: str) -> tuple[str, ...]:
    """Return tiles or roles: ``"lff"`` by letters, ``"fascist:monarchist"`` or ``"anti-fascist"`` by name."""
    found: list[str] = []
    for word in text.split():
        if ":" in word or "-" in word or word in KINDS or word in LETTERS.values():
            found.append(word)
        else:
            found += [LETTERS[letter] for letter in word]
    return tuple(found)


def red_dawn(players: int = 7, deck: str = "cfl cfl cfl cfl", roles: str | None = None, **more: Any) -> Play:
    """Return a game of Red Dawn; each of the first four hands has one tile of each party."""
    return _begin("red-dawn@1", players, deck, roles, **more)


def xl(players: int = 8, deck: str = "cfl cfl cfl cfl cfl", roles: str | None = None, **more: Any) -> Play:
    """Return a game of XL; each of the first hands has one tile of each party."""
    return _begin("xl@1", players, deck, roles, **more)


def drawn(ruleset: str, players: int, key: int, options: Mapping[str, str] | None = None) -> Play:
    """Return a game without an explicit deal: everything is drawn from this key."""
    return Play(players, ruleset, chance=Chance(f"{key:064x}"), options=options)


def board(ruleset: str, players: int, options: Mapping[str, str] | None = None, **changes: Any) -> Board:
    """Return a ruleset's printed board with some changes; tracks are given one by one."""
    printed = board_of(Setup(ruleset, players, dict(options or {})))
    if "tracks" in changes:
        changes["tracks"] = {**printed.tracks, **changes["tracks"]}
    return replace(printed, **changes)


def _begin(ruleset: str, players: int, deck: str, roles: str | None, **more: Any) -> Play:
    dealt = None if roles is None else cards(roles)
    piles: dict[str, Any] = {} if "decks" in more else {"deck": cards(deck)}
    return Play(players, ruleset, roles=dealt, **piles, **more)


def planned() -> Board:
    """Return a board of Red Dawn without Communist tiles in the deck: a five-year plan brings them all."""
    fascist = ("five-year-plan", None, "five-year-plan", "kill", "kill", None)
    return board("red-dawn@1", 7, deck={"liberal": 6, "fascist": 11}, tracks={"fascist": fascist})
