"""The historical names of the cold-war theme, drawn by the game's chance and so provable like its deal.

A name is secret: show it only to its seat, and to all at the end. Source: Secret Struggle's role cards.
"""

from collections.abc import Sequence

from engine import Chance
from engine.events import Event, fold
from engine.facts import Dealt

#: For each dealt party, the figures that its seats represent or serve, as keys of the catalogue.
FIGURES = {
    "liberal": (
        "reagan",
        "roosevelt",
        "truman",
        "churchill",
        "eisenhower",
        "kennedy",
        "u-thant",
        "walesa",
        "johnson",
        "eden",
    ),
    "fascist": ("khrushchev", "brezhnev", "andropov"),
}


def historical_names(chance: Chance, events: Sequence[Event]) -> tuple[str | None, ...]:
    """Return each seat's figure, all of them different. ``events``: all events of a game.

    None for Hitler, who belongs to Stalin, for third parties, for converts, and for seats beyond the list.
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
