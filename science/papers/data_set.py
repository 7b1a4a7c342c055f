"""A data set: made once out of packages, kept in the user's cache as .npy files, and checked before each use.

It is named by its content; ``STAND_INS`` says which set of which paper it stands in for, and ``OWN`` which sets are a
paper's own. Files come out of Debian packages, fetched by name and checked by the distribution's own checksums, and
pictures out of the demo photographs, near-duplicates left out, and split.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, ValidationError

from science.papers.kernel_tables import SETTINGS
from twinlens.app.demo.archives import ArchiveError, archive_members
from twinlens.app.demo.listing import Package
from twinlens.app.demo.package_sources import DebianPackages, PackageError, PackageSource
from twinlens.app.demo.photographs import fetch_photographs
from twinlens.app.machine.app_folders import cache_folder
from twinlens.core.errors import TwinlensError
from twinlens.core.message import NOTHING, Message, verbatim
from twinlens.core.progress import Progress, silent
from twinlens.features.pictures.picture import Picture
from twinlens.features.reading.reading import read

FACTS = "facts.json"


@dataclass(frozen=True)
class Made:
    """The arrays and labels of a newly made data set.

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
    """The recipe of a data set.

    Attributes
    ----------
    name : str
        Of its folder, and in experiments: what it is, not what it stands in for.
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
    """Facts about its data that a result keeps."""

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
    """Return the lines about the parts of data sets that are read."""
    return "; ".join(one.line("part" if "part" in one.files else "base") for one in sets)


def data_folder() -> Path:
    """Return the folder of all data sets."""
    return papers_folder() / "data"


def ready(data_set: DataSet, progress: Progress = silent, home: Path | None = None) -> DataSetFacts:
    """Make a data set, or find it whole in the cache.

    Parameters
    ----------
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


AUTHORS = {
    "jqk": "Jiang et al.",
    "bc": "Bodó and Csató",
    "kc": "Kim and Choi",
    "jkg": "Jain et al.",
    "ykc": "Yun et al.",
}
OWN = {"bc": ("dna",)}
"""By paper, the sets that are the paper's own."""

STAND_INS: dict[str, dict[str, str]] = {
    "jqk": {
        "sift": "SIFT1M",
        "all-sift": "SIFT1M",
        "edge-crops": "edge histograms of MIRFLICKR",
        "gist-crops": "GIST1M",
    },
    "bc": {name: setting.paper for name, setting in SETTINGS.items() if name not in OWN["bc"]},
    "kc": {"fashion-mnist": "MNIST", "vlad-crops": "VLAD of Flickr45K"},
    "jkg": {**dict.fromkeys(("vehicle", "satellite", "soybean", "dna", "letter"), "Latex"), "cut-outs": "Caltech-101"},
    "ykc": {
        "sift": "CIFAR-10 and NUS-WIDE",
        "more-sift": "CIFAR-10 and NUS-WIDE",
        "fashion-mnist": "CIFAR-10 and NUS-WIDE",
        "groups-vlad": "VLAD of Holidays + Flickr1M",
    },
}
"""By paper and data set, the paper's set in whose place it stands."""


def in_place_of(name: str) -> str:
    """Say of which sets of which papers a data set takes the place.

    Examples
    --------
    >>> in_place_of("letter"), in_place_of("dna")
    ('Forest Covertype (Bodó and Csató); Latex (Jain et al.)', 'itself (Bodó and Csató); Latex (Jain et al.)')
    """
    own = {paper: "itself" for paper, sets in OWN.items() if name in sets}
    others = {paper: sets[name] for paper, sets in STAND_INS.items() if name in sets}
    return "; ".join(f"{what} ({AUTHORS[paper]})" for paper, what in {**own, **others}.items())


FOLDER = "papers"
"""In the user's cache: data sets, results, and while fetching the packages."""


@dataclass(frozen=True)
class PackageFiles:
    """Files read from a package.

    Attributes
    ----------
    package : str
        Its name and version.
    files : dict of str to bytes
        By their path in the package.
    """

    package: str
    files: dict[str, bytes]


def papers_folder() -> Path:
    """Return the folder of everything here, in the user's cache."""
    folder: Path = cache_folder() / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def read_package(
    name: str, wanted: Callable[[str], bool], progress: Progress, source: PackageSource | None = None
) -> PackageFiles:
    """Fetch a package and read some of its files.

    Parameters
    ----------
    wanted : callable
        Told a path (``usr/share/...``), says whether that file is read.
    source : PackageSource, optional
        Debian's unless said otherwise.

    Raises
    ------
    TwinlensError
        If it cannot be had: no network, no apt, no such package, or nothing in it that is wanted.
    """
    if source is None:
        missing = DebianPackages.missing_program()
        if missing:
            raise TwinlensError(
                "The package {name} is Debian's, and there is no {missing} here.",
                "Run this on Debian or a system made from it.",
                name=name,
                missing=missing,
            )
        source = DebianPackages(papers_folder() / "packages")
    package = Package(source="debian", name=name, version="", megabytes=0, groups=())
    asking = f"Asking {source.title} for {name}"
    try:
        offer = source.offers([package], lambda: progress(0, 0, verbatim(asking))).get(name)
        if offer is None:
            raise PackageError("{title} has no package {name} here.", title=source.title, name=name)
        archive = source.download(
            package,
            offer,
            lambda size: progress(
                size, offer.size, Message("Fetching {name} from {title}", name=name, title=source.title)
            ),
        )
    except PackageError as error:
        raise TwinlensError(error.message, "Connect to the network and try again.") from error
    try:
        files = dict(archive_members(archive, wanted))
    except ArchiveError as error:
        raise TwinlensError(
            "The package {name} cannot be read: {error}.", "Try again.", name=name, error=error
        ) from error
    finally:
        archive.unlink(missing_ok=True)
    if not files:
        raise TwinlensError(
            "The package {name} {version} does not hold what is looked for.", NOTHING, name=name, version=offer.version
        )
    return PackageFiles(f"{name} {offer.version}", files)


SIDE = 1600
"""Pixels of the longer side, at most, at which photographs are read."""

_ALIKE = 0.97
"""Of the correlation of two photographs brought to 16 x 16: above it they are taken for the same."""

_SEED = 20_150_607


@dataclass(frozen=True)
class Source:
    """Photographs, in an order of their own, and the packages that they are from."""

    files: tuple[Path, ...]
    packages: tuple[str, ...]

    def split(self, share: float) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
        """Put a random share of the photographs aside; gives the others, then those."""
        order = np.random.default_rng(_SEED).permutation(len(self.files))
        aside = set(order[: round(share * len(self.files))].tolist())
        others = tuple(file for number, file in enumerate(self.files) if number not in aside)
        return others, tuple(file for number, file in enumerate(self.files) if number in aside)


def source_photographs(progress: Progress) -> Source:
    """Fetch the photographs and leave out near-duplicates.

    Raises
    ------
    TwinlensError
        If there is none and none can be fetched.
    """
    fetched = fetch_photographs(progress)
    files = sorted(fetched.folder / one.path for one in fetched.photographs)
    small = [_small(open_photograph(file)) for file in files]
    return Source(tuple(files[row] for row in distinct(np.stack(small))), fetched.packages)


def open_photograph(file: Path) -> Picture:
    """Read a photograph, as large as it is up to ``SIDE``."""
    return read(file.read_bytes(), file.name, side=SIDE)


def distinct(small: npt.NDArray[np.float64]) -> list[int]:
    """Return the rows that correlate with no row before them that was taken, (n, d)."""
    unit = small - small.mean(axis=1, keepdims=True)
    unit /= np.maximum(np.linalg.norm(unit, axis=1, keepdims=True), 1e-12)
    taken: list[int] = []
    for row, one in enumerate(unit):
        if not taken or (unit[taken] @ one).max() < _ALIKE:
            taken.append(row)
    return taken


def drawn(tables: Sequence[npt.NDArray[np.float32]], count: int, seed: int) -> npt.NDArray[np.float32]:
    """Draw so many rows of some tables, all where there are no more, in a random order."""
    rows = np.concatenate(tables)
    return rows[np.random.default_rng(seed).permutation(len(rows))[:count]]


def _small(picture: Picture) -> npt.NDArray[np.float64]:
    return np.asarray(cv2.resize(picture.grey, (16, 16), interpolation=cv2.INTER_AREA), np.float64).ravel()
