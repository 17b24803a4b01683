"""Measure how long drawing the board takes."""

import time
from statistics import median

from bot.display import pictures
from bot.display.words import THEMES
from engine import View, view
from engine.facts import Enacted
from sandbox.bench.measured_games import play
from sandbox.measurements import table

#: (ruleset, players, options)
GAMES = (("classic", 7, "none"), ("red-dawn", 12, "all"), ("xl", 16, "all"))
#: Policies of each game.
MOST = 12


def boards(ruleset: str, players: int, options: str, seed: int) -> list[View]:
    """Play a game; return the group's view after each policy."""
    log = play(ruleset, players, seed, options).match().log
    ends = [place + 1 for place, event in enumerate(log) if isinstance(event.fact, Enacted)]
    return [view(log[:end], None) for end in ends]


def time_drawing(board: View, theme: str) -> tuple[float, int]:
    """Draw a board as PNG; return the processor milliseconds and the PNG's size in bytes."""
    began = time.thread_time()
    png = pictures.render(board, theme)
    return 1000 * (time.thread_time() - began), len(png)


def run() -> list[str]:
    """Draw boards of some games in every theme."""
    rows = []
    for ruleset, players, options in GAMES:
        seen = boards(ruleset, players, options, 1)[:MOST]
        for theme in THEMES:
            time_drawing(seen[0], theme)
            found = [time_drawing(board, theme) for board in seen]
            ms = [took for took, _ in found]
            size = max(size for _, size in found) / 1024
            game = f"{ruleset}, {players} players, {theme}"
            rows.append([game, len(ms), f"{median(ms):.0f}", f"{max(ms):.0f}", f"{size:.0f}"])
    return table(["", "boards", "median ms", "longest ms", "KB at most"], rows)
