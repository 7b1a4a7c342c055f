"""Learned features of random crops of photographs: what the network that comes with Twinlens sees in them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from science.papers.data_set import DataSet, Made, drawn, open_photograph, source_photographs
from science.papers.sets.crops import crops
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part
from twinlens.features.network.network import Network

A_PHOTOGRAPH, QUERIES = 30, 500


def make(progress: Progress) -> Made:
    """Describe crops; base and queries are of different photographs."""
    source = source_photographs(part(progress, 0, 0.1))
    base, aside = source.split(0.2)
    of_base = _described(base, part(progress, 0.1, 0.8))
    of_queries = _described(aside, part(progress, 0.8, 1))
    table = drawn(of_base, 10**9, seed=1)
    arrays = {"base": table, "part": table, "queries": drawn(of_queries, QUERIES, seed=2)}
    return Made(arrays, source.packages, {"base": len(base), "part": len(base), "queries": len(aside)})


def _described(files: tuple[Path, ...], progress: Progress) -> list[npt.NDArray[np.float32]]:
    extractor = Network().fit(lambda: ())
    tables = []
    for number, file in enumerate(files):
        progress(number, len(files), Message("Describing crops"))
        seen = [extractor.extract(one) for one in crops(open_photograph(file), number, A_PHOTOGRAPH)]
        tables += [np.stack(seen).astype(np.float32)] if seen else []
    return tables


NETWORK_CROPS = DataSet("network-crops", "Features of crops of photographs by EfficientNet-Lite0", make)
