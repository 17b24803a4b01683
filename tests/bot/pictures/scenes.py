"""Scenes put together by hand, and what is drawn of them. ``python -m tests.bot.pictures.scenes``
writes the golden names again, after a change of the drawing that was looked at.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from bot.display.pictures import board_svg
from bot.display.pictures.palette import PALETTES
from bot.display.pictures.scene import Scene, SeatPicture, Track
from bot.display.pictures.seats import draw
from engine import View

GOLDEN = Path(__file__).with_name("golden.json")
NOBODY = SeatPicture(
    alive=True, office=None, out=0, limited=False, confirmed=False, investigated=False, marks=(), party=None,
    role=None, hand=0,
)  # fmt: skip
LIBERAL = Track("liberal", (None,) * 5, (), 0)
FASCIST = Track("fascist", (None, "investigate", "special", "kill", "kill", None), (), 0, zone=3, veto=5)
COMMUNIST = Track("communist", ("bugging", "radicalisation", "five-year-plan", "congress", None), (), 0)


def name_of(svg: str) -> str:
    """Return a name for a picture, which changes whenever anything differs."""
    return hashlib.sha256(svg.encode()).hexdigest()[:20]


def picture_key(seen: View, theme: str) -> str:
    return name_of(board_svg(seen, theme))


def seats(count: int, **special: SeatPicture) -> tuple[SeatPicture, ...]:
    """Return that many seats; those named ``seat3`` (from 1 on) as given."""
    return tuple(special.get(f"seat{number}", NOBODY) for number in range(1, count + 1))


def who(**facts: Any) -> SeatPicture:
    """Return a seat of which these facts are known."""
    return replace(NOBODY, **facts)


def lane(track: Track, *tiles: str, **changes: Any) -> Track:
    return replace(track, tiles=tiles, **{"covered": len(tiles), **changes})


def scene(**changes: Any) -> Scene:
    """Return a new game of seven, with the first seat as candidate, and some changes."""
    start = Scene(
        tracks=(LIBERAL, FASCIST), seats=seats(7, seat1=who(office="president")), in_office=False, pile=17,
        discards=0, tracker=0, chaos=3, month=None, blindfold=False, winners=None, reason=None,
    )  # fmt: skip
    return replace(start, **changes)


SCENES = {
    "start": scene(),
    "middle": scene(
        tracks=(lane(LIBERAL, "liberal", "liberal"), lane(FASCIST, *["fascist"] * 5, unlocked=True)),
        seats=seats(
            10,
            seat2=who(office="president", hand=3, confirmed=True),
            seat3=who(alive=False, investigated=True),
            seat9=who(office="chancellor"),
        ),
        in_office=True, pile=6, discards=1, tracker=2,
    ),
    "crowded": scene(
        tracks=(
            lane(replace(LIBERAL, slots=(None,) * 6), "social-democratic", "liberal"),
            lane(FASCIST, "anti-communist", "fascist:investigate", covered=4, unlocked=True),
            lane(COMMUNIST, "anti-fascist", "communist:convert"),
        ),
        seats=seats(
            16,
            seat1=who(office="president", limited=True, confirmed=True),
            seat2=who(out=2, investigated=True), seat3=who(out=1),
            seat5=who(marks=(("sights", 3),), confirmed=True, limited=True),
            seat8=who(role="kgb"), seat11=who(party="communist"),
            seat16=who(alive=False, role="anarchist", party="liberal"),
        ),
        month=10, blindfold=True, discards=12, tracker=1,
    ),
    "end": scene(
        tracks=(LIBERAL, FASCIST, COMMUNIST),
        seats=seats(
            7,
            seat1=who(party="fascist", role="hitler", alive=False),
            seat2=who(party="communist", role="monarchist"),
            seat3=who(party="liberal", role="liberal"),
        ),
        winners=("liberal", "communist"), reason="hitler-killed",
    ),
    "end by a track": scene(
        tracks=(LIBERAL, lane(FASCIST, *["fascist"] * 6), COMMUNIST),
        seats=seats(16, seat1=who(party="fascist", role="hitler")),
        winners=("fascist",), reason="fascist-track",
    ),
}  # fmt: skip


def drawn(shown: Scene, theme: str = "weimar") -> ElementTree.Element:
    return ElementTree.fromstring(draw(shown, PALETTES[theme]))


def parts(picture: ElementTree.Element, *classes: str) -> list[ElementTree.Element]:
    """Return the groups of a picture that have all of these classes, in the order of drawing."""
    return [g for g in picture.iter() if set(classes) <= set(g.get("class", "").split()) and classes]


def names() -> Iterator[tuple[str, str]]:
    """Yield every scene in every look, with the name of its picture."""
    for theme, palette in PALETTES.items():
        for name, shown in SCENES.items():
            yield f"{name}/{theme}", name_of(draw(shown, palette))


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(dict(names()), indent=2) + "\n")
