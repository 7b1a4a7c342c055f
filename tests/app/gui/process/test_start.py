"""The start of the window where there is no screen."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there always is a screen")
@pytest.mark.parametrize("display", [{}, {"DISPLAY": ":54321"}], ids=["none", "one that does not answer"])
def test_a_start_without_a_screen_ends_with_a_sentence(display: dict[str, str]) -> None:
    told = ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY")
    environment = {name: value for name, value in os.environ.items() if name not in told} | display
    program = "from app.gui.frame.start import main\nmain()"
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert "no screen" in done.stderr
