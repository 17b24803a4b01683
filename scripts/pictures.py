"""Draw sample boards into a folder, to look at them: ``python -m scripts.pictures [folder]``."""

import random
import sys
from pathlib import Path

from engine import Chance, Event, Reply, Setup, answer, start, time_out, view
from handlers.display.pictures import board_svg, png

XL_OPTIONS = {
    "anti-policies": "on",
    "social-democratic": "on",
    "oktoberfest": "on",
    "liberal-track": "6",
}
RED_DAWN_OPTIONS = {"secret-roles": "on", "article-48": "on", "deck": "balanced"}
#: Name, setup, seed, and after which part of its questions (1: at the end) the picture is taken.
SAMPLES = [
    ("classic-05-start", Setup("classic@1", 5), 3, 0.0),
    ("classic-05", Setup("classic@1", 5), 50, 0.95),
    ("classic-07", Setup("classic@1", 7), 12, 0.9),
    ("classic-10", Setup("classic@1", 10), 54, 0.95),
    ("classic-10-end", Setup("classic@1", 10), 11, 1.0),
    ("red-dawn-08", Setup("red-dawn@1", 8, RED_DAWN_OPTIONS), 45, 0.95),
    ("red-dawn-12", Setup("red-dawn@1", 12, RED_DAWN_OPTIONS), 11, 0.95),
    ("red-dawn-12-end", Setup("red-dawn@1", 12, RED_DAWN_OPTIONS), 9, 1.0),
    ("xl-11", Setup("xl@1", 11, {**XL_OPTIONS, "emergency-powers": "on"}), 18, 0.95),
    ("xl-16", Setup("xl@1", 16, {**XL_OPTIONS, "emergency-powers": "on"}), 15, 0.95),
    ("xl-16-end", Setup("xl@1", 16, {**XL_OPTIONS, "emergency-powers": "on"}), 8, 1.0),
]
THEMES = ("weimar", "cold-war")


def play(setup: Setup, seed: int) -> list[list[Event]]:
    """A random game: what had been told when each of its questions was asked, and at the end."""
    rng = random.Random(seed)
    game, told = start(setup, Chance(rng.randbytes(32).hex()))
    events = list(told)
    stages = [events]
    while (question := game.question) is not None:
        for seat, options in zip(question.seats, question.options, strict=True):
            # Mostly Ja, so that governments come about.
            choice = (
                0 if question.step == "ballot" and rng.random() < 0.7 else int(rng.random() * len(options))
            )
            game, told = answer(game, Reply(seat, question.number, choice))
            events = [*events, *told]
        if question.meeting:
            game, told = time_out(game)
            events = [*events, *told]
        stages.append(events)
    return stages


def main(folder: Path) -> None:
    """Draw every sample in both looks, as SVG and PNG."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, setup, seed, share in SAMPLES:
        stages = play(setup, seed)
        seen = view(stages[round(share * (len(stages) - 1))], None)
        for theme in THEMES:
            save(folder / f"{name}-{theme}", board_svg(seen, theme))


def save(path: Path, svg: str) -> None:
    """Write a picture as SVG and as PNG."""
    picture = png(svg)
    path.with_suffix(".svg").write_text(svg)
    path.with_suffix(".png").write_bytes(picture)
    print(f"{path.name}: {len(picture) // 1024} KB")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "pictures"))
