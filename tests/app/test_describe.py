"""Descriptors of pictures into a file: which rows there are, of what, and what is left when it is stopped."""

from __future__ import annotations

import csv
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.app.folders import added, write_scenes
from tests.core.kernels.test_pyramid_match_kernel import by_definition
from twinlens.app.bench.vector_files import load_vectors
from twinlens.app.describe import DescribeResult, describe_pictures
from twinlens.app.indexes.indexes import create_index
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.library.library import Library
from twinlens.app.library.workers.extraction import ReadPhotograph, extract
from twinlens.app.library.workers.file_contents import FileReadingTask
from twinlens.app.machine.output_file import OutputFile
from twinlens.app.methods.catalogue import descriptor as declared
from twinlens.app.vector_requests import Description
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.metrics.sparse_metric import products
from twinlens.features.descriptor import Extractor
from twinlens.features.reading.reading import read
from twinlens.features.reading.reading_limits import Limits
from twinlens.features.vocabulary.pyramid_match import PointExtractor, PyramidMatch


@pytest.fixture(scope="module")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photographs")
    write_scenes(folder, 6)
    (folder / "bad.jpg").write_bytes(b"\xff\xd8\xff no picture")
    (folder / "notes.txt").write_text("Dear diary")
    return folder


@pytest.fixture(scope="module")
def library(photographs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library") / "library.twinlens"
    added(path, photographs)
    return path


def described(tmp_path: Path, text: str, *sources: Path, **more: Any) -> tuple[DescribeResult, Any]:
    """Describe into a new file, and give the result and the table as bench reads it."""
    target = tmp_path / f"{len(list(tmp_path.iterdir()))}{'.npz' if more.get('sparse') else '.npy'}"
    library = more.pop("library", None)
    result = describe_pictures(
        Description(descriptor=text, target=OutputFile(target), sources=sources, workers=1, **more), library
    )
    assert sorted(one.name for one in tmp_path.glob(".*")) == []
    return result, load_vectors(str(target))


def lines(result: DescribeResult) -> list[dict[str, str]]:
    with Path(result.table).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def rounded(extractor: Extractor, path: Path) -> np.ndarray[Any, Any]:
    return extractor.extract(read(path.read_bytes())).astype(np.float16).astype(np.float32)


def test_rows_are_the_pictures_in_their_order(photographs: Path, tmp_path: Path) -> None:
    first = photographs / "0003.jpg"
    result, rows = described(tmp_path, "colour:levels=1", first, photographs)
    names = ["0003.jpg", *(f"{number:04}.jpg" for number in range(6) if number != 3)]
    assert [Path(line["path"]).name for line in lines(result)] == names
    assert [line["row"] for line in lines(result)] == [str(row) for row in range(6)]
    assert {line["id"] for line in lines(result)} == {""}
    assert (rows.shape, rows.dtype) == ((6, result.dimensions), np.float32)
    extractor = declared("colour:levels=1").fit(lambda: ())
    for row, name in zip(rows, names, strict=True):
        np.testing.assert_array_equal(row, rounded(extractor, photographs / name))
    assert (result.pictures, result.passed_over, result.known, result.sparse) == (6, 1, 0, False)
    assert [Path(problem.path).name for problem in result.problems] == ["bad.jpg"]
    assert json.loads(result.model_dump_json())["bytes"] == Path(result.file).stat().st_size


def test_a_library_gives_what_it_knows_and_reads_what_it_does_not(
    photographs: Path, library: Path, tmp_path: Path
) -> None:
    with Library.open(library) as opened:
        result, rows = described(tmp_path, "colour", library=opened)
        assert (result.known, result.pictures, result.problems) == (6, 6, [])
        with opened.store.reading() as r:
            ids = [int(line["id"]) for line in lines(result)]
            assert ids == sorted(ids)
            paths = [os.fsdecode(path) for path in opened.paths(r, r.photographs.by_id(ids))]
        assert [line["path"] for line in lines(result)] == paths
        extractor = declared("colour").fit(lambda: ())
        for row, path in zip(rows, paths, strict=True):
            np.testing.assert_array_equal(row, rounded(extractor, Path(path)))
        other, again = described(tmp_path, "edges", library=opened)
        assert (other.known, other.pictures) == (0, 6)
        assert again.shape == (6, 80)


def test_what_a_library_lacks_is_read_among_what_it_knows(tmp_path: Path) -> None:
    write_scenes(tmp_path / "photographs", 5)
    path = tmp_path / "library.twinlens"
    added(path, tmp_path / "photographs")
    with Library.open(path) as library:
        _, whole = described(tmp_path, "colour", library=library)
        with library.store.reading() as r:
            ids = r.photographs.by_id(range(1, 6))
        with library.store.writing("a test") as w:
            w.descriptors.remove([ids[1].id, ids[4].id])
        result, rows = described(tmp_path, "colour", library=library)
        assert (result.known, result.pictures) == (3, 5)
        np.testing.assert_array_equal(rows, whole)


def test_a_vocabulary_of_the_library_is_the_one_that_its_index_learned(photographs: Path, tmp_path: Path) -> None:
    path, text = tmp_path / "library.twinlens", "sift-words:centres=16,vocabulary=own,samples=6,levels=1"
    added(path, photographs)
    with Library.open(path) as library:
        before, learned = described(tmp_path, text, library=library)
        create_index(library, NewIndex(descriptor=text, method="lsh:bits=16", name="Own"))
        after, known = described(tmp_path, text, library=library)
    assert (before.known, after.known) == (0, 6)
    np.testing.assert_array_equal(learned, known)


def test_a_vocabulary_is_learned_from_the_pictures_that_are_named(photographs: Path, tmp_path: Path) -> None:
    text = "sift-words:centres=16,vocabulary=own,samples=4,levels=1"
    _, rows = described(tmp_path, text, photographs)
    _, again = described(tmp_path, text, *sorted(photographs.glob("*.jpg"), reverse=True))
    np.testing.assert_array_equal(rows, again[::-1])
    assert rows.shape == (6, 16)
    assert rows.any(axis=1).all()


def test_sparse_rows_are_the_pyramid_match_of_the_pictures(photographs: Path, library: Path, tmp_path: Path) -> None:
    extractor = PyramidMatch(keypoints=100).points(lambda: ())
    assert isinstance(extractor, PointExtractor)
    with Library.open(library) as opened:
        result, rows = described(tmp_path, "pyramid-match:keypoints=100", library=opened, sparse=True)
    assert (result.sparse, rows.shape) == (True, (6, extractor.pyramid.dimensions))
    sets = [extractor.cells_in(rounded(extractor, photographs / f"{number:04}.jpg")) for number in range(6)]
    found = products(rows, rows)
    for one in range(6):
        for other in range(6):
            assert found[one, other] == pytest.approx(by_definition(sets[one], sets[other], 5), abs=1e-6)


def test_a_blank_picture_is_a_row_of_zeros(tmp_path: Path) -> None:
    from PIL import Image

    (tmp_path / "pictures").mkdir()
    Image.new("RGB", (90, 60), (80, 90, 250)).save(tmp_path / "pictures" / "sky.png")
    for sparse in (False, True):
        result, rows = described(tmp_path, "pyramid-match", tmp_path / "pictures", sparse=sparse)
        assert (result.pictures, result.blank) == (1, 1)
        assert rows.sum() == 0


@pytest.mark.parametrize(
    ("text", "name", "source", "sparse", "sentence"),
    [
        ("colours", "a.npy", "", False, "Did you mean “colour”"),
        ("colour", "a.npz", "", False, "does not end in .npy"),
        ("pyramid-match", "a.npy", "", True, "does not end in .npz"),
        ("colour", "a.npz", "", True, "no sparse form"),
        ("colour", "a.npy", "nowhere", False, "no file or folder"),
        ("colour", "there.npy", "", False, "exists already"),
        ("colour", "table.npy", "", False, "table.csv exists already"),
        ("colour", "no/folder/a.npy", "", False, "cannot be written"),
        ("colour", "a.npy", "notes.txt", False, "None of the pictures"),
        ("sift-words:centres=99", "a.npy", "", False, "99 centres"),
    ],
)
def test_what_cannot_be_done_is_a_sentence_and_leaves_nothing(
    photographs: Path, tmp_path: Path, text: str, name: str, source: str, sparse: bool, sentence: str
) -> None:
    for there in ("there.npy", "table.csv"):
        (tmp_path / there).write_bytes(b"mine")
    target, sources = OutputFile(tmp_path / name), (photographs / source,)
    wanted = Description(descriptor=text, target=target, sources=sources, sparse=sparse, workers=1)
    with pytest.raises(TwinlensError) as caught:
        describe_pictures(wanted)
    assert sentence in str(caught.value.message) + str(caught.value.advice)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["table.csv", "there.npy"]
    assert (tmp_path / "there.npy").read_bytes() == b"mine"


def test_what_only_a_library_keeps_is_not_made(photographs: Path) -> None:
    path = photographs / "0000.jpg"
    extractors = {"colour": declared("colour").fit(lambda: ())}
    status = path.stat()
    made = []
    for to_keep in (True, False):
        task = FileReadingTask(1, os.fsencode(path), status.st_size, status.st_mtime_ns, (), ("colour",), to_keep)
        made.append(extract(task, extractors, Limits()))
    assert isinstance(made[0], ReadPhotograph)
    assert made[1] == replace(made[0], thumbnail=b"", keypoints=b"") != made[0]


def test_stopping_leaves_nothing_behind(photographs: Path, tmp_path: Path) -> None:
    told: list[float] = []

    def stop(done: float, total: float, text: object) -> None:
        told.append(done / total)
        if done / total > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        describe_pictures(
            Description(descriptor="colour", target=OutputFile(tmp_path / "a.npy"), sources=(photographs,), workers=1),
            progress=stop,
        )
    assert list(tmp_path.iterdir()) == []
    assert told == sorted(told)
