"""On battery or not, from made lists of power supplies, and work that rests meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.library.ingest.adding import Adding, add, rescan
from app.library.library import Library
from app.machine import background_work, preferences
from app.machine.background_work import PAUSED, BatteryPause
from core.errors import Cancelled
from core.message import NOTHING, Message
from core.systems import power_supplies
from core.systems.power_supplies import say_battery
from tests.app.folders import write_scenes


def supply(folder: Path, name: str, **files: str) -> None:
    """Write one supply as the kernel shows it."""
    (folder / name).mkdir(parents=True, exist_ok=True)
    for file, text in files.items():
        (folder / name / file).write_text(f"{text}\n")


def battery(folder: Path, status: str, name: str = "BAT0", **more: str) -> None:
    supply(folder, name, **{"type": "Battery", "present": "1", "status": status, **more})


@pytest.mark.parametrize(
    ("online", "status", "expected"),
    [
        ("0", "Discharging", True),
        ("1", "Charging", False),
        ("1", "Full", False),
        ("1", "Discharging", False),  # the charger is weaker than what is drawn: plugged in all the same
        ("0", "Not charging", True),
        ("0", "Unknown", True),
        ("0", "Full", False),
    ],
)
def test_a_laptop(tmp_path: Path, online: str, status: str, expected: bool) -> None:
    supply(tmp_path, "AC", type="Mains", online=online)
    battery(tmp_path, status)
    assert say_battery(tmp_path) is expected


def test_a_computer_without_a_battery_is_plugged_in(tmp_path: Path) -> None:
    assert not say_battery(tmp_path / "nothing")
    assert not say_battery(tmp_path)
    supply(tmp_path, "AC", type="Mains", online="0")
    assert not say_battery(tmp_path)
    battery(tmp_path, "Discharging", present="0")
    assert not say_battery(tmp_path)


def test_the_battery_of_a_mouse_is_not_the_computers(tmp_path: Path) -> None:
    battery(tmp_path, "Discharging", "hidpp_battery_0", scope="Device")
    assert not say_battery(tmp_path)
    battery(tmp_path, "Discharging", "BAT1")
    assert say_battery(tmp_path)


def test_one_charger_of_several_is_enough(tmp_path: Path) -> None:
    supply(tmp_path, "AC", type="Mains", online="0")
    supply(tmp_path, "ucsi-source-psy-1", type="USB", online="0")
    battery(tmp_path, "Discharging")
    assert say_battery(tmp_path)
    supply(tmp_path, "ucsi-source-psy-2", type="USB", online="1")
    assert not say_battery(tmp_path)


def test_without_a_listed_charger_the_battery_says_it(tmp_path: Path) -> None:
    battery(tmp_path, "Charging")
    assert not say_battery(tmp_path)
    battery(tmp_path, "Unknown")
    assert not say_battery(tmp_path)
    battery(tmp_path, "Discharging", "BAT1")
    assert say_battery(tmp_path)


def test_a_supply_that_does_not_answer_is_passed_over(tmp_path: Path) -> None:
    supply(tmp_path, "AC", type="Mains")
    (tmp_path / "odd" / "type").mkdir(parents=True)
    battery(tmp_path, "Discharging")
    assert say_battery(tmp_path)


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
    supplies, folder = tmp_path / "power_supply", tmp_path / "photographs"
    battery(supplies, "Discharging")
    supply(supplies, "AC", type="Mains", online="0")
    write_scenes(folder, 2)
    monkeypatch.setattr(power_supplies, "FOLDER", supplies)
    monkeypatch.setattr(background_work, "_LOOK_EVERY_S", 0.01)
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    paused: list[str] = []

    def plug_in(done: float, total: float, text: object = "") -> None:
        if str(text) == str(PAUSED):
            paused.append(str(text))
            supply(supplies, "AC", online="1")

    def give_up(done: float, total: float, text: object = "") -> None:
        if str(text) == str(PAUSED):
            raise Cancelled

    with Library.open(tmp_path / "library.twinlens", create=True) as library:
        given_up = add(library, [folder], Adding(workers=1, pause_on_battery=True), give_up)
        assert (given_up.cancelled, given_up.added) == (True, 0)
        assert add(library, [folder], Adding(workers=1, pause_on_battery=True), plug_in).added == 2
        assert paused
        supply(supplies, "AC", online="0")
        preferences.keep(preferences.Preferences(pause_on_battery=True))
        write_scenes(folder, 3)
        assert rescan(library, give_up, workers=1).cancelled
        assert rescan(library, give_up, workers=1, pause_on_battery=False).added == 1
        preferences.keep(preferences.Preferences())
        write_scenes(folder, 4)
        assert rescan(library, give_up, workers=1).added == 1  # nobody has asked for it
