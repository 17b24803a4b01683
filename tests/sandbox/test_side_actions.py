"""Only the seed decides people's side actions."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

from sandbox.faults.side_actions import SideActions


class Caller:
    """Somebody who notes when they call the clock."""

    def __init__(self, called: list[Caller]) -> None:
        self._called = called

    def command(self, verb: str, *args: int) -> bool:
        """Tap a button, if it exists."""
        self._called.append(self)
        return True


class Choosing(random.Random):
    """BeaconRound that always chooses the last one."""

    def choice(self, seq: Any) -> Any:
        return seq[-1]


def test_two_simultaneous_callers_are_ordered_by_the_seed() -> None:
    called: list[Caller] = []
    people = [Caller(called) for _ in range(40)]
    stage: Any = SimpleNamespace(
        people=people,
        rng=Choosing(1),
        world=SimpleNamespace(faults=SimpleNamespace(plan=SimpleNamespace(rate=0.0))),
        plan=SimpleNamespace(migrates=False),
        match={"number": 1, "game": {"question": {"number": 1}}},
    )
    actions = SideActions(stage)
    for person in people:
        called.clear()
        actions._call_the_clock(person)  # type: ignore[arg-type]
        assert called == ([person, people[-1]] if person is not people[-1] else [person])
