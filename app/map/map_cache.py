"""Maps that were made, in the cache folder: made again when they are deleted, never made twice while they are there."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.bench.array_file import open_npz
from app.library.library import Library
from app.machine import app_folders
from core.arrays import Float32Vectors, Int64Rows
from core.errors import TwinlensError
from core.files import private_files
from core.files.untrusted_input import parse_json, reading
from core.message import Message

_KEPT = 24
"""Maps of one library; the oldest go."""

_FORGOTTEN_S = 3600.0
_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class KeptMap:
    """Places of photographs on a map, and the hash of each vector when it was placed.

    Attributes
    ----------
    ids : ndarray of int64, (n,)
        Ascending.
    vectors : ndarray of uint64, (n,)
        A hash of the vector of each.
    xy, shown_at : ndarray of float32, (n, 2) and (n,)
    silent, placed : int
    kept_neighbours, seconds : float
    """

    ids: Int64Rows
    vectors: npt.NDArray[np.uint64]
    xy: Float32Vectors
    shown_at: Float32Vectors
    silent: int
    placed: int
    kept_neighbours: float
    seconds: float


def load_map(library: Library, manner: str, key: str) -> KeptMap | None:
    """Return the map of a key, or None."""
    return _read(_folder(library) / _name(manner, key))


def newest_map(library: Library, manner: str) -> KeptMap | None:
    """Return the map that was made last in some manner, of whatever photographs; None where there is none."""
    files = sorted(_folder(library).glob(f"{manner[:20]}-*.npz"), key=_age)
    return next((found for file in reversed(files) if (found := _read(file)) is not None), None)


def keep_map(library: Library, manner: str, key: str, made: KeptMap) -> None:
    """Keep a map under a key. Where nothing can be written, nothing is kept and nothing fails."""
    folder = _folder(library)
    numbers = {
        "silent": made.silent,
        "placed": made.placed,
        "kept_neighbours": made.kept_neighbours,
        "seconds": made.seconds,
    }
    try:
        private_files.make_folder(folder)
        with tempfile.NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as file:
            try:
                np.savez(
                    file,
                    ids=made.ids,
                    vectors=made.vectors,
                    xy=made.xy,
                    shown_at=made.shown_at,
                    numbers=np.frombuffer(json.dumps(numbers).encode(), np.uint8),
                )
                file.close()
                os.replace(file.name, folder / _name(manner, key))
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
        before = 1e9 * (time.time() - _FORGOTTEN_S)
        left = [part for part in folder.glob("*.part") if _age(part)[0] < before]  # of programs that were killed
        for old in (*sorted(folder.glob("*.npz"), key=_age)[:-_KEPT], *left):
            old.unlink(missing_ok=True)
    except OSError as error:
        _log.warning("Maps are not kept in %s: %s", folder, error)


def _folder(library: Library) -> Path:
    return app_folders.cache_folder() / "maps" / library.store.id


def _name(manner: str, key: str) -> str:
    return f"{manner[:20]}-{key[:40]}.npz"


def _age(file: Path) -> tuple[int, str]:
    with contextlib.suppress(OSError):
        return file.stat().st_mtime_ns, file.name
    return 0, file.name


def _read(file: Path) -> KeptMap | None:
    """Read a map; one that is damaged is none."""
    try:
        with reading(file, Message("{file} is no map", file=file)), open_npz(file) as arrays:
            numbers = parse_json(arrays["numbers"].tobytes())
            columns: dict[str, Any] = {name: arrays[name] for name in ("ids", "vectors", "xy", "shown_at")}
            n = len(columns["ids"])
            shapes = {"ids": (n,), "vectors": (n,), "xy": (n, 2), "shown_at": (n,)}
            if any(columns[name].shape != shape for name, shape in shapes.items()):
                return None
            return KeptMap(**columns, **numbers)
    except TwinlensError:
        return None
