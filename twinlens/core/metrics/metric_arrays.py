"""Metrics that were learned elsewhere: from plain arrays, checked, with a sentence for what cannot be one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from twinlens.core.arrays import AnyArray, Float64Matrix
from twinlens.core.declaration.declaration import read_declaration
from twinlens.core.errors import TwinlensError
from twinlens.core.kernels import KERNELS
from twinlens.core.message import Message
from twinlens.core.metrics.kernel_metric import KernelMetric
from twinlens.core.metrics.metric import FittedMetric, Ranking
from twinlens.core.metrics.metric_forms import ExplicitMetric, ImplicitMetric
from twinlens.core.metrics.sparse_metric import SparseMetric

_ROUNDING = 1e-5
"""Of the largest entry, or eigenvalue: what a matrix that was written as float32 may be off from what it should be."""

_NOTHING = 1e-13
"""Of the largest eigenvalue: below it a direction does not count."""

_COMPRESSED = ("data", "indices", "indptr", "shape")

_CHOICES = Message(
    "Give one array, the matrix G of G'G = A with a row of d numbers for each dimension that it leads to; or a file of "
    "named arrays: G; or A, (d, d); or S, (c, c), with items, (c, d)."
)


def read_metric(arrays: AnyArray | Mapping[str, AnyArray], ranking: Ranking = "distance") -> FittedMetric:
    """Make a metric of arrays.

    Parameters
    ----------
    arrays : ndarray, or mapping of str to ndarray
        A matrix alone is G. By name: ``G`` (r, d), with A = G'G; or ``A`` (d, d), symmetric and without negative
        eigenvalues; or ``S`` (c, c) with ``items`` (c, d), for G = I + Φ S Φ', the items the columns of Φ; or
        with these and ``kernel``, the text form of one, the same in its space.

    Returns
    -------
    FittedMetric
        Its spread is 1 until :meth:`FittedMetric.fitted_to` has seen vectors.

    Raises
    ------
    TwinlensError
        If they are no metric: which array, and what is wrong with it.
    """
    named = {"G": arrays} if isinstance(arrays, np.ndarray) else dict(arrays)
    if list(named) == ["arr_0"]:  # as numpy names what was saved without a name
        named = {"G": named["arr_0"]}
    if set(named) == {"G"}:
        return ExplicitMetric.of(_factor(named["G"]), ranking=ranking)
    if set(named) == {"A"}:
        return ExplicitMetric.of(factored(_matrix("A", named["A"])), ranking=ranking)
    if set(named) == {"S", "items"}:
        return _implicit(named["items"], named["S"], ranking)
    if set(named) == {"S", "items", "kernel"}:
        return _of_kernel(named["items"], named["S"], named["kernel"], ranking)
    if not named:
        raise TwinlensError("There is no array to make a metric of.", _CHOICES)
    raise TwinlensError("These arrays are no metric: {names}.", _CHOICES, names=sorted(named))


def read_sparse_metric(arrays: Mapping[str, AnyArray], ranking: Ranking = "distance") -> SparseMetric:
    """Make a metric of arrays for sparse vectors of any number of dimensions.

    Parameters
    ----------
    arrays : mapping of str to ndarray
        ``S``, (c, c), with the items as ``scipy.sparse.save_npz`` writes them, (c, d): ``data``, ``indices``,
        ``indptr``, ``shape`` and, if it is there, ``format``, which must be ``csr``; or as a plain array ``items``.

    Raises
    ------
    TwinlensError
        If they are no metric: which array, and what is wrong with it.
    """
    from scipy.sparse import csr_array

    named = {name: array for name, array in arrays.items() if name not in {"format", "_is_array"}}
    form = np.asarray(arrays.get("format", "csr")).item()
    if set(named) == {"S", "items"}:
        return SparseMetric.of(_matrix("items", named["items"]), _matrix("S", named["S"]), ranking)
    if set(named) != {"S", *_COMPRESSED} or form not in {"csr", b"csr"}:
        raise TwinlensError(
            Message("These arrays are no metric for sparse vectors: {names}.", names=sorted(arrays))
            if arrays
            else Message("There is no array to make a metric of."),
            "Give S, (c, c), with data, indices, indptr and shape of the c items, in compressed rows (csr).",
        )
    try:
        rows, columns = (int(size) for size in np.asarray(named["shape"]).ravel())
        items = csr_array((named["data"], named["indices"], named["indptr"]), shape=(rows, columns))
    except (ValueError, TypeError) as error:
        raise TwinlensError("The metric's items are damaged: {error}.", "Write them again.", error=error) from None
    return SparseMetric.of(items, _matrix("S", named["S"]), ranking)


def factored(a: Float64Matrix) -> Float64Matrix:
    """Factor a symmetric positive semi-definite matrix, A = G'G.

    Parameters
    ----------
    a : ndarray of float64, (d, d)

    Returns
    -------
    ndarray of float64, (d, d) or (r, d)
        The symmetric root of A, under which G x is as near to x as can be; or, where A has only r < d directions
        that count, these.

    Raises
    ------
    TwinlensError
        If A is no square, not symmetric, has a negative eigenvalue, or is zero.
    """
    _square("A", a)
    off = np.abs(a - a.T)
    if off.max() > _ROUNDING * np.abs(a).max():
        i, j = (int(place) for place in sorted(np.unravel_index(int(off.argmax()), off.shape)))
        raise TwinlensError(
            "The metric's A is not symmetric: entry ({i}, {j}), counted from 0, is {a:.6g}, and "
            "entry ({j}, {i}) is {a2:.6g}.",
            "Give (A + A') / 2, which measures the same distances; or, if the matrix is a factor G "
            "of A = G'G, name it G.",
            i=i,
            j=j,
            a=a[i, j],
            a2=a[j, i],
        )
    values, directions = np.linalg.eigh((a + a.T) / 2)
    if values[0] < -_ROUNDING * max(values[-1], 0.0) or values[-1] <= 0:
        raise TwinlensError(
            Message(
                "The metric's A has a negative eigenvalue, {value:.6g}, so it measures no distances.", value=values[0]
            )
            if a.any()
            else Message("The metric's A is zero throughout, so it measures no distances."),
            "Give a symmetric matrix whose eigenvalues are all 0 or more, and not all 0.",
        )
    counts = values > _NOTHING * values[-1]
    roots = np.sqrt(values[counts])
    if counts.all():
        return np.asarray((directions * roots) @ directions.T)
    return np.asarray((directions[:, counts] * roots).T[::-1])


def _factor(array: AnyArray) -> Float64Matrix:
    g = _matrix("G", array)
    if not g.any():
        raise TwinlensError("The metric's G is zero throughout: under it all items would be equal.", _CHOICES)
    return g


def _implicit(items: AnyArray, s: AnyArray, ranking: Ranking) -> ImplicitMetric:
    return ImplicitMetric.of(*_items_and_weights(items, s), ranking=ranking)


def _of_kernel(items: AnyArray, s: AnyArray, text: AnyArray, ranking: Ranking) -> KernelMetric:
    phi, weights = _items_and_weights(items, s)
    kernel = read_declaration(KERNELS, str(np.asarray(text)))
    off = float(np.abs(weights - weights.T).max())
    if off > _ROUNDING * max(float(np.abs(weights).max()), 1e-300):
        raise TwinlensError("The metric's S is not symmetric, as it is for a kernel.", "Give (S + S') / 2.")
    return KernelMetric.of_weights(kernel, phi, (weights + weights.T) / 2, ranking)


def _items_and_weights(items: AnyArray, s: AnyArray) -> tuple[Float64Matrix, Float64Matrix]:
    phi, weights = _matrix("items", items), _matrix("S", s)
    _square("S", weights)
    if len(weights) != len(phi):
        raise TwinlensError(
            "The metric's S has {weights} rows, but there are {phi} items.",
            "Give an S with a row and a column for each item.",
            weights=len(weights),
            phi=len(phi),
        )
    return phi, weights


def _square(name: str, matrix: Float64Matrix) -> None:
    rows, columns = matrix.shape
    if rows != columns:
        raise TwinlensError(
            "The metric's {name} must be a square, but it has {rows} rows and {columns} columns.",
            _CHOICES,
            name=name,
            rows=rows,
            columns=columns,
        )


def _matrix(name: str, array: AnyArray) -> Float64Matrix:
    """Check that an array is a matrix of finite numbers."""
    table = np.asarray(array)
    if table.dtype.kind not in "biuf":
        raise TwinlensError(
            "The metric's {name} must be real numbers, but it holds {dtype}.", _CHOICES, name=name, dtype=table.dtype
        )
    if table.ndim != 2 or 0 in table.shape:
        raise TwinlensError(
            "The metric's {name} must be a matrix, but it has the shape {shape}.",
            _CHOICES,
            name=name,
            shape=str(table.shape),
        )
    with np.errstate(over="ignore", invalid="ignore"):
        finite = np.isfinite(table.astype(np.float32)).all(axis=1)
    if not finite.all():
        raise TwinlensError(
            "Row {argmin} (counted from 0) of the metric's {name} holds a value that is not a finite float32 number.",
            "Mend that row, or scale the metric.",
            argmin=int(np.argmin(finite)),
            name=name,
        )
    return table.astype(np.float64)
