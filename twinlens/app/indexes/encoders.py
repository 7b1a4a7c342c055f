"""Encoders of indexes: fitted on a sample chosen by seed and content, with the codes of all photographs.

An index without a fitted encoder searches exactly, so it works from the first photograph. The automatic index is fitted
anew when the library has grown fourfold, and one that learns from marks when these have changed; every other index
keeps its encoder. Under a metric, the encoder learns from the vectors as the metric transforms them; both are fitted to
one sample.
"""

from __future__ import annotations

import hashlib
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from twinlens.app.indexes import fitted_models
from twinlens.app.indexes.fitted_models import kind_of, load_encoder, usable_indexes
from twinlens.app.indexes.index_specification import FittingSample, IndexMetric, fit_metric
from twinlens.app.library.library import Library
from twinlens.app.library.workers.capacity import remember_fitting_pace
from twinlens.app.methods import catalogue
from twinlens.core.arrays import Int64Ids, Int64Labels
from twinlens.core.hashing.hash_method import Encoder, HashMethod, SupervisedMethod
from twinlens.core.message import counted
from twinlens.core.progress import Progress, part, silent
from twinlens.core.sampling import digest_of_sample, sample
from twinlens.core.search.server_lists import ServerLists
from twinlens.core.vectors import as_float32
from twinlens.storage.database.dialect import pieces
from twinlens.storage.indexes.index_codes import StaleModelError
from twinlens.storage.indexes.indexes import IndexRow
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.descriptors import KindRow

if TYPE_CHECKING:
    from twinlens.app.marks.marked_pairs import MarkedPairs
    from twinlens.core.hashing.supervision import Supervision

GROWTH = 4
"""Growth of the library after which the automatic index is fitted anew."""

_BLOCK = 8192
_ENCODED = 0.05  # time to encode a photograph, relative to learning from it


def bring_indexes_up_to_date(library: Library, progress: Progress = silent) -> None:
    """Fit every index that has to be fitted, and encode the photographs that lack a code.

    Raises
    ------
    TwinlensError
        If a method cannot learn from the photographs; the indexes before it are done.
    """
    with library.store.reading() as r:
        indexes = [index for index in usable_indexes(r) if _is_fitted_ever(index)]
        work = to_learn_from(r)
    started = time.perf_counter()
    for number, index in enumerate(indexes):
        step = part(progress, number / len(indexes), (number + 1) / len(indexes))
        bring_index_up_to_date(library, index, step)
    if work:
        with library.store.writing("remembering how fast indexes learn") as w:
            remember_fitting_pace(w, work, time.perf_counter() - started)


def _is_fitted_ever(index: IndexRow) -> bool:
    """Return whether an index has an encoder or a metric to fit."""
    return catalogue.search_structure(index.search).uses_codes or _has_metric(index)


def _has_metric(index: IndexRow) -> bool:
    return index.metric_id is not None or index.metric is not None


def bring_index_up_to_date(library: Library, index: IndexRow, progress: Progress = silent) -> None:
    """Fit one index if it has to be, and encode the photographs that lack a code."""
    if not _is_fitted_ever(index):
        return
    with library.store.reading() as r:
        kind = kind_of(r, index)
        described = 0 if kind is None else r.descriptors.count(kind)
        fits = kind is not None and (_has_to_be_fitted(index, described) or marks_changed(r, index))
    if kind is None or described == 0:
        return
    if fits:
        _fit(library, index, kind, progress)
    elif catalogue.search_structure(index.search).uses_codes:
        _encode_lacking(library, index, kind, progress)
    _keep_lists(library, index)


def _has_to_be_fitted(index: IndexRow, described: int) -> bool:
    """Return whether an index must be fitted, not only encode."""
    if not catalogue.search_structure(index.search).uses_codes:
        return index.metric_model_id is None
    return index.model_id is None or (index.automatic and described >= GROWTH * max(1, index.fitted_on))


def marks_changed(r: Transaction, index: IndexRow) -> bool:
    """Return whether an index learned from other marks than there are now."""
    if index.model_id is None or not _learns_from_marks(catalogue.method(index.method)):
        return False
    kind, model = kind_of(r, index), r.models.by_id(index.model_id)
    return kind is not None and model.sample_digest[_DIGEST:] != _marks(r, kind)[1]


_DIGEST = 32  # bytes of the sample's; those of what is known of it follow


def _learns_from_marks(method: HashMethod) -> bool:
    return isinstance(method, SupervisedMethod) and method.labels == "marks"


def _fit(library: Library, index: IndexRow, kind: KindRow, progress: Progress) -> None:
    """Fit, and replace metric, encoder and codes in one transaction."""
    from twinlens.core.hashing.method_under_metric import UnderMetric  # here, since a search does not fit

    with library.store.reading() as r:
        made = fit_index(r, index, kind, progress)
    if made is None:
        return
    metric, fitted = made.metric, made.encoder
    with library.store.writing(f"fitting {index.name}") as w:
        if metric is not None:
            metric.keep(w, index, made.sample_digest, made.fitted_on)
        if fitted is not None:
            encoder = fitted.encoder if isinstance(fitted, UnderMetric) else fitted
            of_metric = () if metric is None else (metric.key,)
            key = catalogue.method(index.method).identity(kind.key, *of_metric, digest=made.sample_digest)
            model_id = fitted_models.keep_model(w, key, index.method, encoder, made.sample_digest)
            w.codes.replace(index.id, model_id, made.fitted_on, made.ids, made.codes)
        w.models.remove_unused()


def _encode_lacking(library: Library, index: IndexRow, kind: KindRow, progress: Progress) -> None:
    """Encode the photographs that have a vector but no code."""
    with library.store.reading() as r:
        lacking = r.codes.lacking(index.id, kind)
        encoder = load_encoder(r, index)
    if encoder is None:
        return
    for start in range(0, len(lacking), _BLOCK):
        progress(
            start,
            len(lacking),
            counted("{name}: encoding {count} photo", "{name}: encoding {count} photos", len(lacking), name=index.name),
        )
        ids = lacking[start : start + _BLOCK]
        with library.store.writing(f"encoding for {index.name}") as w:
            vectors, present = w.descriptors.read(kind, ids)
            try:
                w.codes.put(index.id, index.model_id or 0, ids[present], encoder.encode(as_float32(vectors[present])))
            except StaleModelError:
                return  # another program has just fitted it anew, with all its codes


def _keep_lists(library: Library, index: IndexRow) -> None:
    """Make the lists of an index on the server, where they are missing or far too many or few for its codes."""
    search = catalogue.search_structure(index.search)
    if not isinstance(search, ServerLists):
        return

    def lacking(r: Transaction) -> int:
        n, made = r.codes.count(index.id), r.codes.tables.lists(index.id) or 0
        wanted = search.lists_for(n)
        return 0 if n == 0 or wanted / 2 <= made <= 2 * wanted else wanted

    with library.store.reading() as r:
        if r.codes.tables.refusal() is not None or not lacking(r):
            return  # a search reports the refusal
    with library.store.writing(f"making lists of {index.name}") as w:
        lists = lacking(w)
        if lists:
            codes = w.codes.load(index.id)
            w.codes.tables.make(index.id, lists, codes.ids, codes.codes)


@dataclass(frozen=True, eq=False)
class FittedIndex:
    """Metric, encoder and codes of a fitted index, not kept yet.

    Attributes
    ----------
    metric : IndexMetric or None
        None where it has no metric.
    encoder : Encoder or None
        Includes the metric, if there is one; None if the search needs no codes.
    codes : ndarray of uint8, (n, bytes)
    ids : ndarray of int64, (n,)
        Photographs of the codes, ascending.
    sample_digest : bytes
    fitted_on : int
        Number of photographs then.
    """

    metric: IndexMetric | None
    encoder: Encoder | None
    codes: npt.NDArray[np.uint8]
    ids: npt.NDArray[np.int64]
    sample_digest: bytes
    fitted_on: int


def fit_index(r: Transaction, index: IndexRow, kind: KindRow, progress: Progress = silent) -> FittedIndex | None:
    """Fit an index on a sample, and encode everything; return None if there is nothing to learn from yet.

    Parameters
    ----------
    index : IndexRow
        Only its declarations count, so it need not be kept.
    kind : KindRow
        Kind of its vectors.

    Raises
    ------
    TwinlensError
        If metric or method cannot learn from these photographs.
    """
    from twinlens.core.hashing.method_under_metric import under  # here, since a search does not fit

    drawn = _draw(r, index, kind)
    if drawn is None:
        return None
    x, sample_digest, described, supervision = drawn
    progress(
        0,
        1,
        counted("{name}: learning from {count} photo", "{name}: learning from {count} photos", len(x), name=index.name),
    )
    metric = fit_metric(r, index, FittingSample(kind, x, sample_digest), part(progress, 0.0, 0.2))
    if not catalogue.search_structure(index.search).uses_codes:
        return FittedIndex(metric, None, np.empty((0, 0), np.uint8), np.empty(0, np.int64), sample_digest, described)
    method = catalogue.method(index.method)
    learner = method if metric is None else under(metric.fitted, method)
    fitted = learner.fit_with(x, supervision, part(progress, 0.2, 0.7))
    codes, encoded = encode_all(r, kind, fitted, described, part(progress, 0.7, 1.0))
    return FittedIndex(metric, fitted, codes, encoded, sample_digest, described)


def _draw(
    r: Transaction, index: IndexRow, kind: KindRow
) -> tuple[npt.NDArray[np.float64], bytes, int, Supervision | None] | None:
    """Draw the vectors to learn from, their digest, the number of all, and what is known of them, if that counts.

    Return None where nothing can be learned yet.
    """
    method = catalogue.method(index.method)
    ids, hashes = r.photographs.contents(r.descriptors.ids(kind))
    chosen = sample(hashes, method.sample_size, method.seed)
    drawn, digest, supervision = ids[chosen], digest_of_sample([hashes[place] for place in chosen]), None
    if method.supervised and catalogue.search_structure(index.search).uses_codes:
        drawn, supervision, known = _supervised(r, method, kind, drawn)
        digest += known
    vectors, _ = r.descriptors.read(kind, drawn)
    telling = vectors[vectors.any(axis=1)]
    if len(telling) == 0:
        return None  # all vectors are zero; until one is not, searches are exact
    if index.metric is not None and not (telling != telling[0]).any():
        return None  # all vectors are equal, so a metric cannot be fitted yet
    return vectors.astype(np.float64), digest, len(ids), supervision


def _supervised(
    r: Transaction, method: HashMethod, kind: KindRow, drawn: Int64Ids
) -> tuple[Int64Ids, Supervision, bytes]:
    """Return the photographs to learn from, ascending, what is known of them, and its digest.

    Of marks, all photographs that have one are among them.
    """
    from twinlens.core.hashing.supervision import Supervision  # here, since few indexes learn from marks or folders
    from twinlens.core.metrics.metric import MetricPairs

    if not _learns_from_marks(method):
        supervision = Supervision.of_labels(folder_labels(r, drawn))
        return drawn, supervision, hashlib.sha256(supervision.labels.tobytes()).digest()
    marked, digest = _marks(r, kind)
    ids = np.union1d(drawn, marked.ids)
    pairs = MetricPairs(np.searchsorted(ids, marked.ids)[marked.rows].reshape(-1, 2), marked.similar)
    return ids, Supervision.of_pairs(pairs, len(ids)), digest


def _marks(r: Transaction, kind: KindRow) -> tuple[MarkedPairs, bytes]:
    """Return the marked pairs of photographs that have a vector, and their digest."""
    from twinlens.app.marks.marked_pairs import pairs_for

    marked = pairs_for(r, kind)
    _, contents = r.photographs.contents(marked.ids)
    judged = b"".join(contents) + marked.rows.tobytes() + marked.similar.tobytes()
    return marked, hashlib.sha256(judged).digest()


def folder_labels(r: Transaction, ids: Int64Ids) -> Int64Labels:
    """Return the number of the folder that each photograph is in, (n,) -> (n,)."""
    folders: dict[tuple[int, bytes], int] = {}
    number = {
        row.id: folders.setdefault((row.volume_id, os.path.dirname(row.path)), len(folders))
        for some in pieces(ids.tolist())
        for row in r.photographs.by_id(some)
    }
    return np.array([number.get(one, -1) for one in ids.tolist()], np.int64)


def encode_all(
    r: Transaction, kind: KindRow, encoder: Encoder, expected: int, progress: Progress = silent
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Encode every vector of a kind; return the codes, (n, bytes), and the photographs, (n,), ascending."""
    codes, ids = [], []
    done = 0
    for some, vectors in r.descriptors.blocks(kind, _BLOCK):
        ids.append(some)
        codes.append(encoder.encode(as_float32(vectors)))
        done += len(some)
        progress(done, expected, counted("encoding {count} photo", "encoding {count} photos", done))
    return np.concatenate(codes), np.concatenate(ids)


def missing_codes(r: Transaction, index: IndexRow) -> int:
    """Count the photographs that :func:`bring_index_up_to_date` would encode; all where the index is not fitted.

    An automatic index that could be fitted on more photographs lacks nothing.
    """
    kind = kind_of(r, index) if _is_fitted_ever(index) else None
    if kind is None:
        return 0
    if index.model_id is not None:
        return len(r.codes.lacking(index.id, kind))
    if index.metric_model_id is not None and not catalogue.search_structure(index.search).uses_codes:
        return 0
    described = r.descriptors.count(kind)
    return described if described and _draw(r, index, kind) is not None else 0


def to_learn_from(r: Transaction, more: int = 0) -> float:
    """Return the number of photographs that indexes will learn from; one that is only encoded counts a fraction.

    Parameters
    ----------
    more : int
        Photographs that are still to be read before.
    """
    work = 0.0
    for index in usable_indexes(r):
        kind = kind_of(r, index) if _is_fitted_ever(index) else None
        if kind is not None:
            described = r.descriptors.count(kind) + more
            work += described if _has_to_be_fitted(index, described) else _ENCODED * more
    return work
