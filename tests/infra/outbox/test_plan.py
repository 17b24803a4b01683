"""The sending plan: priorities, slots kept for later, and order within a chat."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from infra.outbox.plan import (
    HURRIED_WAIT,
    MINUTE,
    STALE_AFTER,
    Drop,
    Send,
    Slots,
    Wait,
    find_superseded,
    join_slot_runs,
    split_slot_runs,
)
from infra.store.items import OutboxEntry, Remembered
from tests.infra.outbox.wireless import count_wanted, plan

GROUP, ANNA, BEN = -100, 1, 2
NOTHING = Remembered()
BUTTONS = {"text": "?", "reply_markup": {}}
NOW = 100.0


def post(chat: int, text: str = "!", name: str | None = None) -> OutboxEntry:
    return OutboxEntry(chat, "sendMessage", {"text": text}, name=name)


def prompt(chat: int) -> OutboxEntry:
    return OutboxEntry(chat, "sendMessage", BUTTONS)


def edit(chat: int, name: str = "status") -> OutboxEntry:
    return OutboxEntry(chat, "editMessageText", {"text": "."}, target=name, key=name)


def outbox(*entries: OutboxEntry) -> dict[str, OutboxEntry]:
    return {f"{number:02}": entry for number, entry in enumerate(entries)}


def sends(entries: dict[str, OutboxEntry], slots: int) -> str:
    """Return the numbers of the entries that go out if the room has this many slots."""
    steps = plan(entries, NOTHING, Slots([NOW] * slots), NOW)
    return "".join(step.id[1] for step in steps if isinstance(step, Send))


def order(*entries: OutboxEntry) -> str:
    """Return the numbers of entries in the order of their slots."""
    gone = ["", *(sends(outbox(*entries), count + 1) for count in range(len(entries)))]
    return "".join(next(iter(set(more) - set(less)), "") for less, more in pairwise(gone))


def test_prompts_come_before_news_and_news_before_edits() -> None:
    assert order(edit(GROUP), post(GROUP), post(ANNA), prompt(BEN)) == "3120"


def test_what_is_before_a_prompt_in_its_chat_goes_before_it() -> None:
    assert order(post(GROUP), post(ANNA), prompt(ANNA), post(BEN)) == "1203"


def test_an_edit_with_a_second_name_goes_before_what_follows() -> None:
    record = OutboxEntry(ANNA, "editMessageText", BUTTONS, name="claim0", target="seat0", key="seat0")
    assert order(record, prompt(ANNA), edit(ANNA), post(BEN)) == "0132"


def test_buttons_that_only_go_away_need_a_slot_or_are_dropped() -> None:
    tidy = OutboxEntry(ANNA, "editMessageReplyMarkup", target="old", key="old/buttons")
    entries = outbox(tidy, OutboxEntry(ANNA, "deleteMessage", target="x"), post(ANNA))
    assert count_wanted(entries, NOTHING, NOW) == (1, 1, 0)
    assert [type(step) for step in plan(entries, NOTHING, Slots([NOW]), NOW)] == [Drop, Send, Send]
    assert [type(step) for step in plan(entries, NOTHING, Slots([NOW] * 2), NOW)] == [Send] * 3


def test_a_paused_chat_needs_no_slot() -> None:
    remembered = Remembered(pauses={ANNA: NOW + 5})
    first, second = plan(outbox(post(ANNA), post(BEN)), remembered, Slots([NOW]), NOW)
    assert first == Wait("00", NOW + 5)
    assert isinstance(second, Send)


def test_a_topic_of_a_busy_forum_sends_one_by_one() -> None:
    """Thirty topics once took slots for all their entries, though the forum's minute had room for one."""
    topic = [replace(post(GROUP, str(number)), topic=7) for number in range(3)]
    entries = outbox(*topic, OutboxEntry(GROUP, "deleteMessage", target="x", topic=7), post(ANNA))
    lately = Remembered(pauses={GROUP: NOW - 5})
    assert count_wanted(entries, lately, NOW) == (2, 0, 0)
    steps = plan(entries, lately, None, NOW)
    assert [type(step) for step in steps] == [Send, Wait, Wait, Send, Send]
    assert count_wanted(entries, Remembered(pauses={GROUP: NOW - MINUTE}), NOW) == (4, 0, 0)
    assert count_wanted(outbox(post(GROUP), post(GROUP)), lately, NOW) == (2, 0, 0)


def test_what_a_groups_minute_keeps_back_needs_no_slot() -> None:
    waiting = outbox(*[post(GROUP, str(number)) for number in range(25)])
    assert count_wanted(waiting, NOTHING, NOW) == (18, 0, 0)


def test_what_has_no_slot_yet_waits_for_the_rooms_next_ones() -> None:
    steps = plan(outbox(post(ANNA), post(BEN), post(3)), NOTHING, Slots([NOW], [NOW + 4]), NOW)
    assert steps[1:] == [Wait("01", NOW + 4), Wait("02", NOW + 1)]


def test_the_group_goes_first_of_what_goes() -> None:
    steps = plan(outbox(prompt(ANNA), post(GROUP)), NOTHING, Slots([NOW, NOW + 1]), NOW)
    assert [step.at for step in steps if isinstance(step, Send)] == [NOW + 1, NOW]


def test_a_waiting_edit_is_dropped_where_a_post_takes_its_name() -> None:
    """It would change the new message to what the old one should have said."""
    entries = outbox(edit(GROUP, "notice"), post(GROUP, name="notice"), edit(BEN, "notice"))
    assert [type(step) for step in plan(entries, NOTHING, Slots([NOW]), NOW)] == [Drop, Send, Wait]


def test_an_edit_that_can_be_spared_replaces_none_that_must_come() -> None:
    must, droppable = edit(GROUP), replace(edit(GROUP), droppable=True)
    assert find_superseded(outbox(must, droppable)) == []
    assert find_superseded(outbox(must, droppable, droppable)) == ["01"]
    assert find_superseded(outbox(must, droppable, must)) == ["01", "00"]
    assert find_superseded(outbox(droppable, must)) == ["00"]


def test_a_replaced_edit_is_never_posted_instead() -> None:
    status = OutboxEntry(GROUP, "editMessageText", {"text": "."}, target="game", fallback="sendMessage")
    entries = [outbox(status, post(GROUP, name=name)) for name in ("x", "game")]
    kept, gone = (plan(each, NOTHING, None, NOW)[0] for each in entries)
    assert isinstance(kept, Send)
    assert isinstance(gone, Send)
    assert (kept.entry.fallback, gone.entry.fallback) == ("sendMessage", None)


def test_how_many_whispers_there_are_does_not_show_in_the_pace() -> None:
    whispers = [OutboxEntry(chat, "sendMessage", {"text": "!"}, hides=9) for chat in (ANNA, BEN, 3)]
    slots = [sum(count_wanted(outbox(post(GROUP), *whispers[:count]), NOTHING, NOW)) for count in (1, 2, 3)]
    assert slots == [10, 10, 10]


def test_a_slot_up_to_a_second_ahead_is_waited_for() -> None:
    split = split_slot_runs([(99.8, 2), (101.0, 1), (101.1, 1), (130.0, 3)], 100.0, 0.25)
    assert split == ([99.8, 100.05, 101.0], [(101.1, 1), (130.0, 3)])


def test_a_turn_that_has_begun_is_finished_within_a_second() -> None:
    assert split_slot_runs([(100.9, 4)], 100.0, 0.25) == ([100.9, 101.15, 101.4, 101.65], [])
    split = split_slot_runs([(101.0, 8)], 100.0, 0.25)
    assert split == ([101.0, 101.25, 101.5, 101.75, 102.0], [(102.25, 3)])


def test_a_webhook_waits_for_a_moment_only() -> None:
    near, later = split_slot_runs([(100.0, 40)], 100.0, 0.037, hurried=True)
    assert near[-1] <= 100.0 + HURRIED_WAIT
    assert len(near) + later[0][1] == 40


def test_slots_that_were_missed_for_long_are_void() -> None:
    assert split_slot_runs([(100.0 - STALE_AFTER - 1, 5)], 100.0, 0.25) == ([], [])


def test_slot_runs_close_together_become_one() -> None:
    assert join_slot_runs([(13.5, 1), (10.0, 2), (12.9, 4)]) == [(10.0, 6), (13.5, 1)]


# --- which 429s are evidence --------------------------------------------------------------------------------


def calm(*entries: OutboxEntry, after: Remembered) -> list[bool]:
    return [step.is_evidence for step in plan(outbox(*entries), after, None, NOW) if isinstance(step, Send)]


def test_a_chat_written_to_at_most_once_in_ten_seconds_is_calm() -> None:
    assert calm(*[post(ANNA)] * 3, post(GROUP), after=NOTHING) == [True, True, False, True]
    private = [(ANNA, NOW - 9), (BEN, NOW - 11), (BEN, NOW - 1)]
    sent = Remembered(group_sends={GROUP: [NOW - 20, NOW - 3]}, private_sends=private)
    entries = post(GROUP), post(GROUP), post(ANNA), post(ANNA), post(BEN)
    assert calm(*entries, after=sent) == [True, False, True, False, True]


def test_a_slow_group_and_a_forum_are_never_calm() -> None:
    assert calm(post(GROUP), after=Remembered(slow_modes={GROUP: 30})) == [False]
    assert calm(OutboxEntry(GROUP, "sendMessage", {"text": "!"}, topic=7), after=NOTHING) == [False]
