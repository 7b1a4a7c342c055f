"""What was fetched: how it is kept, and how a damaged file is found."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.demo.listing import (
    FILE,
    LICENCES,
    DemoPhotograph,
    FetchedPackage,
    Manifest,
    read_manifest,
    write_manifest,
)
from tests.app.demo.packages.made_up import picture, sha256

CONTENT = picture("one")


def photograph(path: str = "x/one.jpg", package: str = "made", changed_ns: int = 0) -> DemoPhotograph:
    return DemoPhotograph(
        path=path,
        package=package,
        version="1.0",
        licence="CC-BY-SA-4.0",
        author="Ä. Body",
        source="https://example.org/one",
        free=False,
        known=True,
        sha256=sha256(CONTENT),
        size=len(CONTENT),
        changed_ns=changed_ns,
    )


def fetched(name: str) -> FetchedPackage:
    return FetchedPackage(name=name, digest="0", version="1.0")


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    manifest = Manifest().with_package("debian", fetched("made"), [photograph()])
    write_manifest(tmp_path, manifest)
    assert read_manifest(tmp_path) == manifest
    assert {path.name for path in tmp_path.iterdir()} == {FILE, LICENCES}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"form": 2, "source": "debian"}', '{"unknown": 1}'])
def test_what_cannot_be_read_is_as_if_it_were_not_there(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    assert read_manifest(tmp_path) == Manifest()


def test_people_can_read_author_licence_and_source(tmp_path: Path) -> None:
    write_manifest(tmp_path, Manifest().with_package("debian", fetched("made"), [photograph()]))
    text = (tmp_path / LICENCES).read_text("utf-8")
    assert "made 1.0: 1 photos" in text
    assert "x/one.jpg\n    Ä. Body, CC-BY-SA-4.0, https://example.org/one\n" in text
    assert "CC-BY-SA-4.0: https://creativecommons.org/licenses/by-sa/4.0/" in text
    assert "GPL" not in text


def test_package_takes_the_place_of_what_was_there_of_it() -> None:
    manifest = Manifest()
    for name in ("first", "second"):
        manifest = manifest.with_package("debian", fetched(name), [photograph(f"{name}.jpg", name)])
    changed = manifest.with_package("debian", fetched("first"), [photograph("new.jpg", "first")])
    assert [package.name for package in changed.packages] == ["first", "second"]
    assert [one.path for one in changed.photographs] == ["new.jpg", "second.jpg"]


def file_of(tmp_path: Path, content: bytes) -> tuple[Path, DemoPhotograph]:
    path = tmp_path / "x" / "one.jpg"
    path.parent.mkdir()
    path.write_bytes(content)
    return path, photograph(changed_ns=path.stat().st_mtime_ns)


def test_file_as_it_was_is_whole(tmp_path: Path) -> None:
    _, one = file_of(tmp_path, CONTENT)
    assert one.is_whole(tmp_path)


def test_missing_or_shorter_file_is_not_whole(tmp_path: Path) -> None:
    path, one = file_of(tmp_path, CONTENT[:-1])
    assert not one.is_whole(tmp_path)
    path.unlink()
    assert not one.is_whole(tmp_path)


def test_file_of_another_time_is_read(tmp_path: Path) -> None:
    path, one = file_of(tmp_path, CONTENT)
    os.utime(path, ns=(1, 1))
    assert one.is_whole(tmp_path)
    path.write_bytes(bytes(len(CONTENT)))
    os.utime(path, ns=(1, 1))
    assert not one.is_whole(tmp_path)
