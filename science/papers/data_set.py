"""A data set: made once out of packages, kept in the user's cache as .npy files, and checked before each use."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, ValidationError

from core.progress import Progress, silent
from science.papers.debian_files import papers_folder

FACTS = "facts.json"


@dataclass(frozen=True)
class Made:
    """What making a data set gives.

    Attributes
    ----------
    arrays : mapping of str to ndarray
        ``base``, and where there are such ``queries``, ``labels``, ``query_labels``; ``part`` is a random part of the
        base (with ``part_labels``) for what has to end in minutes.
    packages : tuple of str
        Names and versions.
    photographs : mapping of str to int
        From how many source photographs the items of an array are, by the name of the array.
    """

    arrays: Mapping[str, npt.NDArray[Any]]
    packages: tuple[str, ...]
    photographs: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class DataSet:
    """How a data set is made.

    Attributes
    ----------
    name : str
        Of its folder, and in experiments: what it is, not what it stands in for.
    title : str
    make : function
    version : int
        Raised when the same packages would give other numbers.
    """

    name: str
    title: str
    make: Callable[[Progress], Made]
    version: int = 1


class File(BaseModel):
    """An array as it was written."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    shape: tuple[int, ...]
    dtype: str
    sha256: str
    photographs: int = 0


class DataSetFacts(BaseModel):
    """What a result must say of the data that it is of."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    title: str
    version: int
    packages: tuple[str, ...]
    files: dict[str, File]

    def line(self, array: str = "base") -> str:
        """Say how many items there are, and from how many photographs."""
        file = self.files[array]
        size = f"{self.title}: {file.shape[0]:,} x {int(np.prod(file.shape[1:])):,}"
        return f"{size} from {file.photographs:,} photographs" if file.photographs else size


def lines_of(sets: Iterable[DataSetFacts]) -> str:
    """Say what of some data sets is read: their parts, where they have such."""
    return "; ".join(one.line("part" if "part" in one.files else "base") for one in sets)


def data_folder() -> Path:
    """Return the folder of all data sets."""
    return papers_folder() / "data"


def ready(data_set: DataSet, progress: Progress = silent, home: Path | None = None) -> DataSetFacts:
    """Make a data set, or find it whole in the cache.

    Parameters
    ----------
    data_set : DataSet
    progress : Progress
    home : Path, optional
        The folder of all data sets, where it is another.

    Raises
    ------
    TwinlensError
        If its packages cannot be had.
    """
    folder = (home or data_folder()) / data_set.name
    facts = _kept(folder)
    if facts is None or facts.version != data_set.version:
        made = data_set.make(progress)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        facts = _write(folder, data_set, made)
    return facts


def _kept(folder: Path) -> DataSetFacts | None:
    """Read what is there; None where a file is missing or is not what was written."""
    try:
        facts = DataSetFacts.model_validate_json((folder / FACTS).read_bytes())
        whole = all(_digest(folder / f"{name}.npy") == file.sha256 for name, file in facts.files.items())
    except (OSError, ValidationError):
        return None
    return facts if whole else None


def _write(folder: Path, data_set: DataSet, made: Made) -> DataSetFacts:
    files = {}
    for name, array in made.arrays.items():
        path = folder / f"{name}.npy"
        np.save(path, array)
        count = made.photographs.get(name, 0)
        files[name] = File(shape=array.shape, dtype=str(array.dtype), sha256=_digest(path), photographs=count)
    facts = DataSetFacts(
        name=data_set.name,
        title=data_set.title,
        version=data_set.version,
        packages=made.packages,
        files=files,
    )
    new = folder / f".{FACTS}.new"
    new.write_text(facts.model_dump_json(indent=1) + "\n", "utf-8")
    new.replace(folder / FACTS)
    return facts


def _digest(path: Path) -> str:
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
