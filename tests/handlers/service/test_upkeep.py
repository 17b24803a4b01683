"""The watchdog's duties apart from the rooms: registration, the webhook, the daily pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import pytest

from bot.display.commands import registrations
from handlers import wakeup
from handlers.service.upkeep import DAY, LONGEST_CREDIBLE_GAP, Cleanup, all_registration_calls
from infra.observability import Log
from infra.store.rooms import Rooms
from infra.store.table import StoreUnavailable
from local.dynamodb import Client, LocalTable
from local.invocation import LambdaContext
from sandbox.harness import Harness
from sandbox.telegram import Call, VirtualClock
from sandbox.telegram.calls import Refusal, bad_request, too_many
from tests.refusing import refuse

URL = "https://bot.invalid/"
#: Prefixes of the methods that register something.
REGISTERING = ("setMy", "deleteMy")


class Lines:
    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self.counts: dict[str, float] = {}

    def __call__(self, level: str, line: dict[str, Any]) -> None:
        if level == "METRIC":
            self.counts |= line
        else:
            self.lines.append(line)


@pytest.fixture
def lines() -> Lines:
    return Lines()


@pytest.fixture
def at(lines: Lines) -> Iterator[Harness]:
    environment = {"SETUP_REVISION": "1", "WEBHOOK_URL": URL}
    harness = Harness(Client(LocalTable()), VirtualClock(), log=Log(lines), environment=environment)
    yield harness
    harness.close()


def round_(at: Harness, lines: Lines) -> dict[str, float]:
    lines.counts = {}
    wakeup.respond(at.built, {}, LambdaContext())
    return lines.counts


def registered(at: Harness) -> int:
    """Return how many calls gave Telegram commands and profile."""
    return sum(call.method.startswith(REGISTERING) for call in at.telegram.journal)


class TestRegistering:
    def test_commands_and_profile_are_registered_in_every_language(self, at: Harness, lines: Lines) -> None:
        round_(at, lines)
        for language, texts in registrations().items():
            group = at.telegram.commands['{"type": "all_group_chats"}', language]
            assert [(one["command"], one["description"]) for one in group] == list(texts.group)
            private = at.telegram.commands['{"type": "all_private_chats"}', language]
            assert [(one["command"], one["description"]) for one in private] == list(texts.private)
            assert at.telegram.profile["description", language] == texts.profile.description
            assert at.telegram.profile["short_description", language] == texts.profile.about

    def test_it_is_done_once_by_whichever_process(self, at: Harness, lines: Lines) -> None:
        round_(at, lines)
        before = registered(at)
        round_(at, lines)
        other = Harness(at.client, at.clock, environment={"SETUP_REVISION": "1", "WEBHOOK_URL": URL})
        wakeup.respond(other.built, {}, LambdaContext())
        assert (before, registered(at), registered(other)) == (len(list(all_registration_calls())), before, 0)
        other.close()

    def test_another_revision_registers_all_of_it_again(self, at: Harness, lines: Lines) -> None:
        round_(at, lines)
        again = Harness(at.client, at.clock, environment={"SETUP_REVISION": "2", "WEBHOOK_URL": URL})
        wakeup.respond(again.built, {}, LambdaContext())
        assert registered(again) == len(list(all_registration_calls()))
        again.close()

    def test_what_is_refused_for_now_is_a_warning_and_goes_on_later(self, at: Harness, lines: Lines) -> None:
        left = [30]

        def flood(call: Call) -> None:
            if call.method.startswith(REGISTERING):
                left[0] -= 1
                if left[0] == 0:
                    raise too_many(600)

        at.telegram.before_call.append(flood)
        assert "WakeupFailed" not in round_(at, lines)
        assert [line["event"] for line in lines.lines] == ["registration_waits"]
        round_(at, lines)
        assert registered(at) == len(list(all_registration_calls())) + 1
        assert len(at.telegram.profile) == 2 * len(registrations())

    def test_what_is_refused_for_good_keeps_nothing_else_back(self, at: Harness, lines: Lines) -> None:
        refuse(at.telegram, bad_request("too long"), "setMyDescription")
        round_(at, lines)
        round_(at, lines)
        assert {line["event"] for line in lines.lines} == {"registration_refused"}
        assert registered(at) == len(list(all_registration_calls()))
        assert len(at.telegram.profile) == len(registrations())


class TestTheWebhook:
    def test_one_that_is_ours_and_works_is_no_trouble(self, at: Harness, lines: Lines) -> None:
        assert round_(at, lines) == {"WatchdogRound": 1}

    @pytest.mark.parametrize(
        ("url", "reason"), [("https://other/", "webhook_elsewhere"), ("", "webhook_removed")]
    )
    def test_one_that_leads_away_is_counted(self, at: Harness, lines: Lines, url: str, reason: str) -> None:
        at.telegram.call("setWebhook" if url else "deleteWebhook", {"url": url} if url else {})
        assert round_(at, lines)["UpdatesStopped"] == 1
        assert [line["reason"] for line in lines.lines] == [reason]

    @pytest.mark.parametrize(("said", "reason"), [
        ({"pending_update_count": 1, "last_error_date": -30}, "updates_fail"),
        ({"pending_update_count": 101}, "updates_wait"),
        ({"pending_update_count": 100}, None),
        ({"pending_update_count": 1, "last_error_date": -3600}, None),
        ({"pending_update_count": 0, "last_error_date": -30}, None),
    ])  # fmt: skip
    def test_updates_that_do_not_arrive_are_counted(
        self, at: Harness, lines: Lines, said: dict[str, int], reason: str | None
    ) -> None:
        def hook(call: Call) -> dict[str, Any] | None:
            if call.method != "getWebhookInfo":
                return None
            found = {"url": URL, "has_custom_certificate": False, **said}
            if "last_error_date" in said:
                found["last_error_date"] = int(at.clock()) + said["last_error_date"]
            return {"ok": True, "result": found}

        at.telegram.before_call.append(hook)
        assert ("UpdatesStopped" in round_(at, lines)) == (reason is not None)
        assert [line["reason"] for line in lines.lines] == ([reason] if reason else [])

    def test_without_telegram_the_round_goes_on(self, at: Harness, lines: Lines) -> None:
        refuse(at.telegram, Refusal(502, "Bad Gateway"), "")
        assert round_(at, lines)["WatchdogRound"] == 1


class TestTheDailyPass:
    @pytest.fixture
    def passes(self, monkeypatch: pytest.MonkeyPatch) -> list[float]:
        passes: list[float] = []
        monkeypatch.setattr(Cleanup, "run", lambda self, deadline: passes.append(self.clock()))
        return passes

    def test_it_runs_once_a_day(self, at: Harness, lines: Lines, passes: list[float]) -> None:
        for _ in range(3 * 24):
            round_(at, lines)
            at.clock.advance(3600)  # type: ignore[attr-defined]
        assert len(passes) == 2, "the first round only notes the time"
        assert passes[1] - passes[0] == DAY

    def test_a_clock_that_jumped_forgets_nobody(self, at: Harness, lines: Lines, passes: list[float]) -> None:
        round_(at, lines)
        at.clock.advance(400 * DAY)  # type: ignore[attr-defined]
        round_(at, lines)
        at.clock.now -= 400 * DAY  # type: ignore[attr-defined]
        round_(at, lines)
        assert passes == []
        at.clock.advance(LONGEST_CREDIBLE_GAP)  # type: ignore[attr-defined]
        round_(at, lines)
        assert len(passes) == 1

    def test_one_that_fails_is_counted_and_comes_again_next_round(
        self, at: Harness, lines: Lines, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        round_(at, lines)
        monkeypatch.setattr(Cleanup, "run", Mock(side_effect=StoreUnavailable("scan: AccessDenied")))
        at.clock.advance(DAY)  # type: ignore[attr-defined]
        for _ in range(2):
            found = round_(at, lines)
            assert (found["WakeupFailed"], found["WatchdogRound"]) == (1, 1)


def test_no_index_means_no_counted_round(at: Harness, lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rooms, "due", Mock(side_effect=StoreUnavailable("query: Throttled")))
    with pytest.raises(StoreUnavailable):
        round_(at, lines)
    assert lines.counts == {}
