"""Finding the candidates of a query: by their codes, and where that is wished, by its real-valued projection too."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.codes import pack_bits, planar
from core.search import asymmetric
from core.search.search import Candidates, CodeSearch, Mask, Search, Structure


def find(
    search: Search, structure: Structure, projection: npt.NDArray[np.float64], k: int, mask: Mask = None
) -> Candidates:
    """Find what is to be measured exactly when k results are asked for.

    Parameters
    ----------
    search : Search
        The declaration of the structure.
    structure : Structure
    projection : ndarray of float64, (bits,)
        Of the query, as :meth:`core.hash_method.Encoder.project` gives it.
    k : int
    mask : ndarray of bool, (n,), optional
        Only rows where it is True are found.

    Returns
    -------
    Candidates
        Ordered by (Hamming distance, row).
    """
    code = np.ascontiguousarray(planar(pack_bits(projection[None, :] >= 0))[:, 0])
    depth = search.depth(k)
    if not (isinstance(search, CodeSearch) and search.asymmetric):
        return structure.candidates(code, depth, mask)
    wide = structure.candidates(code, asymmetric.WIDER * depth, mask)
    if len(wide.rows) <= depth:
        return wide
    kept = np.sort(asymmetric.nearest_of(projection, structure.codes(wide.rows), depth))
    return Candidates(wide.rows[kept], wide.distances[kept], wide.scanned, wide.probed)
