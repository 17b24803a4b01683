"""Measure colours: contrast (WCAG 2), colour blindness (Machado, Oliveira and Fernandes 2009), CIE 1976."""

from itertools import pairwise

Linear = tuple[float, float, float]

#: Full loss of one kind of cones, for linear sRGB.
BLINDNESS = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
               (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
               (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
               (0.004733, 0.691367, 0.303900)),
    "grey": ((0.2126, 0.7152, 0.0722),) * 3,
}  # fmt: skip


def linear(colour: str) -> Linear:
    """Return the light of ``#rrggbb``, each part from 0 to 1."""
    r, g, b = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    parts = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (r, g, b)]
    return parts[0], parts[1], parts[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21."""
    weights = (0.2126, 0.7152, 0.0722)
    lights = sorted(sum(w * v for w, v in zip(weights, linear(c), strict=True)) for c in (one, other))
    ((dark, light),) = pairwise(lights)
    return (light + 0.05) / (dark + 0.05)


def seen(colour: str, blindness: str) -> Linear:
    """Return the light as somebody with this blindness sees it."""
    light = linear(colour)
    sums = [sum(w * v for w, v in zip(row, light, strict=True)) for row in BLINDNESS[blindness]]
    parts = [min(1, max(0, value)) for value in sums]
    return parts[0], parts[1], parts[2]


def lab(light: Linear) -> Linear:
    """CIE L*a*b* of linear sRGB under D65."""
    r, g, b = light
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def apart(one: str, other: str, blindness: str) -> float:
    """Return how different two colours look to somebody: 2 is just visible, 100 is black from white."""
    a, b = (lab(seen(colour, blindness)) for colour in (one, other))
    return sum((p - q) ** 2 for p, q in zip(a, b, strict=True)) ** 0.5
