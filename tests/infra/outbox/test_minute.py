"""The bot writes to a group about twenty times a minute at most: posts first, status edits wait or merge."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from infra.outbox.plan import (
    LIMIT_FOR_EDITS,
    LIMIT_FOR_POSTS,
    PATIENT_BURST,
    PATIENT_SECONDS,
    Drop,
    Send,
    Step,
    Wait,
    remember_sent,
)
from infra.store.items import OutboxEntry, Remembered, entry_id, values_by_stored_name
from tests.infra.outbox.wireless import memory_after, plan

GROUP, PERSON = -100, 7
NOW = 1_800_000_000.0


def post(chat: int = GROUP, name: str | None = None) -> OutboxEntry:
    return OutboxEntry(chat, "sendMessage", {"text": "…"}, name=name)


def edit(target: str = "game") -> OutboxEntry:
    return OutboxEntry(GROUP, "editMessageText", {"text": "…"}, target=target, key=target)


def planned(*entries: OutboxEntry, sent: int = 0, now: float = NOW) -> list[Step]:
    """Return the plan of a room that wrote ``sent`` times, a second apart, the last one just now."""
    times = [NOW - second for second in reversed(range(sent))]
    remembered = Remembered(message_ids={"game": 1}, group_sends={GROUP: times})
    return plan({entry_id(1, index): entry for index, entry in enumerate(entries)}, remembered, None, now)


def kinds(steps: list[Step]) -> list[type]:
    return [type(step) for step in steps]


def test_a_full_minute_holds_up_a_post_and_all_behind_it() -> None:
    steps = planned(post(), edit(), sent=LIMIT_FOR_POSTS)
    assert [step.until for step in steps if isinstance(step, Wait)] == [NOW - LIMIT_FOR_POSTS + 1 + 60] * 2


def test_a_post_goes_out_while_there_is_room_for_one_more() -> None:
    assert kinds(planned(post(), post(), sent=LIMIT_FOR_POSTS - 1)) == [Send, Wait]


def test_an_edit_waits_earlier_than_a_post_and_lets_it_pass() -> None:
    assert kinds(planned(edit(), post(), sent=LIMIT_FOR_EDITS)) == [Wait, Send]


def test_an_edit_that_would_wait_is_dropped_before_a_new_post() -> None:
    assert kinds(planned(edit(), post(name="game"), sent=LIMIT_FOR_EDITS)) == [Drop, Send]


def test_an_edit_with_a_second_name_holds_up_what_follows() -> None:
    assert kinds(planned(replace(edit(), name="claim"), post(), sent=LIMIT_FOR_EDITS)) == [Wait, Wait]


def test_a_minute_later_the_budget_is_whole_again() -> None:
    assert kinds(planned(edit(), sent=LIMIT_FOR_POSTS, now=NOW + 60)) == [Send]


def test_a_private_chat_has_no_budget() -> None:
    assert kinds(planned(*[post(PERSON)] * 30)) == [Send] * 30


@pytest.mark.parametrize("posts", [1, 3])
def test_times_in_a_group_are_remembered(posts: int) -> None:
    remembered = Remembered(group_sends={GROUP: [NOW - 1, NOW]})
    learned = values_by_stored_name(remember_sent(remembered, {GROUP: [NOW] * posts}, NOW))
    assert learned == {f"sent/{GROUP}": [NOW - 1, NOW, *[NOW] * posts]}


def test_of_private_chats_two_times_are_remembered_for_a_while() -> None:
    learned = remember_sent(Remembered(), {PERSON: [NOW, NOW + 1, NOW + 2]}, NOW + 2)
    assert values_by_stored_name(learned) == {"lately": [(PERSON, NOW + 1), (PERSON, NOW + 2)]}
    after = memory_after(Remembered(), learned)
    assert values_by_stored_name(remember_sent(after, {}, NOW + 60)) == {"lately": None}
    again = values_by_stored_name(remember_sent(after, {PERSON: [NOW + 5]}, NOW + 5))
    assert again == {"lately": [(PERSON, NOW + 2), (PERSON, NOW + 5)]}, "a chat that gets one each time"


def test_a_clock_that_is_ahead_forgets_nothing() -> None:
    """Another process, whose clock is a little behind, still counts it."""
    kept = Remembered(group_sends={GROUP: [NOW] * LIMIT_FOR_POSTS})
    entry, held = {entry_id(1, 0): post()}, []
    for now in (NOW + 62, NOW + 55):
        (step,) = plan(entry, kept, None, now)
        held.append(isinstance(step, Wait))
        kept = memory_after(kept, remember_sent(kept, {} if held[-1] else {GROUP: [now]}, now))
    assert held == [False, True]


# --- patient edits ------------------------------------------------------------------------------------------


def patient() -> OutboxEntry:
    return replace(edit("lobby"), patient=True)


def paced(seconds: float, entry: OutboxEntry) -> list[float]:
    """Return the times of edits from ``NOW`` on, if another one always waits."""
    kept = Remembered(message_ids={"lobby": 1})
    times, now = [], NOW
    while now < NOW + seconds:
        (step,) = plan({entry_id(1, 0): entry}, kept, None, now)
        if isinstance(step, Wait):
            now = step.until
        else:
            kept = memory_after(kept, remember_sent(kept, {GROUP: [now]}, now))
            times.append(now)
    return times


def test_patient_edits_keep_a_pace_after_the_first_few() -> None:
    times = paced(70, patient())
    assert times[:PATIENT_BURST] == [NOW] * PATIENT_BURST
    gaps = {round(later - earlier, 1) for earlier, later in pairwise(times[PATIENT_BURST - 1 :])}
    assert gaps == {PATIENT_SECONDS}


def test_patient_edits_leave_room_for_posts_and_other_edits() -> None:
    assert len(paced(60, patient())) <= LIMIT_FOR_EDITS - 1
    assert len(paced(60, edit("lobby"))) == LIMIT_FOR_EDITS


def test_a_patient_edit_waits_for_a_full_minute_like_any() -> None:
    (waits,) = planned(replace(edit(), patient=True), sent=LIMIT_FOR_POSTS)
    (impatient,) = planned(edit(), sent=LIMIT_FOR_POSTS)
    assert isinstance(waits, Wait)
    assert isinstance(impatient, Wait)
    assert waits.until >= impatient.until
