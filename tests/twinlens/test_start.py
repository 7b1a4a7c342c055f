"""Ctrl-C while a command or the window only begins ends it without a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

_PROGRAM = """
import os, signal, sys

script, module, *sys.argv[1:] = sys.argv[1:]


class Interrupting:
    def find_spec(self, name, *_):
        if name == module:
            os.write(1, b"interrupted")
            signal.raise_signal(signal.SIGINT)


sys.meta_path.insert(0, Interrupting())
from twinlens import start

getattr(start, script)()
"""
"""A script that is interrupted at the moment at which it imports a module."""


@pytest.mark.parametrize(
    ("script", "module"),
    [
        ("command", "app.cli.main"),
        ("command", "pydantic"),
        ("command", "app.cli.library"),
        ("window", "app.gui.frame.start"),
    ],
)
def test_ctrl_c_while_it_imports(script: str, module: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, script, module, "status", "--library", str(tmp_path / "a.twinlens")],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert done.stdout.startswith(b"interrupted")
    assert done.returncode == 130
    assert b"Traceback" not in done.stderr


def test_who_has_it_ignored_is_obeyed() -> None:
    program = (
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); from twinlens import start; start._end_quietly();"
        "assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN"
    )
    subprocess.run([sys.executable, "-c", program], env=os.environ | {"PYTHONPATH": str(ROOT)}, check=True)
