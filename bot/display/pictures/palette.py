"""The looks of the two themes. Parties differ in lightness and hue, and also in shape and pattern."""

import json
from collections.abc import Mapping
from pathlib import Path

from engine.frozen import frozen


@frozen
class Party:
    """The look of a party: its tiles, and the panel under them."""

    #: The name of the party's icon.
    icon: str
    #: The colour of a tile, and of what is drawn on it.
    tile: str
    ink: str
    #: The colours of a panel, of its edge, of a slot, and of what is printed in the slot.
    panel: str
    edge: str
    slot: str
    print: str


@frozen
class Palette:
    """A look: all its colours, as ``#rrggbb``, and its icons."""

    name: str
    ground: str
    #: A faint tone of the ground, for ornaments.
    faint: str
    frame: str
    table: str
    table_line: str
    rim: str
    rim_edge: str
    #: The light on the table towards the seat whose turn it is.
    light: str
    seat: str
    seat_ink: str
    seat_edge: str
    dead: str
    dead_ink: str
    #: For medals of office, and highlights on the table.
    gold: str
    gold_ink: str
    #: The back of a card.
    back: str
    back_ink: str
    back_edge: str
    #: For a sheet with something written on it.
    sheet: str
    sheet_ink: str
    #: For badges: good, hindering, threatening, known.
    good: str
    bar: str
    threat: str
    known: str
    badge_ink: str
    #: The name of the secret leader's icon.
    hitler: str
    parties: Mapping[str, Party]


def _palette(name: str, parties: Mapping[str, Mapping[str, str]], **colours: str) -> Palette:
    looks = {party: Party(**look) for party, look in parties.items()}
    return Palette(name=name, parties=looks, **colours)


_LOOKS = json.loads((Path(__file__).parent / "palettes.json").read_text(encoding="utf-8"))
#: The looks by theme, from ``palettes.json``.
PALETTES: Mapping[str, Palette] = {name: _palette(name, **look) for name, look in _LOOKS.items()}
