"""Background work lets others go first, rests on battery, says the time that is left, and logs its faults."""

from __future__ import annotations

import itertools
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.app.folders import write_scenes
from twinlens.app.library.ingest.adding import Adding, add, rescan
from twinlens.app.library.library import Library
from twinlens.app.machine import app_folders, background_work, faults, preferences
from twinlens.app.machine.background_work import PAUSED, BatteryPause
from twinlens.app.machine.remaining_time import RemainingTime, rounded, time_left
from twinlens.core.errors import Cancelled
from twinlens.core.message import NOTHING, Message
from twinlens.core.systems import system


def battery(plugged: bool | None) -> SimpleNamespace:
    """Make what psutil says of a battery."""
    return SimpleNamespace(percent=50, power_plugged=plugged)


@pytest.mark.parametrize(
    ("said", "expected"), [(battery(False), True), (battery(True), False), (battery(None), False), (None, False)]
)
def test_only_a_battery_that_nothing_charges_counts(
    said: SimpleNamespace | None, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(psutil, "sensors_battery", lambda: said)
    assert system.on_battery() is expected


class Day:
    """A clock that waiting moves, and a plug that is pulled for some time of it."""

    def __init__(self, pulled: float, back: float) -> None:
        self.now = 1000.0
        self._pulled, self._back = 1000 + pulled, 1000 + back
        self.looks = 0

    def is_on_battery(self) -> bool:
        self.looks += 1
        return self._pulled <= self.now < self._back

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def clock(self) -> float:
        return self.now


def test_work_rests_on_battery_and_goes_on_when_plugged_in() -> None:
    day = Day(pulled=10, back=60)
    told: list[tuple[float, str]] = []
    sparing = BatteryPause(
        lambda done, total, text: told.append((done, str(text))), day.is_on_battery, day.wait, day.clock
    )
    for done in range(20):
        sparing(done, 20, Message("reading"))
        day.wait(1)
    assert [done for done, text in told if text == "reading"] == list(range(20))
    paused = [done for done, text in told if text == str(PAUSED)]
    assert len(set(paused)) == 1
    assert len(paused) > 100  # told on and on, so that Cancel is heard
    assert day.now >= 1060 + (20 - paused[0] - 1)
    assert day.looks < 25  # the system is not asked at every photograph


def test_work_that_rests_can_be_cancelled() -> None:
    day = Day(pulled=0, back=1e9)

    def progress(done: float, total: float, text: object = "") -> None:
        if str(text) == str(PAUSED) and day.now > 1020:
            raise Cancelled

    with pytest.raises(Cancelled):
        BatteryPause(progress, day.is_on_battery, day.wait, day.clock)(0, 1, NOTHING)
    assert day.now < 1021


def test_adding_rests_until_the_plug_is_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, plug = tmp_path / "photographs", battery(False)
    write_scenes(folder, 2)
    monkeypatch.setattr(psutil, "sensors_battery", lambda: plug)
    monkeypatch.setattr(background_work, "_LOOK_EVERY_S", 0.01)
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    paused: list[str] = []

    def plug_in(done: float, total: float, text: object = "") -> None:
        if str(text) == str(PAUSED):
            paused.append(str(text))
            plug.power_plugged = True

    def give_up(done: float, total: float, text: object = "") -> None:
        if str(text) == str(PAUSED):
            raise Cancelled

    with Library.open(tmp_path / "library.twinlens", create=True) as library:
        given_up = add(library, [folder], Adding(workers=1, pause_on_battery=True), give_up)
        assert (given_up.cancelled, given_up.added) == (True, 0)
        assert add(library, [folder], Adding(workers=1, pause_on_battery=True), plug_in).added == 2
        assert paused
        plug.power_plugged = False
        preferences.keep(preferences.Preferences(pause_on_battery=True))
        write_scenes(folder, 3)
        assert rescan(library, give_up, workers=1).cancelled
        assert rescan(library, give_up, workers=1, pause_on_battery=False).added == 1
        preferences.keep(preferences.Preferences())
        write_scenes(folder, 4)
        assert rescan(library, give_up, workers=1).added == 1  # nobody has asked for it


_TOLD = """
import ctypes, os
from twinlens.app.machine.background_work import be_polite
before = os.nice(0)
be_polite()
print(os.nice(0) - before, ctypes.CDLL(None).syscall(252, 1, 0) >> 13)
"""


@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64",
    reason="it is asked by a call of Linux on x86_64",
)
def test_processors_and_disk_are_for_others_first() -> None:
    done = subprocess.run([sys.executable, "-c", _TOLD], capture_output=True, text=True, check=True)
    nicer, disk_class = done.stdout.split()
    assert (nicer, disk_class) == ("5", "3")


def test_what_the_system_refuses_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError("not here")

    monkeypatch.setattr(system, "yield_processors", refuse)
    monkeypatch.setattr(system, "yield_disk", refuse)
    background_work.be_polite()


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
    assert sum(left is None for _, left, _ in found) < 30


def test_it_never_stands_while_even_work_goes_on(clock: Clock) -> None:
    shown = [time_left(rounded(left)) for _, left, _ in told(clock, 2000, lambda _: 0.08, 8.0) if left is not None]
    assert len(set(shown)) > 75  # 160 seconds, told in steps of 5 s and then of 1 s


def test_work_that_slows_down_is_followed(clock: Clock) -> None:
    late = [
        (left, truth) for share, left, truth in told(clock, 1000, lambda s: 0.05 if s < 0.5 else 0.5) if share > 0.6
    ]
    known = [(left, truth) for left, truth in late if left is not None]
    assert len(known) > len(late) / 2
    assert all(left == pytest.approx(truth, rel=0.25, abs=2) for left, truth in known)


def test_bursts_are_evened_out(clock: Clock) -> None:
    burst = iter([0.0 if number % 20 else 4.0 for number in range(2000)])
    later = [(left, truth) for share, left, truth in told(clock, 2000, lambda _: next(burst)) if 0.1 < share < 0.9]
    known = [(left, truth) for left, truth in later if left is not None]
    assert len(known) > len(later) / 4
    assert all(left == pytest.approx(truth, rel=0.45) for left, truth in known)


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


def test_there_is_none_where_nothing_comes_any_more(clock: Clock) -> None:
    remaining = RemainingTime(clock)
    for step in range(51):
        remaining.tell(step / 100)
        clock.now += 1
    seen = []
    for _ in range(60):
        clock.now += 1
        remaining.tell(0.5)  # told again, without an advance
        seen.append(remaining.seconds())
    assert seen[0] is not None
    assert seen[-1] is None
    known = [left for left in seen if left is not None]
    assert known == sorted(known, reverse=True)


def test_slow_steps_are_enough_to_tell_by(clock: Clock) -> None:
    found = list(told(clock, 50, lambda _: 90.0))
    assert found[10][1] is not None
    assert found[30][1] == pytest.approx(found[30][2], rel=0.02)


def test_another_step_has_another_speed_and_no_number_until_that_is_known(clock: Clock) -> None:
    remaining = RemainingTime(clock)
    for step in range(51):
        remaining.tell(step / 100, "Reading keypoints")
        clock.now += 0.5
    assert remaining.seconds() == pytest.approx(25, abs=1)
    found = []
    for step in range(200):
        remaining.tell(0.5 + step / 400, "Comparing photos")
        found.append(remaining.seconds())
        clock.now += 1
    known = [(left, 200 - step) for step, left in enumerate(found) if left is not None]
    assert found[0] is None
    assert len(known) > 180
    assert all(left == pytest.approx(truth, abs=1) for left, truth in known)


@given(st.lists(st.floats(0.5, 2.0), min_size=100, max_size=100))
def test_uneven_steps_make_no_estimate_that_grows(seconds: list[float]) -> None:
    clock = Clock()
    shown = [left for _, left, _ in told(clock, 100, lambda share: seconds[int(100 * share)])]
    assert all(one is None or other is None or other <= one for one, other in itertools.pairwise(shown))


def test_speeds_that_do_not_agree_make_no_number(clock: Clock) -> None:
    remaining = RemainingTime(clock)
    share, wait = 0.0, 0.02
    while wait < 100:  # each advance takes longer than the one before
        remaining.tell(share := share + 0.0001)
        clock.now += (wait := wait * 1.2)
        assert remaining.seconds() is None


def test_other_work_begins_anew(clock: Clock) -> None:
    remaining = RemainingTime(clock)
    for step in range(20):
        remaining.tell(step / 20)
        clock.now += 1
    remaining.begin()
    assert remaining.seconds() is None
    remaining.tell(0.0)
    assert remaining.seconds() is None


def test_a_fault_is_logged_with_where_it_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(app_folders.DATA_VARIABLE, str(tmp_path))
    assert faults.last_lines() == ""
    try:
        raise ValueError("one is missing")
    except ValueError as error:
        log = faults.log_fault(error)
    assert log == tmp_path / "log" / "twinlens.log"
    text = faults.last_lines()
    assert Path(__file__).name in text
    assert text.endswith("ValueError: one is missing")
    assert faults.last_lines(1) == "ValueError: one is missing"


def test_where_nothing_can_be_written_nothing_is_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(app_folders.DATA_VARIABLE, str(tmp_path / "file"))
    assert faults.log_fault(ValueError()) is None
    assert faults.last_lines() == ""
