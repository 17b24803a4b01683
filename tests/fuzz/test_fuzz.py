"""Some of the updates that `make fuzz` sends by the hundred thousand; and bots that it finds out."""

from collections.abc import Callable
from itertools import takewhile
from typing import Any
from unittest.mock import patch

import pytest

from bot.conversation import reaching
from bot.conversation.game import answering, clock
from bot.conversation.group import boards, settings
from bot.conversation.incoming import BlockChanged
from bot.conversation.lobby import lobby, starting
from bot.conversation.outcome import Outcome
from handlers.service import admission
from tests.fuzz.run import BLOCK, Tally, run


@pytest.mark.thorough
def test_no_update_raises_or_exceeds_its_senders_rights() -> None:
    tally = Tally()
    for _ in run(0, 10 * BLOCK, tally):
        pass
    assert tally.failures == []
    assert tally.updates == 10 * BLOCK
    assert min(tally.changed[kind] for kind in ("message", "callback_query", "my_chat_member")) > 10
    assert tally.failed > 50


@pytest.mark.thorough
def test_a_range_goes_on_where_the_one_before_it_stopped() -> None:
    whole, halves = Tally(), Tally()
    for first, last, tally in ((0, 40, whole), (0, 20, halves), (20, 40, halves)):
        assert list(run(first, last, tally)) == [last]
    assert (whole.kinds, whole.changed) == (halves.kinds, halves.changed)


def yes(*_: Any) -> bool:
    """Anyone may do anything."""
    return True


def cleared(room: Any, said: BlockChanged) -> Outcome:
    """End the game when somebody blocks the bot."""
    return Outcome(type(room)(room.chat, room.topic))


def torn(*_: object) -> None:
    """Fail, as something broken."""
    raise KeyError("torn")


MUTANTS: dict[str, tuple[tuple[Any, str, Callable[..., Any]], ...]] = {
    "everyone is an admin": ((settings, "is_admin", yes), (boards, "is_admin", yes)),
    "everyone is the host": (
        (starting, "may_lead", yes),
        (clock, "plays_or_leads", yes),
        (lobby, "may_lead", yes),
    ),
    "a button works wherever it lies": ((admission.Admission, "_is_in_named_chat", yes),),
    "a block ends the game": ((reaching, "on_block_changed", cleared),),
    "a tap breaks it": ((answering, "question_for", torn),),
}


@pytest.mark.detector
@pytest.mark.parametrize("name", MUTANTS)
def test_a_bot_that_is_broken_is_found_out(name: str) -> None:
    tally = Tally()
    patches = [patch.object(*mutant) for mutant in MUTANTS[name]]
    for each in patches:
        each.start()
    try:
        for _ in takewhile(lambda _: not tally.failures, run(0, 20 * BLOCK, tally)):
            pass
    finally:
        for each in patches:
            each.stop()
    assert tally.failures
