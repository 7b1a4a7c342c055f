"""Notices of a bundle: what is inside and nothing else, an error for what is unknown, and the bill of materials."""

from __future__ import annotations

import json
from importlib.metadata import Distribution
from pathlib import Path

import pytest
from PyInstaller.archive.writers import CArchiveWriter, ZlibArchiveWriter

from app.notices import LicenceText, Notices, ProgramPart
from tests.core.installed_package import install
from tools.distribution.notices import NoticesError, as_text, inside, modules


def package(folder: Path, name: str, *files: str, licence: str = "MIT") -> Distribution:
    """Lay out an installed package with these files beside its description."""
    install(folder, name, "", {})
    about = folder / f"{name}-1.0.dist-info"
    (about / "METADATA").write_text(f"Name: {name}\nVersion: 1.0\nLicense-Expression: {licence}\n")
    (about / "LICENSE").write_text(f"The licence of {name}.")
    (about / "RECORD").write_text("".join(f"{file},,\n" for file in (*files, f"{about.name}/LICENSE")))
    return Distribution.at(about)


def test_a_package_is_inside_by_its_modules_and_a_library_by_its_file(tmp_path: Path) -> None:
    packages = {
        name: package(tmp_path, name, *files)
        for name, files in {
            "kept": ("kept/__init__.py", "kept.libs/libavcodec-1.so.62", "kept.libs/libvpx-1.so.11"),
            "described": ("described/__init__.py",),
        }.items()
    }
    found = inside(
        {"kept/__init__.py", "kept.libs/libavcodec-1.so.62", "libavcodec-1.so.62", "libz.so.1", "libpython3.11.so.1.0",
         "described-1.0.dist-info/LICENSE"},
        packages,
    )  # fmt: skip
    parts = {part.name: part for part in found.parts}
    assert {"kept", "FFmpeg", "zlib", "Python", "PyInstaller's bootloader"} <= set(parts)
    assert {"described", "libvpx"}.isdisjoint(parts)
    assert parts["FFmpeg"].within == "kept"
    assert "The licence of kept." in as_text(found)


@pytest.mark.parametrize("file", ["libunheard-of.so.1", "kept.libs/libunheard-of.so.1"])
def test_a_library_that_nobody_knows_ends_it(tmp_path: Path, file: str) -> None:
    packages = {"kept": package(tmp_path, "kept", "kept.py", "kept.libs/libunheard-of.so.1")}
    with pytest.raises(NoticesError, match=r"licence of libunheard-of\.so\.1"):
        inside({"kept.py", file}, packages)


def test_what_would_bind_the_whole_program_ends_it(tmp_path: Path) -> None:
    packages = {"strict": package(tmp_path, "strict", "strict.py", licence="GPL-3.0-or-later")}
    with pytest.raises(NoticesError, match="strict"):
        inside({"strict.py"}, packages)


def test_modules_are_read_from_the_program(tmp_path: Path) -> None:
    code = {"kept.inner": compile("", "inner.py", "exec")}
    source = tmp_path / "inner.py"
    source.write_text("")
    ZlibArchiveWriter(str(tmp_path / "PYZ.pyz"), [("kept.inner", str(source), "PYMODULE")], code)
    packed = [("PYZ.pyz", str(tmp_path / "PYZ.pyz"), False, "z")]
    CArchiveWriter(str(tmp_path / "twinlens"), packed, "libpython3.11.so.1.0")
    assert "kept/inner.py" in modules(tmp_path / "twinlens")


def test_the_bill_of_materials_is_the_same_for_the_same_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    from tools.distribution.bill_of_materials import bill

    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    notices = Notices(
        parts=[
            ProgramPart(name="twinlens", version="1.0.0", licence="MIT", purl="pkg:pypi/twinlens@1.0.0"),
            ProgramPart(name="rawpy", version="1", licence="MIT", texts=[LicenceText(title="LICENSE", text="Yes.")]),
            ProgramPart(name="LibRaw", licence="LGPL-2.1-only OR CDDL-1.0", within="rawpy", files=["a.so", "b.so"]),
            ProgramPart(name="JasPer", licence="LicenseRef-JasPer", within="rawpy", home="https://example.org"),
        ]
    )
    text = bill(notices)
    assert bill(notices) == text
    made = json.loads(text)
    assert made["metadata"]["component"]["name"] == "twinlens"
    assert made["metadata"]["timestamp"].startswith("2001-09-09")
    assert {one["name"] for one in made["components"]} == {"rawpy", "LibRaw", "JasPer"}
    needs = {one["ref"]: one.get("dependsOn", []) for one in made["dependencies"]}
    assert needs["twinlens/rawpy@1"] == ["rawpy/JasPer@", "rawpy/LibRaw@"]
    assert needs["twinlens/twinlens@1.0.0"] == ["twinlens/rawpy@1"]
