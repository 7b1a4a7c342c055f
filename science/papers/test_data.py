"""Data sets are made once, checked before use, and made again where a file is not what was written."""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from app.demo.packages.listing import Package
from app.demo.packages.source import PackageError, PackageOffer
from core.errors import TwinlensError
from core.message import Message
from core.progress import Progress, silent
from features.pictures.picture import Picture, PictureFacts
from science.papers.data_set import DataSet, Made, ready
from science.papers.debian_files import read_package
from science.papers.photographs import Source, distinct, drawn
from science.papers.sets import DATA_SETS
from science.papers.sets.crops import OVERLAP, crops, overlaps
from science.papers.sets.fashion import idx

PAPERS_OWN = ("sift1m", "gist1m", "mirflickr", "flickr45k", "cifar-10", "nus-wide", "mnist", "optdigits")


def test_a_data_set_is_made_once_and_again_when_damaged(tmp_path: Path) -> None:
    calls = []

    def make(progress: Progress) -> Made:
        calls.append(1)
        return Made({"base": np.arange(6.0).reshape(3, 2)}, ("package 1",), {"base": 2})

    data_set = DataSet("toy", "Toys", make)
    facts = ready(data_set, home=tmp_path)
    assert facts.line() == "Toys: 3 x 2 from 2 photographs"
    assert ready(data_set, home=tmp_path) == facts
    assert len(calls) == 1
    np.save(tmp_path / "toy" / "base.npy", np.zeros((3, 2)))
    assert ready(data_set, home=tmp_path) == facts
    assert np.load(tmp_path / "toy" / "base.npy").any()
    ready(DataSet("toy", "Toys", make, version=2), home=tmp_path)
    assert len(calls) == 3


def test_no_data_set_goes_by_the_name_of_a_papers() -> None:
    names = [one.name for one in DATA_SETS]
    assert len(set(names)) == len(names)
    assert not set(names) & set(PAPERS_OWN)


class ToySource:
    """Offers one package whose archive was made here."""

    title = "Toys"

    def __init__(self, archive: Path | None) -> None:
        self._archive = archive

    def offers(self, packages: Sequence[Package], watch: Callable[[], None]) -> dict[str, PackageOffer]:
        watch()
        if self._archive is None:
            raise PackageError(Message("The list could not be fetched."))
        return {"toys": PackageOffer("1.0", self._archive.name, self._archive.stat().st_size, "sha256", "")}

    def download(self, package: Package, offer: PackageOffer, watch: Callable[[int], None]) -> Path:
        assert self._archive is not None
        return self._archive


def archive(folder: Path) -> Path:
    """Make a source archive of one file."""
    path = folder / "toys-1.0.tar.gz"
    with tarfile.open(path, "w:gz") as opened:
        about = tarfile.TarInfo("toys-1.0/data/values.bin")
        about.size = 3
        opened.addfile(about, io.BytesIO(b"abc"))
    return path


def test_files_are_read_out_of_a_package(tmp_path: Path) -> None:
    found = read_package("toys", lambda path: path.endswith(".bin"), silent, ToySource(archive(tmp_path)))
    assert (found.package, found.files) == ("toys 1.0", {"data/values.bin": b"abc"})
    with pytest.raises(TwinlensError, match="does not hold"):
        read_package("toys", lambda path: False, silent, ToySource(archive(tmp_path)))


def test_without_network_or_package_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(TwinlensError, match="could not be fetched") as raised:
        read_package("toys", lambda path: True, silent, ToySource(None))
    assert "network" in str(raised.value.advice)
    with pytest.raises(TwinlensError, match="no package other"):
        read_package("other", lambda path: True, silent, ToySource(archive(tmp_path)))


def test_near_duplicates_are_left_out() -> None:
    rows = np.random.default_rng(0).standard_normal((5, 256))
    rows[3] = rows[1] * 2 + 1  # brighter and of more contrast, but the same
    assert distinct(rows) == [0, 1, 2, 4]


def test_photographs_are_split_and_none_is_on_both_sides() -> None:
    files = tuple(Path(f"{number}.jpg") for number in range(50))
    base, aside = Source(files, ()).split(0.2)
    assert len(aside) == 10
    assert set(base) | set(aside) == set(files)
    assert not set(base) & set(aside)


def test_rows_are_drawn_once_each() -> None:
    tables = [np.arange(8, dtype=np.float32).reshape(4, 2), np.arange(8, 12, dtype=np.float32).reshape(2, 2)]
    assert len(drawn(tables, 100, 0)) == 6
    few = drawn(tables, 3, 0)
    assert len({tuple(row) for row in few.tolist()}) == 3


def test_crops_lie_inside_and_overlap_little() -> None:
    rgb = np.random.default_rng(0).integers(0, 256, (300, 400, 3), np.uint8)
    found = list(crops(Picture(rgb, None, PictureFacts("PNG", 400, 300)), 3, 300))
    assert len(found) > 5
    assert all(one.rgb.shape[0] <= 300 and one.rgb.shape[1] <= 400 for one in found)
    boxes = np.array([[0, 0, 10, 10], [5, 0, 15, 10], [20, 20, 30, 30]], np.float64)
    assert overlaps(boxes[0], boxes).tolist() == [1, pytest.approx(1 / 3), 0]
    assert overlaps(boxes[0], boxes)[1] > OVERLAP


def test_idx_files_are_read() -> None:
    content = b"\0\0\x08\x03" + struct.pack(">III", 2, 2, 2) + bytes(range(8))
    assert idx(gzip.decompress(gzip.compress(content))).tolist() == [[[0, 1], [2, 3]], [[4, 5], [6, 7]]]
    for wrong in (b"", content[:-1], b"\0\0\x0d\x03" + content[4:]):
        with pytest.raises(TwinlensError):
            idx(wrong)
