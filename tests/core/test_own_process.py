"""A module runs in a process of its own, by the command for sources and by that for a bundle."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT
from core import own_process

TELL = """
import json, os, sys
print(json.dumps([__name__, sys.argv[1:], {name: os.environ.get(name) for name in ("LD_LIBRARY_PATH", "_PYI_X")}]))
"""


def run(command: list[str], folder: Path, **environment: str) -> str:
    ended = subprocess.run(
        command,
        cwd=folder,
        env={**own_process.environment(), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.stderr, ended.returncode) == ("", 0)
    return ended.stdout


def test_nothing_is_imported_from_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / "core.py").write_text("raise SystemExit('a file of somebody')")
    run(own_process.command("core.own_process"), tmp_path)


def test_a_bundle_is_told_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert own_process.command("a.module", "x") == [sys.executable, own_process.RUN, "a.module", "x"]


def test_the_entry_of_a_bundle_runs_it_and_gives_the_environment_back(tmp_path: Path) -> None:
    (tmp_path / "telling.py").write_text(TELL)
    entry = [sys.executable, str(ROOT / "tools" / "distribution" / "bundle_entry.py")]
    variables = {
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(tmp_path)]),
        "LD_LIBRARY_PATH": "/bundle",
        "LD_LIBRARY_PATH_ORIG": "/before",
        "_PYI_X": "1",
    }
    told = run([*entry, own_process.RUN, "telling", "a", "-b"], tmp_path, **variables)
    assert json.loads(told) == ["__main__", ["a", "-b"], {"LD_LIBRARY_PATH": "/before", "_PYI_X": None}]
    assert run([*entry, "--version"], tmp_path, **variables).startswith("twinlens ")
