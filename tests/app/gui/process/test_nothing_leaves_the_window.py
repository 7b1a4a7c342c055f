"""The window, and the processes that it starts, reach for no other machine and leave nothing in a person's folders."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.app.folders import write_scenes
from tests.guarded import TWINLENS, Guarded

WINDOW = """
import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.gui.frame.main_window import MainWindow
from tools.portrait import settle
from app.gui.frame.single_instance import SingleInstance
from storage.database.address import Address

application = QApplication(["twinlens"])
library, photograph = Path(sys.argv[1]), Path(sys.argv[2])
single = SingleInstance(Address.of(library))
assert not single.hand_over([])
frame = MainWindow(library)
frame.show()
settle(frame, 50)
frame.take_files([photograph])
settle(frame, 50)
for view in ("library", "duplicates", "compare", "map", "learn", "lab"):
    frame.workspace.show_view(view)
    settle(frame, 50)
frame._show_settings()
settle(frame, 50)
print(frame.workspace.searching.view.grid.rows().ids.size)
frame.finish()
single.close()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the guard of sockets is Linux's")
def test_no_socket_and_no_foreign_file(tmp_path: Path) -> None:
    guarded = Guarded(tmp_path)
    photographs = write_scenes(tmp_path / "photographs", 4)
    library = str(tmp_path / "family.twinlens")
    done = guarded.run(*TWINLENS, "--library", library, "add", str(tmp_path / "photographs"), "--workers", "1")
    assert done.returncode == 0, done.stderr
    done = guarded.run(sys.executable, "-c", WINDOW, library, str(photographs[2]), TWINLENS_PLAIN="1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-1] == "4"  # it has searched
    assert guarded.sockets == []
    assert guarded.left() == []
