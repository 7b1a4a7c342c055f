"""Labelled tables of R's package mlbench, from Debian's: Letter, Shuttle, Soybean and Vehicle."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Matrix
from core.errors import TwinlensError
from core.message import NOTHING, Message
from core.progress import Progress
from science.papers.data_set import DataSet, Made
from science.papers.debian_files import read_package
from science.papers.r_data import Column, Factor, read_r_data
from science.papers.sets.labelled import MLBENCH


def make_letter(progress: Progress) -> Made:
    """Read 16 measures of 20,000 printed capitals of 26 classes; the last 4,000 ask, as is usual."""
    x, labels, package = _read("LetterRecognition", "lettr", progress)
    return _cut(x, labels, 16_000, package)


def make_shuttle(progress: Progress) -> Made:
    """Read 9 sensors of the space shuttle at 58,000 moments, in 7 classes; 14,500 drawn at random ask."""
    x, labels, package = _read("Shuttle", "Class", progress)
    order = np.random.default_rng(0).permutation(len(x))
    return _cut(x[order], labels[order], 43_500, package)


def make_soybean(progress: Progress) -> Made:
    """Read 35 marks of 683 diseased plants, in 19 classes. A mark that is missing has the mean of the others."""
    x, labels, package = _read("Soybean", "Class", progress)
    return Made({"base": x, "labels": labels}, (package,))


def make_vehicle(progress: Progress) -> Made:
    """Read 18 measures of 846 outlines of vehicles, in 4 classes."""
    x, labels, package = _read("Vehicle", "Class", progress)
    return Made({"base": x, "labels": labels}, (package,))


def _read(name: str, label: str, progress: Progress) -> tuple[Float32Matrix, npt.NDArray[np.int64], str]:
    found = read_package(MLBENCH, lambda path: path.endswith(f"/{name}.rda"), progress)
    (content,) = found.files.values()
    columns = dict(read_r_data(content)[name])
    classes = columns.pop(label)
    if not isinstance(classes, Factor):
        raise TwinlensError(Message("The column {label} of {name} names no classes.", label=label, name=name), NOTHING)
    x = np.stack([numbers(column) for column in columns.values()], axis=1)
    return x.astype(np.float32), classes.codes, found.package


def numbers(column: Column) -> npt.NDArray[np.float64]:
    """Turn a column into numbers: the names of a factor's levels are some; what is missing becomes the mean.

    Examples
    --------
    >>> numbers(Factor(np.array([1, 2, 0]), ["0", "4"])).tolist()
    [0.0, 4.0, 2.0]
    """
    if isinstance(column, Factor):
        values = np.array([np.nan, *map(float, column.levels)])[column.codes]
    else:
        values = np.asarray(column, np.float64)
    return np.where(np.isnan(values), np.nanmean(values), values)


def _cut(x: Float32Matrix, labels: npt.NDArray[np.int64], count: int, package: str) -> Made:
    arrays: dict[str, npt.NDArray[Any]] = {
        "base": x[:count],
        "labels": labels[:count],
        "queries": x[count:],
        "query_labels": labels[count:],
    }
    return Made(arrays, (package,))


LETTER = DataSet("letter", "Measures of printed letters", make_letter)
SHUTTLE = DataSet("shuttle", "Sensors of the space shuttle", make_shuttle)
SOYBEAN = DataSet("soybean", "Marks of diseased soybean plants", make_soybean)
VEHICLE = DataSet("vehicle", "Outlines of vehicles", make_vehicle)
