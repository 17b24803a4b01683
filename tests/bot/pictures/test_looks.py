"""The two looks: readable by contrast, and never by colour alone."""

from dataclasses import fields
from itertools import combinations

import pytest

from bot.display.pictures.palette import PALETTES, Palette
from bot.display.pictures.svg import ICONS, icon, mix
from bot.display.pictures.tracks import outline, pattern
from bot.display.words import THEMES
from bot.rooms.model import Settings
from engine import KNOWN
from tests.bot.pictures.sight import BLINDNESS, apart, contrast

LOOKS = sorted(PALETTES.values(), key=lambda look: look.name)
PARTIES = ("liberal", "fascist", "communist")
#: WCAG 2's least contrast: 4.5 for text, 3 for a shape.
WRITING = [
    ("seat_ink", "seat"),
    ("dead_ink", "dead"),
    ("gold_ink", "gold"),
    ("back_ink", "back"),
    ("sheet_ink", "sheet"),
    ("badge_ink", "good"),
    ("badge_ink", "bar"),
    ("badge_ink", "threat"),
    ("badge_ink", "known"),
]
SHAPES = [
    ("gold", "table"),
    ("rim_edge", "table"),
    ("rim_edge", "rim"),
    ("back_edge", "table"),
    ("seat", "table"),
    ("seat_edge", "ground"),
    ("dead_ink", "ground"),
]


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
def test_digits_and_signs_stand_out_from_what_they_lie_on(look: Palette) -> None:
    for ink, ground in WRITING:
        assert contrast(getattr(look, ink), getattr(look, ground)) >= 4.5, (ink, ground)
    for shape, ground in SHAPES:
        assert contrast(getattr(look, shape), getattr(look, ground)) >= 3, (shape, ground)
    for name, party in look.parties.items():
        assert contrast(party.ink, party.tile) >= 4.5, name
        assert contrast(party.print, party.slot) >= 4.5, name
        # A tile has an edge, and so has a panel.
        assert contrast(party.edge, party.panel) >= 4.5, name
        assert contrast(party.edge, look.ground) >= 4.5, name


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
@pytest.mark.parametrize("blindness", BLINDNESS)
def test_parties_differ_in_colour_for_every_kind_of_sight(look: Palette, blindness: str) -> None:
    # Without any colour only lightness is left, and shapes must be enough.
    least = 10 if blindness == "grey" else 40
    for one, other in combinations(PARTIES, 2):
        seen = apart(look.parties[one].tile, look.parties[other].tile, blindness)
        assert seen >= least, (one, other)


def test_the_simulation_knows_what_the_blind_confuse() -> None:
    assert apart("#ff0000", "#8f7f00", "deutan") < apart("#ff0000", "#8f7f00", "none") / 2
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
def test_parties_differ_in_symbol_shape_and_pattern(look: Palette) -> None:
    assert set(look.parties) == set(PARTIES)
    symbols = [ICONS[look.parties[party].icon] for party in PARTIES] + [ICONS[look.hitler]]
    for different in (
        symbols,
        [outline(party, 0, 0, 100, 140, 16) for party in PARTIES],
        [pattern(party, 0, 0, 100, 140) for party in PARTIES],
    ):
        assert all(one != other for one, other in combinations(different, 2))


def test_the_looks_share_no_party_symbol() -> None:
    shown = [party.icon for look in LOOKS for party in look.parties.values()]
    assert len(set(shown)) == len(shown)


def test_every_theme_that_a_group_can_choose_has_a_look() -> None:
    assert Settings().theme in PALETTES
    assert set(PALETTES) == {look.name for look in LOOKS} == set(THEMES)


def test_every_colour_is_written_in_full() -> None:
    for look in LOOKS:
        colours = [getattr(look, f.name) for f in fields(look) if f.name not in ("name", "hitler", "parties")]
        colours += [
            getattr(party, f.name)
            for party in look.parties.values()
            for f in fields(party)
            if f.name != "icon"
        ]
        assert all(len(colour) == 7 and int(colour[1:], 16) >= 0 for colour in colours)
    assert mix("#000000", "#ff8040", 0.5) == "#804020"


def test_every_power_of_every_ruleset_has_an_icon() -> None:
    powers = {
        step.removeprefix("power/") for rules in KNOWN for step in rules.steps if step.startswith("power/")
    }
    powers |= {power for rules in KNOWN for carried in rules.tiles.values() for power in carried}
    assert {f"power/{power}" for power in powers} <= set(ICONS)
    assert {f"role/{role}" for rules in KNOWN for role in rules.secret_roles} <= set(ICONS)


def test_icons_of_different_powers_differ() -> None:
    # Radicalisation is recruitment under another name.
    powers = {name: shown for name, shown in ICONS.items() if name.startswith("power/")}
    shapes = {name: shown for name, shown in powers.items() if name != "power/radicalisation"}
    assert all(one != other for one, other in combinations(shapes.values(), 2))


@pytest.mark.parametrize("name", ICONS)
def test_an_icon_is_drawn_in_its_ink(name: str) -> None:
    assert "#123456" in icon(name, 0, 0, 40, "#123456", "#ffffff")
