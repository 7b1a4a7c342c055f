"""Notices of a bundle: what is really inside of it, with licences and their texts.

``python -m tools.distribution.notices BUNDLE --packages FOLDER`` writes the folder ``notices`` of a bundle:
`parts.json.gz`, which the program itself reads, `NOTICES.txt` for people, and the bill of materials in CycloneDX's
JSON. A package is inside if one of its modules or files is, a native library if its file is, wherever it came from. A
library without notices, or one under a licence that would bind the whole program, is an error.
"""

from __future__ import annotations

import argparse
import gzip
import re
import subprocess
import sysconfig
from importlib.metadata import Distribution, distribution
from pathlib import Path

from PyInstaller.archive.readers import CArchiveReader

from twinlens.app.notices import (
    FILE,
    FOLDER,
    LicenceText,
    Notices,
    ProgramPart,
    data_parts,
    in_order,
    is_library,
    libraries,
    needed_packages,
    parts_of_package,
    python_part,
)

_FREE_LINKING = re.compile(r"LGPL|exception| OR ")
_RULE = "=" * 100


class NoticesError(Exception):
    """A part of the bundle is unknown, or its licence forbids passing the bundle on."""


def main() -> None:
    """Write the notices of a bundle."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.distribution.notices", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("bundle", type=Path, help="folder of the program")
    parser.add_argument("--packages", type=Path, required=True, help="folder of packages that the bundle was made from")
    given = parser.parse_args()
    write_notices(given.bundle, given.packages)


def write_notices(bundle: Path, packages: Path) -> Notices:
    """Write the folder ``notices`` of a bundle.

    Parameters
    ----------
    bundle : Path
        Folder with the program and ``_internal``.
    packages : Path
        The ``site-packages`` that it was made from.

    Raises
    ------
    NoticesError
        If something inside is unknown, or binds the whole program.
    """
    from tools.distribution.bill_of_materials import write_bill  # slow to import, and nothing else here needs it

    inner = bundle / "_internal"
    paths = (path for path in inner.rglob("*") if path.is_file() and not path.is_symlink())
    files = {path.relative_to(inner).as_posix() for path in paths}
    notices = inside(files | modules(bundle / "twinlens"), needed_packages(path=[str(packages)]))
    folder = bundle / FOLDER
    folder.mkdir(exist_ok=True)
    (folder / FILE).write_bytes(gzip.compress(notices.model_dump_json().encode(), mtime=0))
    (folder / "NOTICES.txt").write_text(as_text(notices), "utf-8")
    write_bill(notices, folder / "twinlens.cdx.json")
    return notices


def modules(program: Path) -> set[str]:
    """Return the files of the modules that are packed into the program itself."""
    archive = CArchiveReader(str(program))
    (packed,) = (name for name in archive.toc if name.startswith("PYZ"))
    names = [name.replace(".", "/") for name in archive.open_embedded_archive(packed).toc]
    return {f"{name}{ending}" for name in names for ending in (".py", "/__init__.py")}


def inside(files: set[str], packages: dict[str, Distribution]) -> Notices:
    """Return the parts of a bundle.

    Parameters
    ----------
    files : set of str
        Files and modules, named as from the folder of packages.
    packages : dict of str to Distribution
        Packages that may be inside.

    Raises
    ------
    NoticesError
        As :func:`write_notices`.
    """
    parts = [python_part(Path(sysconfig.get_path("stdlib"))), _bootloader(), *data_parts()]
    known: set[str] = set()
    names = {Path(file).name for file in files}  # PyInstaller puts some libraries where others look for them
    for package in packages.values():
        own = {file.as_posix() for file in package.files or ()}
        name = package.metadata["Name"]
        if _brings_code(own & files) or name == "twinlens" or (name == "numba" and any(map(_is_compiled, files))):
            parts += parts_of_package(
                package, lambda file: file in files or (is_library(file) and Path(file).name in names)
            )
            known |= {Path(file).name for file in own if is_library(file)}
    left = [file for file in files if Path(file).name not in known and not Path(file).name.startswith("libpython")]
    parts += [_with_system_text(part) for part in libraries(left, "")]
    unknown = [part.name for part in parts if not part.licence]
    if unknown:
        raise NoticesError(f"Nobody knows the licence of {', '.join(unknown)}: it belongs into libraries.toml.")
    binding = [part.name for part in parts if "GPL" in part.licence and not _FREE_LINKING.search(part.licence)]
    if binding:
        raise NoticesError(f"Leave out what would put all of Twinlens under its licence: {', '.join(binding)}.")
    return in_order(parts)


def _brings_code(files: set[str]) -> bool:
    """Return whether more than a package's own description is inside."""
    return any(".dist-info/" not in file for file in files)


def _is_compiled(file: str) -> bool:
    """Return whether a module holds compiled loops, with numba's helpers."""
    return file.startswith("twinlens/core/compilation/loops_")


def _bootloader() -> ProgramPart:
    """Return the part that starts Python in a bundle."""
    (own, *_) = parts_of_package(distribution("pyinstaller"))
    return own.model_copy(
        update={"name": "PyInstaller's bootloader", "licence": "GPL-2.0-or-later WITH Bootloader-exception"}
    )


def _with_system_text(part: ProgramPart) -> ProgramPart:
    """Add Debian's copyright text of a library of the system, on Debian."""
    texts: list[LicenceText] = []
    version = ""
    for name in sorted({Path(file).name for file in part.files}):
        try:
            found = subprocess.run(["dpkg", "-S", f"*/{name}"], capture_output=True, text=True, check=False).stdout
        except FileNotFoundError:
            break
        package = found.partition(":")[0]
        told = Path("/usr/share/doc", package, "copyright")
        if package and told.is_file() and package not in {text.title for text in texts}:
            texts.append(LicenceText(title=package, text=told.read_text("utf-8", errors="replace")))
            shown = ["dpkg-query", "--show", "--showformat", "${Version}", package]
            version = subprocess.run(shown, capture_output=True, text=True, check=False).stdout
    return part.model_copy(update={"texts": texts, "version": version})


def as_text(notices: Notices) -> str:
    """Write all notices as one text, every licence text once."""
    lines = ["Twinlens is made of the parts listed here. Below are the texts of their licences.", ""]
    texts: dict[str, tuple[str, list[str]]] = {}
    for part in notices.parts:
        facts = [f"{part.name} {part.version}".strip(), part.licence]
        facts += [f"comes with {part.within}"] * bool(part.within)
        facts += [part.home] * bool(part.home) + [f"source code: {part.source}"] * bool(part.source)
        lines.append("; ".join(facts))
        for one in notices.texts(part):
            texts.setdefault(one.text.strip(), (one.title, []))[1].append(part.name)
    for text, (title, names) in texts.items():
        lines += ["", _RULE, f"{title}: {', '.join(dict.fromkeys(names))}", _RULE, "", text]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
