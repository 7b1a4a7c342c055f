"""The memory that a worker may take follows from the machine, the number of workers and the preferences."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.library.workers.capacity import preferred_limits, usual_allowance
from app.machine.app_folders import preferences_file
from core.systems import system


@given(st.integers(1, 256), st.integers(1 << 28, 1 << 42))
def test_all_processes_together_take_a_share_of_the_machine(workers: int, machine: int) -> None:
    each = usual_allowance(workers, machine)
    assert 256 << 20 <= each <= 2048 << 20
    assert each == 256 << 20 or each * workers <= machine * 0.75


def test_what_is_preferred_goes_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path))
    assert preferred_limits(3).memory_bytes == usual_allowance(3)
    preferences_file().write_text('{"key": "preferences", "worker_memory": 400}')  # as versions before wrote it
    limits = preferred_limits(3)
    assert limits.memory_bytes == limits.picture.memory_bytes == 400 << 20


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has control groups")
def test_a_container_with_less_memory_than_its_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limited, unlimited = tmp_path / "limited", tmp_path / "unlimited"
    limited.write_text("314572800\n")
    unlimited.write_text("max\n")
    monkeypatch.setattr(system, "CONTROL_GROUPS", (unlimited, tmp_path / "missing"))
    whole = system.memory_bytes()
    assert whole > 314572800
    monkeypatch.setattr(system, "CONTROL_GROUPS", (unlimited, limited))
    assert system.memory_bytes() == 314572800


_HELD = """
import numpy as np
from app.library.workers.process_memory import give_back, hold_to
from core.systems import system
from features.reading.reading_limits import RESTING_BYTES, Limits

small = [bytearray(50_000) for _ in range(6_000)]  # each too small for the C library to return it at once
last = bytearray(50_000)
del small
before = system.resident_memory()
give_back()
print(before - system.resident_memory())
hold_to(400 << 20)
np.ones((400 << 20) - RESTING_BYTES, np.uint8)  # what a picture may take
try:
    np.ones(400 << 20, np.uint8)
except MemoryError:
    print(Limits(400 << 20).exceeded("PNG").message)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has such a limit")
def test_a_process_is_held_to_its_allowance_and_gives_memory_back() -> None:
    told = subprocess.run([sys.executable, "-c", _HELD], capture_output=True, text=True, check=True, timeout=60).stdout
    given_back, sentence = told.splitlines()
    assert int(given_back) > 100 << 20
    assert sentence == "This PNG picture takes more than the 400 MB of memory that Twinlens allows."
