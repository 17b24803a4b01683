"""The standin's beacon: drand's format, rounds by a seed, and relays in every mood."""

import hashlib

import pytest

from infra.beacon import BeaconClient, BeaconRound, BeaconUnavailable, NotOutYet
from infra.telegram.loop import Loop
from sandbox.beacon import CHAIN, STANDIN_CHAIN, WORKING, RelayBehaviour, StandinBeacon
from sandbox.telegram import VirtualClock

NEAR, FAR, _ = STANDIN_CHAIN.addresses


def fetched(standin: StandinBeacon, clock: VirtualClock, round: int) -> BeaconRound:
    loop = Loop()
    try:
        client, beacon = BeaconClient(standin.transport(), clock), standin.beacon
        asked = client.fetch(
            round, beacon.addresses_of(round), out_at=beacon.time_of(round), deadline=clock() + 10.0
        )
        return loop.run(asked)
    finally:
        loop.close()


def laid(seed: int = 7) -> tuple[StandinBeacon, VirtualClock, int]:
    """Return a beacon, its clock, and the round that was published just now."""
    clock = VirtualClock()
    standin = StandinBeacon(clock, seed, pause=clock.advance)
    round = STANDIN_CHAIN.round_after(clock())
    clock.until(STANDIN_CHAIN.time_of(round))
    return standin, clock, round


def test_a_seed_decides_every_round() -> None:
    standin, clock, round = laid()
    found = fetched(standin, clock, round)
    assert found == BeaconRound(round, standin.randomness(round), standin.signature(round))
    assert found.randomness == hashlib.sha256(found.signature).digest()
    again, _, _ = laid()
    other, _, _ = laid(8)
    assert again.randomness(round) == found.randomness != other.randomness(round)
    assert standin.randomness(round - 1) != found.randomness


def test_a_future_round_and_a_strange_address_are_refused() -> None:
    standin, _, round = laid()
    assert standin.answer(f"/{CHAIN}/public/{round}")[0] == 200
    assert standin.answer(f"/{CHAIN}/public/{round + 1}") == (404, b"")
    for path in ("/", f"/{CHAIN}/public/0", f"/{CHAIN}/public/latest", f"/{'0' * 64}/public/{round}"):
        assert standin.answer(path)[0] == 400


@pytest.mark.parametrize(
    "mood",
    [
        RelayBehaviour(gone=True),
        RelayBehaviour(slow=60.0),
        RelayBehaviour(forged=True),
        RelayBehaviour(behind=True),
        RelayBehaviour(late=60.0),
    ],
)
def test_with_one_relay_in_a_mood_the_other_two_agree(mood: RelayBehaviour) -> None:
    standin, clock, round = laid()
    standin.behaviours[NEAR] = mood
    assert fetched(standin, clock, round).randomness == standin.randomness(round)
    assert sorted(standin.asked) == sorted(standin.beacon.addresses)


@pytest.mark.parametrize(
    ("mood", "said"),
    [
        (RelayBehaviour(gone=True), "ConnectError"),
        (RelayBehaviour(slow=60.0), "ReadTimeout"),
        (RelayBehaviour(forged=True), "hash"),
        (RelayBehaviour(behind=True), "another round"),
    ],
)
def test_with_all_relays_in_a_mood_the_beacon_is_not_there(mood: RelayBehaviour, said: str) -> None:
    standin, clock, round = laid()
    standin.set_behaviour(mood)
    with pytest.raises(BeaconUnavailable, match=said):
        fetched(standin, clock, round)
    standin.set_behaviour(WORKING)
    assert fetched(standin, clock, round).round == round


def test_a_late_round_comes_when_it_comes() -> None:
    standin, clock, round = laid()
    standin.set_behaviour(RelayBehaviour(late=20.0))
    with pytest.raises(NotOutYet):
        fetched(standin, clock, round)
    clock.advance(20.0)
    assert fetched(standin, clock, round).round == round


def test_a_relay_that_is_slow_but_in_time_takes_its_seconds() -> None:
    standin, clock, round = laid()
    before = clock()
    standin.set_behaviour(RelayBehaviour(slow=1.5))
    fetched(standin, clock, round)
    assert clock() == pytest.approx(before + 1.5)


def test_an_early_answer_is_not_even_asked_for() -> None:
    standin, clock, round = laid()
    standin.set_behaviour(RelayBehaviour(late=-60.0))
    assert standin.answer(f"/{CHAIN}/public/{round + 1}", standin.behaviours[NEAR])[0] == 200
    with pytest.raises(NotOutYet):
        fetched(standin, clock, round + 1)
    assert standin.asked == []
