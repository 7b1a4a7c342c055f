"""The kinds of descriptor that a library keeps: each made by one fitted extractor, kept with it.

A ready-made codebook is kept in the library too, so that an upgrade which ships another one leaves the old vectors
meaningful: the new kind stands beside the old.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from app import catalogue, models
from app.library import Library
from core.errors import TwinlensError
from core.progress import Progress, silent
from core.sampling import digest, sample
from features.descriptor import Descriptor, Extractor
from features.picture import Picture
from features.reading import UnreadableError, read
from storage.descriptors import KindRow
from storage.filters import Filter
from storage.indexes import IndexRow
from storage.schema import State
from storage.transaction import Transaction


def load_extractors(r: Transaction, kinds: Sequence[KindRow]) -> dict[str, Extractor]:
    """Load the extractors of kinds, by the kinds' keys."""
    return {kind.key: load_extractor(r, kind) for kind in kinds}


def load_extractor(r: Transaction, kind: KindRow) -> Extractor:
    """Load what makes the vectors of a kind."""
    assert kind.model_id is not None, "a kind is kept with its extractor"
    return models.load(r, kind.model_id, catalogue.descriptor(kind.text).extractor)


def kind_of(r: Transaction, index: IndexRow) -> KindRow | None:
    """Give the kind of descriptor that an index hashes, or None while its vocabulary is not learned."""
    return next((kind for kind in r.descriptors.kinds() if kind.id == index.kind_id), None)


def make_kinds(library: Library, progress: Progress = silent) -> bool:
    """Give every index its kind of descriptor: learn the vocabularies that can be learned now.

    Returns
    -------
    bool
        Whether an index has a kind now that had none.
    """
    with library.store.reading() as r:
        waiting = [index for index in r.indexes.all() if index.kind_id is None]
    made = False
    for index in waiting:
        made |= _make_kind(library, index, progress)
    return made


def _make_kind(library: Library, index: IndexRow, progress: Progress) -> bool:
    descriptor = catalogue.descriptor(index.descriptor)
    paths: list[bytes] = []
    sample_digest = b""
    if descriptor.learns:
        paths, sample_digest = _sample(library, descriptor)
        if not paths:
            return False
    extractor = descriptor.fit(lambda: _pictures(paths), progress)
    key = descriptor.identity(digest=sample_digest or extractor.pack().digest())
    with library.store.writing("keeping a vocabulary") as w:
        model_id = models.keep(w, key, index.descriptor, extractor, sample_digest)
        kind = w.descriptors.add_kind(key, index.descriptor, descriptor.dimensions, model_id=model_id)
        w.indexes.set_kind(index.id, kind.id)
    return True


def _sample(library: Library, descriptor: Descriptor) -> tuple[list[bytes], bytes]:
    """Choose photographs by seed and content: their paths, and the digest of the choice."""
    seed = int(getattr(descriptor, "seed", 0))
    with library.store.reading() as r:
        ids, hashes = r.photographs.contents(r.photographs.matching(Filter(states=(State.READY,))))
        places = sample(hashes, descriptor.sample_size, seed)
        rows = r.photographs.by_id([int(ids[place]) for place in places])
        return library.paths(r, rows), digest([hashes[place] for place in places]) if places else b""


def _pictures(paths: Sequence[bytes]) -> Iterator[Picture]:
    """Read the photographs of a sample; one that cannot be read any more is left out."""
    read_any = False
    for path in paths:
        try:
            picture = read(Path(os.fsdecode(path)).read_bytes())
        except (OSError, UnreadableError):
            continue
        read_any = True
        yield picture
    if paths and not read_any:
        raise TwinlensError(
            "None of the photographs for the vocabulary's sample can be read now.", "Connect their disk, then rescan."
        )
