"""Archives of packages: the wanted files come out, and what is no archive is said."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from app.demo.archives import ArchiveError, archive_members
from tests.app.demo.packages.made_up import deb, source_archive, wheel

FILES = {"usr/share/a.jpg": b"a", "usr/share/b.png": b"bb" * 1000, "usr/bin/c": b"c"}
ARCHIVES = {
    "xz_1_all.deb": deb(FILES, "xz"),
    "gz_1_all.deb": deb(FILES, "gz"),
    "made-1-py3-none-any.whl": wheel(FILES),
    "made-1.tar.gz": source_archive(FILES, "made-1"),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_wanted_files_are_read(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(ARCHIVES[name])
    assert dict(archive_members(tmp_path / name, lambda path: True)) == FILES
    assert dict(archive_members(tmp_path / name, lambda path: path.endswith(".jpg"))) == {"usr/share/a.jpg": b"a"}


@pytest.mark.parametrize("name", ARCHIVES)
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5])
def test_cut_archive_is_said(tmp_path: Path, name: str, share: float) -> None:
    content = ARCHIVES[name]
    (tmp_path / name).write_bytes(content[: int(len(content) * share)])
    with pytest.raises(ArchiveError, match="cannot be read"):
        list(archive_members(tmp_path / name, lambda path: True))


@pytest.mark.parametrize("name", ["picture.jpg", "none.deb"])
def test_what_is_no_archive_is_said(tmp_path: Path, name: str) -> None:
    if name != "none.deb":
        (tmp_path / name).write_bytes(b"x")
    with pytest.raises(ArchiveError, match=name):
        list(archive_members(tmp_path / name, lambda path: True))


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb, which reads Zstandard, is missing")
def test_zstandard_is_read_by_dpkg(tmp_path: Path) -> None:
    for path, content in FILES.items():
        (tmp_path / "root" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "root" / path).write_bytes(content)
    (tmp_path / "root" / "DEBIAN").mkdir()
    control = "Package: made\nVersion: 1\nArchitecture: all\nMaintainer: A <a@example.org>\nDescription: made up\n"
    (tmp_path / "root" / "DEBIAN" / "control").write_text(control)
    target = tmp_path / "made_1_all.deb"
    building = subprocess.run(
        ["dpkg-deb", "-Zzstd", "--build", str(tmp_path / "root"), str(target)], capture_output=True, check=False
    )
    if building.returncode:
        pytest.skip("dpkg-deb of this machine knows no Zstandard")
    assert dict(archive_members(target, lambda path: True)) == FILES
    assert dict(archive_members(target, lambda path: path.endswith("c"))) == {"usr/bin/c": b"c"}
    target.write_bytes(target.read_bytes()[:-200])
    with pytest.raises(ArchiveError):
        list(archive_members(target, lambda path: True))
