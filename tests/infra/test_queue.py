"""Wake-ups on SQS, in hops of at most a quarter of an hour."""

from __future__ import annotations

from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from infra.queue import LONGEST_CHAIN, QUICK, QueueUnavailable, Wakeup, WakeupQueue, sqs_client
from tests.infra.conftest import NOW, Clock


class FakeSqs:
    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.fault: Exception | None = None

    def send_message(self, **arguments: Any) -> None:
        if self.fault is not None:
            raise self.fault
        self.sent.append(arguments)


@pytest.fixture
def sqs() -> FakeSqs:
    return FakeSqs()


@pytest.fixture
def wakeups(sqs: FakeSqs, clock: Clock) -> WakeupQueue:
    return WakeupQueue("http://queue", clock, lambda: sqs)  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize(("seconds", "delay"), [(-5, 0), (0, 0), (0.2, 1), (60, 60), (900, 900), (5000, 900)])
def test_the_delay_is_one_hop_at_most(wakeups: WakeupQueue, sqs: FakeSqs, seconds: float, delay: int) -> None:
    wakeup = Wakeup("room#1", NOW + seconds, "clock")
    wakeups.send(wakeup)
    assert sqs.sent == [{"QueueUrl": "http://queue", "MessageBody": wakeup.pack(), "DelaySeconds": delay}]


def test_a_long_wait_goes_hop_by_hop(wakeups: WakeupQueue, sqs: FakeSqs, clock: Clock) -> None:
    wakeup = Wakeup("room#1", NOW + 2000, "clock")
    wakeups.send(wakeup)
    while True:
        clock.now += sqs.sent[-1]["DelaySeconds"]
        if not wakeups.forward_if_early(Wakeup.parse(sqs.sent[-1]["MessageBody"])):
            break
    assert [message["DelaySeconds"] for message in sqs.sent] == [900, 900, 200]
    assert clock.now == NOW + 2000


@pytest.mark.parametrize("early", [0.001, 0.5, 1.0])
def test_an_early_wake_up_comes_again(wakeups: WakeupQueue, sqs: FakeSqs, clock: Clock, early: float) -> None:
    wakeup = Wakeup("room#1", clock.now + early, "clock")
    assert wakeups.forward_if_early(wakeup)
    assert [message["DelaySeconds"] for message in sqs.sent] == [1]
    clock.now += 1
    assert not wakeups.forward_if_early(wakeup)


@pytest.mark.parametrize(("fault", "words"), [
    (ClientError({"Error": {"Code": "ThrottlingException"}}, "SendMessage"), "ThrottlingException"),
    (EndpointConnectionError(endpoint_url="http://queue"), "EndpointConnectionError"),
])  # fmt: skip
def test_a_dead_queue_says_so(wakeups: WakeupQueue, sqs: FakeSqs, fault: Exception, words: str) -> None:
    sqs.fault = fault
    with pytest.raises(QueueUnavailable, match=f"^{words}$"):
        wakeups.send(Wakeup("room#1", NOW, "clock"))


def test_a_wake_up_arrives_at_a_real_queue(aws: None, clock: Clock) -> None:
    url = boto3.client("sqs").create_queue(QueueName="wakeups")["QueueUrl"]
    WakeupQueue(url, clock).send(Wakeup("room#1", NOW, "lease"))
    (message,) = sqs_client().receive_message(QueueUrl=url)["Messages"]
    assert Wakeup.parse(message["Body"]) == Wakeup("room#1", NOW, "lease")


def follow(wakeups: WakeupQueue, sqs: FakeSqs, most: int, wait: float) -> int:
    """Have each wake-up send the next one; return how many were sent before one was refused."""
    wakeups.send(Wakeup("room#1", NOW, "clock"))
    for sent in range(1, most):
        with wakeups.following(Wakeup.parse(sqs.sent[-1]["MessageBody"])):
            try:
                wakeups.send(Wakeup("room#1", NOW + wait, "clock"))
            except QueueUnavailable:
                return sent
    return most


def test_a_chain_of_quick_wake_ups_ends_at_our_own_bound(wakeups: WakeupQueue, sqs: FakeSqs) -> None:
    assert follow(wakeups, sqs, 1000, 0) == LONGEST_CHAIN + 1
    wakeups.send(Wakeup("room#1", NOW, "watchdog"))
    assert Wakeup.parse(sqs.sent[-1]["MessageBody"]).chain == 0, "the watchdog begins another one"


def test_slow_wake_ups_go_on_for_ever(wakeups: WakeupQueue, sqs: FakeSqs) -> None:
    assert follow(wakeups, sqs, 3 * LONGEST_CHAIN, QUICK) == 3 * LONGEST_CHAIN
