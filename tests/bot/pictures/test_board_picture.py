"""A board picture shows everything on the table, in its place, without a word."""

import json
import re
from dataclasses import replace
from itertools import combinations, pairwise
from math import dist
from xml.etree import ElementTree

import pytest

from bot.display.pictures.palette import PALETTES
from bot.display.pictures.scene import Scene, Track
from bot.display.pictures.seats import radius
from tests.bot.pictures.scenes import (
    COMMUNIST,
    FASCIST,
    GOLDEN,
    LIBERAL,
    SCENES,
    drawn,
    lane,
    names,
    parts,
    scene,
    seats,
    who,
)

THEMES = sorted(PALETTES)
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", SCENES)
def test_it_is_drawn_from_shapes_alone(name: str, theme: str) -> None:
    kinds = {element.tag.removeprefix(SVG) for element in drawn(SCENES[name], theme).iter()}
    assert kinds == {"svg", "g", "path", "circle", "ellipse"}


def test_drawings_change_only_on_purpose() -> None:
    assert dict(names()) == json.loads(GOLDEN.read_text())


def test_different_scenes_and_looks_have_different_names() -> None:
    found = [name for _, name in names()]
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("length", range(3, 9))
def test_a_track_has_as_many_slots_as_its_board(length: int) -> None:
    slots = (*[None] * (length - 2), "kill", None)
    picture = drawn(scene(tracks=(Track("fascist", slots, ("fascist",), 1), LIBERAL)))
    (track,) = parts(picture, "track", "fascist")
    assert len(parts(track, "tile")) == 1
    assert len(parts(track, "slot")) == length - 1
    assert len(parts(track, "slot", "kill")) == 1
    assert len(parts(track, "slot", "goal")) == 1
    left, right = _reach(next(iter(track)).get("d") or "")
    places = [_reach(next(iter(slot)).get("d") or "") for slot in parts(track, "slot")]
    assert left >= 24
    assert right <= 1056
    assert left < places[0][0]
    assert all(before[1] < after[0] for before, after in pairwise(places))
    assert places[-1][1] < right


def _reach(d: str) -> tuple[float, float]:
    """Return the left and right limits of an outline with equal corners."""
    found = re.match(r"M(\S+) \S+h([\d.]+)[la]([\d.]+)", d)
    assert found
    start, length, corner = map(float, found.groups())
    return start - corner, start + length + corner


def test_tiles_lie_on_their_track_in_order() -> None:
    shown = SCENES["crowded"]
    picture = drawn(shown)
    for track in shown.tracks:
        (group,) = parts(picture, "track", track.colour)
        kinds = [(tile.get("class") or "").split()[1] for tile in parts(group, "tile")]
        assert kinds == [name.partition(":")[0] for name in track.tiles]


def test_special_tiles_look_unlike_ordinary_ones() -> None:
    for track, ordinary, *special in (
        (LIBERAL, "liberal", "social-democratic"),
        (FASCIST, "fascist", "anti-communist", "fascist:investigate"),
        (COMMUNIST, "communist", "anti-fascist", "communist:convert", "communist:resurrect"),
    ):
        looks = []
        for tile in (ordinary, *special):
            (group,) = parts(drawn(scene(tracks=(lane(track, tile), LIBERAL))), "track", track.colour)[:1]
            (laid,) = parts(group, "tile")
            looks.append([(element.tag, element.get("d"), element.get("r")) for element in laid.iter()])
        assert all(one != other for one, other in combinations(looks, 2))


def test_a_slot_that_was_covered_once_shows_its_power_as_spent() -> None:
    picture = drawn(scene(tracks=(LIBERAL, lane(FASCIST, "fascist", covered=3))))
    spent = [slot.get("class") for slot in parts(picture, "slot", "spent")]
    assert spent == ["slot investigate spent", "slot special spent"]


def test_the_zone_begins_to_count_with_its_last_tile() -> None:
    for tiles in range(6):
        picture = drawn(scene(tracks=(LIBERAL, lane(FASCIST, *["fascist"] * tiles))))
        assert len(parts(picture, "zone")) == 1
        assert bool(parts(picture, "zone", "on")) == (tiles >= 3)


def test_without_a_zone_or_a_veto_within_reach_none_is_printed() -> None:
    picture = drawn(scene(tracks=(LIBERAL, replace(FASCIST, zone=None, veto=9))))
    assert not parts(picture, "zone")
    assert not parts(picture, "veto")


def test_the_veto_stays_lit_once_unlocked() -> None:
    assert not parts(drawn(scene()), "veto", "on")
    picture = drawn(scene(tracks=(LIBERAL, lane(FASCIST, "fascist", unlocked=True))))
    assert len(parts(picture, "veto", "on")) == 1


@pytest.mark.parametrize("chaos", range(1, 9))
def test_the_tracker_shows_each_failed_election(chaos: int) -> None:
    for failed in range(chaos):
        picture = drawn(scene(chaos=chaos, tracker=failed))
        assert len(parts(picture, "step")) == chaos
        assert len(parts(picture, "step", "failed")) == failed


def test_piles_and_month_are_numbered() -> None:
    def digits(part: str, **changes: object) -> int:
        (group,) = parts(drawn(scene(month=3, **changes)), part)
        return sum(element.get("stroke-linecap") == "round" for element in group.iter(f"{SVG}g"))

    assert digits("pile", pile=0) == digits("pile", pile=25) == 1
    assert digits("discards", discards=0) == digits("discards", discards=25) == 1
    assert not parts(drawn(scene()), "calendar")
    assert parts(drawn(scene(month=10, blindfold=True)), "calendar", "blind")
    pictures = {
        name: [element.attrib for element in drawn(shown).iter()]
        for name, shown in {
            "start": scene(month=3),
            "month": scene(month=4),
            "pile": scene(month=3, pile=16),
            "discards": scene(month=3, discards=1),
        }.items()
    }
    assert all(one != other for one, other in combinations(pictures.values(), 2))


@pytest.mark.parametrize("count", range(5, 17))
def test_every_seat_has_its_place_and_none_covers_another(count: int) -> None:
    picture = drawn(scene(seats=seats(count)))
    tokens = [next(iter(group.iter(f"{SVG}circle"))) for group in parts(picture, "seat")]
    places = [(float(token.get("cx") or 0), float(token.get("cy") or 0)) for token in tokens]
    assert len(places) == count
    assert all(dist(one, other) > 2 * radius(count) for one, other in combinations(places, 2))
    # The left neighbour comes next clockwise, seen from above: from the first seat at the top to the right.
    assert places[0][0] == 540
    assert places[1][0] > 540 > places[-1][0]
    assert places[1][1] > places[0][1]


@pytest.mark.parametrize("theme", THEMES)
def test_nothing_reaches_over_the_edge(theme: str) -> None:
    everything = who(
        confirmed=True, investigated=True, limited=True, marks=(("sights", 1),), party="liberal", role="kgb"
    )
    for count in (5, 7, 10, 16):
        picture = drawn(scene(seats=(everything,) * count), theme)
        height = float(picture.get("height") or 0)
        for circle in picture.iter(f"{SVG}circle"):
            if circle.get("transform") is None:
                x, y, r = (float(circle.get(name) or 0) for name in ("cx", "cy", "r"))
                assert r <= x <= 1080 - r
                assert r <= y <= height - r


def test_candidates_bear_hollow_medals() -> None:
    around = seats(7, seat2=who(office="president"), seat4=who(office="chancellor"))
    hollow, full = drawn(scene(seats=around)), drawn(scene(seats=around, in_office=True))
    for office in ("president", "chancellor"):
        assert len(parts(hollow, office, "candidate")) == 1
        assert len(parts(full, office)) == 1
        assert not parts(full, office, "candidate")
    assert not parts(drawn(scene(seats=seats(7))), "president")


MARKS = {
    "check": who(confirmed=True), "power/investigate": who(investigated=True),
    "barred": who(limited=True), "pause/2": who(out=2), "pause/1": who(out=1),
    "sights": who(marks=(("sights", 2),)), "dove": who(party="liberal"), "role/kgb": who(role="kgb"),
    "robot": who(computer=True),
}  # fmt: skip


@pytest.mark.parametrize("badge", MARKS)
def test_what_is_known_of_a_seat_is_a_badge_on_it_alone(badge: str) -> None:
    picture = drawn(scene(seats=seats(7, seat3=MARKS[badge])))
    around = parts(picture, "seat")
    assert len(parts(picture, "badge")) == 1
    assert len(parts(around[2], "badge", badge)) == 1


def test_term_limits_are_not_shown_where_they_say_nothing() -> None:
    for seat in (who(limited=True, out=1), who(limited=True, office="president")):
        assert not parts(drawn(scene(seats=seats(7, seat3=seat))), "badge", "barred")


def test_the_dead_have_gravestones() -> None:
    picture = drawn(scene(seats=seats(7, seat3=who(alive=False))))
    dead = [bool(parts(seat, "dead")) for seat in parts(picture, "seat")]
    assert dead == [number == 3 for number in range(1, 8)]


def test_hands_lie_face_down_before_their_seat() -> None:
    for cards in range(4):
        picture = drawn(scene(seats=seats(7, seat3=who(office="president", hand=cards))))
        assert [len(list(fan)) for fan in parts(picture, "hand")] == ([cards] if cards else [])


def test_the_end_shows_envelopes_and_who_won_and_no_piles() -> None:
    picture = drawn(SCENES["end"])
    envelopes = [group.get("class") for group in parts(picture, "envelope")]
    assert envelopes == ["envelope hitler", "envelope monarchist", "envelope liberal"]
    winners = [group.get("class") for group in parts(picture, "winner")]
    assert winners == ["winner liberal", "winner communist"]
    for gone in ("pile", "discards", "tracker", "president", "chancellor"):
        assert not parts(picture, gone)


@pytest.mark.parametrize(("reason", "signs"), [
    *(("hitler-elected", 2), ("hitler-killed", 2), ("hitler-smeared", 2)),
    *(("liberal-track", 5), ("fascist-track", 6), ("communist-track", 5), ("called-off", 0)),
])  # fmt: skip
def test_the_end_shows_how_it_was_won_each_ending_in_its_own_way(reason: str, signs: int) -> None:
    ends = scene(tracks=(LIBERAL, FASCIST, COMMUNIST), winners=("liberal",), reason=reason)
    shown = parts(drawn(ends), "won-by")
    assert [len(list(group)) for group in shown] == ([signs + 1] if signs else [])
    others = {"hitler-elected", "hitler-killed", "hitler-smeared", "liberal-track"} - {reason}
    assert all(drawn_as(ends) != drawn_as(replace(ends, reason=other)) for other in others)


def drawn_as(shown: Scene) -> bytes:
    """Return a scene's picture without the names of its parts, to compare."""
    return re.sub(rb'class="won-by [^"]*"', b"", ElementTree.tostring(drawn(shown)))


def test_a_confession_is_a_badge_before_the_end_and_no_envelope() -> None:
    picture = drawn(scene(seats=seats(7, seat3=who(party="fascist", role=None))))
    assert not parts(picture, "envelope")
