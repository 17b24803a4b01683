"""The desk's beacon: drand's format, rounds by a seed, and relays in every mood."""

import hashlib

import pytest

from infra.beacon import BeaconClient, BeaconRound, BeaconUnavailable, NotOutYet
from infra.telegram.loop import Loop
from sandbox.beacon import CHAIN, STANDIN_CHAIN, WORKING, RelayBehaviour, StandinBeacon
from sandbox.telegram import VirtualClock

NEAR, FAR, _ = STANDIN_CHAIN.addresses


def fetched(desk: StandinBeacon, clock: VirtualClock, round: int) -> BeaconRound:
    loop = Loop()
    try:
        client, beacon = BeaconClient(desk.transport(), clock), desk.beacon
        asked = client.fetch(
            round, beacon.addresses_of(round), out_at=beacon.time_of(round), deadline=clock() + 10.0
        )
        return loop.run(asked)
    finally:
        loop.close()


def laid(seed: int = 7) -> tuple[StandinBeacon, VirtualClock, int]:
    """Return a beacon, its clock, and the round that was published just now."""
    clock = VirtualClock()
    desk = StandinBeacon(clock, seed, pause=clock.advance)
    round = STANDIN_CHAIN.round_after(clock())
    clock.until(STANDIN_CHAIN.time_of(round))
    return desk, clock, round


def test_a_seed_decides_every_round() -> None:
    desk, clock, round = laid()
    found = fetched(desk, clock, round)
    assert found == BeaconRound(round, desk.randomness(round), desk.signature(round))
    assert found.randomness == hashlib.sha256(found.signature).digest()
    again, _, _ = laid()
    other, _, _ = laid(8)
    assert again.randomness(round) == found.randomness != other.randomness(round)
    assert desk.randomness(round - 1) != found.randomness


def test_a_future_round_and_a_strange_address_are_refused() -> None:
    desk, _, round = laid()
    assert desk.answer(f"/{CHAIN}/public/{round}")[0] == 200
    assert desk.answer(f"/{CHAIN}/public/{round + 1}") == (404, b"")
    for path in ("/", f"/{CHAIN}/public/0", f"/{CHAIN}/public/latest", f"/{'0' * 64}/public/{round}"):
        assert desk.answer(path)[0] == 400


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
    desk, clock, round = laid()
    desk.behaviours[NEAR] = mood
    assert fetched(desk, clock, round).randomness == desk.randomness(round)
    assert sorted(desk.asked) == sorted(desk.beacon.addresses)


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
    desk, clock, round = laid()
    desk.set_behaviour(mood)
    with pytest.raises(BeaconUnavailable, match=said):
        fetched(desk, clock, round)
    desk.set_behaviour(WORKING)
    assert fetched(desk, clock, round).round == round


def test_a_late_round_comes_when_it_comes() -> None:
    desk, clock, round = laid()
    desk.set_behaviour(RelayBehaviour(late=20.0))
    with pytest.raises(NotOutYet):
        fetched(desk, clock, round)
    clock.advance(20.0)
    assert fetched(desk, clock, round).round == round


def test_a_relay_that_is_slow_but_in_time_takes_its_seconds() -> None:
    desk, clock, round = laid()
    before = clock()
    desk.set_behaviour(RelayBehaviour(slow=1.5))
    fetched(desk, clock, round)
    assert clock() == pytest.approx(before + 1.5)


def test_an_early_answer_is_not_even_asked_for() -> None:
    desk, clock, round = laid()
    desk.set_behaviour(RelayBehaviour(late=-60.0))
    assert desk.answer(f"/{CHAIN}/public/{round + 1}", desk.behaviours[NEAR])[0] == 200
    with pytest.raises(NotOutYet):
        fetched(desk, clock, round + 1)
    assert desk.asked == []
