"""The webhook's entry: what it accepts, and that no update breaks it."""

import base64
import copy
import io
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from typing import Any

import pytest
import telegram
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handlers import wakeup, webhook
from infra.observability import Log
from infra.queue import Wakeup
from local.invocation import LambdaContext
from sandbox.harness import SECRET, Harness
from tests.system.table import Table
from tests.system.updates import ANN, CONTENTS, GROUP, KINDS, message, paths

HEADER = "x-telegram-bot-api-secret-token"
#: Texts that no log line may contain: names, the group's title, people's words, secrets.
NEVER = ("Ann", "Lee", "Reichstag", "hello", "News", SECRET, "desk-token")


def event(body: Any, secret: str | None = SECRET, **more: Any) -> dict[str, Any]:
    """Return a Function URL's event with this body (JSON unless it is text)."""
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    headers = {} if secret is None else {HEADER: secret}
    return {"version": "2.0", "headers": headers, "body": text, "isBase64Encoded": False, **more}


#: Log lines about messages that wait for a group's limit.
WAITING = ("waiting", "outbox_age")


def respond(at: Harness, given_event: Mapping[str, Any]) -> tuple[int, list[dict[str, Any]]]:
    said = io.StringIO()
    with redirect_stderr(said), redirect_stdout(said):
        reply = webhook.respond(at.built, given_event, LambdaContext())
    lines = [json.loads(line) for line in said.getvalue().splitlines()]
    lines = [line for line in lines if line["level"] != "METRIC"]
    for line in lines:
        for secret in NEVER:
            assert secret not in json.dumps(line, ensure_ascii=False)
    return reply["statusCode"], lines


@contextmanager
def nothing_changes(at: Harness) -> Iterator[None]:
    """Check that neither the table nor a chat changes meanwhile."""
    before = stored(at), posts(at)
    yield
    assert (stored(at), posts(at)) == before


def unchanging(at: Harness, given_event: Mapping[str, Any]) -> tuple[int, list[str]]:
    """Pass an event that must change nothing to the entry; return the status, and the lines' events."""
    with nothing_changes(at):
        status, lines = respond(at, given_event)
    return status, [line["event"] for line in lines]


def stored(at: Harness) -> Any:
    return copy.deepcopy(at.client._run.__self__.items.items)  # type: ignore[union-attr]


def posts(at: Harness) -> list[str]:
    """Return the bot's messages by chat, without answers to taps, which nobody else sees."""
    quiet = ("answerCallbackQuery", "sendChatAction")
    return [call.method for call in at.telegram.journal if not call.method.startswith("get")
            and call.method not in quiet]  # fmt: skip


# --- the door ------------------------------------------------------------------------------------------


def test_a_wrong_secret_is_401_and_nothing_is_read(at: Harness) -> None:
    Table(at).open(5)
    at.requests.clear()
    calls = len(at.telegram.journal)
    wrong = ["", "wrong", SECRET + " ", SECRET.upper(), "sécret☃"]
    others = [None, {}, {"authorization": SECRET}, {"x-telegram-bot-api-secret-token-2": SECRET}]
    for headers in (*others, *({HEADER: secret} for secret in wrong)):
        for body in (json.dumps({"update_id": 1}), "not json", "", "[" * 100_000):
            reply = webhook.respond(at.built, {**event(body), "headers": headers}, LambdaContext())
            assert reply == {"statusCode": 401}
    assert at.requests == {}
    assert len(at.telegram.journal) == calls


def test_the_secrets_header_counts_in_any_case(at: Harness) -> None:
    update = {"update_id": 1, "message": message(text="/newgame")}
    for name in (HEADER, HEADER.title(), HEADER.upper()):
        assert respond(at, {**event(update), "headers": {name: SECRET}})[0] == 200


@pytest.mark.parametrize("body", [
    "", "not json", "{", "null", "true", "7", '"text"', "[]", "{}", '{"update_id": null}',
    '{"update_id": "1"}', '{"update_id": 1.5}', '{"update_id": true}', '{"message": {}}', "NaN",
    "\ufeff{}", "[" * 200_000, '{"a":' * 100_000, "x" * 1_000_001,
    json.dumps({"update_id": 1, "message": message(text="y" * 1_000_000)}),
], ids=lambda body: body[:20] or "empty")  # fmt: skip
def test_a_body_that_is_no_update_is_200_with_one_line(at: Harness, body: str) -> None:
    assert unchanging(at, event(body)) == (200, ["no_update"])


@pytest.mark.parametrize("body", [None, "absent"])
def test_no_body_at_all_is_no_update(at: Harness, body: str | None) -> None:
    given_event = event("")
    given_event.pop("body")
    if body is None:
        given_event["body"] = None
    assert respond(at, given_event) == (200, [{"level": "WARNING", "event": "no_update"}])


@pytest.mark.parametrize(
    "raw", [b"\xff\xfe", b'{"update_id": 1, "a": "\xc3"}', b"\x00", bytes(range(256)) * 2000]
)
def test_bytes_that_are_no_utf_8_are_no_update(at: Harness, raw: bytes) -> None:
    encoded = base64.b64encode(raw).decode()
    assert unchanging(at, event(encoded, isBase64Encoded=True)) == (200, ["no_update"])


def test_base64_that_is_none_is_no_update(at: Harness) -> None:
    for text in ("not base64!", "=", "a"):
        assert [line["event"] for line in respond(at, event(text, isBase64Encoded=True))[1]] == ["no_update"]


def test_an_update_in_base64_is_read_like_any_other(at: Harness) -> None:
    update = {"update_id": 1, "message": message(text="/newgame")}
    at.telegram.add_group("The Reichstag", id=GROUP["id"])
    encoded = base64.b64encode(json.dumps(update).encode()).decode()
    assert respond(at, event(encoded, isBase64Encoded=True))[0] == 200
    assert at.built.app.rooms.load(f"room#{GROUP['id']}") is not None


# --- every kind of update --------------------------------------------------------------------------------


def test_the_examples_cover_every_kind_that_the_library_knows() -> None:
    assert set(telegram.Update.ALL_TYPES) <= set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_an_update_of_any_kind_is_200_and_changes_nothing(at: Harness, kind: str) -> None:
    Table(at, id=GROUP["id"]).gather(2)
    with nothing_changes(at):
        status, lines = respond(at, event({"update_id": 9, kind: KINDS[kind]}))
    assert status == 200
    taken_up = {"message", "edited_message", "my_chat_member", "chat_member"}
    assert [line["event"] for line in lines] == ([] if kind in taken_up else ["ignored"])
    assert all(line["update"] == 9 for line in lines)


@pytest.mark.parametrize("kind", ["channel", "unheard-of"])
def test_the_bots_membership_counts_in_groups_and_in_private(at: Harness, kind: str) -> None:
    """The id of another kind of chat could be the key of something else."""
    seated = {"id": Table(at).open(5).people[0].id, "type": kind}
    changed = {**KINDS["my_chat_member"], "chat": seated}
    assert unchanging(at, event({"update_id": 9, "my_chat_member": changed})) == (200, ["ignored"])


@pytest.mark.parametrize("content", CONTENTS)
def test_a_message_of_any_content_is_200_and_changes_nothing(at: Harness, content: str) -> None:
    Table(at, id=GROUP["id"]).gather(2)
    quiet = content != "of a channel"
    before = stored(at)
    status, _ = respond(at, event({"update_id": 9, "message": message(**CONTENTS[content])}))
    assert status == 200
    assert not quiet or stored(at) == before


def test_taps_by_strangers_are_answered_with_one_line(at: Harness) -> None:
    data = Table(at).open(5).nominate(1).seat(0).prompt().data()[0]
    query = {**KINDS["callback_query"], "data": data}
    assert unchanging(at, event({"update_id": 9, "callback_query": query})) == (200, ["ignored"])


def test_forged_callback_data_is_answered_with_one_line(at: Harness) -> None:
    for data in ("", "answer|1|2", "x" * 64, "answer|zz|1|1|1"):
        query = {**KINDS["callback_query"], "data": data}
        assert unchanging(at, event({"update_id": 9, "callback_query": query})) == (200, ["ignored"])


def test_an_update_that_fails_is_200_with_one_line(at: Harness, update_errors: list[Exception]) -> None:
    updates: list[dict[str, Any]] = [
        {"message": {"message_id": "x"}}, {"message": []}, {"callback_query": {"id": 1}},
        {"message": message(chat={"id": 1})},
        {"my_chat_member": {**KINDS["my_chat_member"], "new_chat_member": 7}},
    ]  # fmt: skip
    for broken in updates:
        with nothing_changes(at):
            status, lines = respond(at, event({"update_id": 9, **broken}))
        assert status == 200
        assert [line["event"] for line in lines] == ["update_failed"]
        assert lines[0]["update"] == 9
        assert lines[0]["error"]
        assert len(update_errors) == 1
        update_errors.clear()


@pytest.mark.parametrize(
    ("body", "metric"), [({"update_id": 9, "message": {"message_id": "x"}}, "UpdateFailed"), ({}, "NoUpdate")]
)
def test_what_is_answered_without_being_dealt_with_is_counted(
    at: Harness, update_errors: list[Exception], body: dict[str, Any], metric: str
) -> None:
    assert counted(at, lambda: webhook.respond(at.built, event(body), LambdaContext())) == {metric: 1}
    update_errors.clear()


def test_a_wakeup_that_fails_is_counted(at: Harness) -> None:
    broken = {"Records": [{"messageId": "1", "body": "not json"}]}
    assert counted(at, lambda: wakeup.respond(at.built, broken, LambdaContext())) == {"WakeupFailed": 1}
    table = Table(at).gather(1)
    gone = {"Records": [{"messageId": "1", "body": Wakeup(table.name.key, at.clock(), "clock").pack()}]}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(type(at.built.app.rooms), "load", lambda *_: 1 / 0)
        found = counted(at, lambda: wakeup.respond(at.built, gone, LambdaContext()))
    assert found == {"WakeupFailed": 1}


def counted(at: Harness, happens: Callable[[], object]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    log = Log(lambda level, line: found.update(line) if level == "METRIC" else None)
    at.built = replace(at.built, log=log)
    happens()
    return found


# --- fuzzed -----------------------------------------------------------------------------------------------

JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False),
    st.text(max_size=30),
    st.sampled_from(
        ["/newgame", "/start", "/join@chancellery_bot", "/start AAAA", "answer|0|0|0|0", "\ud800"]
    ),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.sampled_from(["id", "type", "text"]), st.integers() | st.text(max_size=5), max_size=2),
)


@st.composite
def mangled(draw: Callable[..., Any]) -> dict[str, Any]:
    """Draw an update with one to three of its fields replaced by junk, or removed."""
    kind = draw(st.sampled_from(sorted(KINDS)))
    content = draw(st.sampled_from(sorted(CONTENTS)))
    update = {"update_id": draw(st.integers(1, 2**31)), kind: copy.deepcopy(KINDS[kind])}
    if kind == "message":
        update[kind] = copy.deepcopy(message(**CONTENTS[content]))
    for _ in range(draw(st.integers(1, 3))):
        *way, last = draw(st.sampled_from(sorted(paths(update), key=repr)[1:] or [("update_id",)]))
        place: Any = update
        for step in way:
            place = place[step] if isinstance(place, dict | list) and _has(place, step) else {}
        if isinstance(place, dict) and draw(st.booleans()) and draw(st.booleans()):
            place.pop(last, None)
        elif isinstance(place, dict) or (isinstance(place, list) and _has(place, last)):
            place[last] = copy.deepcopy(draw(JUNK))
    return update


def _has(place: Any, step: Any) -> bool:
    if isinstance(place, dict):
        return step in place
    return isinstance(step, int) and 0 <= step < len(place)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(update=mangled())
def test_no_update_breaks_the_entry(at: Harness, update_errors: list[Exception], update: Any) -> None:
    status, lines = respond(at, event(json.dumps(update)))
    update_errors.clear()  # these may fail; this test is about the entry
    assert status == 200
    assert len([line for line in lines if line["event"] not in WAITING]) <= 1
    assert all(item.get("sk", {}).get("S") for item in at.client._run.__self__.items.items.values())  # type: ignore[union-attr]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=64))
def test_no_callback_data_breaks_the_entry(at: Harness, update_errors: list[Exception], text: str) -> None:
    query = {**KINDS["callback_query"], "data": text, "from": ANN}
    status, lines = respond(at, event(json.dumps({"update_id": 9, "callback_query": query})))
    update_errors.clear()
    assert status == 200
    assert [line["event"] for line in lines] in (["ignored"], ["update_failed"])
