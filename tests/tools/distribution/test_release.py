"""What a release is made by: archives that are the same twice, what differs in others, checksums, and trials."""

from __future__ import annotations

import hashlib
import io
import os
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tools.distribution.release import (
    CHECKSUMS,
    COUNT,
    TrialError,
    archive_members,
    build_differences,
    pack,
    try_program,
    write_checksums,
)

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


def trial(tmp_path: Path) -> Path:
    """Make the folder of a trial."""
    folder = tmp_path / "trial"
    folder.mkdir()
    return folder


def test_a_program_that_does_what_it_must_passes(tmp_path: Path) -> None:
    answers = try_program(program(tmp_path), "1.0.0", trial(tmp_path))
    assert [answer.photograph for answer in answers][:2] == ["2.jpg", "0.jpg"]


@pytest.mark.parametrize(
    ("given", "refused"),
    [
        ({"version": "0.9"}, "says that it is “twinlens 0.9”"),
        ({"added": 1}, "added 1 of 6 photographs"),
        ({"before": "raise ValueError('broken')"}, "broken"),
        ({"before": "import app"}, "a module of somebody else was imported"),
        ({"before": "import socket\ntry: socket.getaddrinfo('localhost', 80)\nexcept OSError: pass"}, "getaddrinfo"),
        ({"before": "import socket\ntry: socket.socket().connect(('127.0.0.1', 9))\nexcept OSError: pass"}, "connect"),
    ],
)
def test_a_program_that_does_not_is_refused(tmp_path: Path, given: dict[str, Any], refused: str) -> None:
    with pytest.raises(TrialError, match=refused):
        try_program(program(tmp_path, **given), "1.0.0", trial(tmp_path))


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
