"""The looks of the two themes. Parties differ in lightness and hue, and also in shape and pattern."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.display.signs import PARTY_ICONS


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


WEIMAR = Palette(
    name="weimar",
    ground="#efe2c4",
    faint="#e9dab7",
    frame="#4a3223",
    table="#2f4a3e",
    table_line="#3c5c4e",
    rim="#5a3a24",
    rim_edge="#c79a4b",
    light="#e9c877",
    seat="#f8efd9",
    seat_ink="#2b1d14",
    seat_edge="#4a3223",
    dead="#bdb19b",
    dead_ink="#4a3f31",
    gold="#e2b04a",
    gold_ink="#2b1d14",
    back="#7a2a22",
    back_ink="#f3ddb0",
    back_edge="#f6ead0",
    sheet="#fbf5e4",
    sheet_ink="#2b1d14",
    good="#1f6b4a",
    bar="#5b4a78",
    threat="#a3201a",
    known="#1d5f8a",
    badge_ink="#ffffff",
    hitler="moustache",
    parties={
        "liberal": Party(
            PARTY_ICONS["weimar"]["liberal"],
            tile="#2363a0",
            ink="#f4ecd8",
            panel="#cfdbe0",
            edge="#1c4a73",
            slot="#e9eeea",
            print="#1c4a73",
        ),
        "fascist": Party(
            PARTY_ICONS["weimar"]["fascist"],
            tile="#86170f",
            ink="#f8e6c8",
            panel="#e7c5b1",
            edge="#7d1a12",
            slot="#f4e1d0",
            print="#7d1a12",
        ),
        "communist": Party(
            PARTY_ICONS["weimar"]["communist"],
            tile="#e39b1f",
            ink="#33210b",
            panel="#eed9a2",
            edge="#80560c",
            slot="#f8ecca",
            print="#6d480a",
        ),
    },
)

COLD_WAR = Palette(
    name="cold-war",
    ground="#101b27",
    faint="#182737",
    frame="#35516b",
    table="#0a2a2c",
    table_line="#1b5350",
    rim="#1d2c3b",
    rim_edge="#5f7f9c",
    light="#3fe0a8",
    seat="#dfe8ef",
    seat_ink="#0f1a25",
    seat_edge="#5f7f9c",
    dead="#4d5c6c",
    dead_ink="#d3dde6",
    gold="#f2c14e",
    gold_ink="#14202c",
    back="#2d4c69",
    back_ink="#b9d3ea",
    back_edge="#dfe8ef",
    sheet="#dfe8ef",
    sheet_ink="#0f1a25",
    good="#1a7f56",
    bar="#8059b8",
    threat="#c9302c",
    known="#1f78b4",
    badge_ink="#ffffff",
    hitler="agent",
    parties={
        "liberal": Party(
            PARTY_ICONS["cold-war"]["liberal"],
            tile="#6db8f2",
            ink="#0b2136",
            panel="#16324c",
            edge="#6db8f2",
            slot="#0f2336",
            print="#8cc8f5",
        ),
        "fascist": Party(
            PARTY_ICONS["cold-war"]["fascist"],
            tile="#b3241f",
            ink="#ffe7d6",
            panel="#451c22",
            edge="#ec6a5e",
            slot="#2c1318",
            print="#f39a8c",
        ),
        "communist": Party(
            PARTY_ICONS["cold-war"]["communist"],
            tile="#f4d35e",
            ink="#221b05",
            panel="#40381c",
            edge="#f4d35e",
            slot="#292410",
            print="#f4d35e",
        ),
    },
)

PALETTES: Mapping[str, Palette] = {look.name: look for look in (WEIMAR, COLD_WAR)}
