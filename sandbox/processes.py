"""Play chunks of games in several processes, with a progress bar on a terminal."""

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

Task = TypeVar("Task")
Result = TypeVar("Result")


def play_in_processes(
    tasks: Sequence[Task],
    play: Callable[[Task], Result],
    jobs: int,
    **pool_options: Any,
) -> Iterator[tuple[Task, Result]]:
    """Yield each task with what ``play`` returned for it, in order.

    Args:
        tasks: the chunks of games.
        play: plays one chunk, in another process.
        jobs: the number of processes.
        pool_options: further arguments of ``ProcessPoolExecutor``.
    """
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    unseen = not sys.stdout.isatty()
    with Progress(*columns, disable=unseen) as progress, ProcessPoolExecutor(jobs, **pool_options) as pool:
        bar = progress.add_task("", total=len(tasks))
        for task, result in zip(tasks, pool.map(play, tasks), strict=True):
            yield task, result
            progress.advance(bar)
