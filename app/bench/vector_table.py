"""Tables of vectors, and labels of their rows, from the files that a bench or a search for good parameters names."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.bench.vector_file import load_vectors
from core.arrays import Int64Labels
from core.errors import TwinlensError
from core.evaluation.tables import naming
from core.message import Message
from core.vectors import Vectors, as_vectors


def open_table(name: str) -> Any:
    """Open a table of numbers, a row a vector: dense and of any numbers, mapped where it can be, or sparse.

    Matrices are laid out as rows; bilinear methods lay them out again. The numbers of a dense one are yet unchecked.

    Raises
    ------
    TwinlensError
        If it cannot be read, or is no such table.
    """
    table: Any = load_vectors(name)
    if not isinstance(table, np.ndarray):  # sparse, and checked
        if 0 in table.shape:
            raise TwinlensError(
                Message("{name} holds no vectors.", name=name),
                Message("Give a table of numbers with one vector in each row."),
            )
        return table
    if table.ndim == 3:
        table = table.reshape(len(table), -1)
    if table.ndim != 2 or table.dtype.kind not in "biuf" or 0 in table.shape:
        raise TwinlensError(
            Message(
                "{name} has an array {shape} of {dtype}, which is not a table of vectors.",
                name=name,
                shape=str(table.shape),
                dtype=table.dtype,
            ),
            Message("Give a table of numbers with one vector in each row."),
        )
    return table


def read_table(name: str) -> Vectors:
    """Read all of a table, in float32 where it is dense, with every number checked."""
    table = open_table(name)
    if not isinstance(table, np.ndarray):
        sparse: Vectors = table
        return sparse
    with naming(name):
        return as_vectors(table, np.float32)


def read_labels(name: str, expected: int) -> Int64Labels | None:
    """Read as many labels as are expected, as whole numbers; None where no file is named."""
    if not name:
        return None
    labels = load_vectors(name)
    if not isinstance(labels, np.ndarray):
        raise TwinlensError(
            Message("{name} is a sparse table, not a row of labels.", name=name),
            Message("Give a label for each vector."),
        )
    labels = labels.reshape(-1)
    if len(labels) != expected:
        raise TwinlensError(
            Message(
                "{name} has {labels} labels for {expected} vectors.", name=name, labels=len(labels), expected=expected
            ),
            Message("Give a label for each vector."),
        )
    if labels.dtype.kind in "iu":
        return labels.astype(np.int64)
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)
