"""The page's time."""

from sandbox.clocks import APART, PageClock


class Real:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_messages_that_follow_too_fast_leap_apart() -> None:
    real = Real()
    clock = PageClock(real)
    clock.wrote(1)
    real.now += 1
    clock.wrote(2)
    assert clock() == 1_000.0 + 2 * APART
    assert clock.real(clock()) == real.now
    real.now += 60
    clock.wrote(1)
    assert clock() == 1_060.0 + 2 * APART
    clock.wrote(0)
    assert clock() == 1_060.0 + 2 * APART


def test_it_can_leap_to_a_moment_but_never_back() -> None:
    clock = PageClock(Real())
    clock.leap_to(1_500.0)
    assert clock() == 1_500.0
    clock.leap_to(1_200.0)
    assert clock() == 1_500.0
