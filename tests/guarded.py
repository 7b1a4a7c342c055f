"""Programs that run under the guard of sockets, in a home of their own that is looked at afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import COMPILED, ROOT
from tools import socket_guard

TWINLENS = (sys.executable, "-c", "from twinlens.app.cli.main import main; main()")

_OURS = ("home/.cache/twinlens", "home/.local/share/twinlens", "home/.config/twinlens")


class Guarded:
    """A place in which programs run, with nothing but its own home and folder of temporary files.

    Parameters
    ----------
    place : Path
        An empty folder.

    Attributes
    ----------
    sockets : list of str
        Those that programs asked for, so far, by which others can be reached.
    """

    def __init__(self, place: Path) -> None:
        self._place = place
        (place / "home" / ".cache" / "twinlens").mkdir(parents=True)
        (place / "temporary").mkdir()
        (place / "home" / ".cache" / "twinlens" / "compiled").symlink_to(COMPILED, target_is_directory=True)
        self.sockets: list[str] = []

    def run(self, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a program; the test is skipped where there is no guard."""
        # No name that says that this is a test: a library that tells others of its use does not do so then.
        clean = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(ROOT)])),
            "HOME": str(self._place / "home"),
            "TMPDIR": str(self._place / "temporary"),
            "LANG": "C.UTF-8",
            "QT_QPA_PLATFORM": "offscreen",
        }
        try:
            done, sockets = socket_guard.run(command, env=clean | environment, cwd=self._place)
        except socket_guard.UnguardedError as error:
            pytest.skip(str(error))
        self.sockets += sockets
        return done

    def left(self) -> list[str]:
        """List the files in the home and among the temporary ones that are none of Twinlens's own."""
        found = (path.relative_to(self._place).as_posix() for path in self._place.glob("*/**/*") if not path.is_dir())
        return sorted(path for path in found if path.startswith(("home/", "temporary/")) and not path.startswith(_OURS))
