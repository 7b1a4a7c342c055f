# ruff: noqa: PTH102, PTH103, PTH110, PTH117, PTH118, PTH119, PTH123 (the paths are bytes)
"""Folders are walked, whatever their names, and each is known by its volume."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twinlens.app.library.ingest.folder_walk import EXCLUDES, RefusedPath, WalkedFile, walk
from twinlens.app.library.library import Library
from twinlens.app.library.volumes import is_present, locate, split, split_folder
from twinlens.core.errors import TwinlensError
from twinlens.core.systems import system
from twinlens.core.systems.volume import Volume

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes and no undecodable names")


def write(path: Path, content: bytes = b"x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def names(folder: Path, excludes: tuple[str, ...] = EXCLUDES) -> list[str]:
    start = os.fsencode(folder)
    return [
        os.fsdecode(os.path.relpath(found.path, start))
        for found in walk(start, excludes)
        if isinstance(found, WalkedFile)
    ]


def refused(folder: Path) -> list[RefusedPath]:
    return [outcome for outcome in walk(os.fsencode(folder)) if isinstance(outcome, RefusedPath)]


def test_files_are_found_with_size_time_and_inode(tmp_path: Path) -> None:
    path = write(tmp_path / "deep" / "er" / "a.jpg", b"12345")
    os.utime(path, ns=(0, 1_600_000_000_123_456_700))
    status = path.stat()
    assert list(walk(os.fsencode(tmp_path))) == [
        WalkedFile(os.fsencode(path), 5, status.st_mtime_ns, status.st_dev, status.st_ino)
    ]


NAME = st.text(st.sampled_from("ab.-0A/"), min_size=1, max_size=6)


@settings(max_examples=60, deadline=None)
@given(st.sets(NAME, max_size=12))
def test_the_order_is_that_of_the_paths_bytes(tmp_path_factory: pytest.TempPathFactory, wanted: set[str]) -> None:
    folder = tmp_path_factory.mktemp("order")
    written = set()
    for name in wanted:
        parts = [part for part in name.split("/") if part.strip(".")]
        if parts:
            try:
                written.add(os.fsencode(write(folder.joinpath(*parts))))
            except (FileExistsError, NotADirectoryError, IsADirectoryError, PermissionError):
                continue  # the same name drawn as a file and as a folder
    found = [outcome.path for outcome in walk(os.fsencode(folder), ())]
    assert found == sorted(written)


def test_a_dot_comes_before_the_separator_in_the_order(tmp_path: Path) -> None:
    for name in ("a/z.jpg", "a.jpg", "a-b/c.jpg", "a0.jpg"):
        write(tmp_path / name)
    assert names(tmp_path) == ["a-b/c.jpg", "a.jpg", "a/z.jpg", "a0.jpg"]


@posix_only
@pytest.mark.skipif(sys.platform == "darwin", reason="macOS refuses undecodable names")
def test_undecodable_and_odd_names_are_found_again(tmp_path: Path) -> None:
    odd = [b"\xff\xfe.jpg", b'quote\'s "and" space.jpg', b"new\nline.jpg", "ěščř 写真.jpg".encode(), b"n" * 200]
    for name in odd:
        with open(os.path.join(os.fsencode(tmp_path), name), "wb"):
            pass
    found = [outcome.path for outcome in walk(os.fsencode(tmp_path))]
    assert [os.path.basename(path) for path in found] == sorted(odd)
    assert all(os.path.exists(path) for path in found)


def test_a_folder_called_like_a_picture_is_a_folder(tmp_path: Path) -> None:
    write(tmp_path / "dir.jpg" / "in.jpg")
    assert names(tmp_path) == ["dir.jpg/in.jpg"]
    assert not refused(tmp_path)


@pytest.mark.parametrize(
    "name", [".hidden.jpg", ".git/a.jpg", "@eaDir/a.jpg", "$Recycle.Bin/a.jpg", "Catalog LRDATA.LRDATA/a", "THUMBS.DB"]
)
def test_what_is_hidden_or_another_programs_is_passed_over(tmp_path: Path, name: str) -> None:
    write(tmp_path / name)
    write(tmp_path / "kept.jpg")
    assert names(tmp_path) == ["kept.jpg"]
    assert not refused(tmp_path)


def test_the_folder_itself_may_have_an_excluded_name(tmp_path: Path) -> None:
    write(tmp_path / ".hidden" / "a.jpg")
    assert names(tmp_path / ".hidden") == ["a.jpg"]


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("*.PNG", ["one/a.jpg", "one/raw/a.jpg", "raw/a.jpg"]),
        ("raw", ["one/a.jpg", "one/b.png"]),
        ("raw/", ["one/a.jpg", "one/b.png"]),
        ("/raw", ["one/a.jpg", "one/b.png", "one/raw/a.jpg"]),
        ("one/raw", ["one/a.jpg", "one/b.png", "raw/a.jpg"]),
        ("one/*.jpg", ["one/b.png", "raw/a.jpg"]),
        ("[ab].*", []),
        ("", ["one/a.jpg", "one/b.png", "one/raw/a.jpg", "raw/a.jpg"]),
    ],
)
def test_a_pattern_is_held_against_names_or_with_a_slash_against_paths(
    tmp_path: Path, pattern: str, left: list[str]
) -> None:
    for name in ("one/a.jpg", "one/b.png", "one/raw/a.jpg", "raw/a.jpg"):
        write(tmp_path / name)
    assert names(tmp_path, (pattern,)) == left


def test_a_pattern_with_a_slash_reaches_below_undecodable_folders(tmp_path: Path) -> None:
    start = tmp_path / "é"
    write(start / "one" / "a.jpg")
    write(start / "two" / "a.jpg")
    assert names(start, ("one/a.jpg",)) == ["two/a.jpg"]


def test_a_link_to_a_file_is_followed(tmp_path: Path) -> None:
    target = write(tmp_path / "out" / "a.jpg", b"123")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "link.jpg").symlink_to(target)
    (found,) = walk(os.fsencode(tmp_path / "in"))
    assert isinstance(found, WalkedFile)
    assert (os.path.basename(found.path), found.size, found.inode) == (b"link.jpg", 3, target.stat().st_ino)


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("nothing", "link to {}/nothing, which is not there"),
        ("link", "back to itself"),
        ("folder", "link to the folder {}/folder,"),
        (".", "link to the folder {},"),
        ("file.txt/below", "no folder"),
    ],
)
def test_a_link_that_leads_nowhere_is_refused_with_its_reason(tmp_path: Path, target: str, reason: str) -> None:
    write(tmp_path / "folder" / "a.jpg")
    write(tmp_path / "file.txt")
    (tmp_path / "link").symlink_to(target)
    (outcome,) = refused(tmp_path)
    assert outcome.path == os.fsencode(tmp_path / "link")
    assert reason.format(tmp_path) in str(outcome.reason)
    assert outcome.next_step
    assert not outcome.unseen
    assert names(tmp_path) == ["file.txt", "folder/a.jpg"]


@posix_only
def test_pipes_sockets_and_links_to_them_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    os.mkfifo("pipe.jpg")
    Path("link.jpg").symlink_to("pipe.jpg")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket.jpg")
        assert list(walk(os.fsencode(tmp_path))) == []


@pytest.mark.parametrize(
    ("error", "reason"), [(PermissionError(13, "Permission denied"), "permission denied"), (OSError(5, "I/O"), "I/O")]
)
def test_a_folder_that_cannot_be_listed_is_refused_and_said_to_be_unseen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, reason: str
) -> None:
    write(tmp_path / "closed" / "a.jpg")
    write(tmp_path / "open" / "a.jpg")
    list_folder = os.scandir

    def scandir(folder: Any) -> Any:
        if os.path.basename(folder) == b"closed":
            raise error
        return list_folder(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    (outcome,) = refused(tmp_path)
    assert outcome.path == os.fsencode(tmp_path / "closed")
    assert reason in str(outcome.reason)
    assert outcome.unseen
    assert names(tmp_path) == ["open/a.jpg"]


def test_what_vanishes_in_the_middle_is_left_out(tmp_path: Path) -> None:
    write(tmp_path / "a.jpg")
    gone_file = write(tmp_path / "b.jpg")
    gone_folder = write(tmp_path / "c" / "c.jpg").parent
    write(tmp_path / "d.jpg")
    found = []
    for outcome in walk(os.fsencode(tmp_path)):
        found.append(os.path.basename(outcome.path))
        if len(found) == 1:
            gone_file.unlink()
            (gone_folder / "c.jpg").unlink()
            gone_folder.rmdir()
    assert found == [b"a.jpg", b"d.jpg"]


def test_a_path_that_windows_calls_gone_since_it_is_too_long_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "a.jpg")
    gone = write(tmp_path / "b" / "c.jpg").parent
    steps = walk(os.fsencode(tmp_path))
    assert isinstance(next(steps), WalkedFile)
    gone.rename(tmp_path.parent / f"{tmp_path.name}-away")  # listed, and answers as a path of 260 signs does there
    monkeypatch.setattr(system, "is_too_long", lambda path: path == os.fsencode(gone))
    (left,) = steps
    assert isinstance(left, RefusedPath)
    assert (left.path, left.unseen, str(left.reason)) == (
        os.fsencode(gone),
        True,
        "The path is too long for this system.",
    )


@pytest.mark.parametrize("name", ["missing", "file.jpg"])
def test_a_start_that_is_no_folder_is_an_error_with_a_next_step(tmp_path: Path, name: str) -> None:
    write(tmp_path / "file.jpg")
    with pytest.raises(TwinlensError, match=name) as caught:
        list(walk(os.fsencode(tmp_path / name)))
    assert str(caught.value.advice)


def test_a_deep_tree_needs_no_recursion(tmp_path: Path) -> None:
    depth = 400
    deepest = os.path.join(os.fsencode(tmp_path), *[b"d"] * depth)
    os.makedirs(deepest)
    with open(os.path.join(deepest, b"a.jpg"), "wb"):
        pass
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(300)
    try:
        found = list(walk(os.fsencode(tmp_path)))
    finally:
        sys.setrecursionlimit(limit)
    assert [outcome.path for outcome in found] == [os.path.join(deepest, b"a.jpg")]


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
    code = "import os, sys\nfrom twinlens.app.library.volumes import split\n"
    code += "print(split(os.fsencode(sys.argv[1]))[0].identity)"
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
