"""A group is written to at most about twenty times a minute: posts go first, status edits wait or merge."""

import asyncio
from dataclasses import replace
from functools import partial
from itertools import pairwise

import pytest

from infra.outbox.budget import FOR_EDITS, PATIENT_BURST, PATIENT_SECONDS, PER_MINUTE, SENT
from infra.outbox.flush import Flushed, flush
from infra.store.entries import OutboxEntry, entry_id

GROUP, PERSON = -100, 7
NOW = 1_800_000_000.0


class Telegram:
    """Takes everything, and keeps what it took."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    async def call(self, method: str, params: object, files: object = None, *, wait: object = None) -> object:
        self.calls.append(method)
        return {"message_id": len(self.calls)}


def post(chat: int = GROUP, name: str | None = None) -> OutboxEntry:
    return OutboxEntry(chat, "sendMessage", {"text": "…"}, name=name)


def edit(target: str = "game") -> OutboxEntry:
    return OutboxEntry(GROUP, "editMessageText", {"text": "…"}, target=target, key=target)


def run(*entries: OutboxEntry, sent: int = 0, now: float = NOW) -> tuple[Flushed, Telegram]:
    """Flush entries in a room that wrote ``sent`` times, a second apart, the last one just now."""
    telegram = Telegram()
    messages = {"game": 1, f"{SENT}{GROUP}": [NOW - second for second in reversed(range(sent))]}
    outbox = {entry_id(1, index): entry for index, entry in enumerate(entries)}
    flushing = flush(outbox, messages, telegram, clock=lambda: now, deadline=now + 20)
    return asyncio.run(flushing), telegram


def test_a_post_waits_when_the_minute_is_used_up_and_holds_up_what_is_behind_it() -> None:
    flushed, telegram = run(post(), edit(), sent=PER_MINUTE)
    assert telegram.calls == []
    assert set(flushed.postponed.values()) == {NOW - PER_MINUTE + 1 + 60}
    assert len(flushed.postponed) == 2


def test_a_post_goes_out_while_there_is_room_for_one_more() -> None:
    flushed, telegram = run(post(), post(), sent=PER_MINUTE - 1)
    assert telegram.calls == ["sendMessage"]
    assert len(flushed.done) == len(flushed.postponed) == 1


def test_an_edit_waits_earlier_than_a_post_and_lets_it_pass() -> None:
    flushed, telegram = run(edit(), post(), sent=FOR_EDITS)
    assert telegram.calls == ["sendMessage"]
    assert list(flushed.postponed) == [entry_id(1, 0)]


def test_an_edit_that_would_wait_is_dropped_where_a_later_post_takes_its_place() -> None:
    flushed, telegram = run(edit(), post(name="game"), sent=FOR_EDITS)
    assert telegram.calls == ["sendMessage"]
    assert (len(flushed.done), flushed.postponed) == (2, {})


def test_a_minute_later_the_budget_is_whole_again() -> None:
    _, telegram = run(edit(), sent=PER_MINUTE, now=NOW + 60)
    assert telegram.calls == ["editMessageText"]


def test_a_private_chat_has_no_budget() -> None:
    flushed, telegram = run(*[post(PERSON)] * 30)
    assert len(telegram.calls) == 30
    assert flushed.budgets == {}


@pytest.mark.parametrize("posts", [1, 3])
def test_what_was_written_is_remembered_with_the_room(posts: int) -> None:
    flushed, _ = run(*[post()] * posts, sent=2)
    assert flushed.budgets == {f"{SENT}{GROUP}": [NOW - 1, NOW, *[NOW] * posts]}


def test_a_process_whose_clock_is_ahead_forgets_nothing_that_others_still_count() -> None:
    name, entry = f"{SENT}{GROUP}", {entry_id(1, 0): post()}
    kept = {name: [NOW] * PER_MINUTE}
    held = []
    for now in (NOW + 62, NOW + 55):
        flushing = flush(entry, kept, Telegram(), clock=partial(float, now), deadline=now + 20)
        flushed = asyncio.run(flushing)
        kept |= flushed.budgets
        held.append(bool(flushed.postponed))
    assert held == [False, True]


# --- patient edits ------------------------------------------------------------------------------------------


def patient() -> OutboxEntry:
    return replace(edit("lobby"), patient=True)


def paced(seconds: float, entry: OutboxEntry) -> list[float]:
    """When edits go out of which there is always one more waiting, from ``NOW`` on."""
    kept: dict[str, object] = {"lobby": 1}
    times, now = [], NOW
    while now < NOW + seconds:
        flushing = flush(
            {entry_id(1, 0): entry}, kept, Telegram(), clock=partial(float, now), deadline=now + 20
        )
        flushed = asyncio.run(flushing)
        kept |= flushed.budgets
        times += [now] if flushed.done else []
        now = min(flushed.postponed.values(), default=now)
    return times


def test_patient_edits_go_out_at_once_at_first_and_then_keep_a_pace() -> None:
    times = paced(70, patient())
    assert times[:PATIENT_BURST] == [NOW] * PATIENT_BURST
    assert {round(later - earlier, 1) for earlier, later in pairwise(times[PATIENT_BURST - 1 :])} == {
        PATIENT_SECONDS
    }


def test_patient_edits_leave_room_in_the_minute_for_posts_and_for_other_edits() -> None:
    assert len(paced(60, patient())) <= FOR_EDITS - 1
    assert len(paced(60, edit("lobby"))) == FOR_EDITS


def test_a_patient_edit_waits_as_long_as_any_where_the_minute_is_used_up() -> None:
    flushed, _ = run(replace(edit(), patient=True), sent=PER_MINUTE)
    impatient, _ = run(edit(), sent=PER_MINUTE)
    assert max(flushed.postponed.values()) >= max(impatient.postponed.values())
