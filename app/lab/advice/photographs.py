"""Photographs that an advice searches: exactly, or by any hash method, coded once for all search structures."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from app.compare.columns import learns_alike
from app.evaluate.evaluation import DEPTH
from app.indexes.encoders import fit_index
from app.indexes.loaded_index import LoadedIndex
from app.lab.advice.questions import AdviceQuery
from app.methods import catalogue
from app.search.criterion import QueryDistance
from app.search.ranking import RankedPhotographs, SearchSpace, rank_exactly
from core.arrays import UInt64Words
from core.errors import TwinlensError
from core.evaluation.evaluation_task import EvaluationTask
from core.evaluation.method_evaluation import encode_task
from core.evaluation.truth import Euclidean
from core.exact_search.measure import Measure
from core.hashing.hash_method import Encoder
from core.hashing.packed_codes import planar
from core.message import Message
from core.metrics.metric import FittedMetric
from core.progress import Progress
from core.search.updatable_structure import UpdatableStructure
from storage.indexes.indexes import IndexRow
from storage.library.transaction import Transaction

PhotographIds = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CodedPhotographs:
    """Photographs coded by one method, and the seconds it took to learn and to code."""

    encoder: Encoder
    ids: PhotographIds
    planes: UInt64Words
    seconds: dict[str, float]


@dataclass(eq=False)
class AdvicePhotographs:
    """Photographs with the vectors and the measure of an index: all of the library, or a sample of ascending ids."""

    r: Transaction
    base: LoadedIndex
    sample: PhotographIds | None
    _exactly: dict[AdviceQuery, RankedPhotographs] = field(default_factory=dict)
    _coded: dict[str, CodedPhotographs] = field(default_factory=dict)

    @cached_property
    def every(self) -> LoadedIndex:
        """The index that searches them exactly."""
        ids = self.r.descriptors.ids(self.base.kind) if self.sample is None else self.sample
        search = catalogue.search_structure("exact")
        return replace(self.base, encoder=None, search=search, ids=ids, structure=None)

    @cached_property
    def digest(self) -> str:
        """Digest of their ids, contents, vectors and measure."""
        base, made = self.base, hashlib.sha256()
        if self.sample is None:
            for ids, vectors in self.r.descriptors.blocks(base.kind):
                made.update(ids.tobytes() + vectors.tobytes())
            # A library's index learns from photographs that are drawn by their content.
            made.update(b"".join(self.r.photographs.contents(self.every.ids)[1]))
        else:
            made.update(self.sample.tobytes() + self.r.descriptors.read(base.kind, self.sample)[0].tobytes())
        measure = base.measure
        ranks = measure.kernel.identity() if isinstance(measure, Measure) else measure.pack().digest().hex()
        made.update(f"{base.kind.key} {ranks}".encode())
        return made.hexdigest()

    def vectors(self) -> npt.NDArray[np.float32]:
        """Read the vectors of all, (n, d)."""
        return np.asarray(self.r.descriptors.read(self.base.kind, self.every.ids)[0], np.float32)

    def criterion(self, one: AdviceQuery) -> QueryDistance:
        """Return a question as these photographs are ranked by it."""
        return QueryDistance.of(self.base.measure, [one.vectors[self.base.kind.id]], [1.0])

    def exactly(self, one: AdviceQuery) -> RankedPhotographs:
        """Return the exact first results of a question, searched once."""
        if one not in self._exactly:
            findable = SearchSpace(self.r, self.every)
            if not self._exactly:
                rank_exactly(findable, self.criterion(one), 1)  # what is read only once does not count
            self._exactly[one] = rank_exactly(findable, self.criterion(one), DEPTH + len(one.beside))
        return self._exactly[one]

    def kept_model(self, row: IndexRow) -> str:
        """Return the digest of the encoder that the library has for all of them; empty if it has none."""
        base = self.base
        if self.sample is not None or base.encoder is None or base.structure is None:
            return ""
        return base.encoder.pack().digest().hex() if learns_alike(row, base.row) else ""

    def has_codes(self, row: IndexRow) -> bool:
        """Return whether the codes of an index exist, here or in the library."""
        return catalogue.method(row.method).text() in self._coded or bool(self.kept_model(row))

    def index(self, row: IndexRow, progress: Progress) -> tuple[LoadedIndex, dict[str, float]]:
        """Return an index of these photographs, built as in the library, and the seconds it took to make."""
        search, key = catalogue.search_structure(row.search), catalogue.method(row.method).text()
        if key not in self._coded:
            self._coded[key] = self._learned(row, progress)
        codes = self._coded[key]
        progress(1, 1, Message("Building"))  # a structure of many codes takes its time
        began = time.perf_counter()
        structure = UpdatableStructure.build(search, codes.ids, codes.planes, codes.encoder.bits)
        seconds = {**codes.seconds, "build": time.perf_counter() - began}
        made = replace(self.base, row=row, encoder=codes.encoder, search=search, ids=codes.ids, structure=structure)
        return made, seconds

    def _learned(self, row: IndexRow, progress: Progress) -> CodedPhotographs:
        """Code all as the library does, a sample as ``bench`` does."""
        base = self.base
        if self.sample is not None:
            metric = base.measure if isinstance(base.measure, FittedMetric) else None
            x = self.vectors()
            nobody = EvaluationTask(
                x, x[:0], np.empty((0, 0), np.int64), [], Euclidean()
            )  # asks: that is for every index to do
            found = encode_task(catalogue.method(row.method), nobody, progress, metric)
            return CodedPhotographs(found.encoder, self.sample, found.planes, found.figures.seconds)
        if self.kept_model(row) and base.encoder is not None and base.structure is not None:
            return CodedPhotographs(base.encoder, base.ids, base.structure.codes(np.arange(len(base.ids))), {})
        began = time.perf_counter()
        made = fit_index(self.r, row, base.kind, progress)
        if made is None or made.encoder is None:
            raise TwinlensError(Message("There is nothing to learn from yet."), Message("Add photos."))
        return CodedPhotographs(
            made.encoder, np.asarray(made.ids, np.int64), planar(made.codes), {"fit": time.perf_counter() - began}
        )
