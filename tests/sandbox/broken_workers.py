"""Break the crowd's workers on purpose. Each function runs first in a worker's process."""

from dataclasses import replace

import pytest

from infra.store.items import Change, Conflict, RoomItem
from infra.store.rooms import Rooms
from tests.system.mutants import MUTANTS


def _broken(mutant: str) -> None:
    # The patch needs no undoing, since the process ends with the worker.
    MUTANTS[mutant](pytest.MonkeyPatch())


def ignores_the_version() -> None:
    """Let the later of two simultaneous writes replace the earlier one."""
    save = Rooms.save

    def over_others(self: Rooms, before: RoomItem, change: Change) -> RoomItem | Conflict:
        saved = save(self, before, change)
        while isinstance(saved, Conflict) and saved.item is not None:
            saved = save(self, replace(before, version=saved.item.version), change)
        return saved

    pytest.MonkeyPatch().setattr(Rooms, "save", over_others)


def forgets_update_ids() -> None:
    """Handle a repeated update again."""
    _broken("forgets_update_ids")


def takes_a_lost_race_for_won() -> None:
    """Take the save that came second for successful."""
    _broken("takes_a_lost_race_for_won")


def has_no_lease() -> None:
    """Let several senders send the same outbox at once."""
    _broken("has_no_lease")


def clears_before_it_sends() -> None:
    """Remove entries before they are sent, so that a killed worker loses them."""
    _broken("clears_before_it_sends")
