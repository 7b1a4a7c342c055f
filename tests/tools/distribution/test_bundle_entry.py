"""The first module of a bundle gives other programs their environment back, and is the command line."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from conftest import ROOT
from tools.distribution import bundle_entry


def test_the_environment_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"LD_LIBRARY_PATH": "/bundle", "LD_LIBRARY_PATH_ORIG": "/before", "_PYI_X": "1"}.items():
        monkeypatch.setenv(name, value)
    bundle_entry.give_back_environment()
    assert {name: os.environ.get(name) for name in ("LD_LIBRARY_PATH", "_PYI_X")} == {
        "LD_LIBRARY_PATH": "/before",
        "_PYI_X": None,
    }


def test_it_is_the_command_line() -> None:
    entry = [sys.executable, str(ROOT / "tools" / "distribution" / "bundle_entry.py"), "--version"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    assert subprocess.run(entry, env=environment, capture_output=True, text=True, check=True).stdout.startswith(
        "twinlens "
    )
