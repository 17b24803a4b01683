"""Secrets never make a difference in a chat that may not know them.

LEAKS=200 pytest tests/system/test_leaks.py          # pairs of worlds by number
LEAKS=500:2000 pytest -n 2 tests/system/test_leaks.py
"""

import os
from dataclasses import replace
from typing import Any

import pytest
from markupsafe import Markup

from bot.conversation.game import announce
from bot.conversation.outcome import GROUP, Effects, Post
from bot.rooms.codec import decode
from bot.rooms.model import Match, Room
from engine import Event, Seat, Setup, View, view
from infra.outbox.outbox_sender import DeliveryResult, OutboxSender
from infra.store.items import RoomItem
from tests.system.mirror import compare, worlds_of
from tests.worlds import Leak

FIRST, _, LAST = os.environ.get("LEAKS", "1").partition(":")
NUMBERS = range(int(FIRST), int(LAST)) if LAST else range(int(FIRST))


@pytest.mark.timeout(0)
@pytest.mark.parametrize("number", NUMBERS)
def test_a_viewer_sees_the_same_in_two_like_worlds(number: int) -> None:
    worlds = worlds_of(number)
    assert compare(worlds, number) > len(worlds.script) / 4


def leaking(count: int = 40) -> bool:
    """Return True if the comparison finds a leak in the first pairs of a small game, seen from seat 0."""
    for number in range(count):
        try:
            compare(worlds_of(number, Setup("classic@1", 5), Seat(0)), number)
        except Leak:
            return True
    return False


@pytest.mark.detector
def test_it_finds_a_view_that_shows_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    def everything(match: Match, seat: Seat | None) -> View:
        return view([Event(event.fact) for event in match.log], seat)

    # Leave out the top of the pile, which this text names: the view must know nothing of it.
    monkeypatch.setattr(announce, "board_text", lambda telling: Markup(telling.view.table.pile[:1]))
    assert not leaking(6)
    monkeypatch.setattr(Match, "view", everything)
    assert leaking()


@pytest.mark.detector
def test_it_finds_whispers_that_go_to_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    whispered = announce._whispered
    monkeypatch.setattr(
        announce, "_whispered", lambda room, match, seat, *rest: whispered(room, match, Seat(0), *rest)
    )
    assert leaking()


@pytest.mark.detector
def test_it_finds_a_prompt_too_many_that_hangs_on_a_role(monkeypatch: pytest.MonkeyPatch) -> None:
    prompts = announce._prompts

    def doubled(room: Room, match: Match, *rest: Any) -> Effects:
        found = prompts(room, match, *rest)
        return (*found, *found) if match.game.table.roles[-1] == "hitler" else found

    monkeypatch.setattr(announce, "_prompts", doubled)
    assert leaking()


@pytest.mark.detector
def test_it_finds_a_moment_that_hangs_on_a_role(monkeypatch: pytest.MonkeyPatch) -> None:
    deliver = OutboxSender.deliver

    def slow(outbox_sender: OutboxSender, item: RoomItem, *args: Any, **more: Any) -> DeliveryResult:
        room = decode(item.body, item.schema)
        if room.match is not None and room.match.game.table.roles[-1] == "hitler":
            outbox_sender._clock.advance(1)  # type: ignore[attr-defined]
        return deliver(outbox_sender, item, *args, **more)

    monkeypatch.setattr(OutboxSender, "deliver", slow)
    assert leaking()


@pytest.mark.detector
def test_it_finds_a_role_that_the_whole_group_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    offer = announce.role_offer

    def aloud(room: Room, match: Match, seat: int) -> Post:
        text = announce.role_card(room, match, Seat(seat)).text
        return replace(offer(room, match, Seat(seat)), to=GROUP, text=text)

    monkeypatch.setattr(announce, "role_offer", aloud)
    assert leaking()
