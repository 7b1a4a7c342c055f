"""What one can search with: a photograph of the library, or any picture file."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.descriptor_kinds import load_extractors
from app.extraction import describe
from app.library import Library
from app.results import shown
from core.errors import TwinlensError
from features.reading import read
from storage.descriptors import KindRow
from storage.photograph_rows import PhotographRow
from storage.schema import State
from storage.transaction import Transaction

Vector = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Query:
    """A picture that was asked with.

    Attributes
    ----------
    name : str
        Its path, for people.
    photograph : PhotographRow or None
        If it is a photograph of the library, unchanged since it was read.
    data : bytes
        Its file, if it is none.
    """

    name: str
    photograph: PhotographRow | None
    data: bytes = b""

    def vectors(self, r: Transaction, kinds: Sequence[KindRow]) -> tuple[dict[int, Vector], float]:
        """Give its descriptors, exactly as the library would keep them.

        Parameters
        ----------
        r : Transaction
        kinds : sequence of KindRow

        Returns
        -------
        vectors : dict of int to ndarray of float32
            By the kinds' ids.
        seconds : float
            That describing the picture took; 0 where the library has everything.

        Raises
        ------
        UnreadableError
            If the picture cannot be read.
        """
        vectors: dict[int, Vector] = {}
        if self.photograph is not None:
            for kind in kinds:
                stored, present = r.descriptors.read(kind, [self.photograph.id])
                if present[0]:
                    vectors[kind.id] = stored[0].astype(np.float32)
        lacking = [kind for kind in kinds if kind.id not in vectors]
        if not lacking:
            return vectors, 0.0
        started = time.perf_counter()
        picture = read(self.data or file_bytes(Path(self.name)), self.name)
        extractors = load_extractors(r, lacking)
        for kind in lacking:
            vectors[kind.id] = describe(extractors[kind.key], picture).astype(np.float32)
        return vectors, time.perf_counter() - started


def find_query(library: Library, r: Transaction, picture: Path | int) -> Query:
    """Look up what a person named: a file anywhere, or the id of a photograph.

    Raises
    ------
    TwinlensError
        If there is no such file or photograph.
    """
    if isinstance(picture, int):
        rows = r.photographs.by_id([picture])
        if not rows:
            raise TwinlensError(f"The library has no photograph {picture}.", "Ids stand in the answers of a search.")
        return Query(shown(library.paths(r, rows)[0]), rows[0])
    path = os.path.abspath(os.fsencode(picture.expanduser()))
    place = library.place(r, path)
    row = None if place is None else r.photographs.by_path(*place)
    if row is not None and row.state is State.READY and _unchanged(path, row):
        return Query(shown(path), row)
    return Query(shown(path), None, file_bytes(Path(os.fsdecode(path))))


def _unchanged(path: bytes, row: PhotographRow) -> bool:
    """Tell whether a file is as it was read; one whose disk is away counts as unchanged."""
    try:
        status = os.stat(path)
    except OSError:
        return True
    return (status.st_size, status.st_mtime_ns) == (row.size, row.mtime_ns)


def file_bytes(path: Path) -> bytes:
    """Read a file that a person named; TwinlensError where that cannot be."""
    name = shown(os.fsencode(path))
    try:
        if path.is_dir():
            raise TwinlensError(f"{name} is a folder.", "Name one picture.")
        if not path.is_file():
            raise TwinlensError(f"There is no picture {name}.", "Check the spelling.")
        return path.read_bytes()
    except OSError as error:
        raise TwinlensError(f"{name} cannot be read: {error.strerror}.", "Check its permissions.") from None
