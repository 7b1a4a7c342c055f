"""What belongs inside a bundle: modules, files, compiled loops, ICU's data, shared libraries and notices."""

from __future__ import annotations

import ctypes
import json
import platform
import re
import shutil
import subprocess
from importlib.metadata import Distribution
from pathlib import Path, PurePath

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PyInstaller.archive.writers import CArchiveWriter, ZlibArchiveWriter

from tests.core.installed_package import install
from tools.distribution import bundle_contents as contents
from tools.distribution import shared_libraries
from tools.distribution.compiled_loops import declared_loops
from tools.distribution.notices import NoticesError, as_text, inside, modules
from tools.distribution.shared_libraries import is_kept, packed, unpacked
from twinlens.app.notices import LicenceText, Notices, ProgramPart
from twinlens.core.compilation.compilation import MODULES, CompiledLoop
from twinlens.features.formats.formats import FORMATS


def test_every_module_is_inside_but_those_that_compile() -> None:
    modules = set(contents.modules())
    decoders = {one.module for one in FORMATS if one.module}
    assert {name for name in decoders if not name.startswith("PIL.")} <= modules
    assert {
        "twinlens.app",
        "twinlens.app.cli.main",
        "twinlens.app.gui.frame.start",
        "twinlens.core.compilation.compilation",
    } <= modules
    assert modules.isdisjoint({*MODULES, "twinlens.core.compilation.compiled_loop", "twinlens.storage.migrations.env"})
    assert not [name for name in modules if "-" in name or name.endswith("__init__")]


def test_every_file_that_the_program_reads_is_inside() -> None:
    inside = {PurePath(folder, Path(file).name).as_posix() for file, folder in contents.data()}
    assert {
        "twinlens/resources/codebook.npz",
        "twinlens/resources/translations/de.mo",
        "twinlens/resources/guide/pages.toml",
        "twinlens/resources/notices/libraries.toml",
        "twinlens/resources/desktop/twinlens.desktop",
        "twinlens/resources/fonts/DejaVuSans.ttf",
        "twinlens/storage/migrations/env.py",
        "twinlens/storage/migrations/versions/v0009.py",
        "twinlens/storage/migrations/versions/v0010.py",
        "twinlens/storage/migrations/versions/v0011.py",
        f"{contents.WEIGHTS}/models/efficientnet-lite0-57934424.pth",
        f"{contents.WEIGHTS}/__init__.py",
    } <= inside
    assert not [file for file in inside if file.endswith((".po", ".pyc"))]


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("numpy/core.so", True),
        ("scipy/linalg/tests/data.npz", False),
        ("babel/locale-data/de.dat", True),
        ("babel/locale-data/fr.dat", False),
        ("babel/global.dat", True),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqeglfs.so", False),
        ("PySide6/Qt/plugins/tls/libqopensslbackend.so", False),
        ("PySide6/Qt/translations/qtbase_de.qm", True),
        ("PySide6/Qt/translations/qtbase_fr.qm", False),
        ("twinlens/resources/guide/de/lab.md", True),
    ],
)
def test_what_is_left_out(path: str, wanted: bool) -> None:
    assert contents.is_wanted(path) == wanted


def test_every_loop_is_told_apart_and_takes_what_it_is_compiled_for() -> None:
    names = set()
    for loop, _compiled, signature in declared_loops():
        assert CompiledLoop.of(loop.text()) == loop
        arguments = [np.zeros((1,) * one.ndim, str(one.dtype)) if hasattr(one, "ndim") else 1 for one in signature]
        assert loop.takes(arguments)
        names.add(loop.text())
    assert len(names) == sum(1 for _ in declared_loops())


HEADER = b"\x20\x00" + bytes(30)
NAMES = st.from_regex(r"icudt73l/[a-z]+/[a-z]+\.res", fullmatch=True)
ITEMS = st.dictionaries(NAMES, st.binary(min_size=1), min_size=1)


@given(ITEMS)
def test_items_are_read_as_they_were_written(items: dict[str, bytes]) -> None:
    ordered = dict(sorted(items.items()))
    header, found = unpacked(packed(HEADER, ordered))
    assert header == HEADER
    assert list(found) == list(ordered)
    for name, content in ordered.items():
        assert found[name].startswith(content)
        assert found[name][len(content) :].strip(b"\0") == b""
        assert len(found[name]) - len(content) < 16


@given(ITEMS)
def test_every_item_begins_at_a_multiple_of_sixteen_bytes(items: dict[str, bytes]) -> None:
    data = packed(HEADER, items)
    count = int.from_bytes(data[32:36], "little")
    table = data[36 : 36 + 8 * count]
    assert all(int.from_bytes(table[at + 4 : at + 8], "little") % 16 == 0 for at in range(0, len(table), 8))


@pytest.mark.parametrize(
    ("item", "kept"),
    [
        ("root.res", True), ("en.res", True), ("de_DE.res", True), ("fr.res", False), ("en_001.res", False),
        ("supplementalData.res", True), ("lang/de.res", True), ("lang/sr_Latn.res", False), ("lang/pool.res", True),
        ("zone/tzdbNames.res", True), ("coll/sv.res", False), ("coll/root.res", True), ("coll/ucadata.icu", True),
        ("brkitr/res_index.res", True), ("brkitr/char.brk", True), ("brkitr/thaidict.dict", False),
        ("ibm-1047_P100-1995.cnv", False), ("translit/root.res", False), ("nfkc.nrm", True),
    ],
)  # fmt: skip
def test_what_is_kept(item: str, kept: bool) -> None:
    assert is_kept(item) == kept


BINUTILS = pytest.mark.skipif(
    platform.system() != "Linux" or platform.machine() != "x86_64" or not shutil.which("ld"),
    reason="bundles are thinned on Linux alone, with binutils",
)


def assemble(library: Path, text: str, *needed: Path) -> Path:
    """Make a shared library of a few lines of assembly."""
    library.parent.mkdir(parents=True, exist_ok=True)
    source, compiled = library.with_suffix(".s"), library.with_suffix(".o")
    source.write_text(text)
    subprocess.run(["as", str(source), "-o", str(compiled)], check=True)
    others = ["--no-as-needed", *map(str, needed)]
    link = ["ld", "-shared", "-z", "noexecstack", "-soname", library.name, "-o", str(library), str(compiled), *others]
    subprocess.run(link, check=True)
    source.unlink()
    compiled.unlink()
    return library


@BINUTILS
def test_a_stand_in_goes_on_to_the_functions_of_another_library(tmp_path: Path) -> None:
    scipy = assemble(tmp_path / "scipy.libs" / "libblas.so", ".globl scipy_seven\nscipy_seven: mov $7, %eax\nret\n")
    shared_libraries.link(tmp_path / "libtwinlens-blas.so", {"": ["seven"]}, scipy)
    assert ctypes.CDLL(str(tmp_path / "libtwinlens-blas.so")).seven() == 7


@BINUTILS
def test_a_stand_in_has_the_versions_that_are_asked_for(tmp_path: Path) -> None:
    made = tmp_path / "libtwinlens-no-screen.so"
    shared_libraries.link(made, {"LIBAVCODEC_62": ["open"], "LIBAVUTIL_60": ["free", "log"]})
    assert shared_libraries.symbols(made, "--defined-only") == {
        "open@LIBAVCODEC_62",
        "free@LIBAVUTIL_60",
        "log@LIBAVUTIL_60",
    }
    assert ctypes.CDLL(str(made)).open(7) == 0


@BINUTILS
def test_what_nothing_asks_for_goes(tmp_path: Path) -> None:
    nothing = ".globl nothing\nnothing: ret\n"
    far = assemble(tmp_path / "b.libs" / "libfar.so", nothing)
    near = assemble(tmp_path / "a.libs" / "libnear.so", nothing, far)
    assemble(tmp_path / "a.libs" / "libleft.so", nothing)
    screen = assemble(tmp_path / "libGL.so", nothing)
    crypto = assemble(tmp_path / "libcrypto.so.3", nothing)
    assemble(tmp_path / "libssl.so.3", nothing)
    assemble(tmp_path / "a" / "module.so", nothing, near, screen, crypto)
    assemble(tmp_path / "OpenEXR.cpython-311.so", nothing)
    (tmp_path / "libleft.so").symlink_to("a.libs/libleft.so")
    (tmp_path / "libfar.so").symlink_to("b.libs/libfar.so")
    shared_libraries.drop_unused(tmp_path)
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.so*")}
    modules, libraries = {"a/module.so", "OpenEXR.cpython-311.so"}, {"a.libs/libnear.so", "b.libs/libfar.so"}
    assert left == modules | libraries | {"libfar.so", "libcrypto.so.3"}
    assert shared_libraries.system_libraries(tmp_path) == {"libGL.so"}


@BINUTILS
def test_one_of_two_copies_is_kept_where_it_has_what_is_asked_for(tmp_path: Path) -> None:
    both, others = ".globl open\n.globl close\nopen: close: ret\n", ".globl open\n.globl more\nopen: more: ret\n"
    old = assemble(tmp_path / "rawpy.libs" / "liblcms2-0.so.2.0.1", both)
    new = assemble(tmp_path / "pillow.libs" / "liblcms2-1.so.2.0.9", others)
    user = assemble(tmp_path / "rawpy" / "raw.so", ".globl raw\nraw: call open@PLT\nret\n", old)
    shared_libraries.share_twice_brought(tmp_path)
    assert old.readlink() == Path("../pillow.libs/liblcms2-1.so.2.0.9")
    assert new.is_file()
    old.unlink()
    assemble(old, both)
    assemble(user, ".globl raw\nraw: call close@PLT\nret\n", old)
    shared_libraries.share_twice_brought(tmp_path)
    assert not old.is_symlink()


@BINUTILS
def test_folders_of_the_builder_go_and_those_beside_a_library_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far = tmp_path / "builder" / "lib"
    for kept in ([], ["$ORIGIN/../libs"]):
        monkeypatch.setenv("LD_RUN_PATH", ":".join([str(far), *kept]))
        library = assemble(tmp_path / "libseven.so", ".globl seven\nseven: mov $7, %eax\nret\n")
        assert str(far).encode() in library.read_bytes()
        shared_libraries.forget_builder(library)
        assert str(far).encode() not in library.read_bytes()
        dynamic = subprocess.run(["readelf", "--dynamic", str(library)], capture_output=True, text=True, check=True)
        assert re.findall(r"R(?:UN)?PATH\).*\[(.*)\]", dynamic.stdout) == kept
        assert ctypes.CDLL(str(library)).seven() == 7
        library.unlink()


@BINUTILS
def test_a_stripped_library_does_what_it_did(tmp_path: Path) -> None:
    library = assemble(tmp_path / "libseven.so", ".globl seven\nseven: mov $7, %eax\nret\nlocal: ret\n")
    before = library.stat().st_size
    shared_libraries.strip(library)
    assert library.stat().st_size < before
    assert ctypes.CDLL(str(library)).seven() == 7
    assert list(tmp_path.iterdir()) == [library]


def package(folder: Path, name: str, *files: str, licence: str = "MIT") -> Distribution:
    """Lay out an installed package with these files beside its description."""
    install(folder, name, "", {})
    about = folder / f"{name}-1.0.dist-info"
    (about / "METADATA").write_text(f"Name: {name}\nVersion: 1.0\nLicense-Expression: {licence}\n")
    (about / "LICENSE").write_text(f"The licence of {name}.")
    for file in files:  # newer Pythons pass over what is not there
        folder.joinpath(file).parent.mkdir(exist_ok=True)
        folder.joinpath(file).touch()
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
