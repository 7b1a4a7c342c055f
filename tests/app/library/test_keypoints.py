"""Every photograph that was read has its keypoints, whichever way it came into the library, and none is read twice."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from app.indexes.standard_indexes import best_descriptor
from app.library.ingest.adding import add, forget, rescan
from app.library.library import Library
from app.library.maintenance import library_status
from app.methods import catalogue
from features.keypoints import sift
from features.keypoints.keypoints import KEYPOINTS_VERSION, keypoint_bytes, restored_keypoints
from features.pictures.picture import Picture
from features.reading.reading import read
from storage.integrity.integrity_check import check
from tests.app.folders import write_scene, write_scenes
from tests.app.in_this_process import Here

(CAP,) = catalogue.descriptor(best_descriptor()).caps


@pytest.fixture(autouse=True)
def _none_decoded() -> None:
    Here.decoded.clear()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_scenes(tmp_path / "photographs", 3)
    return tmp_path / "photographs"


@pytest.fixture
def library(tmp_path: Path, folder: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library.twinlens", create=True) as made:
        add(made, [folder])
        yield made


def of_all(library: Library) -> dict[str, bytes | None]:
    """Return what is kept of every photograph, by the file's name."""
    with library.store.reading() as r:
        rows = r.photographs.by_id(range(1, 100))
        names = [Path(os.fsdecode(row.path)).name for row in rows]
        return dict(zip(names, r.keypoints.read([row.id for row in rows], KEYPOINTS_VERSION), strict=True))


def expected(*paths: Path) -> dict[str, bytes | None]:
    return {path.name: keypoint_bytes(read(path.read_bytes(), path.name), CAP) for path in paths}


def lose(library: Library, *ids: int) -> None:
    """Make photographs lack their keypoints."""
    with library.store.writing() as w:
        w.connection.exec_driver_sql("DELETE FROM keypoints WHERE photograph_id = ?", [(i,) for i in ids])
    Here.decoded.clear()


def test_what_is_kept_is_what_the_picture_shows(library: Library, folder: Path) -> None:
    assert of_all(library) == expected(*folder.iterdir())
    assert all(len(restored_keypoints(data or b"")) > 50 for data in of_all(library).values())
    assert check(library.store).findings == []


def test_photographs_without_keypoints_are_read_with_the_next_look(library: Library, folder: Path) -> None:
    before = library_status(library)
    lose(library, 1, 3)
    assert check(library.store).findings == []
    now = library_status(library)
    assert (now.photographs, now.pending, now.problems) == (3, 0, 0)
    assert now.indexes == before.indexes
    result = rescan(library)
    assert (result.added, result.changed, result.problems) == (0, 0, 0)
    assert Here.decoded == ["0000.jpg", "0002.jpg"]
    assert of_all(library) == expected(*folder.iterdir())
    rescan(library)
    assert Here.decoded == ["0000.jpg", "0002.jpg"]


def test_those_of_another_version_are_made_anew(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("app.library.ingest.ingest", "app.library.ingest.batches"):
        monkeypatch.setattr(f"{module}.KEYPOINTS_VERSION", KEYPOINTS_VERSION + 1)
    Here.decoded.clear()
    rescan(library)
    rescan(library)
    assert Here.decoded == ["0000.jpg", "0001.jpg", "0002.jpg"]
    assert list(of_all(library).values()) == [None] * 3


def test_a_picture_without_any_is_not_read_again(library: Library, folder: Path) -> None:
    Image.fromarray(np.full((40, 60, 3), 99, np.uint8)).save(folder / "blank.png")
    add(library, [folder])
    data = of_all(library)["blank.png"]
    assert data is not None
    assert len(restored_keypoints(data)) == 0
    Here.decoded.clear()
    rescan(library)
    assert Here.decoded == []


def test_a_changed_file_has_the_new_ones(library: Library, folder: Path) -> None:
    write_scene(folder / "0001.jpg", 50)
    rescan(library)
    assert of_all(library) == expected(*folder.iterdir())


def test_a_copy_has_them_without_being_read(library: Library, folder: Path) -> None:
    shutil.copy(folder / "0001.jpg", folder / "copy.jpg")
    Here.decoded.clear()
    assert add(library, [folder]).added == 1
    assert Here.decoded == []
    assert of_all(library) == expected(*folder.iterdir())


def test_a_file_that_became_a_copy_has_those_of_the_other(library: Library, folder: Path) -> None:
    shutil.copy(folder / "0001.jpg", folder / "0002.jpg")
    Here.decoded.clear()
    assert rescan(library).changed == 1
    assert Here.decoded == []
    assert of_all(library) == expected(*folder.iterdir())


def test_a_copy_of_what_lacks_them_is_read(library: Library, folder: Path) -> None:
    lose(library, 2)
    shutil.copy(folder / "0001.jpg", folder / "copy.jpg")
    add(library, [folder])
    assert of_all(library) == expected(*folder.iterdir())


def test_a_moved_file_keeps_them(library: Library, folder: Path) -> None:
    (folder / "0001.jpg").rename(folder / "renamed.jpg")
    Here.decoded.clear()
    assert add(library, [folder]).moved == 1
    assert Here.decoded == []
    assert of_all(library) == expected(*folder.iterdir())


def test_a_moved_file_of_an_older_library_has_them(library: Library, folder: Path) -> None:
    lose(library, 2)
    (folder / "0001.jpg").rename(folder / "renamed.jpg")
    add(library, [folder])
    assert of_all(library) == expected(*folder.iterdir())


def test_copies_that_lack_them_share_what_is_read_first(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(folder / "0001.jpg", folder / "copy.jpg")
    add(library, [folder])
    lose(library, 2, 4)
    with library.store.writing() as w:
        w.descriptors.remove([2, 4])
    # Each is kept before the next one is looked for, as in a large library.
    monkeypatch.setattr("app.library.ingest.ingest._PAGE", 1)
    monkeypatch.setattr("app.library.ingest.batches.BATCH_PHOTOGRAPHS", 1)
    rescan(library)
    assert Here.decoded == ["0001.jpg"]
    assert of_all(library) == expected(*folder.iterdir())
    with library.store.reading() as r:
        assert all(r.descriptors.count(kind) == 4 for kind in r.descriptors.kinds())


def test_a_touched_file_keeps_them(library: Library, folder: Path) -> None:
    os.utime(folder / "0001.jpg", (1, 1))
    Here.decoded.clear()
    assert rescan(library).changed == 0
    assert Here.decoded == []
    assert of_all(library) == expected(*folder.iterdir())


def test_forgetting_removes_them(library: Library, folder: Path) -> None:
    forget(library, folder)
    with library.store.reading() as r:
        assert r.connection.exec_driver_sql("SELECT count(*) FROM keypoints").scalar() == 0


def test_sift_is_run_once(folder: Path, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    caps: list[sift.Cap] = []
    find = sift._find

    def counted(picture: Picture, cap: sift.Cap) -> sift.LocalFeatures:
        caps.append(cap)
        return find(picture, cap)

    monkeypatch.setattr(sift, "_find", counted)
    write_scene(folder / "new.jpg", 185_001)  # no other test reads it: what was read in this process is remembered
    add(library, [folder])
    assert caps == [CAP]
