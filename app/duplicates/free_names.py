"""Names that are free in a folder, for a photograph and its companions together."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence

from app.library import volumes
from app.library.photo_export import numbered
from app.machine.disk import Disk
from app.machine.trash import NOTE, bin_around


class FreeNames:
    """The names in a folder that nothing has, and that nothing was promised.

    Parameters
    ----------
    disk : Disk
    folder : bytes
        Full path; it need not be there yet.
    """

    def __init__(self, disk: Disk, folder: bytes) -> None:
        self._folder = folder
        self._taken = {_folded(name) for name in disk.names(folder)}
        bin_of_it = bin_around(volumes.joined(folder, b"x"))
        if bin_of_it is not None:  # a note of another program is written before its file comes
            self._taken |= {_folded(name.removesuffix(NOTE)) for name in disk.names(bin_of_it.info)}

    def take(self, path: bytes, companions: Sequence[bytes]) -> tuple[bytes, list[bytes]]:
        """Take free names for a photograph and its companions; a number in one is in all of them.

        Parameters
        ----------
        path : bytes
            The photograph, wherever it lies.
        companions : sequence of bytes
            Their names begin as the photograph's does.

        Returns
        -------
        bytes
            Full path of the photograph's place.
        list of bytes
            Full paths of the companions' places.

        Raises
        ------
        OSError
            If the folder has too many files of this name.
        """
        name = os.path.basename(path)
        stem = os.path.splitext(name)[0]
        rests = [os.path.basename(one)[len(stem) :] for one in companions]
        for new in numbered(name):
            names = [new, *(os.path.splitext(new)[0] + rest for rest in rests)]
            if self._taken.isdisjoint(map(_folded, names)):
                self._taken.update(map(_folded, names))
                places = [volumes.joined(self._folder, one) for one in names]
                return places[0], places[1:]
        raise FileExistsError(errno.EEXIST, "the folder has too many files of this name", self._folder)


def _folded(name: bytes) -> str:
    """Return a name as the file system may see it: many do not tell case apart."""
    return os.fsdecode(name).casefold()
