"""The two looks: readable by contrast, and never by colour alone."""

from itertools import combinations

import pytest

from bot.display.pictures.palette import PALETTES, Palette
from bot.display.pictures.svg import ICONS
from bot.display.pictures.tracks import outline, pattern
from bot.display.words import THEMES
from bot.rooms.model import Settings
from engine import KNOWN
from tests.bot.pictures.sight import BLINDNESS, apart, contrast

LOOKS = sorted(PALETTES.values(), key=lambda look: look.name)
PARTIES = ("liberal", "fascist", "communist")
#: WCAG 2's least contrast: 4.5 for text, 3 for a shape.
WRITING = [
    ("seat_ink", "seat"), ("dead_ink", "dead"), ("gold_ink", "gold"), ("back_ink", "back"),
    ("sheet_ink", "sheet"), ("badge_ink", "good"), ("badge_ink", "bar"), ("badge_ink", "threat"),
    ("badge_ink", "known"),
]  # fmt: skip
SHAPES = [
    ("gold", "table"), ("rim_edge", "table"), ("rim_edge", "rim"), ("back_edge", "table"),
    ("seat", "table"), ("seat_edge", "ground"), ("dead_ink", "ground"),
]  # fmt: skip


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


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
def test_parties_differ_in_symbol_shape_and_pattern(look: Palette) -> None:
    assert set(look.parties) == set(PARTIES)
    symbols = [ICONS[look.parties[party].icon] for party in PARTIES] + [ICONS[look.hitler]]
    for different in (
        symbols,
        [outline(party, (0, 0, 100, 140), 16) for party in PARTIES],
        [pattern(party, (0, 0, 100, 140)) for party in PARTIES],
    ):
        assert all(one != other for one, other in combinations(different, 2))


def test_every_theme_that_a_group_can_choose_has_a_look() -> None:
    assert Settings().theme in PALETTES
    assert set(PALETTES) == {look.name for look in LOOKS} == set(THEMES)


def test_every_power_of_every_ruleset_has_an_icon() -> None:
    steps = {step for rules in KNOWN for step in rules.steps if step.startswith("power/")}
    powers = {step.removeprefix("power/") for step in steps}
    powers |= {power for rules in KNOWN for carried in rules.tiles.values() for power in carried}
    assert {f"power/{power}" for power in powers} <= set(ICONS)
    assert {f"role/{role}" for rules in KNOWN for role in rules.secret_roles} <= set(ICONS)
