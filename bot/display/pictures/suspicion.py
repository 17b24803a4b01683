"""Draw a small picture for each seat: how suspect it was after every round, and its true role.

There are no words and no names. Columns from the bottom up show how much a seat was suspected to be a
Fascist, columns from the top down to be a Communist. Their patterns differ, too. The space between is trust.
"""

from collections.abc import Sequence
from math import ceil, floor

from ai.lookback import Lookback
from bot.display.pictures.centre import WIDTH, stepped
from bot.display.pictures.palette import PALETTES, Palette
from bot.display.pictures.svg import ICONS, box, circle, disc, group, icon, mix, num, number, path, picture
from bot.display.pictures.tracks import tile
from engine import SEATS, Seat
from engine.board import Party, Role
from engine.frozen import frozen

_EDGE, _GAP, _TOP = 44.0, 20.0, 44.0
_COLUMNS = 2
_HEIGHT, _FOOT = 190.0, 44.0
_TOKEN, _TRUTH = 82.0, 108.0


@frozen
class SeatSuspicion:
    """One seat's small picture."""

    party: Party
    role: Role
    #: How likely the table thought it a Fascist, and a Communist, after each round: from 0 to 1.
    fascist: tuple[float, ...]
    communist: tuple[float, ...]
    #: The round in which it died for good; None: it lived.
    died: int | None = None
    #: The rounds in which an act changed its suspicion more than almost any other act did.
    marked: tuple[int, ...] = ()
    computer: bool = False


def suspicion_svg(seats: Sequence[SeatSuspicion], theme: str) -> str:
    """Return the picture as SVG, 1080 pixels wide, without text. Raises KeyError for a theme with no look."""
    palette = PALETTES[theme]
    rows = ceil(len(seats) / _COLUMNS)
    height = 2 * _TOP + rows * (_HEIGHT + _FOOT + _GAP) - _GAP
    wide = (WIDTH - 2 * _EDGE - _GAP) / _COLUMNS
    third = any(any(seat.communist) for seat in seats)
    cells = []
    for index, seat in enumerate(seats):
        x = _EDGE + (index // rows) * (wide + _GAP)
        y = _TOP + (index % rows) * (_HEIGHT + _FOOT + _GAP)
        left, right = x + _TOKEN, x + wide - _TRUTH
        cell = (
            _token(palette, seat, index, x + 36, y + _HEIGHT / 2),
            _rounds(palette, seat, left, y, right - left, third=third),
            _truth(palette, seat, right + 21, y + _HEIGHT / 2),
        )
        cells.append(group(*cell, class_=f"suspicion {seat.role}"))
    ground = path(box(0, 0, WIDTH, height), fill=palette.ground)
    return picture(WIDTH, height, ground, stepped(palette, 12, WIDTH, height, 13, 6), *cells)


def _token(palette: Palette, seat: SeatSuspicion, index: int, x: float, y: float) -> str:
    dead = seat.died is not None
    fill, ink = (palette.dead, palette.dead_ink) if dead else (palette.seat, palette.seat_ink)
    cross = path(
        f"M{num(x)} {num(y - 74)}v30M{num(x - 11)} {num(y - 64)}h22", stroke=palette.seat_edge, stroke_width=7
    )
    robot = icon("robot", x, y + 58, 34, palette.dead_ink, palette.ground) if seat.computer else ""
    return (
        disc((x, y), 36, fill, palette.seat_edge, 5)
        + number(index + 1, x, y, 38, ink, 16)
        + (cross if dead else "")
        + robot
    )


def _rounds(palette: Palette, seat: SeatSuspicion, x: float, y: float, wide: float, *, third: bool) -> str:
    """Draw two columns for each round: suspicion of a Fascist from below, of a Communist from above."""
    fascist, communist = palette.parties["fascist"], palette.parties["communist"]
    count = len(seat.fascist)
    step = wide / max(count, 1)
    until = count if seat.died is None else min(seat.died, count)
    frame = path(box(x, y, wide, _HEIGHT), fill=palette.parties["liberal"].slot)
    gone = path(
        box(x + until * step, y, wide - until * step, _HEIGHT), fill=mix(palette.ground, palette.dead, 0.5)
    )
    below = [_HEIGHT * share for share in seat.fascist[:until]]
    above = [_HEIGHT * share for share in seat.communist[:until]]
    even = f"M{num(x)} {num(y + _HEIGHT / 2)}h{num(wide)}"
    drawn = [
        frame,
        gone if until < count else "",
        path(_steps(x, y + _HEIGHT, step, [-tall for tall in below]), fill=fascist.tile),
        path(_stripes(x, y + _HEIGHT, step, below), fill=mix(fascist.tile, fascist.ink, 0.35)),
        path(_steps(x, y, step, above), fill=communist.tile) if third else "",
        path(_dots(x, y, step, above), fill=communist.ink) if third else "",
        # The line of even chances.
        path(even, fill="none", stroke=palette.seat_edge, stroke_width=3, stroke_dasharray="10 8"),
        path(box(x, y, wide, _HEIGHT), fill="none", stroke=palette.seat_edge, stroke_width=4),
        *[_mark(palette, x + (one - 0.5) * step, y, step) for one in seat.marked if 0 < one <= count],
        _scale(palette, x, y + _HEIGHT + 24, step, count),
    ]
    return group(*drawn, class_="rounds")


def _steps(x: float, base: float, step: float, heights: Sequence[float]) -> str:
    """Return the path data of columns side by side, from a base line up (heights below 0) or down."""
    if not heights:
        return ""
    parts = [f"M{num(x)} {num(base)}"]
    for tall in heights:
        parts.append(f"V{num(base + tall)}h{num(step)}")
    return "".join(parts) + f"V{num(base)}Z"


def _stripes(x: float, base: float, step: float, heights: Sequence[float]) -> str:
    """Return the path data of upright bars in the columns, as on a Fascist's tile."""
    return "".join(
        box(x + (at + 0.38) * step, base - tall + 3, step * 0.24, tall - 3)
        for at, tall in enumerate(heights)
        if tall > 8
    )


def _dots(x: float, base: float, step: float, heights: Sequence[float]) -> str:
    """Return the path data of squares in the columns, as on a Communist's tile."""
    size = min(6.0, step * 0.5)
    found = []
    for at, tall in enumerate(heights):
        down = 6.0
        while down + size < tall:
            found.append(box(x + (at + 0.5) * step - size / 2, base + down, size, size))
            down += 16
    return "".join(found)


def _mark(palette: Palette, x: float, y: float, step: float) -> str:
    """Draw an arrow above a column whose round had an act that changed the suspicion much."""
    half = min(max(step, 18), 30) * 0.6
    arrow = f"M{num(x - half)} {num(y - 16)}h{num(2 * half)}L{num(x)} {num(y + 4)}Z"
    line: dict[str, str | float] = {"stroke": palette.seat_edge, "stroke_width": 3}
    return path(arrow, fill=palette.gold, **line, stroke_linejoin="round", class_="mark")


def _scale(palette: Palette, x: float, y: float, step: float, count: int) -> str:
    """Draw the numbers of the first round, the last one, and as many between as fit."""
    every = next((each for each in (1, 2, 5, 10, 20) if each * step >= 56), 50)
    shown = [one for one in range(every, count + 1, every) if one == count or (count - one) * step >= 56]
    shown = [*([1] if every > 1 and (shown or [count])[0] * step - step >= 50 else []), *shown]
    if count and count not in shown:
        shown.append(count)
    return "".join(number(one, x + (one - 0.5) * step, y, 27, palette.dead_ink, 15) for one in shown)


def _truth(palette: Palette, seat: SeatSuspicion, x: float, y: float) -> str:
    """Draw what the seat really was: its party's tile, for Hitler on gold, and a secret role below."""
    if seat.party not in palette.parties:
        return ""
    leader = palette.hitler if seat.role == "hitler" else None
    plate = circle((x + 33, y), 52, fill=palette.gold) if leader else ""
    shown = tile(palette, seat.party, (x, y - 40, 66, 80), leader)
    badge = ""
    if (role := f"role/{seat.role}") in ICONS:
        badge = disc((x + 33, y + 62), 24, palette.known, palette.ground, 4)
        badge += icon(role, x + 33, y + 62, 28, palette.badge_ink, palette.known)
    return group(plate, shown, badge, class_=f"truth {seat.party}")


# --- lookback picture ---------------------------------------------------------------------------------------
# Take the picture's content from a look back.


def seats_of(found: Lookback, computers: tuple[Seat, ...] = ()) -> tuple[SeatSuspicion, ...]:
    """Return the content of every seat's small picture. ``computers``: the seats that computers played."""
    rounds = found.beliefs[1:]
    return tuple(
        SeatSuspicion(
            party,
            role,
            tuple(row[seat].get("fascist", 0.0) for row in rounds),
            tuple(row[seat].get("communist", 0.0) for row in rounds),
            _died(found, seat),
            tuple(act.round for act in found.acts if act.seat == seat),
            computer=seat in computers,
        )
        for seat, party, role in zip(SEATS, found.parties, found.roles, strict=False)
    )


def _died(found: Lookback, seat: Seat) -> int | None:
    """Return the round in which a seat died for good; None if it was alive at the end."""
    if found.alive[-1][seat]:
        return None
    return max(number for number, alive in enumerate(found.alive) if alive[seat]) + 1


# --- curve --------------------------------------------------------------------------------------------------
# Draw the curve of a rating over the last games, with numbers on both axes and no words.

_CURVE_HEIGHT = 620.0
_LEFT, _RIGHT, _CURVE_TOP, _BOTTOM = 150.0, 60.0, 60.0, 90.0
#: The possible distances between two lines of the scale, and the most lines.
_STEPS, _LINES = (10, 20, 50, 100, 200, 500), 6


def curve_svg(ratings: Sequence[int], games: int, theme: str) -> str:
    """Return the picture as SVG, 1080 pixels wide. ``games``: how many there have been, with the last one.

    Raises KeyError for a theme without a look, ValueError without a rating.
    """
    palette = PALETTES[theme]
    step = _step(min(ratings), max(ratings))
    low, high = step * floor(min(ratings) / step), step * ceil(max(ratings) / step)
    high = max(high, low + step)
    wide, tall = WIDTH - _LEFT - _RIGHT, _CURVE_HEIGHT - _CURVE_TOP - _BOTTOM
    first = games - len(ratings) + 1

    def across(place: int) -> float:
        return _LEFT + wide * (place / (len(ratings) - 1) if len(ratings) > 1 else 0.5)

    def down(rating: float) -> float:
        return _CURVE_TOP + tall * (high - rating) / (high - low)

    ink, lines = palette.dead_ink, range(low, high + 1, step)
    scale = [
        path(f"M{num(_LEFT)} {num(down(at))}h{num(wide)}", fill="none", stroke=palette.dead, stroke_width=3)
        + number(at, _LEFT - 70, down(at), 30, ink)
        for at in lines
    ]
    points = [(across(place), down(rating)) for place, rating in enumerate(ratings)]
    drawn = "L".join(f"{num(x)} {num(y)}" for x, y in points)
    gold = palette.gold
    marks = {place: first + place for place in {0, len(ratings) // 2, len(ratings) - 1}}
    return picture(
        WIDTH,
        _CURVE_HEIGHT,
        path(box(0, 0, WIDTH, _CURVE_HEIGHT), fill=palette.ground),
        stepped(palette, 12, WIDTH, _CURVE_HEIGHT, 13, 6),
        *scale,
        path(f"M{drawn}", fill="none", stroke=gold, stroke_width=8, stroke_linejoin="round"),
        *[disc(point, 9, gold, palette.ground, 3) for point in points],
        *[number(game, across(place), _CURVE_HEIGHT - 52, 30, ink) for place, game in sorted(marks.items())],
    )


def _step(low: int, high: int) -> int:
    return next((step for step in _STEPS if (high - low) / step <= _LINES), 1000)
