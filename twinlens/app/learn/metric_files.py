"""Files of metrics: a .npy or .npz with a factor G, a matrix A, or S with the items that it was learned from."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import numpy.typing as npt

from twinlens.app.bench.array_files import open_npz, read_npy
from twinlens.app.machine.output_file import ONLY_COPY, OutputFile
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import reading, shown
from twinlens.core.message import Message
from twinlens.core.metrics.kernel_metric import KernelMetric
from twinlens.core.metrics.metric import FittedMetric, Ranking
from twinlens.core.metrics.metric_arrays import read_metric
from twinlens.core.metrics.metric_forms import ExplicitMetric, ImplicitMetric

ENDINGS = (".npy", ".npz")


def read_metric_file(file: Path, ranking: Ranking = "distance") -> FittedMetric:
    """Read a metric.

    Parameters
    ----------
    file : Path
        ``.npy``: the factor G, (r, d), of A = G'G. ``.npz``: an array ``G``; or ``A``, (d, d); or ``S``, (c, c), with
        ``items``, (c, d), and, if it was learned of a kernel, ``kernel``, its text form.

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
    """Refuse a file name for no metric file; see :meth:`twinlens.app.machine.output_file.OutputFile.check`."""
    _ending(file.path)
    file.check(ONLY_COPY)


def _factor(metric: FittedMetric) -> npt.NDArray[np.float32]:
    if isinstance(metric, KernelMetric):
        raise TwinlensError(
            "The metric was learned of the kernel {base}, so it is no matrix G.",
            "Name a .npz, which holds S, the items and the kernel.",
            base=metric.base.text(),
        )
    explicit = metric.explicit() if isinstance(metric, ImplicitMetric) else metric
    assert isinstance(explicit, ExplicitMetric)
    return explicit.g


def _ending(file: Path) -> str:
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        raise TwinlensError(
            "{shown} is no file that a metric can be kept in.",
            "Name a .npy, which holds G, or a .npz, which holds G, A, or S and items.",
            shown=_shown(file),
        )
    return ending


def _shown(file: Path) -> str:
    return shown(os.fsencode(file))
