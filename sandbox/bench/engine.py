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
from sandbox.measurements import Section, table
from sandbox.random_games import play_random_game

#: The goal for the ratio in classic with 7 players.
RATIO = 100
#: The number of runs for each setup. The run with the median ratio counts.
RUNS = 5
#: The minimum of process seconds for measuring the loop, because one pass is too short.
LEAST = 0.2


def median_speed(ruleset_id: str, players: int, seconds: float) -> tuple[float, float, float]:
    """Measure several runs, which take ``seconds`` together; return the one with the median ratio."""
    runs = [speed(ruleset_id, players, seconds / RUNS, seed) for seed in range(1, RUNS + 1)]
    return sorted(runs, key=lambda one: one[2])[RUNS // 2]


def speed(
    ruleset_id: str = "classic@1", players: int = 7, seconds: float = 5.0, seed: int = 1
) -> tuple[float, float, float]:
    """Play random games for some seconds of process time.

    Return answers and games a second, and the time as a multiple of only drawing the same random numbers.
    """
    setup = Setup(ruleset_id, players)
    rng = random.Random(seed)
    lengths: list[int] = []
    begin = time.process_time()
    while (took := time.process_time() - begin) < seconds:
        lengths.append(play_random_game(setup, rng)[2])
    return sum(lengths) / took, len(lengths) / took, took / _draw_seconds(lengths, seed)


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


def profile(ruleset_id: str = "classic@1", players: int = 7, games: int = 300, lines: int = 15) -> str:
    """Profile some games; return a table of the functions that take the most time, without callees."""
    setup, rng = Setup(ruleset_id, players), random.Random(1)
    profiler = cProfile.Profile()
    profiler.enable()
    for _ in range(games):
        play_random_game(setup, rng)
    profiler.disable()
    text = io.StringIO()
    pstats.Stats(profiler, stream=text).strip_dirs().sort_stats("tottime").print_stats(lines)
    return text.getvalue()


#: The rulesets and numbers of players in the report.
REPORTED = (
    ("classic@1", 7),
    ("online@1", 7),
    ("red-dawn@1", 7),
    ("xl@1", 7),
    ("classic@1", 10),
    ("xl@1", 16),
)


def run(*, seconds: float = 5.0) -> Section:
    """Measure the speed of each reported setup."""
    rows = []
    for ruleset_id, players in REPORTED:
        answers, games, ratio = median_speed(ruleset_id, players, seconds)
        rows.append([f"{ruleset_id}, {players} players", f"{answers:,.0f}", f"{games:,.0f}", f"{ratio:.1f}"])
    return Section(
        "Engine speed",
        f"""Random games through the public functions on one core with every ruleset loaded, every ballot
        answered one by one and all events kept, {seconds:g} s of process time each, in {RUNS} runs of
        which the one with the median ratio is shown. *Ratio*: time as a multiple of a loop
        that only draws the same random numbers. Goal: {RATIO} in classic with 7 players.
        Below, a profile of 300 such games.""",
        [
            *table(["", "answers a second", "games a second", "ratio"], rows),
            "",
            "```text",
            *[line.rstrip() for line in profile(lines=10).splitlines() if line.strip()],
            "```",
        ],
    )
