"""What is found of the nearest by Euclidean distance with so many bytes an item, by hashing, quantizers and graphs.

Each way in a process of its own and one thread; codes choose 50 to 1,000 candidates, which are ranked exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from science.benchmarks.comparison import Peer, Unmeasurable
from science.benchmarks.peer import Measured
from science.papers import peers
from science.papers.size import Tables
from twinlens.core.message import verbatim
from twinlens.core.progress import Progress

DATA = ("million-sift",)
REPEATS = 1
BYTES = (8, 16, 32, 64)
DEPTHS = peers.DEPTHS

_LISTS = 1_024


def _ways(size: int, dimensions: int) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the ways that keep so many bytes of an item, or nearly: the function that measures each."""
    bits = 8 * size
    found: dict[str, tuple[str, dict[str, Any]]] = {
        "lsh, Twinlens": ("codes_at", {"method": f"lsh:bits={bits}"}),
        "pq, Twinlens": ("pq_at", {"quantizer": f"pq:bytes={size}"}),
        "PQ, faiss": ("faiss_at", {"factory": f"PQ{size}"}),
        "OPQ, faiss": ("faiss_at", {"factory": f"OPQ{size},PQ{size}"}),
        "PCA + SQ8, faiss": ("faiss_at", {"factory": f"PCA{size},SQ8"}),
        "IVF + PQ, faiss": ("faiss_at", {"factory": f"IVF{_LISTS},PQ{size}", "parameters": "nprobe=32"}),
    }
    if bits <= dimensions:
        found |= {
            "itq, Twinlens": ("codes_at", {"method": f"itq:bits={bits}"}),
            "itq, asymmetric, Twinlens": ("codes_at", {"method": f"itq:bits={bits}", "search": "scan:asymmetric=true"}),
            "agh, Twinlens": ("codes_at", {"method": f"agh:bits={bits}"}),
            "binary, Twinlens": ("codes_at", {"method": f"binary:bits={bits}"}),
            "itq, ivf, Twinlens": ("codes_at", {"method": f"itq:bits={bits}", "search": "ivf"}),
        }
    kept = min(dimensions, bits - 64)  # RaBitQ adds 8 bytes to a bit of each number
    if kept > 0:
        found["RaBitQ, faiss"] = ("faiss_at", {"factory": f"PCAR{kept},RaBitQ"})
    return found


WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    f"{data}: {size}: {way}": how for data in DATA for size in BYTES for way, how in _ways(size, 128).items()
} | {
    f"{data}: 0: {way}": ("faiss_at", how)
    for data in DATA
    for way, how in {
        "exact scan, faiss": {"factory": "Flat"},
        "HNSW 32, faiss": {"factory": "HNSW32", "parameters": "efSearch=64"},
        f"IVF of {_LISTS} lists, 8 visited, faiss": {"factory": f"IVF{_LISTS},Flat", "parameters": "nprobe=8"},
    }.items()
}
"""By data, bytes and name; of 0 bytes those that search the vectors themselves."""

CASES = tuple(WAYS)


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Return by number of candidates the share found and the processor seconds of a query; bytes, seconds to build."""
    data = case.partition(":")[0]
    name, arguments = WAYS[case]
    files = {array: str(tables.path(data, array)) for array in ("base", "queries")}
    items = tables(data, "base")
    progress(0, 1, verbatim(case))
    peer = Peer(getattr(peers, name), {**files, **arguments}, threads=1, warm_up=False)
    try:
        with Measured(peer) as measured:
            turns = [measured.turn() for _ in range(repeats)]
    except Unmeasurable as error:
        return {"why": str(error)}
    first = turns[0]
    return {
        "items": len(items),
        "dimensions": int(items.shape[1]),
        "share": {str(depth): first[f"share@{depth}"] for depth in DEPTHS},
        "cpu": {str(depth): float(np.median([turn[f"cpu@{depth}"] for turn in turns])) for depth in DEPTHS},
        "bytes": max(0.0, first["bytes"]) / len(items),
        "build": first["build"],
    }
