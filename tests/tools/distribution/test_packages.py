"""What is made of a bundle: the same bytes twice, all of it inside, and a system's files where it looks for them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from conftest import ROOT
from tools.distribution import build_environment, linux_packages
from tools.distribution.man_page import completion, write_system_files


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lay out a folder that looks like a bundle: a program, a link to it, and an extension module."""
    monkeypatch.setenv(build_environment.VARIABLE, "1700000000")
    folder = tmp_path / "bundle"
    (folder / "_internal").mkdir(parents=True)
    (folder / "twinlens").write_text("a program")
    (folder / "twinlens-gui").symlink_to("twinlens")
    module = next(Path(path) for path in sys.path if path.endswith("lib-dynload"))
    shutil.copy(next(module.glob("_socket*")), folder / "_internal")
    write_system_files(folder / "share")
    build_environment.settle(folder, frozenset({folder / "twinlens"}))
    return folder


def made_twice(make: str, bundle: Path, tmp_path: Path) -> Path:
    """Make a package or an archive in two folders, and return the one after holding it against the other."""
    made = []
    for name in ("one", "two"):
        target = tmp_path / name
        target.mkdir()
        if make == "archive":
            made.append(linux_packages.write_archive(bundle, target, "twinlens-1.2"))
        else:
            made.append(linux_packages.write_package(bundle, target, "1.2", ROOT))
        assert list(target.iterdir()) == [made[-1]]
        os.utime(bundle / "_internal")
    assert made[0].read_bytes() == made[1].read_bytes()
    return made[0]


def test_files_get_the_time_of_the_sources_and_plain_permissions(bundle: Path) -> None:
    assert {path.lstat().st_mtime for path in [bundle, *bundle.rglob("*")]} == {1700000000}
    modes = {path.name: path.stat().st_mode & 0o777 for path in bundle.iterdir()}
    assert modes == {"twinlens": 0o755, "twinlens-gui": 0o755, "_internal": 0o755, "share": 0o755}
    assert {path.stat().st_mode & 0o777 for path in (bundle / "_internal").iterdir()} == {0o644}


@pytest.mark.skipif(not shutil.which("xz"), reason="there is no xz")
def test_an_archive_is_the_same_twice_and_of_nobody(bundle: Path, tmp_path: Path) -> None:
    made = made_twice("archive", bundle, tmp_path)
    with tarfile.open(made) as tar:
        entries = tar.getmembers()
        tar.extractall(tmp_path / "there", filter="tar")
    assert {(one.uid, one.gid, one.mtime) for one in entries} == {(0, 0, 1700000000)}
    there = tmp_path / "there" / "twinlens-1.2"
    assert (there / "twinlens-gui").readlink() == Path("twinlens")
    assert os.access(there / "twinlens", os.X_OK)


@pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="this is no Debian")
def test_a_package_is_the_same_twice_and_has_no_scripts(bundle: Path, tmp_path: Path) -> None:
    made = made_twice("package", bundle, tmp_path)
    control, tree = tmp_path / "control", tmp_path / "tree"
    subprocess.run(["dpkg-deb", "-e", str(made), str(control)], check=True)
    subprocess.run(["dpkg-deb", "-x", str(made), str(tree)], check=True)
    assert {path.name for path in control.iterdir()} == {"control", "md5sums"}
    assert "Depends: libc6 (>= 2." in (control / "control").read_text("utf-8")
    subprocess.run(["md5sum", "--check", "--quiet", str(control / "md5sums")], cwd=tree, check=True)
    assert (tree / "usr/bin/twinlens").readlink() == Path("/opt/twinlens/twinlens")
    share = tree / "usr/share"
    assert "Exec=/usr/bin/twinlens-gui %F" in (share / "applications/twinlens.desktop").read_text("utf-8")
    for place in (
        "icons/hicolor/scalable/apps/twinlens.svg", "mime/packages/twinlens.xml", "man/man1/twinlens.1.gz",
        "bash-completion/completions/twinlens", "zsh/vendor-completions/_twinlens",
        "fish/vendor_completions.d/twinlens.fish", "doc/twinlens/copyright",
    ):  # fmt: skip
        assert (share / place).is_file(), place


def test_a_shell_is_told_what_may_come_next() -> None:
    asked = {**os.environ, "_TWINLENS_COMPLETE": "bash_complete", "COMP_WORDS": "twinlens sea", "COMP_CWORD": "1"}
    program = Path(sys.executable).with_name("twinlens")
    told = subprocess.run([program], env=asked, capture_output=True, text=True, check=False).stdout
    assert told.split() == ["plain,search"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_asks_the_program(shell: str) -> None:
    assert f"_TWINLENS_COMPLETE={shell}_complete" in completion(shell)
