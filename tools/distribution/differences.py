"""What differs between two builds of the same commit: whole files, and the members of archives that are not equal."""

from __future__ import annotations

import hashlib
import io
import subprocess
import tarfile
import zipfile
from pathlib import Path


def build_differences(first: Path, second: Path) -> list[str]:
    """Name the files that are not the same in both folders, with what differs inside, one in a line.

    Parameters
    ----------
    first, second : Path
        Folders of builds.
    """
    names = sorted({path.name for folder in (first, second) for path in folder.iterdir() if path.is_file()})
    found = []
    for name in names:
        contents = [
            folder.joinpath(name).read_bytes() if folder.joinpath(name).exists() else b"" for folder in (first, second)
        ]
        if contents[0] == contents[1]:
            continue
        inner = [archive_members(name, content) for content in contents]
        unequal = sorted(key for key in inner[0].keys() | inner[1].keys() if inner[0].get(key) != inner[1].get(key))
        found += [f"{name}: {member}" for member in unequal] or [f"{name}: the file as a whole"]
    return found


def archive_members(name: str, content: bytes) -> dict[str, str]:
    """Digest what is in an archive, each member with its mode; nothing where it is none.

    Parameters
    ----------
    name : str
        Its file name, which tells its kind.
    content : bytes
    """
    if name.endswith((".whl", ".zip")):
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            return {one.filename: f"{one.external_attr:o} {_digest(packed.read(one))}" for one in packed.infolist()}
    if name.endswith(".deb"):
        done = subprocess.run(
            ["dpkg-deb", "--fsys-tarfile", "/dev/stdin"], input=content, capture_output=True, check=True
        )
        return archive_members("data.tar", done.stdout)
    if ".tar" in name:
        with tarfile.open(fileobj=io.BytesIO(content)) as packed_tar:
            return {
                one.name: f"{one.mode:o} {one.mtime} {one.linkname} {_digest(_content(packed_tar, one))}"
                for one in packed_tar
            }
    return {}


def _content(packed: tarfile.TarFile, one: tarfile.TarInfo) -> bytes:
    file = packed.extractfile(one) if one.isfile() else None
    return b"" if file is None else file.read()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
