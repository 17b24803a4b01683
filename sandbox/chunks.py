"""Play games in chunks on several cores, with a progress bar in a terminal."""

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

Task = TypeVar("Task")
Result = TypeVar("Result")


def played(
    tasks: Sequence[Task],
    play: Callable[[Task], Result],
    jobs: int,
    about: Callable[[Task], tuple[str, int]],
    **pool_options: Any,
) -> Iterator[tuple[Task, Result]]:
    """Yield each chunk with its result from ``play``, in order, using several processes.

    ``about``: the name of a chunk in the progress bar, and its number of games. Options are those of the
    pool.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    unseen = not sys.stdout.isatty()
    with Progress(*columns, disable=unseen) as progress, ProcessPoolExecutor(jobs, **pool_options) as pool:
        bar = progress.add_task("games", total=sum(about(task)[1] for task in tasks))
        for task, result in zip(tasks, pool.map(play, tasks), strict=True):
            yield task, result
            name, games = about(task)
            progress.update(bar, advance=games, description=name)
