"""Tests of demo photographs in resource files of Qt."""

from __future__ import annotations

import zlib
from pathlib import Path

from tests.app.demo.made_up import deb, listed, rcc
from twinlens.app.demo.archives import select_photographs
from twinlens.app.demo.listing import Package, PackageFolder


def in_resources(tmp_path: Path, content: bytes) -> list[str]:
    first, second = listed("a/one", b"1", name="first"), listed("one", b"2")
    groups = (
        PackageFolder(folder="x", path="src", resource="usr/share/r.rcc", photographs=(first,)),
        PackageFolder(folder="x", path="src/b", resource="usr/share/r.rcc", photographs=(second,)),
    )
    made = Package(source="debian", name="made", version="1", megabytes=1, groups=groups)
    files = {"usr/share/r.rcc": content, "usr/share/other.rcc": b"not read", "src/a/one.jpg": b"not in the resource"}
    archive = tmp_path / "made_1_all.deb"
    archive.write_bytes(deb(files))
    return [f"{one.path}={one.content!r}" for one in select_photographs(made, archive)]


def test_files_in_a_qt_resource_file_are_found(tmp_path: Path) -> None:
    content = rcc({"src/a/one.webp": b"1", "src/b/one.webp": b"2", "src/b/note.txt": b"3", "else/one.webp": b"4"})
    assert in_resources(tmp_path, content) == ["x/first.webp=b'1'", "x/one.webp=b'2'"]


def test_packed_files_are_unpacked(tmp_path: Path) -> None:
    packed = rcc({"src/a/one.webp": bytes(4) + zlib.compress(b"1")}, file_flags=1)
    assert in_resources(tmp_path, packed) == ["x/first.webp=b'1'"]


def test_a_resource_file_that_cannot_be_read_holds_nothing(tmp_path: Path) -> None:
    whole = rcc({"src/a/one.webp": b"1"})
    ring = whole[:30] + bytes(4) + whole[34:]
    for damaged in (b"damaged", whole.replace(b"qres", b"else"), whole[:60], ring):
        assert in_resources(tmp_path, damaged) == []
    for packed_otherwise in (1, 4):
        assert in_resources(tmp_path, rcc({"src/a/one.webp": b"1"}, packed_otherwise)) == []
