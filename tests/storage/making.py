"""Small libraries for the tests of this folder, programs that use them, and plans of their statements."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Int64Ids
from twinlens.storage.indexes.indexes import IndexRow
from twinlens.storage.library.store import Store, Transaction
from twinlens.storage.photographs.descriptors import KindRow
from twinlens.storage.photographs.photographs import NewFile, ReadFile

ROOT = Path(__file__).resolve().parents[2]
DIMENSIONS = 8
BYTES = 4


def new_store(folder: Path, wait_s: float = 5.0) -> Store:
    """Make an empty library, a copy of one that was made once: opening it takes a sixth of the time."""
    path = folder / "library.twinlens"
    folder.mkdir(exist_ok=True)
    if not path.exists():
        path.write_bytes(_empty_library())
    return Store.open(path, wait_s=wait_s)


@cache
def _empty_library() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "library.twinlens"
        Store.open(path, create=True).close()
        return path.read_bytes()


def files(start: int, stop: int, folder: bytes = b"pictures") -> list[NewFile]:
    """Make files up, in path order."""
    return [NewFile(b"%s/%05d.jpg" % (folder, i), 1000 + i, 10**18 + i) for i in range(start, stop)]


def read(i: int, **facts: Any) -> ReadFile:
    """Make up what reading a photograph told."""
    usual: dict[str, Any] = {
        "content_hash": i.to_bytes(32, "big"),
        "format": "JPEG",
        "width": 640,
        "height": 480,
        "orientation": 1,
        "taken": None,
        "camera": None,
    }
    return ReadFile(id=i, **(usual | facts))


def volume(w: Transaction) -> int:
    """Return the one volume of the tests."""
    return w.volumes.seen("volume-1", "Disk", b"/mnt/disk")


def register(w: Transaction, new: list[NewFile]) -> Int64Ids:
    """Register files on the one volume."""
    return w.photographs.register(volume(w), None, new)


def vectors(ids: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """Make vectors up that differ between photographs."""
    made: npt.NDArray[np.float32] = np.add.outer(np.asarray(ids), np.arange(DIMENSIONS) / 8).astype(np.float32)
    return made


def codes(ids: npt.ArrayLike) -> npt.NDArray[np.uint8]:
    """Make codes up that differ between photographs."""
    return np.asarray(ids, "<u4")[:, None].view(np.uint8).reshape(-1, BYTES)


def index(w: Transaction) -> tuple[KindRow, IndexRow, int]:
    """Return the one fitted index of the tests, with its kind of descriptor and its model."""
    kind = w.descriptors.add_kind("kind", "colour", DIMENSIONS)
    model = w.models.put("model", "Encoder", "lsh", {"bits": 32}, {"hyperplanes": np.eye(3)})
    known = w.indexes.by_name("Colours")
    if known is None:
        known = w.indexes.add("Colours", "colour", "lsh", "scan", kind_id=kind.id)
        w.codes.replace(known.id, model, 0, np.empty(0, np.int64), np.empty((0, BYTES), np.uint8))
    return kind, known, model


def batch(w: Transaction, start: int, stop: int) -> Int64Ids:
    """Register and read files, with everything that belongs to them."""
    kind, known, model = index(w)
    ids = register(w, files(start, stop))
    w.photographs.record([read(i) for i in ids.tolist()])
    w.descriptors.put(kind, ids, vectors(ids))
    w.codes.put(known.id, model, ids, codes(ids))
    return ids


def other_program(code: str, *arguments: str | Path) -> subprocess.Popen[str]:
    """Start another program that imports the same code and sees its arguments in ``sys.argv``."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code, *map(str, arguments)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(program: subprocess.Popen[str]) -> str:
    """Wait for another program that is to succeed, and give what it printed."""
    out, err = program.communicate(timeout=120)
    assert program.returncode == 0, err
    return out


@contextmanager
def plans(moment: Transaction, explain: str = "EXPLAIN QUERY PLAN") -> Iterator[list[str]]:
    """Collect the plans of the statements that are executed inside the block."""
    from tests.statements import sent_values  # imports SQLAlchemy and pytest, which other programs would pay for

    found: list[str] = []
    with sent_values() as statements:
        yield found
    for statement, values in statements:
        found.append(str(moment.connection.exec_driver_sql(f"{explain} {statement}", tuple(values)).all()))
