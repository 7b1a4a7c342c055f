"""Who earns how much, of 8,993 people of the San Francisco Bay Area: categories alone, from Debian's package of R."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import TwinlensError
from core.message import NOTHING, Message
from core.progress import Progress
from science.papers.data_set import DataSet, Made
from science.papers.debian_files import read_package
from science.papers.r_data import Factor, read_r_data

PACKAGE = "r-cran-kernlab"
SEARCHED = 1_605
"""As many as the paper's Adult has to search; the others ask."""

HIGH = 8
"""From which of the 9 steps of income on a household is one of the high ones: $50,000 a year, as in Adult."""


def make(progress: Progress) -> Made:
    """Write each of 13 attributes as a column for each of its values, 75 in all; a missing one is 0 in all of its."""
    found = read_package(PACKAGE, lambda path: path.endswith("/income.rda"), progress)
    (content,) = found.files.values()
    columns = {name: one for name, one in read_r_data(content)["income"].items() if isinstance(one, Factor)}
    earned = columns.pop("INCOME")
    if len(earned.levels) != 9 or not earned.levels[HIGH - 1].startswith("[50.000"):
        raise TwinlensError(Message("The steps of income are not those that are known here."), NOTHING)
    parts = [one.codes[:, None] == np.arange(1, len(one.levels) + 1) for one in columns.values()]
    x, labels = np.concatenate(parts, axis=1).astype(np.float32), (earned.codes >= HIGH).astype(np.int64)
    order = np.random.default_rng(0).permutation(len(x))
    first, last = order[:SEARCHED], order[SEARCHED:]
    arrays: dict[str, npt.NDArray[Any]] = {
        "base": x[first],
        "labels": labels[first],
        "queries": x[last],
        "query_labels": labels[last],
    }
    return Made(arrays, (found.package,))


INCOME = DataSet("income", "Income of people of the Bay Area, 13 attributes as 75 columns", make)
