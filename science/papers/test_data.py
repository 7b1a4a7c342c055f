"""Data sets are made and checked; tables with labels; tables of R."""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from science.papers.data_set import DataSet, Made, Source, distinct, drawn, read_package, ready
from science.papers.sets import DATA_SETS, cut_outs
from science.papers.sets.crops import OVERLAP, crops, overlaps
from science.papers.sets.cut_outs import KEYPOINTS, NONE, SIDE, paste, points
from science.papers.sets.fashion import idx
from science.papers.sets.poker import deal, hand
from science.papers.sets.r_tables import Factor, numbers, read_r_data
from twinlens.app.demo.listing import Package
from twinlens.app.demo.package_sources import PackageError, PackageOffer
from twinlens.core.errors import TwinlensError
from twinlens.core.progress import Progress, silent
from twinlens.features.pictures.picture import Picture, PictureFacts

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
            raise PackageError("The list could not be fetched.")
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


def told(suits: list[int], ranks: list[int]) -> int:
    """Tell one hand in the plainest way there is."""
    shape = sorted(Counter(ranks).values(), reverse=True)
    runs = [{first + step if first + step < 14 else 1 for step in range(5)} for first in range(1, 11)]
    straight, flush = set(ranks) in runs, len(set(suits)) == 1
    if straight and flush:
        return 9 if set(ranks) == runs[-1] else 8
    if shape[0] == 4:
        return 7
    if shape == [3, 2]:
        return 6
    if flush:
        return 5
    if straight:
        return 4
    return 3 if shape[0] == 3 else 2 if shape[:2] == [2, 2] else 1 if shape[0] == 2 else 0


def test_hands_are_told_by_the_rules() -> None:
    suits, ranks = deal(3_000, np.random.default_rng(1))
    flush = np.full((600, 5), 2), np.sort(np.argsort(np.random.default_rng(2).random((600, 13)))[:, :5] + 1, axis=1)
    runs = (np.arange(10)[:, None] + np.arange(5)) % 13 + 1
    suits = np.concatenate([suits, flush[0], np.ones_like(runs), np.tile([1, 1, 2, 3, 4], (10, 1))])
    ranks = np.concatenate([ranks, flush[1], runs, runs])
    ours = hand(suits, ranks)
    assert ours.tolist() == [told(*one) for one in zip(suits.tolist(), ranks.tolist(), strict=True)]
    assert set(ours.tolist()) >= {0, 1, 2, 3, 4, 5, 8, 9}
    four = np.array([[7, 7, 7, 7, 1], [3, 3, 3, 9, 9]])
    assert hand(np.array([[1, 2, 3, 4, 1]] * 2), four).tolist() == [7, 6]


def test_hands_are_dealt_evenly_and_no_card_twice() -> None:
    suits, ranks = deal(20_000, np.random.default_rng(3))
    cards = (suits - 1) * 13 + ranks - 1
    assert cards.min() == 0
    assert cards.max() == 51
    assert (np.diff(np.sort(cards, axis=1), axis=1) > 0).all()
    for place in range(5):
        assert np.bincount(cards[:, place], minlength=52).std() < 30  # about sqrt(20,000 / 52) = 20
    share = np.bincount(hand(suits, ranks), minlength=10) / 20_000
    assert share[:2] == pytest.approx([0.5012, 0.4226], abs=0.015)


def test_a_factor_becomes_numbers_and_gaps_the_mean() -> None:
    assert numbers(Factor(np.array([2, 0, 1]), ["0", "3"])).tolist() == [3.0, 1.5, 0.0]
    assert numbers(np.array([1.0, np.nan, 3.0])).tolist() == [1.0, 2.0, 3.0]


def test_a_cut_out_covers_its_ground_and_nothing_else() -> None:
    stamp = np.zeros((120, 200, 4), np.uint8)
    stamp[:, :, 3] = 255
    stamp[:, :, 0] = 200
    ground = np.full((500, 480, 3), 60, np.uint8)
    seen = paste(stamp, ground, np.random.default_rng(0)).rgb
    assert seen.shape == (SIDE, SIDE, 3)
    covered = seen[:, :, 1] < 10  # the stamp has no green
    low, high = cut_outs.SIZES
    assert 0.5 * (low * SIDE) ** 2 * 0.9 < covered.sum() < 0.7 * (high * SIDE) ** 2
    beside = cv2.dilate(covered.astype(np.uint8), np.ones((7, 7), np.uint8)) == 0
    assert (seen[beside] == 60).all()
    assert beside.any()
    stamp[:, :, 3] = 0
    assert (paste(stamp, ground, np.random.default_rng(0)).rgb == 60).all()


def test_local_features_fit_their_row() -> None:
    extractor = points()
    rng = np.random.default_rng(0)
    stamp = rng.integers(0, 255, (150, 150, 4)).astype(np.uint8)
    view = paste(stamp, rng.integers(0, 255, (400, 400, 3)).astype(np.uint8), rng)
    cells = extractor.cells_in(extractor.extract(view))
    assert 0 < len(cells) <= KEYPOINTS
    assert cells.min() > NONE
    assert cells.max() < 2**15


def characters(text: str) -> bytes:
    return struct.pack(">ii", 9, len(text)) + text.encode()


def strings(*texts: str) -> bytes:
    return struct.pack(">ii", 16, len(texts)) + b"".join(map(characters, texts))


def symbol(text: str) -> bytes:
    return struct.pack(">i", 1) + characters(text)


def pair(name: bytes, item: bytes) -> bytes:
    return struct.pack(">i", 0x402) + name + item


END = struct.pack(">i", 254)


def file(version: int = 2, row_names: bytes = b"") -> bytes:
    """Write a table of a factor and of doubles, as R does."""
    levels = pair(symbol("levels"), strings("ei", "ie")) + pair(symbol("class"), strings("factor")) + END
    factor = struct.pack(">ii3i", 0x30D, 3, 2, 1, -(2**31)) + levels
    doubles = struct.pack(">ii3d", 14, 3, 0.5, 1, -2)
    names = pair(symbol("names"), strings("Class", "x")) + pair(struct.pack(">i", 0x2FF), strings("data.frame"))
    table = struct.pack(">ii", 0x313, 2) + factor + doubles + names + row_names + END
    head = f"RDX{version}\nX\n".encode() + struct.pack(">iii", version, 0x40000, 0x20300)
    encoding = struct.pack(">i", 5) + b"UTF-8" if version == 3 else b""
    return head + encoding + pair(symbol("Letters"), table) + END


@pytest.mark.parametrize("version", [2, 3])
def test_a_table_is_read(version: int) -> None:
    (table,) = read_r_data(gzip.compress(file(version))).values()
    assert list(table) == ["Class", "x"]
    classes = table["Class"]
    assert isinstance(classes, Factor)
    assert (classes.codes.tolist(), classes.levels) == ([2, 1, 0], ["ei", "ie"])
    assert np.array_equal(np.asarray(table["x"]), [0.5, 1, -2])


def test_a_stretch_of_row_names_is_read() -> None:
    about = pair(struct.pack(">i", 1) + characters("class"), symbol("compact_intseq")).replace(
        struct.pack(">i", 0x402), struct.pack(">i", 0x402), 1
    )
    stretch = struct.pack(">i", 238) + about + END + struct.pack(">ii3d", 14, 3, 3, 1, 1) + END
    assert "Letters" in read_r_data(file(3, pair(symbol("row.names"), stretch)))


@pytest.mark.parametrize(
    "content",
    [b"", b"RDX2\nX\n", file()[:-40], b"RDA2\nA\n2", gzip.compress(file())[:60]],
    ids=["empty", "another form", "cut off", "text", "packed and cut off"],
)
def test_what_is_no_such_file_is_a_sentence(content: bytes) -> None:
    with pytest.raises(TwinlensError, match="cannot be read"):
        read_r_data(content)
