"""Play chunks of games in several processes, with a progress bar on a terminal."""

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

from rich.progress import track

Task = TypeVar("Task")
Result = TypeVar("Result")


def play_in_processes(
    tasks: Sequence[Task], play: Callable[[Task], Result], jobs: int, **pool_options: Any
) -> Iterator[tuple[Task, Result]]:
    """Yield each task (a chunk of games) with what ``play`` returned for it in another process, in order.

    ``pool_options``: further arguments of ``ProcessPoolExecutor``.
    """
    with ProcessPoolExecutor(jobs, **pool_options) as pool:
        results = track(pool.map(play, tasks), "", len(tasks), disable=not sys.stdout.isatty())
        yield from zip(tasks, results, strict=True)
