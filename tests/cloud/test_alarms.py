"""Each alarm hears the failure that it is for, at the rate at which that happens, and no quiet evening."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from tests.cloud.alarms import Alarm, Metric, Values, every, redelivered
from tests.cloud.conftest import ROOT, Resources

HOUR = 3600.0
MINUTE = 60.0
#: Metrics that never stop: the watchdog, every three minutes.
QUIET: dict[Metric, Values] = {"WatchdogRound": every(180, HOUR), "Invocations:wakeups": every(180, HOUR)}

#: Each alarm, its failure, and the minutes until somebody hears of it.
FAILURES: list[tuple[str, str, Mapping[Metric, Values], int]] = [
    ("WebhookErrorsAlarm", "one update ends each process that takes it", {"Errors": redelivered(HOUR)}, 5),
    ("UpdatesNotStoredAlarm", "one group plays, and nothing can be stored",
     {"UpdateNotStored": redelivered(HOUR)}, 5),
    ("WebhookRefusedAlarm", "one group writes, and the secret is wrong",
     {"Url4xxCount": redelivered(HOUR)}, 15),
    ("StormAlarm", "forty games, and Telegram refuses a tenth",
     {"Paused": every(20, HOUR), "Invocations:updates": every(2, HOUR),
      "Invocations:wakeups": every(10, HOUR)}, 10),
    ("UpdateFailedAlarm", "one update meets a mistake", {"UpdateFailed": [(10, 1)]}, 5),
    ("BeaconDisagreesAlarm", "a relay lies about one round", {"BeaconDisagrees": [(10, 1)]}, 5),
    ("SetAsideAlarm", "one game's record cannot be written", {"SetAside": [(10, 1)]}, 5),
    ("WakeupErrorsAlarm", "every round of the watchdog fails", {"Errors": every(180, HOUR)}, 15),
    ("WakeupsFailingAlarm", "one room fails whenever it is looked after",
     {"WakeupFailed": every(180, HOUR)}, 15),
    ("WebhookThrottlesAlarm", "an evening of throttled updates", {"Throttles": every(60, HOUR)}, 5),
    ("WakeupThrottlesAlarm", "an evening of throttled wake-ups", {"Throttles": every(60, HOUR)}, 5),
    ("WebhookSlowAlarm", "Telegram takes its time, two taps a minute",
     {"Duration": every(30, HOUR, 6000)}, 15),
    ("DeadLettersAlarm", "one letter", {"ApproximateNumberOfMessagesVisible": every(60, HOUR)}, 5),
    ("WakeupsLateAlarm", "nobody takes wake-ups",
     {"ApproximateAgeOfOldestMessage": [(at, at) for at in range(0, 3600, 60)]}, 35),
    ("OutboxAgeAlarm", "Telegram asks for an hour's wait", {"OutboxAgeSeconds": [(10, 0), (3599, 3589)]}, 60),
    ("TableThrottlesAlarm", "writes are throttled", {"WriteThrottleEvents": every(20, HOUR)}, 5),
    ("WatchdogSilentAlarm", "the schedule is off", {"WatchdogRound": every(180, 20 * MINUTE)}, 45),
    ("UpdatesStoppedAlarm", "the webhook is another stack's", {"UpdatesStopped": every(180, HOUR)}, 15),
]  # fmt: skip


def alarm(resources: Resources, name: str) -> Alarm:
    return Alarm(resources[name]["Properties"])


def minute_of(resources: Resources, name: str, metrics: Mapping[Metric, Values]) -> int | None:
    """Return after how many minutes the alarm goes off, within the hour."""
    found = alarm(resources, name)
    states = found.states(metrics, HOUR)
    if "ALARM" not in states:
        return None
    return 5 * (int(found.properties["EvaluationPeriods"]) + states.index("ALARM"))


@pytest.mark.parametrize(
    ("name", "failure", "metrics", "within"), FAILURES, ids=lambda value: str(value)[:40]
)
def test_an_alarm_hears_what_it_is_for(
    resources: Resources, name: str, failure: str, metrics: Mapping[Metric, Values], within: int
) -> None:
    at = minute_of(resources, name, metrics)
    assert at is not None, failure
    # After an hour an alarm's windows are full only if it needs an hour of them.
    assert at <= max(within, 5 * alarm(resources, name).properties["EvaluationPeriods"]), failure


def test_every_alarm_has_such_a_failure(resources: Resources) -> None:
    alarms = {name for name, one in resources.items() if one["Type"] == "AWS::CloudWatch::Alarm"}
    assert {name for name, *_ in FAILURES} == alarms


@pytest.mark.parametrize("name", sorted({name for name, *_ in FAILURES}))
def test_on_a_quiet_evening_no_alarm_goes_off(resources: Resources, name: str) -> None:
    assert minute_of(resources, name, QUIET) is None


@pytest.mark.parametrize(("name", "metrics"), [
    ("WakeupErrorsAlarm", {"Errors": [(10, 1)]}),
    ("WakeupsFailingAlarm", {"WakeupFailed": [(10, 1)]}),
    ("UpdatesStoppedAlarm", {"UpdatesStopped": [(10, 1)]}),
    ("WebhookRefusedAlarm", {"Url4xxCount": every(1, MINUTE)}),
    ("OutboxAgeAlarm", {"OutboxAgeSeconds": every(30, HOUR, 600)}),
])  # fmt: skip
def test_what_passes_is_no_alarm(resources: Resources, name: str, metrics: Mapping[Metric, Values]) -> None:
    assert minute_of(resources, name, metrics) is None


def test_dead_letters_stay_an_alarm_when_sqs_falls_silent(resources: Resources) -> None:
    metrics = {"ApproximateNumberOfMessagesVisible": every(60, 6 * HOUR)}
    states = alarm(resources, "DeadLettersAlarm").states(metrics, 24 * HOUR)
    assert set(states) == {"ALARM"}
    sent_again = [*every(60, 6 * HOUR), (20 * HOUR, 0.0)]
    states = alarm(resources, "DeadLettersAlarm").states(
        {"ApproximateNumberOfMessagesVisible": sent_again}, 24 * HOUR
    )
    assert states[-1] == "OK"


def test_an_hours_wait_stays_an_alarm_between_two_tries(resources: Resources) -> None:
    tries = [(number * HOUR + 10, number * HOUR) for number in range(6)]
    states = alarm(resources, "OutboxAgeAlarm").states({"OutboxAgeSeconds": tries}, 6 * HOUR)
    assert set(states[2:]) == {"ALARM"}


def test_a_canary_does_not_go_back_for_rooms_of_its_own_format(resources: Resources) -> None:
    for group in ("WebhookFunctionDeploymentGroup", "WakeupFunctionDeploymentGroup"):
        watched = resources[group]["Properties"]["AlarmConfiguration"]["Alarms"]
        for name in (one["Name"]["Ref"] for one in watched):
            properties = resources[name]["Properties"]
            assert properties["MetricName"] not in ("Url5xxCount", "Invocations"), name


def test_the_guide_says_what_the_alarms_cost(resources: Resources) -> None:
    alarms: list[dict[str, Any]] = [
        one["Properties"] for one in resources.values() if one["Type"] == "AWS::CloudWatch::Alarm"
    ]
    metrics = sum(
        sum("MetricStat" in part for part in one["Metrics"]) if "Metrics" in one else 1 for one in alarms
    )
    guide = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    assert f"{len(alarms)} alarms on {metrics} metrics" in guide
    least, most = (metrics - 10) * 0.1, metrics * 0.1
    assert re.search(rf"{len(alarms)} alarms on {metrics} metrics.*\| {least:.2f}–{most:.2f} \|", guide)
    for name in (n for n, one in resources.items() if one["Type"] == "AWS::CloudWatch::Alarm"):
        assert f"`{name.removesuffix('Alarm')}`" in guide, name
