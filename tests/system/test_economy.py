"""What a long game no longer writes."""

from __future__ import annotations

from handlers.conversation.announce import NOMINATIONS_RECORDED
from tests.system.table import Table


def test_in_a_long_game_nominations_are_no_longer_recorded_in_private_and_their_buttons_do_nothing(
    table: Table,
) -> None:
    table.open(5)
    for _ in range(NOMINATIONS_RECORDED):
        prompt = table.asked().prompt()
        prompt.tap(prompt.labels()[0])
        assert "You nominated" in prompt.text
        assert prompt.labels() == []
        table.vote("n" * len(table.waiting()))
    candidate = table.asked()
    prompt = candidate.prompt()
    first, second, *_ = prompt.labels()
    prompt.tap(first)
    assert "You nominated" not in prompt.text
    assert f"nominates {first}" in table.group_text()
    votes = table.waiting()
    prompt.tap(second)
    assert candidate.toast() == "That is decided already."
    assert f"nominates {first}" in table.group_text()
    assert table.waiting() == votes
    assert table.tg.violations == []
