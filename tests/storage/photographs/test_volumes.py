"""Volumes and folders."""

from __future__ import annotations

from pathlib import Path

from storage.photographs.volumes import VolumeRow
from tests.storage.conftest import NewStore
from tests.storage.making import files


def test_a_volume_is_known_again_elsewhere(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        first = w.volumes.seen("uuid-1", "Photos", b"/media/photos")
        second = w.volumes.seen("uuid-2", "Photos", b"/media/other")
        assert w.volumes.seen("uuid-1", "Renamed", b"/mnt/\xff") == first
        assert w.volumes.all() == [
            VolumeRow(first, "uuid-1", "Renamed", b"/mnt/\xff"),
            VolumeRow(second, "uuid-2", "Photos", b"/media/other"),
        ]


def test_folders_keep_their_patterns(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        v = w.volumes.seen("a", "A", b"/a")
        folder = w.folders.add(v, b"caf\xe9", ["*.tmp", "naïve"])
        assert w.folders.all()[0].excludes == ("*.tmp", "naïve")
        assert w.folders.add(v, b"caf\xe9", ["*.bak"]) == folder
        (row,) = w.folders.all()
        assert (row.path, row.excludes) == (b"caf\xe9", ("*.bak",))


def test_a_folder_off_the_list_leaves_its_photographs(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        v = w.volumes.seen("a", "A", b"/a")
        for path in (b"x", b"x/y", b"xy"):
            w.photographs.register(v, w.folders.add(v, path), files(0, 1, path))
        w.folders.remove(v, b"x")
        assert [row.path for row in w.folders.all()] == [b"xy"]
        assert [row.folder_id for row in w.photographs.by_id([1, 2, 3])] == [None, None, 3]
