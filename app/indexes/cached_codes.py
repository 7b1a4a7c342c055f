"""Codes of a library on a server, kept on this machine: a second start fetches none."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np

from app.indexes import index_cache
from app.machine import places
from storage.indexes.index_codes import LoadedCodes
from storage.indexes.indexes import IndexRow
from storage.integrity.checksums import checksum
from storage.library.transaction import Transaction

_cache_log = logging.getLogger(__name__)


class CachedCodes:
    """The codes of every index of a library, out of the cache where they are the present ones.

    Parameters
    ----------
    library_id : str
    """

    def __init__(self, library_id: str) -> None:
        self._folder = places.cache_folder() / "codes" / library_id

    def load(self, r: Transaction, row: IndexRow) -> LoadedCodes:
        """Return the codes of an index at the moment of a transaction, as :meth:`Codes.load` does.

        Raises
        ------
        DamagedRowError
            If they are damaged in the library.
        """
        found = _read(self._folder / index_cache.index_file_name(row), row)
        if found is not None:
            return found
        loaded = r.codes.load(row.id)
        try:
            with index_cache.making_index_file(r, self._folder, row, loaded.ids.nbytes + loaded.codes.nbytes) as there:
                np.save(there / "ids.npy", loaded.ids)
                np.save(there / "codes.npy", loaded.codes)
                (there / "checksum").write_text(str(_sum(loaded)))
        except OSError as error:
            _cache_log.warning("Codes are not kept in %s: %s", self._folder, error)
        return loaded


def _read(folder: Path, row: IndexRow) -> LoadedCodes | None:
    """Read what was kept; None where nothing whole is there."""
    try:
        ids, codes = (np.load(folder / f"{name}.npy", allow_pickle=False) for name in ("ids", "codes"))
        loaded = LoadedCodes(ids, codes, row.model_id, row.codes_token)
        return loaded if (folder / "checksum").read_text() == str(_sum(loaded)) else None
    except (OSError, ValueError, EOFError):
        return None


def _sum(loaded: LoadedCodes) -> int:
    return checksum(str((loaded.ids.dtype, loaded.codes.shape)), loaded.ids.data, loaded.codes.data)
