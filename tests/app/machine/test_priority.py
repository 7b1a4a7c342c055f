"""Background processes let others go first."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

from app.machine import background_work
from core.systems import system

_TOLD = """
import ctypes, os
from app.machine.background_work import be_polite
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
