"""The window ends cleanly when it is told to from outside, whatever it is at, and leaves no process behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app.library.library import Library
from app.machine.preferences import Preferences, keep
from storage.integrity.integrity_check import check
from tests.app.folders import write_scenes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no such signals")

# The window sends itself the signal once it is at the stage that is named; the end is printed when all is closed.
_PROGRAM = """
import os, signal, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog
import app.gui.frame.start as start
from storage.database.address import Address

signal.signal(signal.SIGINT, signal.default_int_handler)  # a run in the background hands down that it is ignored
application = QApplication([])
library, folder, stage, number = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])

class Frame(start.MainWindow):
    def __init__(self, path):
        super().__init__(path)
        self.end = lambda: os.kill(os.getpid(), number)
        if stage == "opening":
            QTimer.singleShot(0, self.end)
        elif stage == "asking":
            self.opened.connect(self.ask)
        else:
            self.opened.connect(self.add)

    def add(self):
        self.workspace.adding.progressed.connect(self.on_progress)
        self.take_files([folder])

    def ask(self):
        self.dialog = QDialog(self)
        QTimer.singleShot(0, self.end)
        self.dialog.exec()

    def on_progress(self, done, total, text):
        if done > 0:
            self.status.toggle_pause()
            self.end()

start.MainWindow = Frame
code = start.show_window(Address.of(library), [])
print("closed", code, flush=True)
"""


@pytest.mark.parametrize(
    ("stage", "number"),
    [
        ("opening", signal.SIGTERM),
        ("asking", signal.SIGTERM),
        ("paused", signal.SIGINT),
    ],
)
def test_a_signal_closes_the_window_at_every_stage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str, number: int
) -> None:
    write_scenes(tmp_path / "photographs", 4)
    path = tmp_path / "a.twinlens"
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep(Preferences(workers=1))  # another would have to start, too
    environment = os.environ | {"TWINLENS_PLAIN": "1"}  # nothing to compile
    words = [sys.executable, "-c", _PROGRAM, str(path), str(tmp_path / "photographs"), stage, str(int(number))]
    # Worker processes hold the outputs too: it returns only when the last of them has ended.
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout.split() == ["closed", str(128 + number)], done.stderr
    assert "Traceback" not in done.stderr
    beside = sorted(one.name for one in tmp_path.iterdir() if one.name.startswith("a.twinlens"))
    assert beside == ["a.twinlens"]  # no lock and no journal: it was closed, not dropped
    with Library.open(path) as library:
        assert check(library.store).findings == []
