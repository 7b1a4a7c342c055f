"""An index made ready for queries: its codes in memory, its encoder, its measure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app import catalogue
from app.descriptor_kinds import kind_of
from app.encoding import load_encoder
from core.codes import planar
from core.errors import TwinlensError
from core.hash_method import Encoder
from core.kernels import Kernel
from core.measure import Measure
from core.search.search import Search, Structure
from features.descriptor import Descriptor
from storage.descriptors import KindRow
from storage.indexes import IndexRow
from storage.transaction import Transaction


@dataclass(frozen=True)
class LoadedIndex:
    """What one index needs to answer.

    Attributes
    ----------
    row : IndexRow
    kind : KindRow
    descriptor : Descriptor
    measure : Measure
        By which candidates are ranked, and which exact search uses throughout.
    encoder : Encoder or None
        None: answers are exact, because the index is not fitted yet or because its search wants no codes.
    search : Search
    ids : ndarray of int64, (n,)
        Photographs that have a code, ascending: row i of the codes is photograph ids[i].
    structure : Structure or None
        The codes, ready.
    bits : int or None
    """

    row: IndexRow
    kind: KindRow
    descriptor: Descriptor
    measure: Measure
    encoder: Encoder | None
    search: Search
    ids: npt.NDArray[np.int64]
    structure: Structure | None

    @property
    def measure_name(self) -> str:
        """Name the measure: the kernel's text form."""
        return self.measure.kernel.text()


def load_index(r: Transaction, row: IndexRow) -> LoadedIndex:
    """Make an index ready for queries.

    Raises
    ------
    TwinlensError
        If it has nothing to answer with yet.
    """
    kind = kind_of(r, row)
    if kind is None:
        raise TwinlensError(
            f"The index “{row.name}” is not built yet.",
            "Add photographs with `twinlens add FOLDER`, or run `twinlens rescan`.",
        )
    descriptor = catalogue.descriptor(row.descriptor)
    search = catalogue.search_structure(row.search)
    encoder = load_encoder(r, row) if search.uses_codes else None
    ids, structure = np.empty(0, np.int64), None
    if encoder is not None:
        loaded = r.codes.load(row.id)
        ids, structure = loaded.ids, search.build(planar(loaded.codes))
    else:
        ids = r.descriptors.ids(kind)
    return LoadedIndex(row, kind, descriptor, Measure(measure_of(row, descriptor)), encoder, search, ids, structure)


def measure_of(row: IndexRow, descriptor: Descriptor) -> Kernel:
    """Give the kernel by which an index ranks: the hash method's where it has one, else the descriptor's own."""
    kernel = getattr(catalogue.method(row.method), "kernel", None)
    return kernel if isinstance(kernel, Kernel) else descriptor.measure
