"""What a release is made by: archives and packages that are the same twice, the man page, checksums and trials."""

from __future__ import annotations

import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import ShellComplete

from conftest import ROOT
from tools.distribution import build_environment, linux_packages
from tools.distribution.release import (
    CHECKSUMS,
    COUNT,
    TrialError,
    TrialResult,
    archive_members,
    build_differences,
    pack,
    try_program,
    write_checksums,
)
from tools.socket_guard import UnguardedError
from twinlens.app.cli.main import every_command, option_rows, twinlens
from twinlens.app.cli.man_page import completion, escaped, man_page, write_system_files
from twinlens.app.library.library import Library
from twinlens.app.machine import app_folders, desktop_entry

PROGRAM = """#!{python}
import json, sys
{before}
words = sys.argv[1:]
if words == ["--version"]:
    print("twinlens {version}")
elif words[0] == "add":
    print(json.dumps({{"added": {added}, "problems": 0}}))
else:
    names = [2, *(one for one in range({count}) if one != 2)]
    hits = [{{"path": f"{{one}}.jpg", "distance": one, "similarity": 1}} for one in names]
    print(json.dumps({{"results": [{{"hits": hits}}]}}))
"""
"""A program that says what it is told to say."""


def program(folder: Path, version: str = "1.0.0", added: int = COUNT, before: str = "") -> list[str]:
    """Write such a program, and return its command."""
    path = folder / "program"
    text = PROGRAM.format(python=sys.executable, version=version, added=added, before=before, count=COUNT)
    path.write_text(text)
    return [sys.executable, str(path)]


def tried(command: list[str], folder: Path) -> list[TrialResult]:
    """Try a program; the test is skipped where there is no guard."""
    try:
        return try_program(command, "1.0.0", folder)
    except UnguardedError as error:
        pytest.skip(str(error))


def trial(tmp_path: Path) -> Path:
    """Make the folder of a trial."""
    folder = tmp_path / "trial"
    folder.mkdir()
    return folder


def test_a_program_that_does_what_it_must_passes(tmp_path: Path) -> None:
    answers = tried(program(tmp_path), trial(tmp_path))
    assert [answer.photograph for answer in answers][:2] == ["2.jpg", "0.jpg"]


@pytest.mark.parametrize(
    ("given", "refused"),
    [
        ({"version": "0.9"}, "says that it is “twinlens 0.9”"),
        ({"added": 1}, f"added 1 of {COUNT} photographs"),
        ({"before": "raise ValueError('broken')"}, "broken"),
        ({"before": "import app"}, "a module of somebody else was imported"),
        (
            {"before": "import socket\ntry: socket.create_connection(('127.0.0.1', 9))\nexcept OSError: pass"},
            "AF_INET of",
        ),
        ({"before": "import ctypes; ctypes.CDLL(None).socket(10, 1, 0)"}, "AF_INET6 of"),  # as native code does
    ],
)
def test_a_program_that_does_not_is_refused(tmp_path: Path, given: dict[str, Any], refused: str) -> None:
    with pytest.raises(TrialError, match=refused):
        tried(program(tmp_path, **given), trial(tmp_path))


def packed(path: Path, contents: dict[str, bytes]) -> Path:
    """Write a zip or tar archive."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in contents.items():
                archive.writestr(name, content)
    else:
        with tarfile.open(path, "w") as tar:
            for name, content in contents.items():
                one = tarfile.TarInfo(name)
                one.size = len(content)
                tar.addfile(one, io.BytesIO(content))
    return path


@pytest.mark.parametrize("name", ["a.zip", "a.tar"])
def test_what_differs_is_named_down_to_the_member(tmp_path: Path, name: str) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder, content in ((first, b"one"), (second, b"two")):
        folder.mkdir()
        packed(folder / name, {"same": b"same", "other": content})
        (folder / "plain.txt").write_bytes(content)
        (folder / "equal.txt").write_bytes(b"equal")
    (second / "new.txt").write_bytes(b"new")
    assert build_differences(first, second) == [
        f"{name}: other",
        "new.txt: the file as a whole",
        "plain.txt: the file as a whole",
    ]
    assert build_differences(first, first) == []


def test_members_are_told_with_their_modes() -> None:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("empty"))
    (told,) = archive_members("a.tar", content.getvalue()).values()
    assert told.startswith("644 0 ")
    assert told.endswith(hashlib.sha256(b"").hexdigest())


def test_a_packed_folder_is_the_same_whenever_its_files_were_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    folder = tmp_path / "site"
    (folder / "de").mkdir(parents=True)
    archives = []
    for moment in (1_200_000_000, 1_300_000_000):
        for path in (folder / "index.html", folder / "de" / "index.html"):
            path.write_text("<p>Guide</p>")
            os.utime(path, (moment, moment))
        pack(folder, tmp_path / f"{moment}.zip")
        archives.append((tmp_path / f"{moment}.zip").read_bytes())
    assert archives[0] == archives[1]
    with zipfile.ZipFile(tmp_path / "1300000000.zip") as archive:
        assert archive.namelist() == ["site/de/index.html", "site/index.html"]


def test_checksums_are_of_every_file_but_themselves(tmp_path: Path) -> None:
    (tmp_path / "a.whl").write_bytes(b"wheel")
    (tmp_path / "folder").mkdir()
    lines = write_checksums(tmp_path)
    assert lines == [f"{hashlib.sha256(b'wheel').hexdigest()}  a.whl"]
    assert write_checksums(tmp_path) == lines
    assert (tmp_path / CHECKSUMS).read_text() == f"{lines[0]}\n"


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lay out a folder that looks like a bundle: a program, a link to it, and an extension module."""
    monkeypatch.setenv(build_environment.VARIABLE, "1700000000")
    folder = tmp_path / "dist" / "twinlens"
    (folder / "_internal").mkdir(parents=True)
    (folder / "notices").mkdir()
    (folder / "notices" / "NOTICES.txt").write_text("Python")
    (folder / "twinlens").write_text("a program")
    (folder / "twinlens-gui").symlink_to("twinlens")
    module = next(Path(path) for path in sys.path if path.endswith("lib-dynload"))
    shutil.copy(min(module.glob("*.so")), folder / "_internal")
    write_system_files(folder / "share")
    desktop_entry.write(folder / "share", ["twinlens-gui"])
    build_environment.settle(folder, frozenset({folder / "twinlens"}))
    return folder


def test_files_get_the_time_of_the_sources_and_plain_permissions(bundle: Path) -> None:
    assert {path.lstat().st_mtime for path in [bundle, *bundle.rglob("*")]} == {1700000000}
    modes = {path.name: path.stat().st_mode & 0o777 for path in bundle.iterdir()}
    assert modes == dict.fromkeys(("twinlens", "twinlens-gui", "_internal", "notices", "share"), 0o755)
    assert {path.stat().st_mode & 0o777 for path in (bundle / "_internal").iterdir()} == {0o644}


@pytest.mark.skipif(not shutil.which("xz"), reason="there is no xz")
def test_an_archive_is_the_same_twice_and_of_nobody(bundle: Path, tmp_path: Path) -> None:
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        made.append(linux_packages.write_archive(bundle, tmp_path / name, "twinlens-1.2"))
        os.utime(bundle / "_internal")
    assert made[0].read_bytes() == made[1].read_bytes()
    with tarfile.open(made[0]) as tar:
        entries = tar.getmembers()
        tar.extractall(tmp_path / "there", filter="tar")
    assert {(one.uid, one.gid, one.mtime) for one in entries} == {(0, 0, 1700000000)}
    there = tmp_path / "there" / "twinlens-1.2"
    assert (there / "twinlens-gui").readlink() == Path("twinlens")
    assert os.access(there / "twinlens", os.X_OK)


@pytest.mark.skipif(not (shutil.which("dh") and shutil.which("readelf")), reason="no debhelper or no binutils")
def test_a_package_has_no_scripts_and_all_in_its_place(bundle: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "debian", tmp_path / "debian")
    shutil.copy(ROOT / "CHANGELOG.md", tmp_path)
    (tmp_path / "there").mkdir()
    made = linux_packages.write_package(tmp_path, tmp_path / "there")
    assert not (tmp_path / "debian" / "twinlens").exists()
    control, tree = tmp_path / "control", tmp_path / "tree"
    subprocess.run(["dpkg-deb", "-e", str(made), str(control)], check=True)
    subprocess.run(["dpkg-deb", "-x", str(made), str(tree)], check=True)
    assert {path.name for path in control.iterdir()} == {"control", "md5sums"}
    assert "Depends: libc6 (>= 2." in (control / "control").read_text("utf-8")
    subprocess.run(["md5sum", "--check", "--quiet", str(control / "md5sums")], cwd=tree, check=True)
    assert (tree / "usr/bin/twinlens").readlink() == Path("../lib/twinlens/twinlens")
    assert (tree / "usr/lib/twinlens/notices/NOTICES.txt").is_file()
    share = tree / "usr/share"
    assert "Exec=twinlens-gui %F" in (share / "applications/twinlens.desktop").read_text("utf-8")
    for place in (
        "icons/hicolor/scalable/apps/twinlens.svg", "mime/packages/twinlens.xml", "man/man1/twinlens.1.gz",
        "man/man1/twinlens-gui.1.gz", "lintian/overrides/twinlens", "doc/twinlens/NEWS.md.gz",
        "bash-completion/completions/twinlens", "zsh/vendor-completions/_twinlens",
        "fish/vendor_completions.d/twinlens.fish", "doc/twinlens/copyright", "doc/twinlens/changelog.gz",
    ):  # fmt: skip
        assert (share / place).is_file(), place


def test_a_shell_is_told_what_may_come_next() -> None:
    asked = {**os.environ, "_TWINLENS_COMPLETE": "bash_complete", "COMP_WORDS": "twinlens sea", "COMP_CWORD": "1"}
    program = Path(sys.executable).with_name("twinlens")
    told = subprocess.run([program], env=asked, capture_output=True, text=True, check=False).stdout
    assert told.split() == ["plain,search"]


@pytest.mark.parametrize("words", ["search x.jpg --index Col", "index delete Col", "compare x.jpg --of Col"])
def test_a_shell_is_told_the_names_of_indexes(words: str, tmp_path: Path) -> None:
    file = tmp_path / "few.twinlens"
    Library.open(file, create=True).close()
    for library, names in ((file, ["Colours"]), (tmp_path / "none.twinlens", [])):
        line = f"twinlens --library {library} {words}".split()
        complete = ShellComplete(twinlens, {}, "twinlens", "_TWINLENS_COMPLETE")
        found = complete.get_completions(line[1:-1], line[-1])
        assert [one.value for one in found if one.type == "plain"] == names
    assert not (tmp_path / "none.twinlens").exists()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_asks_the_program(shell: str) -> None:
    assert f"_TWINLENS_COMPLETE={shell}_complete" in completion(shell)


PAGE = man_page()


def plain(roff: str) -> str:
    """Take the escapes of the page back."""
    bare = re.sub(r"\\f[BR]|\\&", "", roff).replace("\\-", "-").replace("\\(aq", "'").replace("\\(ti", "~")
    bare = bare.replace("\\(ha", "^").replace("\\e", "\\")
    return re.sub(r"\\\[u([0-9A-F]+)\]", lambda found: chr(int(found[1], 16)), bare)


def test_every_command_and_option_is_there() -> None:
    sections = {one.split(" [")[0].split("\n")[0]: one for one in plain(PAGE).split("\n.SS ")}
    root, *others = every_command(twinlens, "twinlens")
    shared = option_rows(root)
    for option, _help in shared:
        assert f"\n.TP\n{option}\n" in plain(PAGE)
    for ctx in others:
        (section,) = [one for name, one in sections.items() if name.rstrip() == ctx.command_path]
        for option, _help in option_rows(ctx):
            assert (f"\n.TP\n{option}\n" in section) != ((option, _help) in shared), (ctx.command_path, option)


def test_it_names_every_variable_and_no_place_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = (ROOT / "twinlens").rglob("*.py")
    named = {name for path in sources for name in re.findall(r"\bTWINLENS_[A-Z]+\b", path.read_text(encoding="utf-8"))}
    assert app_folders.DATA_VARIABLE in named
    assert named <= set(re.findall(r"\bTWINLENS_[A-Z]+\b", plain(PAGE)))
    monkeypatch.setenv(app_folders.DATA_VARIABLE, str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert man_page() == PAGE
    if sys.platform == "linux":
        assert "\\(ti/.local/share/twinlens/library.twinlens" in PAGE


def test_it_leads_nowhere_on_a_network() -> None:
    assert not re.search("https?://|www", plain(PAGE))


def test_no_sign_of_aescaped_is_a_request() -> None:
    assert escaped(".TH \\x 'y' `z`") == "\\&.TH \\ex \\(aqy\\(aq \\fBz\\fR"
    assert escaped("'so") == "\\(aqso"
    assert plain(escaped("“ü” – ✓ ~ ^")) == "“ü” – ✓ ~ ^"
    assert PAGE.isascii()


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_roff_finds_no_fault_in_it() -> None:
    done = subprocess.run(["groff", "-man", "-ww", "-z"], input=PAGE, capture_output=True, text=True, check=True)
    assert done.stderr == ""
