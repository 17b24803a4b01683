"""Calls are made per chat in order, different chats side by side, faults sorted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from infra.outbox.plan import Send
from infra.outbox.send import SendResult
from infra.store.items import Failure, OutboxEntry, Patch, Remembered, entry_id
from infra.store.items import values_by_stored_name as by_name
from infra.store.set_aside import SECONDS_NEEDED, TRIES_NEEDED
from infra.telegram.errors import AnswerLost, Kind, Migrated, Refused, RetryLater, Unauthorized
from tests.infra.conftest import NOW, Clock
from tests.infra.outbox.desk import text
from tests.infra.outbox.wireless import FakeGateway, memory_after, plan, send_once

GROUP, ANNA, BORIS = -100, 1, 2


def edit(chat: int, target: str, words: str, **more: Any) -> OutboxEntry:
    return OutboxEntry(chat, "editMessageText", {"text": words}, target=target, **more)


def ids(count: int) -> list[str]:
    return [entry_id(1, index) for index in range(count)]


@pytest.fixture
def gateway() -> Iterator[FakeGateway]:
    gateway = FakeGateway()
    yield gateway
    gateway.close()


class Round:
    """Sends entries numbered as one save would number them."""

    def __init__(self, gateway: FakeGateway, clock: Clock) -> None:
        self.gateway = gateway
        self.clock = clock
        self.pictures: list[Mapping[str, Any]] = []
        self.picture: bytes | Exception = b"png"
        self.waits: dict[str, float] = {}

    def _photo(self, spec: Mapping[str, Any]) -> bytes:
        self.pictures.append(spec)
        if isinstance(self.picture, Exception):
            raise self.picture
        return self.picture

    def __call__(
        self,
        *entries: OutboxEntry,
        messages: Mapping[str, int] | None = None,
        learned: Patch | None = None,
        seconds: float = 30,
    ) -> SendResult:
        outbox = dict(zip(ids(len(entries)), entries, strict=True))
        remembered = memory_after(Remembered(messages or {}), learned or {})
        limits: Any = {"deadline": NOW + seconds, "photo": self._photo}
        sent, self.waits = send_once(outbox, remembered, self.gateway, self.clock, **limits)
        return sent


@pytest.fixture
def send(gateway: FakeGateway, clock: Clock) -> Round:
    return Round(gateway, clock)


def test_entries_of_one_chat_go_out_in_order(send: Round) -> None:
    send.gateway.pauses = 3
    result = send(*(text(chat, f"{number}") for number in range(4) for chat in (GROUP, ANNA, BORIS)))
    assert [call[0] for call in send.gateway.calls[:3]] == [GROUP, ANNA, BORIS]
    for chat in (GROUP, ANNA, BORIS):
        assert send.gateway.texts(chat) == ["0", "1", "2", "3"]
    assert sorted(result.done) == ids(12)


def test_where_it_goes_is_added_to_the_parameters(send: Round) -> None:
    send(text(GROUP, "a", topic=7), edit(GROUP, "old", "b", topic=7), messages={"old": 55})
    assert send.gateway.calls == [
        (GROUP, "sendMessage", {"chat_id": GROUP, "text": "a", "message_thread_id": 7}),
        (GROUP, "editMessageText", {"chat_id": GROUP, "text": "b", "message_id": 55}),
    ]


def test_a_posted_message_is_edited_and_deleted_by_name(send: Round) -> None:
    result = send(text(ANNA, "vote", name="prompt"), edit(ANNA, "prompt", "voted"))
    posted = result.learned["message_ids"]["prompt"]
    params = {"chat_id": ANNA, "text": "voted", "message_id": posted}
    assert send.gateway.calls[1] == (ANNA, "editMessageText", params)
    delete = OutboxEntry(ANNA, "deleteMessage", target="prompt")
    gone = send(delete, edit(ANNA, "prompt", "?"), learned=result.learned)
    assert by_name(gone.learned) == {"prompt": None}
    assert [method for _, method, _ in send.gateway.calls[2:]] == ["deleteMessage"]


class TestEditsWithoutAMessage:
    def test_are_dropped(self, send: Round) -> None:
        assert send(edit(ANNA, "never", "x")).done == ids(1)
        assert send.gateway.calls == []

    def test_become_a_post_where_the_entry_says_so(self, send: Round) -> None:
        result = send(edit(GROUP, "never", "x", fallback="sendMessage", topic=3))
        params = {"chat_id": GROUP, "text": "x", "message_thread_id": 3}
        assert send.gateway.calls == [(GROUP, "sendMessage", params)]
        assert list(by_name(result.learned)) == ["never"]

    def test_an_unposted_edit_is_needless_before_a_new_post(self, send: Round) -> None:
        waiting = edit(GROUP, "game", "old", fallback="sendMessage"), text(GROUP, "new", name="game")
        result = send(*waiting)
        assert send.gateway.texts(GROUP) == ["new"]
        assert result.done == ids(2)

    @pytest.mark.parametrize("fallback", [None, "sendMessage"])
    def test_count_as_such_when_the_message_was_deleted(self, send: Round, fallback: str | None) -> None:
        send.gateway.faults[GROUP] = [Refused(Kind.MESSAGE_GONE)]
        result = send(edit(GROUP, "board", "x", fallback=fallback), messages={"board": 5})
        assert result.done == ids(1)
        assert not result.refusals
        assert result.learned["message_ids"]["board"] == (None if fallback is None else 101)


class TestMerging:
    def test_of_waiting_edits_with_a_key_only_the_last_goes_out(self, send: Round) -> None:
        edits = [edit(GROUP, "lobby", f"{count} seats", key="lobby") for count in range(10)]
        result = send(*edits, messages={"lobby": 9})
        assert send.gateway.texts(GROUP) == ["9 seats"]
        assert sorted(result.done) == ids(10)

    def test_keeps_apart_chats_keys_and_entries_without_one(self, send: Round) -> None:
        shown = [edit(GROUP, "a", "1", key="a"), edit(GROUP, "b", "2", key="b")]
        send(*shown, edit(ANNA, "a", "3", key="a"), edit(GROUP, "a", "4"), messages={"a": 1, "b": 2})
        assert send.gateway.texts(GROUP) == ["1", "2", "4"]
        assert send.gateway.texts(ANNA) == ["3"]

    def test_never_crosses_a_new_post_of_the_same_name(self, send: Round) -> None:
        old, newer = (edit(GROUP, "board", said, key="k") for said in ("old", "newer"))
        send(old, text(GROUP, "new", name="board"), newer, messages={"board": 5})
        assert send.gateway.texts(GROUP) == ["old", "new", "newer"]
        assert send.gateway.calls[2][2]["message_id"] != 5

    def test_what_is_superseded_is_done_even_if_the_last_has_to_wait(self, send: Round) -> None:
        send.gateway.faults[GROUP] = [RetryLater(9)]
        result = send(edit(GROUP, "a", "1", key="a"), edit(GROUP, "a", "2", key="a"), messages={"a": 1})
        assert result.done == ids(1)


class TestFaults:
    def test_a_429_stops_its_chat_and_no_other(self, send: Round) -> None:
        send.gateway.faults[GROUP] = [None, RetryLater(17)]
        result = send(text(GROUP, "1"), text(GROUP, "2"), text(GROUP, "3"), text(ANNA, "4"), text(ANNA, "5"))
        assert sorted(result.done) == [ids(5)[0], ids(5)[3], ids(5)[4]]
        assert send.gateway.texts(GROUP) == ["1", "2"]
        assert result.paused == {GROUP: NOW + 17}
        assert by_name(result.learned) == {f"pause/{GROUP}": NOW + 17}

    def test_a_chat_to_be_left_alone_is_left_alone_until_then(self, send: Round, clock: Clock) -> None:
        pause: Patch = {"pauses": {GROUP: NOW + 17}}
        result = send(text(GROUP, "1"), text(ANNA, "2"), learned=pause)
        assert send.gateway.texts(GROUP) == []
        assert (result.done, send.waits) == ([ids(2)[1]], {ids(2)[0]: NOW + 17})
        clock.now += 17
        again = send(text(GROUP, "1"), learned=pause)
        assert again.done == ids(1)
        assert by_name(again.learned) == {f"pause/{GROUP}": None}

    @pytest.mark.parametrize(("tries", "wait"), [(0, 2), (3, 16), (20, 300), (5000, 300)])
    def test_a_lost_answer_waits_longer_each_time(self, send: Round, tries: int, wait: float) -> None:
        send.gateway.faults[GROUP] = [AnswerLost("lost")]
        tried: Patch = {"failures": {GROUP: Failure(ids(1)[0], tries, NOW - 5)}}
        result = send(text(GROUP, "1"), text(GROUP, "2"), learned=tried)
        assert (result.done, result.paused, result.answers_lost) == ([], {GROUP: NOW + wait}, 1)
        assert result.learned["failures"] == {GROUP: Failure(ids(1)[0], tries + 1, NOW - 5)}

    def test_tries_are_counted_for_one_entry(self, send: Round) -> None:
        send.gateway.faults[GROUP] = [AnswerLost("lost")]
        other = Failure("another", 8, NOW - 5000)
        tried = send(text(GROUP, "1"), learned={"failures": {GROUP: other}}).learned["failures"]
        assert tried == {GROUP: Failure(ids(1)[0], 1, NOW)}
        again = send(text(GROUP, "1"), learned={"failures": tried})
        assert (again.done, by_name(again.learned)) == (ids(1), {f"tried/{GROUP}": None})

    @pytest.mark.parametrize(("fault", "tries", "since", "given_up"), [
        (None, TRIES_NEEDED, SECONDS_NEEDED, True),
        (Refused(Kind.NO_RIGHTS), TRIES_NEEDED, SECONDS_NEEDED, True),
        (AnswerLost("away"), TRIES_NEEDED, SECONDS_NEEDED, False),
        (None, TRIES_NEEDED - 1, SECONDS_NEEDED, False),
        (None, TRIES_NEEDED, SECONDS_NEEDED - 1, False),
    ])  # fmt: skip
    def test_an_entry_is_given_up_while_its_chat_is_answered(
        self, send: Round, fault: Exception | None, tries: int, since: float, given_up: bool
    ) -> None:
        send.gateway.faults[GROUP] = [AnswerLost("TimeoutError"), fault]
        tried: Patch = {"failures": {GROUP: Failure(ids(1)[0], tries, NOW - since)}}
        result = send(text(GROUP, "1"), text(GROUP, "2"), learned=tried)
        found = [(refusal.kind, refusal.detail) for refusal in result.refusals]
        assert found == ([(Kind.UNANSWERED, "TimeoutError")] if given_up else [])
        assert result.done == (ids(2)[1:] if given_up else [])
        assert (result.learned["failures"][GROUP] is None) == given_up

    def test_a_topic_is_asked_whether_it_is_answered(self, send: Round) -> None:
        send.gateway.faults[GROUP] = [AnswerLost("TimeoutError")]
        tried: Patch = {"failures": {GROUP: Failure(ids(1)[0], TRIES_NEEDED, NOW - SECONDS_NEEDED)}}
        send(text(GROUP, "1", topic=7), learned=tried)
        asked = {"chat_id": GROUP, "action": "typing", "message_thread_id": 7}
        assert send.gateway.calls[1:] == [(GROUP, "sendChatAction", asked)]

    def test_a_chat_that_others_use_up_is_asked_less_often(self, send: Round) -> None:
        for tries, wait in ((0, 3), (1, 3), (4, 16), (9, 60)):
            send.gateway.faults[GROUP] = [RetryLater(3.0, flood=True)]
            tried: Patch = {"failures": {GROUP: Failure(ids(1)[0], tries, NOW)}}
            assert send(text(GROUP, "1"), learned=tried).paused == {GROUP: NOW + wait}

    def test_a_token_that_is_refused_stops_everything(self, send: Round) -> None:
        send.gateway.faults = {GROUP: [Unauthorized()], ANNA: [Unauthorized()]}
        result = send(text(GROUP, "1"), text(ANNA, "2"))
        assert not result.done
        assert set(result.paused) == {GROUP, ANNA}

    def test_a_migrated_group_keeps_its_entries(self, send: Round) -> None:
        send.gateway.faults[GROUP] = [Migrated(-1009)]
        result = send(text(GROUP, "1"), text(GROUP, "2"), text(ANNA, "3"))
        assert (result.done, result.migrated) == ([ids(3)[2]], {GROUP: -1009})

    def test_a_refused_entry_does_not_hold_up_the_next(self, send: Round) -> None:
        send.gateway.faults[GROUP] = [Refused(Kind.NO_RIGHTS)]
        pin = OutboxEntry(GROUP, "pinChatMessage", target="lobby")
        result = send(pin, text(GROUP, "2"), messages={"lobby": 5})
        refused = [(refusal.id, refusal.entry, refusal.kind) for refusal in result.refusals]
        assert refused == [(ids(2)[0], pin, Kind.NO_RIGHTS)]
        assert result.done == [ids(2)[1]]

    @pytest.mark.parametrize("kind", [Kind.MALFORMED, Kind.BLOCKED])
    def test_an_edit_of_a_refused_message_spares_the_older_one(self, send: Round, kind: Kind) -> None:
        send.gateway.faults[ANNA] = [Refused(kind)]
        post = OutboxEntry(ANNA, "sendMessage", {"text": "what is asked"}, name="seat1")
        edit = OutboxEntry(ANNA, "editMessageText", {"text": "what was answered"}, target="seat1")
        assert by_name(send(post, edit, messages={"seat1": 5}).learned) == {"seat1": None}
        assert len(send.gateway.texts(ANNA)) == 1

    @pytest.mark.parametrize("kind", [Kind.BLOCKED, Kind.CANNOT_INITIATE, Kind.NOT_IN_CHAT])
    def test_a_chat_that_is_closed_to_us_is_called_once(self, send: Round, kind: Kind) -> None:
        send.gateway.faults[ANNA] = [Refused(kind)]
        result = send(text(ANNA, "1"), text(ANNA, "2"), text(BORIS, "3"))
        assert len(send.gateway.texts(ANNA)) == 1
        refused = [(refusal.id, refusal.kind) for refusal in result.refusals]
        assert refused == [(ids(3)[0], kind), (ids(3)[1], kind)]

    def test_an_answer_that_comes_too_late_is_dropped(self, send: Round) -> None:
        send.gateway.faults[0] = [Refused(Kind.QUERY_OLD)]
        entry = OutboxEntry(0, "answerCallbackQuery", {"callback_query_id": "7"})
        assert send(entry).done == ids(1)

    def test_a_mistake_of_ours_costs_one_entry(self, send: Round) -> None:
        send.gateway.faults[GROUP] = [KeyError("a name")]
        result = send(text(GROUP, "1"), text(GROUP, "2"), text(ANNA, "3"))
        assert [(refusal.kind, refusal.detail) for refusal in result.refusals] == [(Kind.MISTAKE, "KeyError")]
        assert len(result.done) == 2

    def test_nothing_begins_after_the_deadline(self, send: Round, clock: Clock) -> None:
        def slow(chat: int, method: str) -> None:
            clock.now += 10

        send.gateway.after = slow
        result = send(*(text(GROUP, f"{number}") for number in range(9)), seconds=25)
        assert send.gateway.texts(GROUP) == ["0", "1", "2"]
        assert (len(result.done), result.out_of_time) == (3, True)

    def test_a_second_chance_without_time_waits_for_the_next_flush(self, send: Round, clock: Clock) -> None:
        class Slow(Refused):
            def __init__(self) -> None:
                clock.now += 30
                super().__init__(Kind.MESSAGE_GONE)

        def refuse_late(*arguments: Any, **more: Any) -> Any:
            send.gateway.calls.append((GROUP, "editMessageText", {}))
            raise Slow

        send.gateway.call = refuse_late  # type: ignore[method-assign]
        result = send(edit(GROUP, "board", "x", fallback="sendMessage"), messages={"board": 5})
        assert (len(send.gateway.calls), result.done, result.paused) == (1, [], {GROUP: NOW + 30})


class TestPictures:
    SPEC = {"kept_as": "board", "name": "abc", "what": [1, 2]}  # noqa: RUF012

    def board(self, **more: Any) -> OutboxEntry:
        return OutboxEntry(GROUP, "sendPhoto", {"caption": "c"}, photo=self.SPEC, **more)

    def test_are_uploaded_once_and_then_sent_by_file_id(self, send: Round) -> None:
        first = send(self.board(name="board"))
        assert send.gateway.uploads == [{"photo": b"png"}]
        assert send.pictures == [self.SPEC]
        second = send(self.board(), learned=first.learned)
        params = {"chat_id": GROUP, "caption": "c", "photo": "file-101"}
        assert send.gateway.calls[1] == (GROUP, "sendPhoto", params)
        assert len(send.gateway.uploads) == 1
        assert not by_name(second.learned)

    def test_posted_in_place_of_an_edit_are_sent_by_file_id(self, send: Round) -> None:
        lost = OutboxEntry(GROUP, "editMessageCaption", photo=self.SPEC, target="game", fallback="sendPhoto")
        send(lost, learned={"pictures": {"board": {"name": "abc", "id": "known"}}})
        assert send.gateway.calls == [(GROUP, "sendPhoto", {"chat_id": GROUP, "photo": "known"})]

    def test_of_the_same_slot_replace_each_other(self, send: Round) -> None:
        first = send(self.board())
        other = OutboxEntry(GROUP, "sendPhoto", photo={**self.SPEC, "name": "def"})
        after = send(other, learned=first.learned)
        assert by_name(after.learned) == {"picture/board": {"name": "def", "id": "file-102"}}

    def test_whose_file_id_is_no_longer_good_are_uploaded_afresh(self, send: Round) -> None:
        send.gateway.faults[GROUP] = [Refused(Kind.BAD_FILE)]
        result = send(self.board(), learned={"pictures": {"board": {"name": "abc", "id": "gone"}}})
        assert [call[2].get("photo") for call in send.gateway.calls] == ["gone", None]
        assert send.gateway.uploads == [{"photo": b"png"}]
        assert by_name(result.learned) == {"picture/board": {"name": "abc", "id": "file-101"}}

    def test_that_cannot_be_drawn_are_reported(self, send: Round) -> None:
        send.picture = ValueError("seat 3 is Hitler")
        result = send(self.board(), text(GROUP, "words"))
        refused = [(refusal.kind, refusal.detail) for refusal in result.refusals]
        assert refused == [(Kind.BAD_FILE, "ValueError")]
        assert send.gateway.texts(GROUP) == ["words"]

    def test_that_telegram_cannot_read_are_tried_once(self, send: Round) -> None:
        send.gateway.faults[GROUP] = [Refused(Kind.BAD_FILE)]
        assert [refusal.kind for refusal in send(self.board()).refusals] == [Kind.BAD_FILE]
        assert len(send.gateway.calls) == 1

    def test_without_a_hook_are_reported(self, gateway: FakeGateway, clock: Clock) -> None:
        result = send_once({"1": self.board()}, Remembered(), gateway, clock, deadline=NOW + 9)[0]
        assert [refusal.kind for refusal in result.refusals] == [Kind.BAD_FILE]

    def test_do_not_hold_up_other_chats(self, send: Round) -> None:
        send(self.board(), text(ANNA, "1"))
        assert [call[0] for call in send.gateway.calls] == [ANNA, GROUP]


class TestForwards:
    FORWARD = OutboxEntry(GROUP, "forwardMessage", topic=7, name="copy", forwards="seal")

    def test_go_out_with_the_id_of_their_message(self, send: Round) -> None:
        sent = send(text(GROUP, "sealed", topic=7, name="seal"), self.FORWARD)
        _, (_, method, params) = send.gateway.calls
        number = sent.learned["message_ids"]["seal"]
        wanted = {"chat_id": GROUP, "from_chat_id": GROUP, "message_id": number, "message_thread_id": 7}
        assert (method, params) == ("forwardMessage", wanted)
        assert "copy" in sent.learned["message_ids"]

    def test_are_refused_where_their_message_is_not_known(self, send: Round) -> None:
        (refusal,) = send(self.FORWARD).refusals
        assert (refusal.entry, refusal.kind) == (self.FORWARD, Kind.MESSAGE_GONE)
        assert send.gateway.calls == []


def test_an_entry_rests_after_what_goes_out_with_it() -> None:
    entries = (text(GROUP, "act"), text(GROUP, "won", hold_seconds=2), text(ANNA, "you lost", hold_seconds=2))
    steps = plan(dict(zip(ids(3), entries, strict=True)), Remembered(), None, NOW)
    assert [step.at for step in steps if isinstance(step, Send)] == [0.0, NOW + 2, NOW + 2]


def test_an_entry_with_nothing_before_it_needs_no_rest() -> None:
    (step,) = plan({"1": text(GROUP, "won", hold_seconds=2)}, Remembered(), None, NOW)
    assert isinstance(step, Send)
