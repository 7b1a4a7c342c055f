"""The vectors of an index and its measure, without its codes."""

from __future__ import annotations

from dataclasses import dataclass

from app.indexes.encoders import load_encoder
from app.indexes.index_names import find_index
from app.indexes.loaded_index import built_kind, measure_of
from app.methods import catalogue
from core.exact_search.measure import Measure
from core.metrics.metric import FittedMetric
from features.descriptor import Descriptor
from storage.indexes.indexes import IndexRow
from storage.library.transaction import Transaction
from storage.photographs.descriptors import KindRow


@dataclass(frozen=True, eq=False)
class IndexMeasure:
    """Measure of one index. Made by :func:`index_measure`.

    Attributes
    ----------
    row : IndexRow
    kind : KindRow
        Kind of its vectors.
    descriptor : Descriptor
    measure : Measure or FittedMetric
        As search ranks by it.
    """

    row: IndexRow
    kind: KindRow
    descriptor: Descriptor
    measure: Measure | FittedMetric


def index_measure(r: Transaction, name: str) -> IndexMeasure:
    """Return the measure of an index.

    Raises
    ------
    TwinlensError
        If there is no such index, or it has no vectors yet.
    """
    row = find_index(r, name)
    kind = built_kind(r, row)
    descriptor = catalogue.descriptor(row.descriptor)
    encoder = load_encoder(r, row) if catalogue.search_structure(row.search).uses_codes else None
    return IndexMeasure(row, kind, descriptor, measure_of(r, row, descriptor, encoder))
