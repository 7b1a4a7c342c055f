"""The mathematics for scripts and notebooks: ``twinlens.core.workbench``, tables of measurements, figures, files.

>>> import numpy as np
>>> from twinlens import workbench
>>> workbench.declare("itq:bits=16").bits
16
>>> x = np.random.default_rng(0).normal(size=(1200, 16)).astype(np.float32)
>>> rows = workbench.bench(x, 100, ["lsh:bits=32", "itq:bits=16"], seeds=[0, 1])
>>> [(row["method"], row["bits"], 0 < row["recall@10"] <= 1) for row in rows]
[('lsh:bits=32', 32, True), ('itq:bits=16', 16, True)]

``rows.to_pandas()`` and ``rows.to_polars()`` are data frames, ``rows.figure("recall.svg")`` draws a figure.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

import twinlens.core.workbench
from twinlens.app.machine.output_file import OutputFile
from twinlens.core.declaration.declaration import Declaration, read_declaration
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.measures import in_order
from twinlens.core.evaluation.tables import Tables, draw_queries
from twinlens.core.files.untrusted_input import reading
from twinlens.core.message import NOTHING, Message
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.progress import Progress, part, silent
from twinlens.core.sampling import sample
from twinlens.core.vectors import Vectors
from twinlens.core.workbench import *  # noqa: F403

if TYPE_CHECKING:
    from twinlens.app.bench.bench import MeasuredBench
    from twinlens.features.pictures.picture import Picture

__all__ = ["TwinlensError", *twinlens.core.workbench.__all__, "bench", "describe", "load_vectors"]  # noqa: PLE0604 (a list of words)


Table = npt.ArrayLike | str | os.PathLike[str]
"""Vectors, (n, d), dense or sparse in rows, or a file of them."""


def bench(
    base: Table,
    queries: Table | int = "",
    methods: Sequence[str | Declaration] = (),
    search: Sequence[str | Declaration] = ("scan",),
    *,
    truth: str = "",
    labels: npt.ArrayLike | None = None,
    query_labels: npt.ArrayLike | None = None,
    metric: str | FittedMetric = "",
    pairs: npt.ArrayLike | int = 0,
    seeds: Sequence[int] = (0,),
    neighbours: int = 100,
    k: int = 1,
    progress: Progress = silent,
) -> BenchTable:
    """Measure hash methods and indexes of faiss on vectors, as ``twinlens bench`` does.

    Measured steps are kept in the cache: what was stopped goes on where it was.

    Parameters
    ----------
    base : array_like, (n, d), or str or Path
        Or a file, as :func:`load_vectors` takes it. One of ann-benchmarks brings queries, distance and neighbours.
    queries : array_like, (q, d), int, str or Path
        Vectors that are not among the base, how many of the base are drawn, none of which finds itself, or a file.
    methods, search : sequence of str or Declaration
        Text forms, sweeps, or what :func:`declare` returns; ``faiss:`` begins the factory string of an index of faiss,
        such as ``faiss:PQ16``. Without methods two usual ones.
    truth : str
        ``l2``, ``cosine``, ``labels``, the text form of a kernel, ...; empty for the metric's, else the first method's.
    labels, query_labels : array_like, (n,) and (q,), optional
        Numbers or words. Those of drawn queries are known.
    metric : str or FittedMetric
        Stands before every method: a text form, or one that is learned already.
    pairs : ndarray, (p, 3), or int
        Teach the metric: two rows of the base, and 1 if they are similar, else 0; or how many are drawn by the labels.
    neighbours : int
        Results of each query.
    k : int
        How many of them vote for a label.

    Returns
    -------
    BenchTable
        A row for each method and search structure.

    Raises
    ------
    TwinlensError
        If a declaration has no meaning, or nothing can be measured on these vectors.
    """
    from twinlens.app.bench.bench import measure_bench
    from twinlens.app.bench.bench_metric import pairs_of_table
    from twinlens.app.bench.experiment import Experiment
    from twinlens.app.bench.vector_files import checked_labels, labelled

    tables = _tables(base, queries, truth or ("metric" if metric else ""))
    given, asked = (None if one is None else np.asarray(one) for one in (labels, query_labels))
    if given is not None:
        given = checked_labels(given, "labels", tables.base.shape[0])
    if asked is not None:
        asked = checked_labels(asked, "query_labels", tables.queries.shape[0])
    tables = replace(
        labelled(tables, given, asked),
        metric=None if isinstance(metric, str) else metric,
        pairs=None if isinstance(pairs, int) else pairs_of_table(np.asarray(pairs), "pairs", tables.base.shape[0]),
    )
    experiment = Experiment(
        base=tables.name,
        methods=_texts(methods),
        search=_texts(search),
        truth=truth,
        metric=metric if isinstance(metric, str) else "",
        marks=(pairs,) if isinstance(pairs, int) and pairs else (),
        seeds=tuple(seeds),
        neighbours=neighbours,
        k=k,
    )
    return BenchTable(measure_bench(experiment, progress, tables=tables))


def _texts(declared: Iterable[str | Declaration] | str) -> tuple[str, ...]:
    several = [declared] if isinstance(declared, str) else declared
    return tuple(one.text() if isinstance(one, Declaration) else one for one in several)


def _tables(base: Table, queries: Table | int, truth: str) -> Tables:
    from twinlens.app.bench.experiment import Experiment
    from twinlens.app.bench.vector_files import load_tables, read_table, table_of, tables_of

    def table(given: Table, name: str) -> Vectors:
        return read_table(os.fspath(given)) if isinstance(given, str | os.PathLike) else table_of(given, name)

    asked = Experiment(truth=truth)
    if isinstance(queries, int):
        asked = asked.changed(query_count=queries) if queries else asked
    elif isinstance(queries, str | os.PathLike):
        asked = asked.changed(queries=os.fspath(queries))
    else:
        return tables_of("base", table(base, "base"), table(queries, "queries"))
    if isinstance(base, str | os.PathLike):
        return load_tables(asked.changed(base=os.fspath(base)))
    vectors = table(base, "base")
    if asked.queries:
        return tables_of("base", vectors, table(asked.queries, "queries"))
    own = draw_queries(vectors.shape[0], asked.query_count)
    return tables_of("base", vectors, vectors[own], own)


class BenchTable(list[dict[str, Any]]):
    """What was measured, a row for each method with each search structure.

    A row has ``method``, ``search``, ``bits``, ``seeds``, ``note`` and ``refused`` (why it could not be measured), and
    by their keys the measures (means over the seeds), and behind ``±`` their standard deviations. None stands for what
    was not measured, so that every row has every key.

    Attributes
    ----------
    measured : MeasuredBench
        What the rows were made of: data, experiment and steps.
    """

    def __init__(self, measured: MeasuredBench) -> None:
        self.measured = measured
        results = measured.result.results
        keys = in_order({key for one in results for key in one.values})
        super().__init__(
            {"method": one.method, "search": one.search, "bits": one.bits, "seeds": one.seeds}
            | {key: one.values.get(key) for key in keys}
            | {f"±{key}": one.spread.get(key) for key in keys if any(key in other.spread for other in results)}
            | {"note": str(one.note), "refused": str(one.refused)}
            for one in results
        )

    def to_pandas(self) -> Any:
        """Return the table as a data frame of pandas, which must be installed."""
        return _package("pandas").DataFrame(list(self))

    def to_polars(self) -> Any:
        """Return the table as a data frame of polars, which must be installed."""
        return _package("polars").DataFrame(list(self), infer_schema_length=None)

    def figure(
        self, file: str | os.PathLike[str], name: str = "", *, dark: bool = False, overwrite: bool = False
    ) -> None:
        """Draw a figure of the table, as ``twinlens bench --figure`` does.

        Parameters
        ----------
        file : str or Path
            Ends in .svg, .pdf or .png.
        name : str
            Of the figure, such as ``found-time``; a wrong one is refused with those that there are. Empty: the first.
        overwrite : bool
            Replace a file that Twinlens did not draw, too.

        Raises
        ------
        TwinlensError
            If there is no such figure, it cannot be written, or Pillow is not installed.
        """
        _package("PIL")
        from twinlens.app.lab.figures.run_figures import write_bench_figure

        write_bench_figure(self.measured, OutputFile(Path(file), overwrite), name, dark)


_INSTALLED_AS = {"PIL": "pillow"}


def _package(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        raise TwinlensError(
            "{package} is not installed here.",
            "Install it: pip install {package}",
            package=_INSTALLED_AS.get(name, name),
        ) from None


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
    pictures: Sequence[str | os.PathLike[str]] | str | os.PathLike[str],
    descriptor: str = "edges",
    progress: Progress = silent,
) -> npt.NDArray[np.float32]:
    """Describe pictures by vectors, which every other function here takes.

    They are read in this process. `twinlens describe` reads them in worker processes, which a damaged file may end.

    Parameters
    ----------
    pictures : sequence of str or Path
        Files, or one.
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
    files = [Path(one) for one in ([pictures] if isinstance(pictures, str | os.PathLike) else pictures)]
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
