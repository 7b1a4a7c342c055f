"""Asymmetric distance: the query keeps its real values, only the items are codes.

Where a query's projection is near 0, whether an item's bit differs says little; where it is large, much. So a differing
bit counts as much as the query's projection is large:

    d(x, code) = sum over bits that differ from the query's of |p_j(x)|

which ranks as the inner product of p(x) with the item's code of -1 and 1 does (Gordo, Perronnin, Gong, Lazebnik:
Asymmetric Distances for Binary Embeddings, PAMI 2014). It needs no more room and no other codes, and ranks finer.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.arrays import UInt64Words
from core.hashing.packed_codes import pack_bits, planar

WIDER = 8
"""So many times the candidates are found by Hamming distance, and of them the nearest by this one are kept."""


def asymmetric_distances(projection: npt.NDArray[np.float64], planes: UInt64Words) -> npt.NDArray[np.float64]:
    """Measure codes by their asymmetric distance from a query.

    Parameters
    ----------
    projection : ndarray of float64, (bits,)
        Of the query, as :meth:`core.hashing.hash_method.Encoder.project` gives it.
    planes : ndarray of uint64, (words, c)
        Codes.

    Returns
    -------
    ndarray of float64, (c,)
        Of a code always the same, whatever is measured beside it.
    """
    table = _table(projection)
    code = planar(pack_bits(projection[None, :] >= 0))
    found = np.zeros(planes.shape[1])
    for word, (run, own) in enumerate(zip(planes, code[:, 0], strict=True)):
        differ = np.ascontiguousarray(run ^ own).view(np.uint8).reshape(-1, 8)
        for byte in range(min(8, len(table) - 8 * word)):
            found += table[8 * word + byte][differ[:, byte]]
    return found


def nearest_by_projection(projection: npt.NDArray[np.float64], planes: UInt64Words, k: int) -> npt.NDArray[np.int64]:
    """Return the k nearest places of some codes, (words, c), ordered by (asymmetric distance, place)."""
    near = asymmetric_distances(projection, planes)
    return np.argsort(near, kind="stable")[:k].astype(np.int64)


def _table(projection: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Add up, for every byte and each of its 256 values, the weights of the bits that are 1, (bytes, 256)."""
    weights = np.zeros((-(-len(projection) // 8), 8))
    weights.reshape(-1)[: len(projection)] = np.abs(projection)
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    return np.asarray(weights @ bits.T.astype(np.float64))
