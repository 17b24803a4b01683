"""A log line says what happened, and nothing about a person or a card."""

from __future__ import annotations

import io
import json
import logging
from typing import Any

import pytest

from infra.observability import Log, PowertoolsSink, Watched, clean

TOKEN = "123456789:AAF-abcdefghijklmnopqrstuvwxyz012345"


@pytest.fixture
def lines() -> list[tuple[str, dict[str, Any]]]:
    return []


@pytest.fixture
def log(lines: list[tuple[str, dict[str, Any]]]) -> Log:
    return Log(lambda level, line: lines.append((level, line)))


def test_only_known_fields_get_out() -> None:
    cleaned = clean({"chat": -100, "name": "Anna", "card": "fascist", "version": 7})
    assert cleaned == {"chat": -100, "version": 7, "dropped": ["card", "name"]}


@pytest.mark.parametrize("value", ["Anna Blume", "<b>", TOKEN, "x" * 161, {"text": "hush"}, b"bytes"])
def test_a_text_that_is_no_plain_word_is_not_said(value: Any) -> None:
    assert clean({"reason": value}) == {"reason": "…"}


def test_a_detail_may_have_blanks_but_never_the_token() -> None:
    assert clean({"detail": "can't parse entities"}) == {"detail": "can't parse entities"}
    assert clean({"detail": f"see https://api.telegram.org/bot{TOKEN}/getMe"}) == {"detail": "…"}


def test_lines_of_an_invocation_share_its_fields(log: Log, lines: list[Any]) -> None:
    with log.invocation(update=9, chat=-100):
        log.write("WARNING", "loaded", version=3)
        log.bind(version=4)
        log.write("WARNING", "conflict")
    log.write("ERROR", "afterwards")
    assert lines == [
        ("WARNING", {"event": "loaded", "update": 9, "chat": -100, "version": 3}),
        ("WARNING", {"event": "conflict", "update": 9, "chat": -100, "version": 4}),
        ("ERROR", {"event": "afterwards"}),
    ]


def test_counts_are_written_once_at_the_end_of_the_invocation(log: Log, lines: list[Any]) -> None:
    with log.invocation():
        log.note("lease_lost", {"count": 2})
        log.note("refused", {"method": "sendMessage", "kind": "blocked"})
        log.note("refused", {"method": "sendMessage", "kind": "blocked"})
    log.flush()
    assert [line for level, line in lines if level == "METRIC"] == [{"LeaseLost": 2, "Refused": 2}]
    warnings = [line["event"] for level, line in lines if level == "WARNING"]
    assert warnings == ["lease_lost", "refused", "refused"]


def test_a_failure_tells_its_kind_and_place_but_not_its_text(log: Log, lines: list[Any]) -> None:
    try:
        raise KeyError("Anna is Hitler")
    except KeyError as error:
        log.failure("digest", error, update=9)
    ((level, line),) = lines
    assert (level, line["event"], line["error"], line["update"]) == ("ERROR", "digest", "KeyError", 9)
    assert line["where"][-1].startswith("infra/test_observability.py:")
    assert "Anna" not in json.dumps(line)


def test_a_desk_writes_to_stderr(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_LAMBDA_FUNCTION_NAME", raising=False)
    Log().write("WARNING", "slow", ms=12)
    out, err = capsys.readouterr()
    assert out == ""
    assert json.loads(err) == {"level": "WARNING", "event": "slow", "ms": 12}


class TestInLambda:
    @pytest.fixture(autouse=True)
    def _in_lambda(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("AWS_LAMBDA_FUNCTION_NAME", "webhook")

    def test_lines_are_json_with_fields_of_their_own(self) -> None:
        stream = io.StringIO()
        log = Log(PowertoolsSink("lines-of-a-test", stream))
        with log.invocation(chat=-100):
            log.write("ERROR", "digest", kind="KeyError", name="Anna")
        line = json.loads(stream.getvalue())
        assert (line["level"], line["message"], line["service"]) == ("ERROR", "digest", "lines-of-a-test")
        assert (line["chat"], line["kind"], line["dropped"]) == (-100, "KeyError", ["name"])
        logging.getLogger("lines-of-a-test").handlers.clear()

    def test_counts_are_embedded_metrics(self, capsys: pytest.CaptureFixture[str]) -> None:
        log = Log()
        with log.invocation():
            log.count("conflicts", 3)
        line = json.loads(capsys.readouterr().out)
        assert line["Conflicts"] == [3.0]
        assert line["_aws"]["CloudWatchMetrics"][0]["Namespace"] == "Chancellery"

    def test_each_stage_has_a_namespace_of_its_own(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "chancellery/dev")
        log = Log()
        with log.invocation():
            log.note("outbox_age", {"seconds": 40})
            log.note("outbox_age", {"seconds": 20})
        *_, metrics = capsys.readouterr().out.splitlines()
        (said,) = json.loads(metrics)["_aws"]["CloudWatchMetrics"]
        assert said["Namespace"] == "chancellery/dev"
        assert said["Metrics"] == [{"Name": "OutboxAgeSeconds", "Unit": "Seconds"}]


def test_what_is_no_trouble_is_counted_and_makes_no_line() -> None:
    lines: list[tuple[str, dict[str, Any]]] = []
    log = Log(lambda level, line: lines.append((level, line)))
    with log.invocation():
        log.note(Watched.WAITING, {"count": 3})
        log.note(Watched.OUTBOX_AGE, {"seconds": 0})
    assert lines == [("METRIC", {"Waiting": 3, "OutboxAgeSeconds": 0})]
    with log.invocation():
        log.note(Watched.OUTBOX_AGE, {"seconds": 5})
    assert [level for level, _ in lines] == ["METRIC", "WARNING", "METRIC"]
