"""What one can search with: a photograph of the library, any picture file, the bytes of one, parts; and colours."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app import catalogue
from app.asking import Example, Region
from app.descriptor_kinds import load_extractors
from app.extraction import describe
from app.library import Library
from app.results import shown
from core.errors import TwinlensError
from features.cropping import read_part
from features.palette import Palette, painted, palette_vector, refuse_colours
from features.picture import Picture
from features.reading import read
from storage.descriptors import KindRow
from storage.photograph_rows import PhotographRow
from storage.schema import State
from storage.transaction import Transaction

Vector = npt.NDArray[np.float32]

_KEPT = 64
_UNNAMED = "a picture"


class DescribedPictures:
    """Vectors of pictures that the library does not keep: who asks on, with another weight say, waits no second time.

    Safe to use from several threads; keeps the last few.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._vectors: OrderedDict[tuple[bytes, str], Vector] = OrderedDict()

    def get(self, picture: bytes, kind: KindRow) -> Vector | None:
        """Give the vector of a picture, by its digest."""
        with self._lock:
            return self._vectors.get((picture, kind.key))

    def keep(self, picture: bytes, kind: KindRow, vector: Vector) -> None:
        """Keep a vector; the one that was kept first goes where there are many."""
        with self._lock:
            self._vectors[picture, kind.key] = vector
            while len(self._vectors) > _KEPT:
                self._vectors.popitem(last=False)


@dataclass(frozen=True)
class Query:
    """A picture that was asked with.

    Attributes
    ----------
    name : str
        Its path, for people; the colours of a palette.
    photograph : PhotographRow or None
        If it is a photograph of the library, unchanged since it was read.
    path : bytes or None
        Its file; None where it came as bytes.
    data : bytes
        Its contents, if it is no photograph of the library.
    region : tuple of float or None
        The part of it that is meant.
    sketch : bool
        It is a sketch.
    palette : Palette or None
        The colours that were asked with, where it is no picture at all.
    """

    name: str
    photograph: PhotographRow | None
    path: bytes | None
    data: bytes = b""
    region: Region | None = None
    sketch: bool = False
    palette: Palette | None = None

    def vectors(
        self, r: Transaction, kinds: Sequence[KindRow], described: DescribedPictures
    ) -> tuple[dict[int, Vector], float]:
        """Give its descriptors, exactly as the library would keep them.

        Parameters
        ----------
        r : Transaction
        kinds : sequence of KindRow
        described : DescribedPictures
            What was described before.

        Returns
        -------
        vectors : dict of int to ndarray of float32
            By the kinds' ids.
        seconds : float
            That describing the picture took; 0 where all was known.

        Raises
        ------
        TwinlensError
            If the picture cannot be read, or a descriptor cannot answer a palette or a sketch.
        """
        if self.palette is not None:
            return _palette_vectors(r, kinds, self.palette)
        if self.sketch:
            for kind in kinds:
                refuse_colours(catalogue.descriptor(kind.text), "A sketch")
        vectors: dict[int, Vector] = {}
        if self.photograph is not None and self.region is None:
            for kind in kinds:
                stored, present = r.descriptors.read(kind, [self.photograph.id])
                if present[0]:
                    vectors[kind.id] = stored[0].astype(np.float32)
        lacking = [kind for kind in kinds if kind.id not in vectors]
        if not lacking:
            return vectors, 0.0
        started = time.perf_counter()
        data = self._contents()
        digest = hashlib.sha256(repr((self.name, self.region)).encode() + hashlib.sha256(data).digest()).digest()
        for kind in lacking:
            known = described.get(digest, kind)
            if known is not None:
                vectors[kind.id] = known
        lacking = [kind for kind in lacking if kind.id not in vectors]
        if not lacking:
            return vectors, 0.0
        picture = self._picture(data)
        extractors = load_extractors(r, lacking)
        for kind in lacking:
            vectors[kind.id] = describe(extractors[kind.key], picture).astype(np.float32)
            described.keep(digest, kind, vectors[kind.id])
        return vectors, time.perf_counter() - started

    def _picture(self, data: bytes) -> Picture:
        picture = read(data, self.name) if self.region is None else read_part(data, self.region, self.name)
        return painted(picture) if self.sketch else picture

    def _contents(self) -> bytes:
        if self.path is None or (self.photograph is None and self.data):
            return self.data
        path = Path(os.fsdecode(self.path))
        if self.photograph is not None and not path.is_file():
            raise TwinlensError(
                f"The file of {self.name} is not there now, and the library alone cannot tell what is asked of it.",
                "Connect its disk, or ask with another photograph.",
            )
        return file_bytes(path)


def _palette_vectors(r: Transaction, kinds: Sequence[KindRow], palette: Palette) -> tuple[dict[int, Vector], float]:
    """Describe an imagined picture, in the numbers that the library keeps."""
    started = time.perf_counter()
    described = [(kind, catalogue.descriptor(kind.text)) for kind in kinds]
    for _, declared in described:
        refuse_colours(declared, "A palette")
    extractors = load_extractors(r, kinds)
    vectors = {
        kind.id: palette_vector(declared, extractors[kind.key], palette).astype("<f2").astype(np.float32)
        for kind, declared in described
    }
    return vectors, time.perf_counter() - started


def find_query(library: Library, r: Transaction, example: Example) -> Query:
    """Look up what a person named: a file anywhere, the id of a photograph, the bytes of a picture, or colours.

    Raises
    ------
    TwinlensError
        If there is no such file or photograph.
    """
    picture, region, sketch = example.picture, example.region, example.sketch
    if isinstance(picture, Palette):
        return Query(picture.text(), None, None, palette=picture)
    if isinstance(picture, bytes):
        return Query(_UNNAMED, None, None, picture, region, sketch)
    if isinstance(picture, int):
        rows = r.photographs.by_id([picture])
        if not rows:
            raise TwinlensError(f"The library has no photograph {picture}.", "Ids stand in the answers of a search.")
        path = library.paths(r, rows)[0]
        return Query(shown(path), rows[0], path, region=region, sketch=sketch)
    path = os.path.abspath(os.fsencode(picture.expanduser()))
    place = library.place(r, path)
    row = None if place is None else r.photographs.by_path(*place)
    if row is not None and row.state is State.READY and _unchanged(path, row):
        return Query(shown(path), row, path, region=region, sketch=sketch)
    return Query(shown(path), None, path, file_bytes(Path(os.fsdecode(path))), region, sketch)


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
