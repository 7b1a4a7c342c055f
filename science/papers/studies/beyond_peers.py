"""The nearest by Euclidean distance, by ways of this program and by faiss, each in a process of its own, one thread."""

from __future__ import annotations

import statistics
from typing import Any

from science.benchmarks.comparison import Peer, Unmeasurable
from science.benchmarks.peer import Measured
from science.papers import peers
from science.papers.size import Tables
from twinlens.core.message import verbatim
from twinlens.core.progress import Progress

DATA = ("sift", "fashion-mnist", "network-crops")
REPEATS = 5

MORE = 1_000
"""Candidates, of some ways; of the others 100."""

_WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "exact scan, faiss IndexFlatL2": ("faiss_flat", {}),
    "exact scan in float64, Twinlens": ("exact_scan", {}),
    **{
        f"HNSW 32, depth {depth}, faiss": ("faiss_hnsw", {"links": 32, "depth": depth})
        for depth in (16, 32, 64, 128, 256)
    },
    "IndexLSH 256 bits, faiss": ("faiss_lsh", {"bits": 256}),
    "lsh 256 bits, Twinlens": ("by_codes", {"method": "lsh:bits=256", "search": "scan"}),
    "ITQTransform 64 bits, faiss": ("faiss_itq", {"bits": 64}),
    "itq 64 bits, Twinlens": ("by_codes", {"method": "itq:bits=64", "search": "scan"}),
    "ITQTransform 128 bits, faiss": ("faiss_itq", {"bits": 128}),
    "itq 128 bits, Twinlens": ("by_codes", {"method": "itq:bits=128", "search": "scan"}),
    "itq 128 bits, asymmetric, Twinlens": ("by_codes", {"method": "itq:bits=128", "search": "scan:asymmetric=true"}),
    "itq 128 bits, multi-index, Twinlens": ("by_codes", {"method": "itq:bits=128", "search": "multi-index"}),
}
_WITH_MORE = ("IndexLSH 256 bits, faiss", "lsh 256 bits, Twinlens", "ITQTransform 128 bits, faiss",
              "itq 64 bits, Twinlens", "itq 128 bits, Twinlens")  # fmt: skip

WAYS = _WAYS | {
    f"{way}, {MORE:,} candidates": (_WAYS[way][0], _WAYS[way][1] | {"candidates": MORE}) for way in _WITH_MORE
}
"""Codes choose candidates, which are ranked by their exact distance."""

CASES = tuple(f"{name}: {way}" for name in DATA for way in WAYS)


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Return overlap@10, processor and wall seconds a query, bytes beside the vectors, and seconds to build."""
    data, _, way = case.partition(": ")
    name, arguments = WAYS[way]
    files = {array: str(tables.path(data, own)) for array, own in (("base", "part"), ("queries", "queries"))}
    items = tables(data, "part")
    progress(0, 1, verbatim(case))
    peer = Peer(getattr(peers, name), {**files, **arguments}, threads=1)
    turns = []
    try:
        with Measured(peer) as measured:
            for number in range(repeats):
                progress(1 + number, 1 + repeats, verbatim(case))
                turns.append(measured.turn())
    except Unmeasurable as error:
        return {"why": str(error)}
    size = turns[0]["bytes"]
    if name in {"faiss_flat", "faiss_hnsw"}:
        size -= 4 * items.size  # the vectors themselves, which every way needs to rank by
    return {
        "items": len(items),
        "dimensions": int(items.shape[1]),
        "share": turns[0]["share"],
        "cpu": statistics.median(turn["cpu"] for turn in turns),
        "wall": statistics.median(turn["wall"] for turn in turns),
        "bytes": max(0.0, size) / len(items),
        "build": turns[0]["build"],
    }
