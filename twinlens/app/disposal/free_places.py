"""Free places for files that move: names that no file has, for a photograph and its sidecar files together."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Sequence

from twinlens.app.library import volumes
from twinlens.app.library.photo_export import numbered
from twinlens.app.machine import trash
from twinlens.app.machine.disk import Disk, why_not
from twinlens.app.machine.trash import NOTE, bin_around
from twinlens.storage.disposals import MovedCompanion


class FreePlaces:
    """Free places for files: in a folder, or each in the trash of its disk.

    Parameters
    ----------
    promised : iterable of bytes
        Full paths of places that other files will have.
    """

    def __init__(self, disk: Disk, folder: bytes | None, promised: Iterable[bytes] = ()) -> None:
        self._disk = disk
        self._folder = folder
        self._promised = list(promised)
        self._names: dict[bytes, FreeNames] = {}
        self._volumes: dict[bytes, str] = {}

    def take(self, path: bytes, beside: Sequence[MovedCompanion]) -> tuple[bytes | None, tuple[MovedCompanion, ...]]:
        """Take free places for a photograph and its companions that have none; a trash of the system has no places."""
        going = [one for one in beside if one.lies_at is None]
        folder = self._folder
        if folder is None:
            if not trash.can_restore():
                return None, tuple(beside)
            folder = trash.bin_for(path, self._disk).files
        if folder not in self._names:
            self._names[folder] = FreeNames(self._disk, folder, self._promised)
        try:
            lies_at, places = self._names[folder].take(path, [one.path for one in going])
        except FileExistsError as error:
            raise why_not(error, self._folder or b"") from error
        placed = dict(zip(going, places, strict=True))
        return lies_at, tuple(one._replace(lies_at=placed.get(one, one.lies_at)) for one in beside)

    def volumes(self, paths: Iterable[bytes | None]) -> dict[str, str]:
        """Return the volumes of the folders of some places, as the log keeps them."""
        folders = sorted({os.path.dirname(path) for path in paths if path is not None})
        for folder in [one for one in folders if one not in self._volumes]:
            self._volumes[folder] = self._disk.volume_of(folder)
        return {folder.decode("utf-8", "surrogateescape"): self._volumes[folder] for folder in folders}


class FreeNames:
    """The free names in a folder: no file has one, and none was taken here before.

    Parameters
    ----------
    folder : bytes
        Full path; it need not be there yet.
    promised : iterable of bytes
        Full paths of places that other files will have.
    """

    def __init__(self, disk: Disk, folder: bytes, promised: Iterable[bytes] = ()) -> None:
        self._folder = folder
        names = [os.path.basename(place) for place in promised if os.path.dirname(place) == folder]
        self._taken = {_folded(name) for name in [*disk.names(folder), *names]}
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
    """Return a name as a file system may compare it: many ignore case."""
    return os.fsdecode(name).casefold()
