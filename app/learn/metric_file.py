"""Metrics from files and into files: .npy is the matrix G, .npz holds G, or A, or S and items (and kernel)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.bench.array_file import open_npz, read_npy
from app.results import shown
from core.errors import TwinlensError
from core.files.untrusted_input import reading
from core.message import Message
from core.metrics.explicit_metric import ExplicitMetric
from core.metrics.implicit_metric import ImplicitMetric
from core.metrics.kernel_metric import KernelMetric
from core.metrics.metric import FittedMetric, Ranking
from core.metrics.metric_arrays import read_metric

ENDINGS = (".npy", ".npz")


def read_metric_file(file: Path, ranking: Ranking = "distance") -> FittedMetric:
    """Read a metric.

    Parameters
    ----------
    file : Path
        ``.npy``: the factor G, (r, d), of A = G'G. ``.npz``: an array ``G``; or ``A``, (d, d); or ``S``, (c, c), with
        ``items``, (c, d), and, if it was learned of a kernel, ``kernel``, its text form.
    ranking : {"distance", "kernel"}

    Raises
    ------
    TwinlensError
        If there is no such file, it cannot be read, or what it holds is no metric.
    """
    ending = _ending(file)
    with reading(
        _shown(file),
        Message("{file} cannot be read as {ending}", file=_shown(file), ending=ending),
        Message("Write it with numpy.save or numpy.savez, without objects."),
    ):
        if ending == ".npy":
            return read_metric(read_npy(file), ranking)
        with open_npz(file) as arrays:
            return read_metric(arrays.all(), ranking)


def write_metric_file(metric: FittedMetric, file: Path) -> None:
    """Write a metric as :func:`read_metric_file` reads it; a file that is there is never written over.

    Parameters
    ----------
    metric : FittedMetric
    file : Path
        ``.npy``: G, written out where the metric has it as S and items. ``.npz``: as it is.

    Raises
    ------
    TwinlensError
        If the file is there already, cannot be written, or is of another type.
    """
    if _ending(file) == ".npy":
        g = _factor(metric)
        _write(file, lambda out: np.save(out, g))
    elif isinstance(metric, KernelMetric):
        kernel, weights, phi = np.array(metric.base.text()), metric.s, metric.items
        _write(file, lambda out: np.savez(out, S=weights, items=phi, kernel=kernel))
    elif isinstance(metric, ImplicitMetric):
        s, items = metric.s, metric.items
        _write(file, lambda out: np.savez(out, S=s, items=items))
    else:
        g = _factor(metric)
        _write(file, lambda out: np.savez(out, G=g))


def _factor(metric: FittedMetric) -> npt.NDArray[np.float32]:
    if isinstance(metric, KernelMetric):
        raise TwinlensError(
            Message("The metric was learned of the kernel {base}, so it is no matrix G.", base=metric.base.text()),
            Message("Name a .npz, which holds S, the items and the kernel."),
        )
    explicit = metric.explicit() if isinstance(metric, ImplicitMetric) else metric
    assert isinstance(explicit, ExplicitMetric)
    return explicit.g


def _write(file: Path, save: Callable[[Any], None]) -> None:
    try:
        with file.open("xb") as out:
            try:
                save(out)
            except BaseException:
                file.unlink()
                raise
    except FileExistsError:
        raise TwinlensError(
            Message("{shown} exists already.", shown=_shown(file)), Message("Name another file.")
        ) from None
    except OSError as error:
        raise TwinlensError(
            Message("{shown} cannot be written: {value}.", shown=_shown(file), value=error.strerror or error),
            Message("Name another place."),
        ) from None


def _ending(file: Path) -> str:
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        raise TwinlensError(
            Message("{shown} is no file that a metric can be kept in.", shown=_shown(file)),
            Message("Name a .npy, which holds G, or a .npz, which holds G, A, or S and items."),
        )
    return ending


def _shown(file: Path) -> str:
    return shown(os.fsencode(file))
