"""How fast the engine is.

Process time on one core: whole random games through the public functions, every ballot answered one by one,
all events kept. It is compared, in the same run, with a minimal loop that only draws the same random numbers.
"""

import cProfile
import io
import pstats
import random
import time
from dataclasses import dataclass

from engine import Setup
from sandbox.measurements import Section, table
from sandbox.random_play import random_game


@dataclass(frozen=True, slots=True)
class Speed:
    """The measured rates, all of one core."""

    ruleset: str
    players: int
    games: int
    answers: int
    events: int
    answers_per_second: int
    games_per_second: int
    #: How many times as long the engine takes as a loop that only draws the same random numbers.
    times_the_minimal_loop: float


#: How many times as long as the minimal loop the engine may take, in classic with 7 players.
RATIO = 100
#: How often each speed is measured; the run of the median ratio is what counts.
RUNS = 5
#: Process seconds for which the minimal loop is measured at least: once through it is too short to tell.
LEAST = 0.2


def usual(ruleset_id: str, players: int, seconds: float) -> Speed:
    """Return the run with the median ratio of five runs that take so many seconds together."""
    runs = [speed(ruleset_id, players, seconds / RUNS, seed) for seed in range(1, RUNS + 1)]
    return sorted(runs, key=lambda one: one.times_the_minimal_loop)[RUNS // 2]


def speed(ruleset_id: str = "classic@1", players: int = 7, seconds: float = 5.0, seed: int = 1) -> Speed:
    """Play random games for so many seconds of process time, then draw the same numbers again."""
    setup = Setup(ruleset_id, players)
    rng = random.Random(seed)
    games = answers = events = 0
    lengths: list[int] = []
    begin = time.process_time()
    while (took := time.process_time() - begin) < seconds:
        _, told, given = random_game(setup, rng)
        games, answers, events = games + 1, answers + given, events + len(told)
        lengths.append(given)
    minimal = _minimal(lengths, seed)
    return Speed(
        ruleset_id,
        players,
        games,
        answers,
        events,
        round(answers / took),
        round(games / took),
        round(took / minimal, 1),
    )


def _minimal(lengths: list[int], seed: int) -> float:
    """Process seconds for drawing a key for each game, and a number for each answer, and nothing else."""
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
    """Return where the time goes: the functions with the most time of their own, as a table."""
    setup, rng = Setup(ruleset_id, players), random.Random(1)
    profiler = cProfile.Profile()
    profiler.enable()
    for _ in range(games):
        random_game(setup, rng)
    profiler.disable()
    text = io.StringIO()
    pstats.Stats(profiler, stream=text).strip_dirs().sort_stats("tottime").print_stats(lines)
    return text.getvalue()


#: What the report shows: every ruleset, at the size of the figure to reach or near it.
REPORTED = (
    ("classic@1", 7),
    ("online@1", 7),
    ("red-dawn@1", 7),
    ("xl@1", 7),
    ("classic@1", 10),
    ("xl@1", 16),
)


def run(*, seconds: float = 5.0) -> Section:
    """Measure the speed for the report, with every ruleset loaded."""
    measured = [usual(ruleset_id, players, seconds) for ruleset_id, players in REPORTED]
    rows = [
        [
            f"{one.ruleset}, {one.players} players",
            f"{one.answers_per_second:,}",
            f"{one.games_per_second:,}",
            one.times_the_minimal_loop,
        ]
        for one in measured
    ]
    return Section(
        "Engine speed",
        f"""Random games through the public functions on one core with every ruleset loaded, every ballot
        answered one by one and all events kept, {seconds:g} s of process time each, in {RUNS} runs of
        which the one with the median ratio is shown. *Ratio*: how many times as long as a loop
        that only draws the same random numbers. To reach: {RATIO} in classic with 7 players.
        Below, where the time of 300 such games goes, under the profiler.""",
        [
            *table(["", "answers a second", "games a second", "ratio"], rows),
            "",
            "```text",
            *[line.rstrip() for line in profile(lines=10).splitlines() if line.strip()],
            "```",
        ],
    )
