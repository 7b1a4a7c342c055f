"""Pairs for learning a metric of a bench, from a file or drawn by labels."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from app.bench.vector_file import load_vectors
from app.marks.pair_file import read_pairs
from core.arrays import Int64Labels, Int64Rows
from core.errors import TwinlensError
from core.message import Message
from core.metrics.metric import MetricPairs

_ATTEMPTS = 100


def pairs_of_file(name: str, n: int) -> MetricPairs:
    """Read pairs of rows of the base, counted from 0.

    Parameters
    ----------
    name : str
        ``.csv`` or ``.json`` with first, second and judgement, as `twinlens learn` takes them, with rows for pictures;
        or a table of vectors' own formats, (p, 3): row, row, and 1 if similar, else 0 or -1.
    n : int
        Vectors of the base.

    Raises
    ------
    TwinlensError
        If the file cannot be read, has another form, or names a missing row.
    """
    if Path(name).suffix.lower() in {".csv", ".json"}:
        named = read_pairs(Path(name))
        for one in named:
            if not (one.first.isdecimal() and one.second.isdecimal()):
                raise TwinlensError(
                    Message("Pair {line} of {name} does not name two rows.", line=one.line, name=name),
                    Message("Give rows of the base, counted from 0."),
                )
        # One that no array can hold is beyond every base.
        rows = np.array([(min(int(one.first), n), min(int(one.second), n)) for one in named], np.int64)
        similar = np.array([one.similar for one in named], bool)
    else:
        table = load_vectors(name)
        if not isinstance(table, np.ndarray) or table.ndim != 2 or table.shape[1] != 3 or not len(table):
            raise TwinlensError(
                Message("{name} has no pairs.", name=name),
                Message("Give a table with three columns: row, row, 1 if similar."),
            )
        if table.dtype.kind not in "biuf" or not np.isfinite(table.astype(np.float64)).all():
            raise TwinlensError(
                Message("{name} has no pairs.", name=name),
                Message("Give a table with three columns: row, row, 1 if similar."),
            )
        rows, similar = np.clip(table[:, :2], -1, n).astype(np.int64), table[:, 2] > 0
    if rows.min() < 0 or rows.max() >= n:
        raise TwinlensError(
            Message("{name} names rows that are not among the {n} vectors of the base.", name=name, n=n),
            Message("Count rows from 0."),
        )
    return MetricPairs(rows, similar)


def pairs_of_labels(labels: Int64Labels, count: int, queries: Int64Rows | None, seed: int) -> MetricPairs:
    """Draw pairs of the base, half with the same label and half with different ones, without queries.

    Parameters
    ----------
    labels : ndarray of int64, (n,)
    count : int
    queries : ndarray of int64, optional
        Rows of the queries.
    seed : int

    Raises
    ------
    TwinlensError
        If all labels are equal, or all differ.
    """
    rng = np.random.default_rng(seed)
    free = np.arange(len(labels)) if queries is None else np.setdiff1d(np.arange(len(labels)), queries)
    found: list[list[Int64Rows]] = [[], []]
    wanted = (count - count // 2, count // 2)
    for _ in range(_ATTEMPTS):
        rows = free[rng.integers(0, len(free), (10 * count, 2))]
        rows = rows[rows[:, 0] != rows[:, 1]]
        same = labels[rows[:, 0]] == labels[rows[:, 1]]
        for kind, chosen in enumerate((rows[same], rows[~same])):
            found[kind].append(chosen)
        if all(sum(map(len, some)) >= least for some, least in zip(found, wanted, strict=True)):
            similar, different = (np.concatenate(some)[:least] for some, least in zip(found, wanted, strict=True))
            return MetricPairs(np.concatenate([similar, different]), np.arange(count) < len(similar))
    raise TwinlensError(
        Message(
            "The labels do not give {count} pairs, half with the same label and half with different ones.", count=count
        ),
        Message("Give labels of which some, but not all, are equal."),
    )
