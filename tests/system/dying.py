"""A process that is gone in the middle of a thought."""

from collections.abc import Mapping
from typing import Any

import pytest

import ai
from tests.system.store import Killed
from tests.system.table import Table
from tests.system.test_exactly_once import post


def killed_while_thinking(table: Table, update: Mapping[str, Any]) -> None:
    """Hand an update to the entry, which is killed as soon as a computer is to decide."""

    def dying(*args: Any) -> int:
        raise Killed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ai, "choose", dying)
        with pytest.raises(Killed):
            post(table, update)
