"""Libraries of made photographs that many tests begin with, each made once in a process of tests and then copied."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.app.folders import added, write_scenes


class Libraries:
    """Libraries of the first photographs of :func:`write_scenes`, as they are when these are added.

    What is given is for all tests: they may read it, and copy it to change it.
    """

    def __init__(self, place: Path) -> None:
        self._place = place

    def photographs(self, count: int) -> Path:
        """Return a folder of so many photographs."""
        folder = self._place / str(count) / "photographs"
        if not folder.exists():
            write_scenes(folder, count)
        return folder

    def of(self, count: int) -> Path:
        """Return a library of so many photographs."""
        path = self._place / str(count) / "family.twinlens"
        if not path.exists():
            added(path, self.photographs(count))
        return path

    def copy(self, count: int, path: Path) -> Path:
        """Copy a library of so many photographs; these stay where they are, and are shared."""
        return Path(shutil.copy(self.of(count), path))

    def changeable(self, count: int, path: Path) -> Path:
        """Copy a library of so many photographs that may be changed; return their folder, as it was when it was made.

        It is one for all tests of a process, put back for each.
        """
        made = self._place / f"{count} to be changed" / "family.twinlens"
        folder = made.with_name("photographs")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.photographs(count), folder)
        if not made.exists():
            added(made, folder)
        shutil.copy(made, path)
        return folder


@pytest.fixture(scope="session")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Libraries:
    """Return the libraries of this process of tests."""
    return Libraries(tmp_path_factory.mktemp("libraries"))
