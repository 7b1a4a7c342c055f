"""A library in a write-protected place can be searched, and says what it cannot."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from storage.library.store import Store
from tests.storage.making import batch, finished, new_store, other_program

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="write protection of folders by mode bits is missing on Windows"
)

# Mode bits do not bind root: it becomes nobody, once everything is imported (the interpreter may lie where nobody may
# not go).
_VISIT = """
import json, os, sys
from pathlib import Path
from core.errors import TwinlensError
from storage.integrity.integrity_check import check
from storage.library.store import sizes
from storage.library.store import Store
from tests.storage import making

warm = Path(sys.argv[1]) / "warm.twinlens"
with Store.open(warm, create=True) as store:
    with store.writing() as w:
        making.batch(w, 0, 3)
    with store.reading() as r:
        list(r.photographs.known(1)), r.photographs.counts(), r.codes.load(1)
    check(store), sizes(store)
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)

told = {}
try:
    with Store.open(Path(sys.argv[2]), create=len(sys.argv) > 3, wait_s=0.2) as store:
        with store.reading() as r:
            told["photographs"] = sum(r.photographs.counts().values())
            told["codes"] = len(r.codes.load(1).ids)
        told["writable"], told["version"] = store.writable, store.data_version()
        told["findings"] = len(check(store).findings)
        for name, attempt in (("writing", store.writing), ("adding", store.adding)):
            try:
                with attempt():
                    pass
            except TwinlensError as error:
                told[name] = str(error.message)
except TwinlensError as error:
    told["refused"] = str(error.message)
print(json.dumps(told))
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """Yield a folder that everybody may enter."""
    made = Path(tempfile.mkdtemp(prefix="twinlens-"))
    made.chmod(0o755)
    yield made
    made.chmod(0o755)
    shutil.rmtree(made)


def _visit(tmp_path: Path, path: Path, *more: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(finished(other_program(_VISIT, tmp_path, path, *more)))
    return told


def _protect(folder: Path) -> None:
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)


def test_a_closed_library_is_read_alone(tmp_path: Path, folder: Path) -> None:
    with new_store(folder) as store, store.writing() as w:
        batch(w, 0, 50)
    _protect(folder)
    told = _visit(tmp_path, folder / "library.twinlens")
    assert "refused" not in told, told
    assert told["photographs"] == told["codes"] == 50
    assert told["writable"] is False
    assert told["findings"] == 0
    assert "can only be read" in told["writing"]
    assert "can only be read" in told["adding"]
    assert sorted(path.name for path in folder.iterdir()) == ["library.twinlens"]


def test_a_protected_file_in_a_free_folder(tmp_path: Path, folder: Path) -> None:
    with new_store(folder) as store, store.writing() as w:
        batch(w, 0, 50)
    store.address.path.chmod(0o444)
    folder.chmod(0o777)
    told = _visit(tmp_path, store.address.path)
    assert told["photographs"] == 50
    assert told["writable"] is False


def test_a_library_that_another_user_has_open(tmp_path: Path, folder: Path) -> None:
    with new_store(folder) as store:
        with store.writing() as w:
            batch(w, 0, 50)
        for file in folder.glob("library.twinlens*"):  # its owner shares it: a new one is private
            file.chmod(0o644)
        if os.geteuid() != 0:
            folder.chmod(0o555)
            store.address.path.chmod(0o444)
        told = _visit(tmp_path, store.address.path)
        folder.chmod(0o755)
    assert told["photographs"] == 50
    assert told["writable"] is False


def test_a_journal_that_cannot_be_read_is_not_passed_over(tmp_path: Path, folder: Path) -> None:
    made = tmp_path / "made"
    with new_store(made) as store:
        with store.writing() as w:
            batch(w, 0, 50)
        for name in ("library.twinlens", "library.twinlens-wal"):
            shutil.copy(made / name, folder / name)
    _protect(folder)
    assert "cannot be opened" in _visit(tmp_path, folder / "library.twinlens")["refused"]


def test_no_library_can_be_made_there(tmp_path: Path, folder: Path) -> None:
    _protect(folder)
    assert "cannot be opened" in _visit(tmp_path, folder / "library.twinlens", "create")["refused"]
    assert "cannot be made" in _visit(tmp_path, folder / "below" / "library.twinlens", "create")["refused"]


def test_an_open_library_is_closed_before_it_is_writable_again(folder: Path) -> None:
    with new_store(folder) as store:
        assert store.writable
    with Store.open(store.address.path) as again:
        assert again.writable
