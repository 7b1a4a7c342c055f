"""Tables of numbers from .hdf5 files that nobody vouches for: what lies in the file itself, and nothing it points to.

HDF5 can name other files, as links, as external storage and as parts of a virtual data set, and so make whoever reads
it copy any file of theirs; it can claim any size that it does not fill; and it can ask for plug-ins. All are refused.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.bench.array_file import NOT_PLAIN, most_unpacked
from core.errors import InvalidError
from core.files.untrusted_input import check_kind
from core.message import Message

HDF5_ENDINGS = (".hdf5", ".h5")

_MOST_NAMES = 1000
_FILTERS = {1, 2, 3, 4, 5, 6, 32_000}
"""Ways of packing that come with HDF5 and h5py: deflate, shuffle, checksums, szip, n-bit, scale-offset, LZF."""


@contextmanager
def open_hdf5(file: Path) -> Iterator[Any]:
    """Open a .hdf5 for reading, as h5py gives it.

    Raises
    ------
    OSError, ValueError
        If it cannot be read.
    """
    import h5py

    check_kind(file.stat())
    with h5py.File(file, "r") as opened:
        if len(opened) > _MOST_NAMES:
            raise InvalidError(Message("it holds {count} arrays", count=len(opened)))
        yield opened


def read_hdf5(opened: Any, name: str) -> npt.NDArray[Any]:
    """Read one array of an open .hdf5.

    Raises
    ------
    OSError, ValueError
        If it is no array of numbers or words, lies elsewhere, or claims more than the file can hold.
    """
    import h5py

    if not isinstance(opened.get(name, getlink=True), h5py.HardLink):
        raise InvalidError(Message("“{name}” only points elsewhere, which is not followed", name=name))
    found = opened[name]
    if not isinstance(found, h5py.Dataset):
        raise InvalidError(Message("“{name}” is no array", name=name))
    if found.is_virtual or found.external:
        raise InvalidError(Message("the numbers of “{name}” lie in other files, which are not opened", name=name))
    if found.shape is None or found.dtype.kind not in "biufcSU":
        raise InvalidError(NOT_PLAIN)
    packing = found.id.get_create_plist()
    if any(packing.get_filter(place)[0] not in _FILTERS for place in range(packing.get_nfilters())):
        raise InvalidError(Message("“{name}” is packed in an unusual way", name=name))
    claimed = math.prod(found.shape) * found.dtype.itemsize
    size = Path(opened.filename).stat().st_size
    chunk = math.prod(found.chunks or ()) * found.dtype.itemsize
    if max(claimed, chunk) > (most_unpacked(size) if found.chunks else max(size, found.id.get_storage_size())):
        raise InvalidError(
            Message(
                "“{name}” says that it holds {claimed} bytes of numbers, and the file has {has}",
                name=name,
                claimed=claimed,
                has=size,
            )
        )
    return np.asarray(found[()])
