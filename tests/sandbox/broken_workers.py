"""Break a crowd's workers on purpose: each function runs first in a worker's process."""

from dataclasses import replace

import pytest

from infra.store.items import Change, Conflict, RoomItem
from infra.store.rooms import Rooms
from tests.system.mutants import MUTANTS


def _broken(mutant: str) -> None:
    # The process is the worker's own, so nothing has to be put back.
    MUTANTS[mutant](pytest.MonkeyPatch())


def ignores_the_version() -> None:
    """Let the later of two simultaneous writers win everything."""
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
    """Report success to the writer who was second."""
    _broken("takes_a_lost_race_for_won")


def has_no_lease() -> None:
    """Let everybody send the outbox at once."""
    _broken("has_no_lease")


def clears_before_it_sends() -> None:
    """Let a worker that is killed while it sends lose the messages."""
    _broken("clears_before_it_sends")
