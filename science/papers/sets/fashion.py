"""Fashion-MNIST, whole: 28 x 28 grey pictures of clothes in ten classes, from Debian's package."""

from __future__ import annotations

import gzip
from typing import Any

import numpy as np
import numpy.typing as npt

from science.papers.data_set import DataSet, Made, read_package
from twinlens.core.errors import TwinlensError
from twinlens.core.message import NOTHING
from twinlens.core.progress import Progress

PACKAGE = "dataset-fashion-mnist"
PART = 6_000


def make(progress: Progress) -> Made:
    """Read pixels and labels, and draw a part."""
    found = read_package(PACKAGE, lambda path: path.endswith("-ubyte.gz"), progress)
    read = {path.rpartition("/")[2]: idx(gzip.decompress(content)) for path, content in found.files.items()}
    base, labels = read["train-images-idx3-ubyte.gz"], read["train-labels-idx1-ubyte.gz"]
    rows = np.sort(np.random.default_rng(1).permutation(len(base))[:PART])
    arrays = {
        "base": base.reshape(len(base), -1),
        "labels": labels,
        "queries": read["t10k-images-idx3-ubyte.gz"].reshape(-1, 784),
        "query_labels": read["t10k-labels-idx1-ubyte.gz"],
        "part": base[rows].reshape(PART, -1),
        "part_labels": labels[rows],
    }
    return Made(arrays, (found.package,))


def idx(content: bytes) -> npt.NDArray[Any]:
    """Read an IDX file of bytes: two zeros, the type (8), the number of dimensions, and their sizes, big-endian."""
    if len(content) < 4 or content[:3] != b"\0\0\x08":
        raise TwinlensError("A file of the package is no IDX file of bytes.", NOTHING)
    sizes = np.frombuffer(content, ">u4", content[3], 4).astype(int)
    values = np.frombuffer(content, np.uint8, -1, 4 + 4 * len(sizes))
    if len(values) != sizes.prod():
        raise TwinlensError("A file of the package is cut off.", NOTHING)
    return values.reshape(sizes)


FASHION = DataSet("fashion-mnist", "Fashion-MNIST, pixels", make)
