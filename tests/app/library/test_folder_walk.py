# ruff: noqa: PTH103, PTH110, PTH118, PTH119, PTH123 (the paths are bytes)
from __future__ import annotations

import os
import socket
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.library.ingest.folder_scan import EXCLUDES, RefusedPath, WalkedFile, walk
from core.errors import TwinlensError
from core.systems import system

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
        ("nothing", "not there"),
        ("link", "back to itself"),
        ("folder", "link to a folder"),
        (".", "link to a folder"),
        ("file.txt/below", "no folder"),
    ],
)
def test_a_link_that_leads_nowhere_is_refused_with_its_reason(tmp_path: Path, target: str, reason: str) -> None:
    write(tmp_path / "folder" / "a.jpg")
    write(tmp_path / "file.txt")
    (tmp_path / "link").symlink_to(target)
    (outcome,) = refused(tmp_path)
    assert outcome.path == os.fsencode(tmp_path / "link")
    assert reason in str(outcome.reason)
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
