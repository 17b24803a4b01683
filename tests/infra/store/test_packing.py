"""Small codecs return what was encoded, and are short."""

from __future__ import annotations

import random
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rooms.names import ChatId, RoomName, from_key
from infra.queue import Wakeup
from infra.store import items
from infra.store.archives import time_ordered_id
from infra.store.table import pack_value, unpack_value

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(st.lists(st.integers(-(2**40), 2**40), max_size=120))
def test_update_ids_come_back_in_their_order(ids: list[int]) -> None:
    assert items.unpack_ids(items.pack_ids(ids)) == tuple(ids)


def test_a_hundred_update_ids_of_a_busy_bot_take_few_bytes() -> None:
    rng = random.Random(1)
    ids = [*accumulate(rng.randint(1, 74) for _ in range(100))]
    assert len(items.pack_ids([900_000_000 + number for number in ids])) < 200


@settings(max_examples=30)
@given(
    st.builds(
        items.OutboxEntry, chat=st.integers(), method=st.text(min_size=1),
        params=st.dictionaries(st.text(), json_values, max_size=3), topic=st.none() | st.integers(),
        name=st.none() | st.text(), target=st.none() | st.text(), key=st.none() | st.text(),
        photo=st.none() | st.dictionaries(st.text(), json_values, max_size=2),
        fallback=st.none() | st.text(),
    )
)  # fmt: skip
def test_an_entry_comes_back_as_it_was(entry: items.OutboxEntry) -> None:
    assert items.unpack_entry(items.pack_entry(entry)) == entry


def test_what_is_printed_of_an_entry_holds_no_text() -> None:
    entry = items.OutboxEntry(1, "sendMessage", {"text": "You are Hitler"}, photo={"role": "hitler"})
    assert "itler" not in repr(entry)


def test_only_an_entry_with_a_fallback_can_be_posted_instead() -> None:
    assert items.OutboxEntry(
        1, "editMessageText", {"text": "a"}, target="t", fallback="sendMessage"
    ).as_post() == items.OutboxEntry(1, "sendMessage", {"text": "a"}, name="t")
    with pytest.raises(ValueError, match="without a fallback"):
        items.OutboxEntry(1, "editMessageText", target="t").as_post()


def test_entry_ids_sort_in_the_order_of_writing() -> None:
    written = [items.entry_id(version, index) for version in (1, 9, 10, 99_999) for index in (0, 5, 10, 999)]
    assert sorted(written) == written


@given(st.text(alphabet="abcXYZ-_", min_size=1), st.integers(0, 10**12))
def test_a_lease_comes_back_to_the_millisecond(owner: str, milliseconds: int) -> None:
    lease = items.Lease(owner, milliseconds / 1000)
    assert items.Lease.unpack(lease.pack()) == lease


@given(json_values.filter(lambda value: value is not None))
def test_a_stored_value_comes_back_as_it_was(value: object) -> None:
    back = unpack_value(pack_value(value))
    assert back == value
    assert type(back) is type(value)


def test_what_a_room_remembers_is_stored_under_fixed_names() -> None:
    remembered = items.Remembered(
        {"lobby": 5, "seat1/later": 7}, {"seal": items.PostDate("3.1", 1)},
        {"board": {"name": "abc", "id": "A"}}, {-100: 9.5}, {7: items.Failure("1.000", 2, 8.1)},
        {-100: [1.1, 2.2]}, {-100: 30}, [(7, 2.2), (8, 3)], [(1_800_000_000.123, 3)], 12.5, 3.1, (1, 2.5),
        {"whole": True, "people": [7]},
    )  # fmt: skip
    stored = {
        "lobby": 5, "seat1/later": 7, "date/seal": ["3.1", 1], "picture/board": {"name": "abc", "id": "A"},
        "pause/-100": 9.5, "tried/7": ["1.000", 2, 8.1], "sent/-100": [1.1, 2.2], "slow/-100": 30,
        "lately": [[7, 2.2], [8, 3]], "runs": [[1_800_000_000_123, 3]], "wakeup": 12.5, "waiting": 3.1,
        "tries": [1, 2.5], "erasing": {"whole": True, "people": [7]},
    }  # fmt: skip
    packed = {name: pack_value(value) for name, value in stored.items()}
    assert items.read_remembered(packed) == remembered
    values = items.values_by_stored_name(remembered.as_patch())
    assert {name: pack_value(value) for name, value in values.items()} == packed


@given(st.integers(), st.none() | st.integers(1))
def test_a_rooms_key_says_chat_and_topic(chat: int, topic: int | None) -> None:
    assert from_key(RoomName(ChatId(chat), topic).key) == RoomName(ChatId(chat), topic)


@pytest.mark.parametrize("key", ["", "room#", "user#1", "room#x", "room#1#y"])
def test_what_is_no_rooms_key_is_refused(key: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        from_key(key)


def test_ids_sort_by_time() -> None:
    early, late = time_ordered_id(1_800_000_000.5, 2), time_ordered_id(1_800_000_000.501, 1)
    assert early < late
    assert len(early) == 26
    assert time_ordered_id(5, 1) != time_ordered_id(5, 2)


@given(st.text(), st.floats(0, 1e11), st.text(), st.integers(0, 99))
def test_a_wake_up_comes_back_as_it_was(room: str, at: float, reason: str, chain: int) -> None:
    wakeup = Wakeup(room, at, reason, chain)
    assert Wakeup.parse(wakeup.pack()) == wakeup


@pytest.mark.parametrize("body", ["", "[]", "{}", '{"room":"r","at":"soon","reason":"x","attempt":0}', "7"])
def test_what_is_no_wake_up_is_refused(body: str) -> None:
    with pytest.raises(ValueError, match="not a wake-up"):
        Wakeup.parse(body)
