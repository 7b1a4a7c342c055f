"""Labelled vectors for k-NN under a kernel: the digits that scikit-learn ships, and DNA from Debian's package of R."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import TwinlensError
from core.message import Message
from core.progress import Progress
from science.papers.data_set import DataSet, Made
from science.papers.debian_files import read_package
from science.papers.r_data import Factor, read_r_data

MLBENCH = "r-cran-mlbench"


def make_digits(progress: Progress) -> Made:
    """Split scikit-learn's digits into 1,200 to search and 597 to ask for."""
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        raise TwinlensError(
            Message("scikit-learn, which ships the digits, is missing."), Message("Install the extra “bench”.")
        ) from None
    x, labels = load_digits(return_X_y=True)
    return _split(x.astype(np.float32), labels.astype(np.int64), 1_200, f"scikit-learn {version('scikit-learn')}")


def make_dna(progress: Progress) -> Made:
    """Read 3,186 stretches of DNA, 60 letters of 3 bits each, in 3 classes; 2,000 to search, as usual."""
    found = read_package(MLBENCH, lambda path: path.endswith("/DNA.rda"), progress)
    (content,) = found.files.values()
    table = read_r_data(content)["DNA"]
    columns = {name: column for name, column in table.items() if isinstance(column, Factor)}
    classes = columns.pop("Class")
    x = np.stack([column.codes == 1 + column.levels.index("1") for column in columns.values()], axis=1)
    return _split(x.astype(np.float32), classes.codes, 2_000, found.package)


def _split(x: npt.NDArray[np.float32], labels: npt.NDArray[Any], count: int, package: str) -> Made:
    order = np.random.default_rng(0).permutation(len(x))
    first, last = order[:count], order[count:]
    arrays = {"base": x[first], "labels": labels[first], "queries": x[last], "query_labels": labels[last]}
    return Made(arrays, (package,))


DIGITS = DataSet("digits", "Handwritten digits, 8 x 8 (the test half of Optdigits)", make_digits)
DNA = DataSet("dna", "Splice junctions of DNA, 60 x 3 bits", make_dna)
