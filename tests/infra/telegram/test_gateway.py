"""The gateway: any method, one loop, one client, and errors in our own few kinds."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any
from unittest.mock import Mock

import httpx
import pytest
from telegram.error import NetworkError, TimedOut
from telegram.request import BaseRequest, RequestData

from infra.secrets import SecretUnavailable
from infra.telegram.errors import AnswerLost, Kind, Migrated, Refused, RetryLater, Unauthorized, WireError
from infra.telegram.gateway import Gateway
from tests.infra.telegram.loopback import Loopback

TOKEN = "4242:very-secret_token"
Answer = tuple[int, Any] | Exception | Callable[[], Any]


class Scripted(BaseRequest):
    """A transport that gives prepared answers and records requests."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, dict[str, Any]]] = []

    read_timeout = 5.0

    async def initialize(self) -> None:
        """Do nothing: there is nothing to open."""

    async def shutdown(self) -> None:
        """Do nothing: there is nothing to close."""

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Any = None,
        write_timeout: Any = None,
        connect_timeout: Any = None,
        pool_timeout: Any = None,
    ) -> tuple[int, bytes]:
        assert request_data is not None
        self.asked.append((url, dict(request_data.parameters)))
        answer = self.answers.pop(0)
        if callable(answer):
            answer = await answer()
        if isinstance(answer, Exception):
            raise answer
        status, body = answer
        return status, body if isinstance(body, bytes) else json.dumps(body).encode()


def ok(result: Any = True) -> Answer:
    return 200, {"ok": True, "result": result}


def error(code: int, description: str, **parameters: Any) -> Answer:
    body = {"ok": False, "error_code": code, "description": description}
    return code, body | ({"parameters": parameters} if parameters else {})


def ask(*answers: Answer, wait: float | None = None) -> Any:
    """Return the result of one call that meets these answers."""
    with closing(Gateway(lambda fresh: TOKEN, request=Scripted(*answers))) as gateway:
        return gateway.run(gateway.call("sendMessage", {"chat_id": 1, "text": "hush"}, wait=wait))


def test_any_method_goes_out_as_it_stands_and_comes_back_as_json() -> None:
    request = Scripted(ok({"message_id": 5, "new_in_some_later_version": 1}))
    gateway = Gateway(lambda fresh: TOKEN, "https://api.example", request)
    params = {
        "chat_id": -1, "text": "a<b", "receiver_user_id": 7, "link_preview_options": None,
        "reply_markup": {"inline_keyboard": [[{"text": "Ja", "callback_data": "1", "style": "danger"}]]},
    }  # fmt: skip
    result = gateway.run(gateway.call("sendMessage", params))
    gateway.close()
    assert result == {"message_id": 5, "new_in_some_later_version": 1}
    ((url, sent),) = request.asked
    assert url == f"https://api.example/bot{TOKEN}/sendMessage"
    assert sent == {name: value for name, value in params.items() if value is not None}


def test_nothing_is_asked_before_the_first_call() -> None:
    request = Scripted(ok())
    gateway = Gateway(lambda fresh: TOKEN, request=request)
    gateway.run(gateway.call("leaveChat", {"chat_id": 1}))
    gateway.close()
    assert [url.rsplit("/", 1)[1] for url, _ in request.asked] == ["leaveChat"]


@pytest.mark.parametrize(("code", "description", "kind"), [
    (403, "Forbidden: bot was blocked by the user", Kind.BLOCKED),
    (403, "Forbidden: bot can't initiate conversation with a user", Kind.CANNOT_INITIATE),
    (403, "Forbidden: user is deactivated", Kind.DEACTIVATED),
    (403, "Forbidden: bot was kicked from the supergroup chat", Kind.NOT_IN_CHAT),
    (403, "Forbidden: bot is not a member of the supergroup chat", Kind.NOT_IN_CHAT),
    (403, "Forbidden: the group chat was deleted", Kind.NOT_IN_CHAT),
    (403, "Forbidden: something new", Kind.FORBIDDEN),
    (400, "Bad Request: chat not found", Kind.CHAT_NOT_FOUND),
    (400, "Bad Request: message thread not found", Kind.TOPIC_GONE),
    (400, "Bad Request: TOPIC_CLOSED", Kind.TOPIC_GONE),
    (400, "Bad Request: not enough rights to send photos to the chat", Kind.NO_RIGHTS),
    (400, "Bad Request: not enough rights to manage pinned messages in the chat", Kind.NO_RIGHTS),
    (400, "Bad Request: CHAT_SEND_PHOTOS_FORBIDDEN", Kind.NO_RIGHTS),
    (400, "Bad Request: message to edit not found", Kind.MESSAGE_GONE),
    (400, "Bad Request: message can't be deleted for everyone", Kind.MESSAGE_GONE),
    (400, "Bad Request: MESSAGE_ID_INVALID", Kind.MESSAGE_GONE),
    (400, "Bad Request: there is no text in the message to edit", Kind.MESSAGE_GONE),
    (400, "Bad Request: query is too old and response timeout expired or query ID is invalid",
     Kind.QUERY_OLD),
    (400, "Bad Request: wrong file identifier/HTTP URL specified", Kind.BAD_FILE),
    (400, "Bad Request: PHOTO_INVALID_DIMENSIONS", Kind.BAD_FILE),
    (400, "Bad Request: message text is empty", Kind.MALFORMED),
    (413, "Request Entity Too Large", Kind.MALFORMED),
])  # fmt: skip
def test_what_telegram_refuses_for_good_has_a_kind(code: int, description: str, kind: Kind) -> None:
    with pytest.raises(Refused) as caught:
        ask(error(code, description))
    assert caught.value.kind is kind


def test_a_refusal_does_not_quote_what_was_sent() -> None:
    with pytest.raises(Refused) as caught:
        ask(error(400, 'Bad Request: can\'t parse entities: Unsupported start tag "anna" at byte offset 3'))
    assert caught.value.detail == "can't parse entities"
    assert "anna" not in str(caught.value)


def test_an_edit_that_changes_nothing_is_done() -> None:
    text = "Bad Request: message is not modified: specified new message content and reply markup are the same"
    assert ask(error(400, text)) is True


@pytest.mark.parametrize(("answer", "after"), [
    (error(429, "Too Many Requests: retry after 17", retry_after=17), 17),
    (error(429, "Too Many Requests: retry after 9"), 9),
    (error(429, "Too Many Requests"), 5),
])  # fmt: skip
def test_a_429_says_how_long_to_wait(answer: Answer, after: float) -> None:
    with pytest.raises(RetryLater) as caught:
        ask(answer)
    assert caught.value.after == after


def test_a_group_that_became_a_supergroup_says_its_new_id() -> None:
    with pytest.raises(Migrated) as caught:
        ask(error(400, "Bad Request: group chat was upgraded to a supergroup chat", migrate_to_chat_id=-1005))
    assert caught.value.new_chat_id == -1005


@pytest.mark.parametrize("answer", [
    error(500, "Internal Server Error"), error(502, "Bad Gateway"), (504, b"<html>"),
    (200, b"{not json"), TimedOut(), NetworkError("httpx.ReadError: "),
    RuntimeError(f"about {TOKEN}"),
])  # fmt: skip
def test_what_nobody_knows_the_fate_of_is_unknown(answer: Answer) -> None:
    with pytest.raises(AnswerLost) as caught:
        ask(answer)
    assert TOKEN not in str(caught.value)


def test_a_call_that_takes_too_long_in_all_is_unknown() -> None:
    async def slow() -> Answer:
        await asyncio.sleep(5)
        return ok()

    with pytest.raises(AnswerLost, match="TimeoutError"):
        ask(slow, wait=0.01)


class TestToken:
    def test_is_read_anew_once_after_a_401(self) -> None:
        request = Scripted(error(401, "Unauthorized"), ok("done"), ok("again"))
        gateway = Gateway(lambda fresh: "4242:new" if fresh else TOKEN, request=request)
        assert gateway.run(gateway.call("getMe", {})) == "done"
        assert gateway.run(gateway.call("getMe", {})) == "again"
        gateway.close()
        asked = [url.split("/bot")[1] for url, _ in request.asked]
        assert asked == [f"{TOKEN}/getMe", "4242:new/getMe", "4242:new/getMe"]

    def test_that_cannot_be_read_is_no_refusal_of_the_message(self) -> None:
        unreadable = Mock(side_effect=SecretUnavailable("secret 'token' cannot be read"))
        gateway = Gateway(unreadable, request=Scripted())
        with pytest.raises(Unauthorized):
            gateway.run(gateway.call("getMe", {}))
        gateway.close()

    def test_that_stays_wrong_is_an_error_of_its_own(self) -> None:
        with pytest.raises(Unauthorized):
            ask(error(401, "Unauthorized"), error(401, "Unauthorized"))

    def test_errors_after_the_second_try_are_sorted_too(self) -> None:
        with pytest.raises(RetryLater):
            ask(error(404, "Not Found"), error(429, "Too Many Requests", retry_after=3))

    def test_is_read_anew_once_for_calls_side_by_side(self) -> None:
        asked: list[bool] = []

        def token(fresh: bool) -> str:
            asked.append(fresh)
            return TOKEN

        async def unauthorized() -> Answer:
            await asyncio.sleep(0)
            return error(401, "Unauthorized")

        gateway = Gateway(token, request=Scripted(unauthorized, unauthorized, ok(1), ok(2)))

        async def both() -> list[Any]:
            return list(await asyncio.gather(gateway.call("getMe", {}), gateway.call("getMe", {})))

        assert gateway.run(both()) == [1, 2]
        gateway.close()
        assert asked == [False, True]


class TestOverHttp:
    """The real HTTP client against a server on this machine."""

    @pytest.fixture
    def server(self) -> Iterator[Loopback]:
        with Loopback() as server:
            yield server

    @pytest.fixture
    def gateway(self, server: Loopback) -> Iterator[Gateway]:
        gateway = Gateway(lambda fresh: TOKEN, server.url)
        yield gateway
        gateway.close()
        gc.collect()

    def test_one_connection_serves_call_after_call(self, server: Loopback, gateway: Gateway) -> None:
        for number in range(3):
            server.answer = {"ok": True, "result": number}
            assert gateway.run(gateway.call("getMe", {})) == number
        assert server.connections == 1

    def test_a_connection_from_before_a_freeze_is_not_used_again(self, server: Loopback) -> None:
        now = [0.0]
        gateway = Gateway(lambda fresh: TOKEN, server.url, clock=lambda: now[0])
        gateway.run(gateway.call("getMe", {}))
        now[0] += 3600
        gateway.run(gateway.call("getMe", {}))
        gateway.close()
        assert server.connections == 2

    def test_a_closed_gateway_opens_again(self, server: Loopback, gateway: Gateway) -> None:
        gateway.run(gateway.call("getMe", {}))
        gateway.close()
        assert gateway.run(gateway.call("getMe", {})) is True

    def test_a_picture_is_uploaded_beside_the_parameters(self, server: Loopback, gateway: Gateway) -> None:
        gateway.run(gateway.call("sendPhoto", {"chat_id": 1, "caption": "ü"}, {"photo": b"\x89PNG\r\n"}))
        body = server.bodies[-1]
        assert b'name="chat_id"' in body
        assert "ü".encode() in body
        assert b'name="photo"; filename="photo.png"' in body
        assert b"\x89PNG\r\n" in body

    def test_a_server_that_hangs_up_leaves_the_fate_unknown(self, server: Loopback, gateway: Gateway) -> None:
        server.hang_up = True
        with pytest.raises(AnswerLost):
            gateway.run(gateway.call("getMe", {}))

    def test_a_server_that_is_not_there_was_surely_not_reached(self) -> None:
        gateway = Gateway(lambda fresh: TOKEN, "http://127.0.0.1:1")
        with pytest.raises(RetryLater):
            gateway.run(gateway.call("getMe", {}))
        gateway.close()

    def test_no_log_line_and_no_exception_holds_the_token(
        self, server: Loopback, gateway: Gateway, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG)
        server.answer = {"ok": True, "result": {"text": "a hidden card"}}
        gateway.run(gateway.call("sendMessage", {"chat_id": 1, "text": "a hidden card"}))
        server.raw = b"a hidden card, but no JSON"
        failures: list[WireError] = []
        for _ in range(2):
            with pytest.raises(WireError) as caught:
                gateway.run(gateway.call("sendMessage", {"chat_id": 1, "text": "a hidden card"}))
            failures.append(caught.value)
            server.hang_up = True
        lines = caplog.text + "".join(f"{failure!r}{failure}" for failure in failures) + repr(gateway)
        assert TOKEN not in lines
        assert "a hidden card" not in lines


def test_plain_http_reads_no_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = Mock(side_effect=AssertionError("certificates are read"))
    monkeypatch.setattr(httpx, "create_ssl_context", reads)
    with Loopback() as server:
        gateway = Gateway(lambda fresh: TOKEN, server.url)
        assert gateway.run(gateway.call("getMe", {})) is True
        gateway.close()
