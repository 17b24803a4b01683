"""The stand-in's beacon: drand's format, rounds by a seed, and relays in every mood."""

import hashlib
from contextlib import closing

import pytest

from infra.beacon import BeaconRound, BeaconUnavailable, NotOutYet
from infra.telegram.gateway import Loop
from sandbox.beacon import CHAIN, STANDIN_CHAIN, WORKING, RelayBehaviour, StandinBeacon
from sandbox.telegram import VirtualClock

NEAR, *_ = STANDIN_CHAIN.addresses


def fetched(standin: StandinBeacon, clock: VirtualClock, round: int) -> BeaconRound:
    with closing(Loop()) as loop:
        beacon, out_at = standin.beacon, standin.beacon.time_of(round)
        addresses = beacon.addresses_of(round)
        return loop.run(standin.client().fetch(round, addresses, out_at=out_at, deadline=clock() + 10.0))


def laid(seed: int = 7) -> tuple[StandinBeacon, VirtualClock, int]:
    """Return a beacon, its clock, and the round that was published just now."""
    clock = VirtualClock()
    round = STANDIN_CHAIN.round_after(clock())
    clock.until(STANDIN_CHAIN.time_of(round))
    return StandinBeacon(clock, seed), clock, round


def test_a_seed_decides_every_round() -> None:
    standin, clock, round = laid()
    found = fetched(standin, clock, round)
    assert found == BeaconRound(round, standin.randomness(round), standin.signature(round))
    assert found.randomness == hashlib.sha256(found.signature).digest()
    again, other = laid()[0], laid(8)[0]
    assert again.randomness(round) == found.randomness != other.randomness(round)
    assert standin.randomness(round - 1) != found.randomness


def test_a_future_round_and_a_strange_address_are_refused() -> None:
    standin, _, round = laid()
    assert standin.answer(f"/{CHAIN}/public/{round}")[0] == 200
    assert standin.answer(f"/{CHAIN}/public/{round + 1}") == (404, b"")
    for path in ("/", f"/{CHAIN}/public/0", f"/{CHAIN}/public/latest", f"/{'0' * 64}/public/{round}"):
        assert standin.answer(path)[0] == 400


@pytest.mark.parametrize(("mood", "raised", "said"), [
    (RelayBehaviour(gone=True), BeaconUnavailable, "ConnectError"),
    (RelayBehaviour(forged=True), BeaconUnavailable, "hash"),
    (RelayBehaviour(late=20.0), NotOutYet, "."),
])  # fmt: skip
def test_relays_in_a_mood_give_no_round(mood: RelayBehaviour, raised: type[Exception], said: str) -> None:
    standin, clock, round = laid()
    standin.behaviours[NEAR] = mood
    assert fetched(standin, clock, round).randomness == standin.randomness(round), "the other two agree"
    assert sorted(standin.asked) == sorted(standin.beacon.addresses)
    standin.set_behaviour(mood)
    with pytest.raises(raised, match=said):
        fetched(standin, clock, round)
    standin.set_behaviour(WORKING)
    assert fetched(standin, clock, round).round == round
