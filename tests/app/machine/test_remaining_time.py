"""The time that is left, on made series: even, slowing, in bursts, paused, stopping, in stages."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from app.machine.remaining_time import RemainingTime, rounded, time_left


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def told(
    clock: Clock, steps: int, seconds: Callable[[float], float], start: float = 2.0
) -> Iterator[tuple[float, float | None, float]]:
    """Work through equal steps of which each takes so long; give the share, the estimate and the truth at each."""
    every = [seconds(step / steps) for step in range(steps)]
    remaining = RemainingTime(clock)
    remaining.tell(0.0)
    clock.now += start  # of processes
    left = sum(every)
    for step, took in enumerate(every, 1):
        clock.now += took
        left -= took
        remaining.tell(step / steps)
        yield step / steps, remaining.seconds(), left


def test_even_work_is_known_after_some_steps_and_follows(clock: Clock) -> None:
    found = list(told(clock, 400, lambda _: 0.5, start=30.0))
    assert found[3][1] is None
    assert all(left == pytest.approx(truth, abs=1.0) for _, left, truth in found[8:] if left is not None)
    assert sum(left is None for _, left, _ in found) < 10


def test_it_never_stands_while_even_work_goes_on(clock: Clock) -> None:
    shown = [time_left(rounded(left)) for _, left, _ in told(clock, 2000, lambda _: 0.08, 8.0) if left is not None]
    assert len(set(shown)) > 75  # 160 seconds, told in steps of 5 s and then of 1 s


def test_work_that_slows_down_is_followed(clock: Clock) -> None:
    late = [
        (left, truth) for share, left, truth in told(clock, 1000, lambda s: 0.05 if s < 0.5 else 0.5) if share > 0.6
    ]
    assert all(left == pytest.approx(truth, rel=0.25, abs=2) for left, truth in late)


def test_bursts_are_evened_out(clock: Clock) -> None:
    burst = iter([0.0 if number % 20 else 4.0 for number in range(2000)])
    later = [(left, truth) for share, left, truth in told(clock, 2000, lambda _: next(burst)) if 0.1 < share < 0.9]
    assert all(left == pytest.approx(truth, rel=0.45) for left, truth in later)


def test_a_pause_changes_nothing(clock: Clock) -> None:
    remaining = RemainingTime(clock)
    for step in range(51):
        remaining.tell(step / 100)
        clock.now += 1
    before = remaining.seconds()
    remaining.pause()
    clock.now += 5000
    assert remaining.seconds() == before
    remaining.resume()
    assert remaining.seconds() == before
    remaining.tell(0.51)
    assert remaining.seconds() == pytest.approx(49, abs=0.5)


def test_it_grows_where_nothing_comes_any_more(clock: Clock) -> None:
    remaining = RemainingTime(clock)
    for step in range(51):
        remaining.tell(step / 100)
        clock.now += 1
    seen = []
    for _ in range(60):
        clock.now += 1
        remaining.tell(0.5)  # told again, without an advance
        seen.append(remaining.seconds() or 0.0)
    assert seen == sorted(seen)
    assert seen[-1] > 2 * seen[0]


def test_slow_steps_are_enough_to_tell_by(clock: Clock) -> None:
    found = list(told(clock, 50, lambda _: 90.0))
    assert found[6][1] is not None
    assert found[30][1] == pytest.approx(found[30][2], rel=0.02)


def test_other_work_begins_anew(clock: Clock) -> None:
    remaining = RemainingTime(clock)
    for step in range(20):
        remaining.tell(step / 20)
        clock.now += 1
    remaining.begin()
    assert remaining.seconds() is None
    remaining.tell(0.0)
    assert remaining.seconds() is None
