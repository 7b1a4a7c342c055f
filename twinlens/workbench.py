"""The mathematics for scripts and notebooks: ``twinlens.core.workbench``, tables of measurements, files.

>>> import numpy as np
>>> from twinlens import workbench
>>> workbench.declare("itq:bits=16").bits
16
>>> x = np.random.default_rng(0).normal(size=(1200, 16)).astype(np.float32)
>>> rows = workbench.bench(x, 100, ["lsh:bits=32", "itq:bits=16"], seeds=[0, 1])
>>> [(row["method"], row["bits"], 0 < row["recall@10"] <= 1) for row in rows]
[('lsh:bits=32', 32, True), ('itq:bits=16', 16, True)]

Such rows are a data frame by one word: ``pandas.DataFrame(rows)``, ``polars.DataFrame(rows)``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

import twinlens.core.workbench
from twinlens.core.arrays import Int64Labels
from twinlens.core.declaration.declaration import read_declaration
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.tables import Tables, draw_queries
from twinlens.core.files.untrusted_input import reading
from twinlens.core.message import NOTHING, Message
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.progress import Progress, part, silent
from twinlens.core.sampling import sample
from twinlens.core.vectors import Vectors
from twinlens.core.workbench import *  # noqa: F403

if TYPE_CHECKING:
    from twinlens.features.pictures.picture import Picture

__all__ = ["TwinlensError", *twinlens.core.workbench.__all__, "bench", "describe", "load_vectors"]  # noqa: PLE0604 (a list of words)


def bench(
    base: Vectors,
    queries: Vectors | int,
    methods: Sequence[str],
    search: Sequence[str] = ("scan",),
    *,
    truth: str = "",
    labels: Int64Labels | None = None,
    query_labels: Int64Labels | None = None,
    metric: str | FittedMetric = "",
    seeds: Sequence[int] = (0,),
    progress: Progress = silent,
) -> list[dict[str, Any]]:
    """Measure hash methods and indexes of faiss on vectors, as ``twinlens bench`` does on files.

    Parameters
    ----------
    base : ndarray, (n, d)
    queries : ndarray, (q, d), or int
        Vectors that are not among the base, or how many of the base are drawn, none of which finds itself.
    methods, search : sequence of str
        Text forms or sweeps; ``faiss:`` begins the factory string of an index of faiss, such as ``faiss:PQ16``.
    truth : str
        ``l2``, ``cosine``, ``labels``, the text form of a kernel, ...; empty for the metric's, else the first method's.
    labels, query_labels : ndarray of int64, (n,) and (q,), optional
        Those of drawn queries are known.
    metric : str or FittedMetric
        Stands before every method: one that learns from nothing but the base, or one that is learned already.

    Returns
    -------
    list of dict
        For each method and search structure its ``method``, ``search``, ``bits``, ``seeds``, ``note`` and ``refused``
        (why it could not be measured), and by their keys the measures (means over the seeds) and behind ``±`` their
        standard deviations.

    Raises
    ------
    TwinlensError
        If a declaration has no meaning, or nothing can be measured on these vectors.
    """
    from twinlens.app.bench.bench import bench as measured
    from twinlens.app.bench.experiment import Experiment

    own = draw_queries(base.shape[0], queries) if isinstance(queries, int) else None
    asking = base[own] if isinstance(queries, int) else queries
    if own is not None and labels is not None:
        query_labels = labels[own]
    known = None if isinstance(metric, str) else metric
    tables = Tables("base", base, asking, own, labels, query_labels, metric=known)
    experiment = Experiment(
        base="base",
        methods=tuple(methods),
        search=tuple(search),
        truth=truth,
        metric=metric if isinstance(metric, str) else "",
        seeds=tuple(seeds),
    )
    return [
        {"method": one.method, "search": one.search, "bits": one.bits, "seeds": one.seeds}
        | one.values
        | {f"±{key}": value for key, value in one.spread.items()}
        | {"note": str(one.note), "refused": str(one.refused)}
        for one in measured(experiment, progress, tables=tables).results
    ]


def load_vectors(name: str) -> Any:
    """Load a table, (n, d), or a row of labels, (n,), from .npy, .npz, .fvecs, .ivecs, .bvecs or .hdf5.

    Parameters
    ----------
    name : str
        A path; behind ``::`` the name of the array where a file holds several: ``glove-25-angular.hdf5::train``.

    Raises
    ------
    TwinlensError
        If there is no such file or array, it is no table, or it is damaged.
    """
    from twinlens.app.bench.vector_files import load_vectors as loaded

    return loaded(name)


def describe(
    pictures: Sequence[str | os.PathLike[str]], descriptor: str = "edges", progress: Progress = silent
) -> npt.NDArray[np.float32]:
    """Describe pictures by vectors, which every other function here takes.

    They are read in this process. `twinlens describe` reads them in worker processes, which a damaged file may end.

    Parameters
    ----------
    pictures : sequence of str or Path
        Files.
    descriptor : str
        Its text form, such as ``colour`` or ``compact-vlad:dimensions=128``.

    Returns
    -------
    ndarray of float32, (n, d)
        A row for each picture; zero throughout where there is nothing to describe.

    Raises
    ------
    TwinlensError
        If the packages that read pictures are not installed, the descriptor is none, or a picture cannot be read.
    """
    files = [Path(one) for one in pictures]
    try:
        from twinlens import features

        declared = read_declaration(features.DESCRIPTORS, descriptor)
        drawn = sample([os.fsencode(one) for one in files], declared.sample_size, 0) if declared.learns else []
        learning = 0.3 if declared.learns else 0.0
        extractor = declared.fit(lambda: _read(files[place] for place in drawn), part(progress, 0.0, learning))
        rows: list[npt.NDArray[np.float32]] = []
        for picture in _read(files):
            part(progress, learning, 1.0)(len(rows), len(files), NOTHING)
            rows.append(extractor.extract(picture))
    except ModuleNotFoundError as error:
        raise TwinlensError(
            "Pictures cannot be read here: the package {package} is not installed.",
            "Install what reads them: pip install 'twinlens[pictures]'",
            package=str(error.name),
        ) from error
    return np.stack(rows) if rows else np.zeros((0, declared.dimensions), np.float32)


def _read(files: Iterable[Path]) -> Iterator[Picture]:
    from twinlens.features.reading.reading import read
    from twinlens.features.reading.reading_limits import UnreadableError

    for file in files:
        with reading(file, Message("{file} cannot be read", file=file)):
            data = file.read_bytes()
        try:
            picture = read(data, file.name)
        except UnreadableError as error:
            raise TwinlensError(
                Message("{path}: {reason}", path=file, reason=error.message), error.next_step
            ) from error
        yield picture
