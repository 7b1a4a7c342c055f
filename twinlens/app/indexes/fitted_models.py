"""Fitted models of a library: kept once under their identity, loaded without pickle.

The kinds of descriptor that it keeps, each with the fitted extractor that makes it; and which indexes can be used
here: all but those whose declarations come from a package that is not installed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from twinlens.app.indexes.standard_indexes import CONCEPTS
from twinlens.app.library.library import Library
from twinlens.app.methods import catalogue
from twinlens.core.arrays import Int64Ids
from twinlens.core.declaration.declaration import Declaration
from twinlens.core.declaration.fitted import Fitted, Packed
from twinlens.core.errors import DeclarationError, Remedy, TwinlensError
from twinlens.core.hashing.hash_method import Encoder
from twinlens.core.message import NOTHING, Message
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.progress import Progress, silent
from twinlens.core.sampling import digest_of_sample, sample
from twinlens.features.descriptor import Extractor
from twinlens.features.keypoints import keypoints
from twinlens.features.keypoints.keypoints import cap_beside
from twinlens.features.keypoints.sift import Cap
from twinlens.features.pictures.picture import Picture
from twinlens.storage.database.values import PhotographState
from twinlens.storage.indexes.indexes import IndexRow
from twinlens.storage.integrity.checksums import DamagedRowError, named
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.descriptors import KindRow
from twinlens.storage.photographs.photograph_listing import Filter

F = TypeVar("F", bound=Fitted)


def keep_model(w: Transaction, key: str, text: str, fitted: Fitted, sample_digest: bytes = b"") -> int:
    """Keep a fitted model.

    Parameters
    ----------
    key : str
        Its identity.
    text : str
        The declaration that it was fitted from, as :func:`twinlens.app.methods.catalogue.written_declaration` gives it.
    sample_digest : bytes
        Of its training sample; empty where it learned nothing.

    Returns
    -------
    int
        Id of the model; of the one already kept under the key, if there is one.
    """
    packed = fitted.pack()
    return w.models.put(
        key,
        kind=packed.kind,
        text=text,
        numbers=packed.numbers,
        arrays=packed.arrays,
        sample_digest=sample_digest,
    )


def load_model(r: Transaction, model_id: int, cls: type[F]) -> F:
    """Return a fitted model of a class."""
    row = r.models.by_id(model_id)
    packed = Packed(row.kind, dict(row.numbers), r.models.arrays(model_id))
    try:
        return cls.unpack(packed)
    except (KeyError, TypeError, ValueError) as error:  # of a server, whose rows have no checksums
        raise DamagedRowError(named("model", {"id": model_id})) from error


def load_extractors(r: Transaction, kinds: Sequence[KindRow]) -> dict[str, Extractor]:
    """Return the extractors of kinds, by the kinds' keys."""
    return {kind.key: load_extractor(r, kind) for kind in kinds}


def load_extractor(r: Transaction, kind: KindRow) -> Extractor:
    """Return the extractor of a kind."""
    assert kind.model_id is not None, "a kind is kept with its extractor"
    return load_model(r, kind.model_id, catalogue.descriptor(kind.text).extractor)


def kind_of(r: Transaction, index: IndexRow) -> KindRow | None:
    """Return the kind of descriptor of an index; None while its vocabulary is not learned."""
    return next((kind for kind in r.descriptors.kinds() if kind.id == index.kind_id), None)


def make_kinds(library: Library, progress: Progress = silent) -> bool:
    """Set the kind of descriptor of every index, and learn the vocabularies that can be learned now.

    An index whose network this version of Twinlens no longer has gets a new kind, for which photographs are read again.
    The kind of the concepts, by which words search, belongs to no index.

    Returns
    -------
    bool
        Whether an index got its kind.
    """
    with library.store.reading() as r:
        waiting = [index for index in usable_indexes(r) if _lacks_kind(r, index)]
        concepts = _lacks_concepts(r)
    made = False
    for index in waiting:
        made |= _make_kind(library, index, progress)
    if concepts:
        learn_kind(library, CONCEPTS)
    return made


def _lacks_kind(r: Transaction, index: IndexRow) -> bool:
    kind = kind_of(r, index)
    return kind is None or (catalogue.descriptor(kind.text).classifies and load_extractor(r, kind).outdated)


def concept_kind(r: Transaction) -> KindRow | None:
    """Return the kind that keeps what photographs show; None where the library has none."""
    return next((kind for kind in reversed(r.descriptors.kinds()) if kind.text == CONCEPTS), None)


def _lacks_concepts(r: Transaction) -> bool:
    """Return whether photographs are to be classified from now on: where the network runs for an index anyway."""
    from twinlens.features.network.ready_made_network import READY_MADE, ready_made_refusal

    if not any(catalogue.descriptor(index.descriptor).classifies for index in usable_indexes(r)):
        return False
    return concept_kind(r) is None and not any(ready_made_refusal(name) for name in READY_MADE)


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
    written : str
        The descriptor's declaration, as :func:`twinlens.app.methods.catalogue.written_declaration` gives it.

    Returns
    -------
    KindRow or None
        None if there is no photograph to learn from.

    Raises
    ------
    TwinlensError
        If it cannot be learned from the photographs.
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
        model_id = keep_model(w, key, written, extractor, sample_digest)
        return w.descriptors.add_kind(key, written, descriptor.dimensions, extractor.kept_as, model_id)


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
    from twinlens.app.library.workers import decoding  # here, since a search reads no sample

    read_any = False
    for picture in decoding.pictures((Path(os.fsdecode(path)) for path in paths), caps):
        read_any = True
        yield picture
    if paths and not read_any:
        raise TwinlensError(
            "Twinlens could not read any of the photos to learn a vocabulary from.", Remedy("connect disk")
        )


def usable_indexes(r: Transaction) -> list[IndexRow]:
    """Return the indexes whose declarations can be read, in their order."""
    return [index for index in r.indexes.all() if not why_unusable(index)]


def why_unusable(index: IndexRow) -> Message:
    """Return why an index cannot be used with what is installed; NOTHING where it can."""
    unread = [written for read, written in _declared(index) if not _is_known(read, written)]
    if not unread:
        return NOTHING
    keys = [key for written in unread for key in _keys(written)]
    missing = [key for key in keys if not _is_known(catalogue.declaration, key)]
    return Message(
        "It needs {missing}, which comes with a package that is not installed here.", missing=missing or keys
    )


def expect_usable(index: IndexRow) -> None:
    """Refuse an index that cannot be used with what is installed.

    Raises
    ------
    TwinlensError
        Says what is missing.
    """
    if reason := why_unusable(index):
        raise TwinlensError(
            "The index “{name}” cannot be used. {reason}",
            "Install that package, or delete the index.",
            name=index.name,
            reason=reason,
        )


def declared_text(read: Callable[[str], Declaration], written: str) -> str:
    """Return the text form of a stored declaration; its key where it cannot be read."""
    return read(written).text() if _is_known(read, written) else _keys(written)[0]


def uses_codes(index: IndexRow) -> bool:
    """Return whether an index compares codes; so does one whose search structure is not known here."""
    known = _is_known(catalogue.search_structure, index.search)
    return not known or catalogue.search_structure(index.search).uses_codes


def _declared(index: IndexRow) -> list[tuple[Callable[[str], Declaration], str]]:
    metric = [] if index.metric is None else [(catalogue.metric, index.metric)]
    return [
        (catalogue.descriptor, index.descriptor),
        *metric,
        (catalogue.method, index.method),
        (catalogue.search_structure, index.search),
    ]


def _is_known(read: Callable[[str], object], written: str) -> bool:
    try:
        read(written)
    except DeclarationError:
        return False
    return True


def _keys(written: str) -> list[str]:
    """Return the key of a stored declaration, and those of the declarations within it."""

    def within(value: object) -> list[str]:
        if not isinstance(value, dict):
            return []
        own = [str(value["key"])] if "key" in value else []
        return own + [key for inner in value.values() for key in within(inner)]

    return within(json.loads(written)) if written.startswith("{") else [written.partition(":")[0]]


def stored_keypoints(
    r: Transaction, ids: Sequence[int] | Int64Ids, version: int = keypoints.KEYPOINTS_VERSION
) -> list[bytes | None]:
    """Read the keypoints of photographs, in the order of the ids; None where there are none, or they are damaged."""
    return [one if one is not None and fits(version, one) else None for one in r.keypoints.read(ids, version)]


def kept_cap(r: Transaction) -> Cap:
    """Return among which keypoints those that a library keeps are the strongest."""
    return cap_beside(cap for index in usable_indexes(r) for cap in catalogue.descriptor(index.descriptor).caps)


def fits(version: int, data: bytes) -> bool:
    """Return whether bytes can be keypoints of a version; of another version than this program's that is not known."""
    return version != keypoints.KEYPOINTS_VERSION or keypoints.are_kept_keypoints(data)


def load_metric(r: Transaction, model_id: int) -> FittedMetric:
    """Return a fitted metric in any stored form."""
    from twinlens.core.metrics.metric_forms import FITTED  # here, since few indexes have a metric

    kind = r.models.by_id(model_id).kind
    known = {one.__name__: one for one in FITTED}
    if kind not in known:
        raise TwinlensError(
            "This version of Twinlens does not know metrics of the kind {kind}.", "Install a newer version.", kind=kind
        )
    return load_model(r, model_id, known[kind])


def load_encoder(r: Transaction, index: IndexRow) -> Encoder | None:
    """Return the encoder of an index; None while it is not fitted, or if its search needs none."""
    if index.model_id is None:
        return None
    encoder = load_model(r, index.model_id, catalogue.method(index.method).encoder)
    if index.metric_model_id is None:
        return encoder
    from twinlens.core.hashing.method_under_metric import UnderMetric  # here, since few indexes have a metric

    return UnderMetric(load_metric(r, index.metric_model_id), encoder)
