"""Measure the engine's speed.

It plays whole random games through the public functions, answers each ballot separately and keeps all events.
Its process time on one core is compared with that of a loop that only draws the same random numbers.
"""

import cProfile
import io
import pstats
import random
import time

from engine import Setup
from sandbox.measurements import table
from sandbox.random_games import play_random_game

#: The number of runs for each setup, and process seconds of each. The run with the median ratio counts.
RUNS, SECONDS = 5, 1.0
#: The minimum of process seconds for measuring the loop, because one pass is too short.
LEAST = 0.2
#: The rulesets and numbers of players in the report.
REPORTED = (
    ("classic@1", 7),
    ("online@1", 7),
    ("red-dawn@1", 7),
    ("xl@1", 7),
    ("classic@1", 10),
    ("xl@1", 16),
)


def speed(setup: Setup, seed: int) -> tuple[float, float, float]:
    """Play random games for some seconds of process time.

    Return the time as a multiple of only drawing the same random numbers, and answers and games a second.
    """
    rng = random.Random(seed)
    lengths: list[int] = []
    begin = time.process_time()
    while (took := time.process_time() - begin) < SECONDS:
        lengths.append(play_random_game(setup, rng)[2])
    return took / _draw_seconds(lengths, seed), sum(lengths) / took, len(lengths) / took


def _draw_seconds(lengths: list[int], seed: int) -> float:
    """Return the process seconds for drawing a key per game and a number per answer."""
    times = 0
    begin = time.process_time()
    while (took := time.process_time() - begin) < LEAST or not times:
        rng = random.Random(seed)
        for answers in lengths:
            rng.randbytes(32).hex()
            [int(rng.random() * 7) for _ in range(answers)]
        times += 1
    return took / times


def profile(games: int = 300, lines: int = 10) -> list[str]:
    """Play classic games of seven; return the functions that take the most time, without their callees."""
    setup, rng, text = Setup("classic@1", 7), random.Random(1), io.StringIO()
    with cProfile.Profile() as profiler:
        for _ in range(games):
            play_random_game(setup, rng)
    pstats.Stats(profiler, stream=text).strip_dirs().sort_stats("tottime").print_stats(lines)
    return [line.rstrip() for line in text.getvalue().splitlines() if line.strip()]


def run() -> list[str]:
    """Measure the speed of each reported setup."""
    rows = []
    for ruleset_id, players in REPORTED:
        runs = sorted(speed(Setup(ruleset_id, players), seed) for seed in range(1, RUNS + 1))
        ratio, answers, games = runs[RUNS // 2]
        rows.append([f"{ruleset_id}, {players} players", f"{answers:,.0f}", f"{games:,.0f}", f"{ratio:.1f}"])
    head = ["", "answers a second", "games a second", "ratio"]
    return [*table(head, rows), "", "```text", *profile(), "```"]
