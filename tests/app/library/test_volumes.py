# ruff: noqa: PTH102, PTH117, PTH118 (the paths are bytes)
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.library.library import Library
from app.library.volumes import is_present, locate, split, split_folder
from core.systems.volume import Volume


def test_a_path_is_put_together_again_as_it_was(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path / "folder" / "picture.jpg")
    (tmp_path / "folder").mkdir()
    volume, relative = split(path)
    assert not os.path.isabs(relative)
    assert relative.endswith(b"picture.jpg")
    assert locate(volume, relative) == path
    assert is_present(volume)


def test_names_that_are_no_text_survive(tmp_path: Path) -> None:
    folder = os.path.join(os.fsencode(tmp_path), b"\xff")
    if sys.platform != "darwin":
        os.mkdir(folder)
    path = os.path.join(folder, b"\xfe.jpg")
    assert locate(*split(path)) == path


def test_a_path_that_is_not_there_is_split_like_its_neighbours(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path / "gone" / "deeper" / "a.jpg")
    volume, relative = split(path)
    assert volume == split(os.fsencode(tmp_path / "b.jpg"))[0]
    assert locate(volume, relative) == path


def test_a_folder_has_the_volume_of_what_is_in_it(tmp_path: Path) -> None:
    volume, relative = split_folder(os.fsencode(tmp_path))
    assert split(os.fsencode(tmp_path / "a.jpg")) == (volume, os.path.join(relative, b"a.jpg"))
    assert locate(volume, b"") == volume.mount


def test_links_among_the_folders_are_resolved_and_the_file_is_not(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.jpg").write_bytes(b"")
    (tmp_path / "real" / "link.jpg").symlink_to("a.jpg")
    (tmp_path / "folder").symlink_to("real")
    assert locate(*split(os.fsencode(tmp_path / "folder" / "link.jpg"))) == os.fsencode(tmp_path / "real" / "link.jpg")


def test_the_identity_is_the_same_in_another_run(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path / "a.jpg")
    code = "import os, sys; from app.library.volumes import split; print(split(os.fsencode(sys.argv[1]))[0].identity)"
    other = subprocess.run([sys.executable, "-c", code, path], check=True, capture_output=True, text=True)
    assert other.stdout.strip() == split(path)[0].identity


def test_an_absent_volume_keeps_the_path_it_had() -> None:
    away = Volume("uuid:ffff-not-here", "card", b"/media/card")
    assert not is_present(away)
    assert locate(away, b"DCIM/1.jpg") == os.path.join(b"/media/card", b"DCIM/1.jpg")


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    if not sys.platform.startswith("linux"):
        pytest.skip("needs the mounts of Linux")
    point, other = tmp_path / "point", tmp_path / "other"
    point.mkdir()
    other.mkdir()
    if shutil.which("mount") is None:
        pytest.skip("needs the program mount")
    command = ["mount", "-t", "tmpfs", "twinlens-test", str(point)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"needs the right to mount: {done.stderr.strip()}")
    try:
        yield point, other
    finally:
        for path in (other, point):
            subprocess.run(["umount", path], check=False, capture_output=True)
            subprocess.run(["umount", path], check=False, capture_output=True)


def test_a_mount_and_its_end_are_noticed_at_once(mounted: tuple[Path, Path], tmp_path: Path) -> None:
    point, _ = mounted
    inside, outside = split(os.fsencode(point / "a.jpg")), split(os.fsencode(tmp_path / "a.jpg"))
    assert inside == (Volume(f"tmpfs:twinlens-test:{point}", "point", os.fsencode(point)), b"a.jpg")
    assert outside[0] != inside[0]
    assert is_present(inside[0])
    subprocess.run(["umount", point], check=True)
    assert not is_present(inside[0])
    assert locate(*inside) == os.fsencode(point / "a.jpg")
    assert split(os.fsencode(point / "a.jpg"))[0] == outside[0]


def test_a_part_mounted_elsewhere_is_its_own_volume_with_paths_of_its_own(mounted: tuple[Path, Path]) -> None:
    point, other = mounted
    (point / "part").mkdir()
    subprocess.run(["mount", "--bind", point / "part", other], check=True)
    volume, relative = split(os.fsencode(other / "a.jpg"))
    assert (volume.mount, relative) == (os.fsencode(other), b"a.jpg")
    assert volume.identity != split(os.fsencode(point / "part" / "a.jpg"))[0].identity


def test_a_hidden_mount_is_not_present(mounted: tuple[Path, Path]) -> None:
    point, _ = mounted
    hidden = split(os.fsencode(point / "a.jpg"))[0]
    subprocess.run(["mount", "-t", "tmpfs", "twinlens-hides", point], check=True)
    assert not is_present(hidden)
    assert split(os.fsencode(point / "a.jpg"))[0].identity == f"tmpfs:twinlens-hides:{point}"


def test_a_disk_that_is_away_is_found_by_where_it_was(tmp_path: Path) -> None:
    away = Volume("uuid:ffff-not-here", "card", b"/media/not here")
    with Library.open(tmp_path / "library.twinlens", create=True) as library:
        with library.store.writing() as w:
            number = w.volumes.seen(away.identity, away.label, away.mount)
        with library.store.reading() as r:
            assert library.place(r, b"/media/not here/DCIM/1.jpg") == (number, b"DCIM/1.jpg")
            assert library.place(r, b"/media/not here") == (number, b"")
            assert library.place(r, b"/media/not here either") is None
