"""The historical names of the cold-war theme, drawn by the game's own chance and so provable like its deal.

A name belongs to a seat's secret: show it to that seat, and to all at the end. Source: Secret Struggle's
role cards.
"""

from collections.abc import Sequence

from engine import Chance
from engine.events import Event, fold
from engine.facts import Dealt

#: For each party as dealt, the figures that its seats represent or serve; keys for a catalogue of texts.
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
    """Return each seat's figure, no two alike. ``events`` are a game's from the first one on, complete.

    None for Hitler, who is Stalin's own, for third parties, for converts, and for seats beyond the list.
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
