"""Kill a process while computers decide."""

from collections.abc import Mapping
from typing import Any
from unittest.mock import Mock

import pytest

import ai
from tests.system.store import Killed
from tests.system.table import Table
from tests.system.test_exactly_once import post


def killed_while_thinking(table: Table, update: Mapping[str, Any]) -> None:
    """Pass an update to the entry, and kill the process when a computer must decide."""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ai, "choose", Mock(side_effect=Killed))
        with pytest.raises(Killed):
            post(table, update)
