"""What of a room may go out now, and what keeps its slot: prompts first, order within a chat kept."""

from __future__ import annotations

from infra.outbox.flush import PAUSE
from infra.outbox.turns import STALE, joined, packed, split, turns_of, wanted
from infra.store.entries import OutboxEntry

GROUP, ANNA, BEN = -100, 1, 2
BUTTONS = {"text": "?", "reply_markup": {}}


def post(chat: int, text: str = "!") -> OutboxEntry:
    return OutboxEntry(chat, "sendMessage", {"text": text})


def prompt(chat: int) -> OutboxEntry:
    return OutboxEntry(chat, "sendMessage", BUTTONS)


def edit(chat: int, name: str = "status") -> OutboxEntry:
    return OutboxEntry(chat, "editMessageText", {"text": "."}, target=name, key=name)


def outbox(*entries: OutboxEntry) -> dict[str, OutboxEntry]:
    return {str(number): entry for number, entry in enumerate(entries)}


def test_prompts_come_before_what_happened_and_that_before_edits() -> None:
    waiting = outbox(edit(GROUP), post(GROUP), post(ANNA), prompt(BEN))
    assert wanted(waiting, {}, 0.0).ids == ["3", "1", "2", "0"]


def test_what_stands_before_a_prompt_in_its_chat_goes_before_it() -> None:
    waiting = outbox(post(GROUP), post(ANNA), prompt(ANNA), post(BEN))
    assert wanted(waiting, {}, 0.0).ids == ["1", "2", "0", "3"]


def test_an_edit_that_gives_its_message_another_name_goes_before_what_is_written_after_it() -> None:
    record = OutboxEntry(ANNA, "editMessageText", BUTTONS, name="claim0", target="seat0", key="seat0")
    waiting = outbox(record, prompt(ANNA), edit(ANNA), post(BEN))
    assert wanted(waiting, {}, 0.0).ids == ["0", "1", "3", "2"]


def test_buttons_that_only_go_away_are_no_message() -> None:
    tidy = OutboxEntry(ANNA, "editMessageReplyMarkup", target="old", key="old/buttons")
    found = wanted(outbox(tidy, OutboxEntry(ANNA, "deleteMessage", target="x"), post(ANNA)), {}, 0.0)
    assert (found.ids, found.tidying, found.free) == (["2"], ["0"], ["1"])


def test_a_chat_that_is_left_alone_needs_no_slot() -> None:
    assert wanted(outbox(post(ANNA), post(BEN)), {f"{PAUSE}{ANNA}": 10.0}, 5.0).ids == ["1"]


def test_what_its_groups_minute_keeps_back_needs_no_slot() -> None:
    waiting = outbox(*[post(GROUP, str(number)) for number in range(25)])
    assert len(wanted(waiting, {}, 100.0).ids) == 18


def test_a_turn_up_to_a_second_ahead_is_waited_for_and_one_behind_that_is_not() -> None:
    assert split([(99.8, 2), (101.0, 1), (101.1, 1), (130.0, 3)], 100.0, 0.25) == (
        [99.8, 100.05, 101.0],
        [(101.1, 1), (130.0, 3)],
    )


def test_a_turn_that_has_begun_is_gone_on_with_to_its_end_for_a_second_more() -> None:
    assert split([(100.9, 4)], 100.0, 0.25) == ([100.9, 101.15, 101.4, 101.65], [])
    assert split([(101.0, 8)], 100.0, 0.25) == ([101.0, 101.25, 101.5, 101.75, 102.0], [(102.25, 3)])


def test_slots_that_were_missed_for_long_are_void() -> None:
    assert split([(100.0 - STALE - 1, 5)], 100.0, 0.25) == ([], [])


def test_turns_close_together_become_one_at_the_time_of_the_first() -> None:
    assert joined([(13.5, 1), (10.0, 2), (12.9, 4)]) == [(10.0, 6), (13.5, 1)]


def test_a_room_remembers_its_turns_to_the_millisecond() -> None:
    turns = [(1_800_000_000.123, 3), (1_800_000_009.5, 1)]
    assert turns_of({"turns": packed(turns)}) == turns
    assert packed([]) is None
