"""Labelled tables of R's packages and of scikit-learn, with the reader of R's files.

Debian's packages of R have DNA, Letter, Shuttle, Soybean, Vehicle, and the incomes of 8,993 people of the San Francisco
Bay Area; the digits come with scikit-learn.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

import numpy as np
import numpy.typing as npt

from science.papers.data_set import DataSet, Made, read_package
from twinlens.core.arrays import Float32Matrix
from twinlens.core.errors import TwinlensError
from twinlens.core.message import NOTHING
from twinlens.core.progress import Progress

MLBENCH = "r-cran-mlbench"


def make_digits(progress: Progress) -> Made:
    """Split scikit-learn's digits into 1,200 to search and 597 to ask for."""
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        raise TwinlensError("scikit-learn, which ships the digits, is missing.", "Install the extra “bench”.") from None
    x, labels = load_digits(return_X_y=True)
    return _split(x.astype(np.float32), labels.astype(np.int64), 1_200, f"scikit-learn {version('scikit-learn')}")


def make_dna(progress: Progress) -> Made:
    """Read 3,186 stretches of DNA, 60 letters of 3 bits each, in 3 classes; 2,000 to search, as usual."""
    found = read_package(MLBENCH, lambda path: path.endswith("/DNA.rda"), progress)
    (content,) = found.files.values()
    table = read_r_data(content)["DNA"]
    columns = {name: column for name, column in table.items() if isinstance(column, Factor)}
    classes = columns.pop("Class")
    x = np.stack([column.codes == 1 + column.levels.index("1") for column in columns.values()], axis=1)
    return _split(x.astype(np.float32), classes.codes, 2_000, found.package)


def _split(x: npt.NDArray[np.float32], labels: npt.NDArray[Any], count: int, package: str) -> Made:
    order = np.random.default_rng(0).permutation(len(x))
    first, last = order[:count], order[count:]
    arrays = {"base": x[first], "labels": labels[first], "queries": x[last], "query_labels": labels[last]}
    return Made(arrays, (package,))


DIGITS = DataSet("digits", "Handwritten digits, 8 x 8 (the test half of Optdigits)", make_digits)
_NIL, _GLOBAL, _REFERENCE = 254, 253, 255
_SYMBOL, _PAIRS, _CHARACTERS, _LOGICALS, _INTEGERS, _DOUBLES, _STRINGS, _LIST, _COMPACT = (
    1,
    2,
    9,
    10,
    13,
    14,
    16,
    19,
    238,
)
_ATTRIBUTES, _TAG = 0x200, 0x400


@dataclass(frozen=True)
class Factor:
    """A column of classes: codes from 1 up, 0 where there is none, and the names of the classes."""

    codes: npt.NDArray[np.int64]
    levels: list[str]


Column = npt.NDArray[Any] | Factor | list[str]


@dataclass
class _Item:
    value: Any
    attributes: dict[str, Any] = field(default_factory=dict)


def read_r_data(content: bytes) -> dict[str, dict[str, Column]]:
    """Read the tables (data frames) of an .rda file: by name, their columns by name.

    Raises
    ------
    TwinlensError
        If it is no such file, or holds what is not known here.
    """
    try:
        reader = _Reader(_expanded(content))
        saved = reader.item()
    except (struct.error, OSError, EOFError, lzma.LZMAError, ValueError, IndexError) as error:
        raise TwinlensError("The .rda file cannot be read: {error}.", NOTHING, error=error) from error
    return {name: _columns(item) for name, item in saved.value.items() if "names" in item.attributes}


def _expanded(content: bytes) -> bytes:
    for start, expand in ((b"\x1f\x8b", gzip.decompress), (b"BZh", bz2.decompress), (b"\xfd7zXZ", lzma.decompress)):
        if content.startswith(start):
            return expand(content)
    return content


def _columns(table: _Item) -> dict[str, Column]:
    names = table.attributes["names"].value
    return {name: _column(item) for name, item in zip(names, table.value, strict=True)}


def _column(item: _Item) -> Column:
    levels = item.attributes.get("levels")
    if levels is not None:
        return Factor(np.maximum(np.asarray(item.value, np.int64), 0), levels.value)
    value: Column = item.value
    return value


class _Reader:
    """Reads items one after the other; what was seen before is referred to by number."""

    def __init__(self, content: bytes) -> None:
        if content[:5] not in {b"RDX2\n", b"RDX3\n"} or content[5:7] != b"X\n":
            raise ValueError("it is not R's binary form")
        self._content, self._at = content, 7
        self._seen: list[_Item] = []
        version = self._integer()
        self._at += 8
        if version == 3:
            self._bytes(self._integer())

    def _integer(self) -> int:
        return int(struct.unpack(">i", self._bytes(4))[0])

    def _bytes(self, count: int) -> bytes:
        if count < 0 or self._at + count > len(self._content):
            raise ValueError("it is cut off")
        self._at += count
        return self._content[self._at - count : self._at]

    def _numbers(self, dtype: str) -> npt.NDArray[Any]:
        count = self._integer()
        kind = np.dtype(dtype)
        return np.frombuffer(self._bytes(count * kind.itemsize), kind).astype(kind.newbyteorder("="))

    def item(self) -> _Item:
        flags = self._integer()
        kind = flags & 0xFF
        if kind == _PAIRS:
            return self._pairs(flags)
        if kind == _REFERENCE:
            return self._seen[(flags >> 8 or self._integer()) - 1]
        if kind == _SYMBOL:
            self._seen.append(self.item())
            return self._seen[-1]
        if kind == _COMPACT:
            return self._compact()
        found = _Item(self._value(kind))
        if flags & _ATTRIBUTES and kind != _CHARACTERS:
            found.attributes = self.item().value
        return found

    def _value(self, kind: int) -> Any:
        if kind in {_NIL, _GLOBAL}:
            return {}
        if kind == _CHARACTERS:
            length = self._integer()
            return "" if length < 0 else self._bytes(length).decode("utf-8", "replace")
        if kind in {_INTEGERS, _LOGICALS}:
            return self._numbers(">i4")
        if kind == _DOUBLES:
            return self._numbers(">f8")
        if kind == _STRINGS:
            return [self.item().value for _ in range(self._integer())]
        if kind == _LIST:
            return [self.item() for _ in range(self._integer())]
        raise ValueError(f"it holds an item of type {kind}")

    def _pairs(self, flags: int) -> _Item:
        """Read a pairlist as a dict; it ends with NIL."""
        found: dict[str, _Item] = {}
        while flags & 0xFF == _PAIRS:
            if flags & _ATTRIBUTES:
                self.item()
            tag = str(self.item().value) if flags & _TAG else str(len(found))
            found[tag] = self.item()
            flags = self._integer()
        return _Item(found)

    def _compact(self) -> _Item:
        """Read what version 3 keeps short: a stretch of whole numbers, as row names are."""
        about = self.item()
        state = self.item()
        self.item()
        names = [one.value for one in about.value.values()]
        if names[0] != "compact_intseq":
            raise ValueError(f"it holds a {names[0]}")
        count, first, step = state.value
        return _Item(np.arange(count) * step + first)


DNA = DataSet("dna", "Splice junctions of DNA, 60 x 3 bits", make_dna)


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


def make_satellite(progress: Progress) -> Made:
    """Read 36 intensities of 6,435 places seen by a satellite, 9 pixels in 4 bands, in 6 classes of ground."""
    x, labels, package = _read("Satellite", "classes", progress)
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
        raise TwinlensError("The column {label} of {name} names no classes.", NOTHING, label=label, name=name)
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
SATELLITE = DataSet("satellite", "Ground seen by a satellite", make_satellite)
VEHICLE = DataSet("vehicle", "Outlines of vehicles", make_vehicle)
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
        raise TwinlensError("The steps of income are not those that are known here.", NOTHING)
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
