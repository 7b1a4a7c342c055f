"""Process in which faiss measures, apart from the threads of the program's compiled loops."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np


def work(folder: Path) -> dict[str, Any]:
    """Build an index of ``base.npy``, search ``queries.npy``, and write ``rows.npy``; return time and size."""
    import faiss

    wanted = json.loads((folder / "wanted.json").read_text("utf-8"))
    base, queries = np.load(folder / "base.npy"), np.load(folder / "queries.npy")
    index = faiss.index_factory(base.shape[1], wanted["factory"])
    began = time.perf_counter()
    index.train(base)
    fit = time.perf_counter() - began
    model = len(faiss.serialize_index(index))
    began = time.perf_counter()
    index.add(base)
    encode = time.perf_counter() - began
    if wanted["parameters"]:
        faiss.ParameterSpace().set_index_parameters(index, wanted["parameters"])
    _, rows = index.search(queries, wanted["rows"])
    np.save(folder / "rows.npy", np.asarray(rows, np.int64))
    faiss.omp_set_num_threads(1)
    counters: Any = faiss.cvar
    for one in (counters.indexIVF_stats, counters.hnsw_stats):
        one.reset()
    seconds = {}
    for depth in wanted["depths"]:
        began = time.perf_counter()
        for query in queries:
            index.search(query[None], depth)
        seconds[str(depth)] = (time.perf_counter() - began) / max(1, len(queries))
    asked = max(1, len(queries) * len(seconds))
    compared = (counters.indexIVF_stats.ndis + counters.hnsw_stats.ndis) / asked
    return {
        "fit": fit,
        "encode": encode,
        "model": model,
        "codes": len(faiss.serialize_index(index)) - model,
        "seconds": seconds,
        "scanned": compared or float(len(base)),
    }


if __name__ == "__main__":
    place = Path(sys.argv[1])
    try:
        found = work(place)
    except (RuntimeError, AssertionError) as error:  # what faiss refuses
        found = {"refused": str(error)}
    (place / "found.json").write_text(json.dumps(found), "utf-8")
