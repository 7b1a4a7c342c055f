"""Shared libraries of a bundle: stand-ins answer by name, and what nothing asks for goes."""

from __future__ import annotations

import ctypes
import platform
import shutil
import subprocess
from pathlib import Path

import pytest

from tools.distribution import shared_libraries

pytestmark = pytest.mark.skipif(
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


def test_a_stand_in_goes_on_to_the_functions_of_another_library(tmp_path: Path) -> None:
    scipy = assemble(tmp_path / "scipy.libs" / "libblas.so", ".globl scipy_seven\nscipy_seven: mov $7, %eax\nret\n")
    shared_libraries.link(tmp_path / "libtwinlens-blas.so", {"": ["seven"]}, scipy)
    assert ctypes.CDLL(str(tmp_path / "libtwinlens-blas.so")).seven() == 7


def test_a_stand_in_has_the_versions_that_are_asked_for(tmp_path: Path) -> None:
    made = tmp_path / "libtwinlens-no-video.so"
    shared_libraries.link(made, {"LIBAVCODEC_62": ["open"], "LIBAVUTIL_60": ["free", "log"]})
    assert shared_libraries.symbols(made, "--defined-only") == {
        "open@LIBAVCODEC_62",
        "free@LIBAVUTIL_60",
        "log@LIBAVUTIL_60",
    }


def test_what_nothing_asks_for_goes(tmp_path: Path) -> None:
    nothing = ".globl nothing\nnothing: ret\n"
    far = assemble(tmp_path / "b.libs" / "libfar.so", nothing)
    near = assemble(tmp_path / "a.libs" / "libnear.so", nothing, far)
    assemble(tmp_path / "a.libs" / "libleft.so", nothing)
    screen = assemble(tmp_path / "libGL.so", nothing)
    crypto = assemble(tmp_path / "libcrypto.so.3", nothing)
    assemble(tmp_path / "libssl.so.3", nothing)
    assemble(tmp_path / "a" / "module.so", nothing, near, screen, crypto)
    (tmp_path / "libleft.so").symlink_to("a.libs/libleft.so")
    (tmp_path / "libfar.so").symlink_to("b.libs/libfar.so")
    shared_libraries.drop_unused(tmp_path)
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.so*")}
    assert left == {"a/module.so", "a.libs/libnear.so", "b.libs/libfar.so", "libfar.so", "libcrypto.so.3"}
    assert shared_libraries.system_libraries(tmp_path) == {"libGL.so"}


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


def test_a_stripped_library_does_what_it_did(tmp_path: Path) -> None:
    library = assemble(tmp_path / "libseven.so", ".globl seven\nseven: mov $7, %eax\nret\nlocal: ret\n")
    before = library.stat().st_size
    shared_libraries.strip(library)
    assert library.stat().st_size < before
    assert ctypes.CDLL(str(library)).seven() == 7
    assert list(tmp_path.iterdir()) == [library]
