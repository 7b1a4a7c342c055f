"""Which files of a package are the listed photographs."""

from __future__ import annotations

from pathlib import Path

from app.demo import archives as qt
from app.demo.archives import select_photographs
from app.demo.listing import Package, PackageFolder
from tests.app.demo.packages.made_up import deb, in_place, listed, package, picture, rcc

PICTURES = {"one.jpg": picture("one"), "sub/two.webp": picture("two")}


def archive(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "made_1_all.deb"
    path.write_bytes(content)
    return path


def test_listed_files_are_found_and_others_are_not(tmp_path: Path) -> None:
    more = PICTURES | {"icon.png": b"drawing", "one.txt": b"text", "sub/three.jpg": b"new"}
    found = select_photographs(package("debian", "made", PICTURES), archive(tmp_path, deb(in_place(more))))
    assert [one.path for one in found] == ["made/one.jpg", "made/two.webp"]
    assert [one.content for one in found] == list(PICTURES.values())
    assert all(one.known for one in found)


def test_other_ending_and_content_are_found_but_not_known(tmp_path: Path) -> None:
    other = {"one.PNG": b"anew", "sub/two.webp": PICTURES["sub/two.webp"]}
    found = select_photographs(package("debian", "made", PICTURES), archive(tmp_path, deb(in_place(other))))
    assert [(one.path, one.known) for one in found] == [("made/one.png", False), ("made/two.webp", True)]


def test_what_is_missing_is_left_out(tmp_path: Path) -> None:
    assert select_photographs(package("debian", "made", PICTURES), archive(tmp_path, deb({"usr/bin/x": b"x"}))) == ()


def test_listed_content_is_preferred_to_a_larger_file(tmp_path: Path) -> None:
    twice = {"one.jpg": PICTURES["one.jpg"], "one.png": picture("larger", 900)}
    found = select_photographs(package("debian", "made", PICTURES), archive(tmp_path, deb(in_place(twice))))
    assert [one.path for one in found] == ["made/one.jpg"]


def test_largest_is_taken_where_none_is_known(tmp_path: Path) -> None:
    twice = {"one.jpg": picture("small", 90), "one.png": picture("larger", 900)}
    found = select_photographs(package("debian", "made", PICTURES), archive(tmp_path, deb(in_place(twice))))
    assert [one.path for one in found] == ["made/one.png"]


def in_resources(tmp_path: Path, content: bytes) -> list[str]:
    first, second = listed("a/one", b"1", name="first"), listed("one", b"2")
    groups = (
        PackageFolder(folder="x", path="src", resource="usr/share/r.rcc", photographs=(first,)),
        PackageFolder(folder="x", path="src/b", resource="usr/share/r.rcc", photographs=(second,)),
    )
    made = Package(source="debian", name="made", version="1", megabytes=1, groups=groups)
    files = {"usr/share/r.rcc": content, "usr/share/other.rcc": b"not read", "src/a/one.jpg": b"not in the resource"}
    return [f"{one.path}={one.content!r}" for one in select_photographs(made, archive(tmp_path, deb(files)))]


def test_files_in_a_qt_resource_file_are_found(tmp_path: Path) -> None:
    content = rcc({"src/a/one.webp": b"1", "src/b/one.webp": b"2", "src/b/note.txt": b"3", "else/one.webp": b"4"})
    assert in_resources(tmp_path, content) == ["x/first.webp=b'1'", "x/one.webp=b'2'"]


def test_resource_file_that_cannot_be_read_holds_nothing(tmp_path: Path) -> None:
    assert in_resources(tmp_path, b"damaged") == []
    assert in_resources(tmp_path, rcc({"src/a/one.webp": b"1"}, flags=qt.ZSTD)) == []
