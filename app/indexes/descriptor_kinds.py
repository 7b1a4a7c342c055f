"""The kinds of descriptor that a library keeps, each with the fitted extractor that makes it.

A ready-made codebook is kept too, so that old vectors stay valid when a new version ships another one: the new kind
stands beside the old.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.indexes import fitted_models
from app.indexes.usable import usable_indexes
from app.library.library import Library
from app.methods import catalogue
from core.errors import Remedy, TwinlensError
from core.message import Message
from core.progress import Progress, silent
from core.sampling import digest_of_sample, sample
from features.descriptor import Extractor
from features.keypoints.sift import Cap
from features.pictures.picture import Picture
from storage.database.schema import PhotographState
from storage.indexes.indexes import IndexRow
from storage.library.transaction import Transaction
from storage.photographs.descriptors import KindRow
from storage.photographs.filters import Filter


def load_extractors(r: Transaction, kinds: Sequence[KindRow]) -> dict[str, Extractor]:
    """Return the extractors of kinds, by the kinds' keys."""
    return {kind.key: load_extractor(r, kind) for kind in kinds}


def load_extractor(r: Transaction, kind: KindRow) -> Extractor:
    """Return the extractor of a kind."""
    assert kind.model_id is not None, "a kind is kept with its extractor"
    return fitted_models.load_model(r, kind.model_id, catalogue.descriptor(kind.text).extractor)


def kind_of(r: Transaction, index: IndexRow) -> KindRow | None:
    """Return the kind of descriptor of an index; None while its vocabulary is not learned."""
    return next((kind for kind in r.descriptors.kinds() if kind.id == index.kind_id), None)


def make_kinds(library: Library, progress: Progress = silent) -> bool:
    """Set the kind of descriptor of every index, and learn the vocabularies that can be learned now.

    Returns
    -------
    bool
        Whether an index got its kind.
    """
    with library.store.reading() as r:
        waiting = [index for index in usable_indexes(r) if index.kind_id is None]
    made = False
    for index in waiting:
        made |= _make_kind(library, index, progress)
    return made


def _make_kind(library: Library, index: IndexRow, progress: Progress) -> bool:
    kind = learn_kind(library, index.descriptor, progress)
    if kind is None:
        return False
    with library.store.writing("giving an index its descriptor") as w:
        w.indexes.set_kind(index.id, kind.id)
    return True


def learn_kind(library: Library, written: str, progress: Progress = silent) -> KindRow | None:
    """Fit a descriptor and keep its kind; a known one is not changed.

    Parameters
    ----------
    library : Library
    written : str
        The descriptor's declaration, as :func:`app.methods.catalogue.written_declaration` gives it.
    progress : Progress

    Returns
    -------
    KindRow or None
        None if there is no photograph to learn from.

    Raises
    ------
    TwinlensError
        If it cannot be learned from the photographs.
    Cancelled
        If progress says so; nothing is kept.
    """
    descriptor = catalogue.descriptor(written)
    paths: list[bytes] = []
    sample_digest = b""
    if descriptor.learns:
        drawn = DrawnPhotographs.of(library, descriptor.sample_size, int(getattr(descriptor, "seed", 0)))
        if not drawn.paths:
            return None
        paths, sample_digest = drawn.paths, drawn.digest
        with library.store.reading() as r:
            known = r.descriptors.kind(descriptor.identity(digest=sample_digest))
        if known is not None:
            return known
    extractor = descriptor.fit(lambda: drawn_pictures(paths, descriptor.caps), progress)
    key = descriptor.identity(digest=sample_digest or extractor.pack().digest())
    with library.store.writing("keeping a vocabulary") as w:
        model_id = fitted_models.keep_model(w, key, written, extractor, sample_digest)
        return w.descriptors.add_kind(key, written, descriptor.dimensions, model_id=model_id)


@dataclass(frozen=True)
class DrawnPhotographs:
    """Photographs drawn by seed and content. Made by :meth:`of`.

    Attributes
    ----------
    paths : list of bytes
        In the order of the draw: a larger draw begins with a smaller one.
    digest : bytes
        Digest of the choice.
    """

    paths: list[bytes]
    digest: bytes

    @classmethod
    def of(cls, library: Library, count: int, seed: int) -> DrawnPhotographs:
        """Draw up to ``count`` photographs, each content once."""
        with library.store.reading() as r:
            ids, hashes = r.photographs.contents(r.photographs.matching(Filter(states=(PhotographState.READY,))))
            places = sample(hashes, count, seed)
            paths = library.paths(r, r.photographs.by_id([int(ids[place]) for place in places]))
            return cls(paths, digest_of_sample([hashes[place] for place in places]) if places else b"")


def drawn_pictures(paths: Sequence[bytes], caps: tuple[Cap, ...] = ()) -> Iterator[Picture]:
    """Yield the photographs of a sample with their local features; unreadable ones are left out."""
    from app.library import decoding  # here, since a search reads no sample

    read_any = False
    for picture in decoding.pictures((Path(os.fsdecode(path)) for path in paths), caps):
        read_any = True
        yield picture
    if paths and not read_any:
        raise TwinlensError(
            Message("Twinlens could not read any of the photos to learn a vocabulary from."), Remedy("connect disk")
        )
