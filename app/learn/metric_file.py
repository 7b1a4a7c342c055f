"""Metrics from files and into files: .npy is the matrix G, .npz holds G, or A, or S and items (and kernel)."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.bench.array_file import open_npz, read_npy
from app.machine.output_file import ONLY_COPY, OutputFile
from app.results import shown
from core.errors import TwinlensError
from core.files.untrusted_input import reading
from core.message import Message
from core.metrics.kernel_metric import KernelMetric
from core.metrics.metric import FittedMetric, Ranking
from core.metrics.metric_arrays import read_metric
from core.metrics.metric_forms import ExplicitMetric, ImplicitMetric

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


def write_metric_file(metric: FittedMetric, file: OutputFile) -> None:
    """Write a metric as :func:`read_metric_file` reads it.

    Parameters
    ----------
    metric : FittedMetric
    file : OutputFile
        ``.npy``: G, written out where the metric has it as S and items. ``.npz``: as it is.

    Raises
    ------
    TwinlensError
        If the file must not be replaced, cannot be written, or is of another type.
    """
    factor = _factor(metric) if _ending(file.path) == ".npy" else None
    with file.opened(ONLY_COPY) as out:
        if factor is not None:
            np.save(out, factor)
        elif isinstance(metric, KernelMetric):
            np.savez(out, S=metric.s, items=metric.items, kernel=np.array(metric.base.text()))
        elif isinstance(metric, ImplicitMetric):
            np.savez(out, S=metric.s, items=metric.items)
        else:
            np.savez(out, G=_factor(metric))


def check_metric_file(file: OutputFile) -> None:
    """Refuse a file that a metric cannot be written into; see :meth:`app.machine.output_file.OutputFile.check`."""
    _ending(file.path)
    file.check(ONLY_COPY)


def _factor(metric: FittedMetric) -> npt.NDArray[np.float32]:
    if isinstance(metric, KernelMetric):
        raise TwinlensError(
            Message("The metric was learned of the kernel {base}, so it is no matrix G.", base=metric.base.text()),
            Message("Name a .npz, which holds S, the items and the kernel."),
        )
    explicit = metric.explicit() if isinstance(metric, ImplicitMetric) else metric
    assert isinstance(explicit, ExplicitMetric)
    return explicit.g


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
