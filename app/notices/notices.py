"""The parts of this very program: listed in a bundle, else read from what is installed."""

from __future__ import annotations

import gzip
import platform
import sys
import sysconfig
from pathlib import Path

import resources
from app.demo.packages.listing import LISTING, read_listing
from app.notices.packages import needed_packages, parts_of_package
from app.notices.part import LicenceText, Notices, ProgramPart

FOLDER = "notices"
"""Folder of a bundle, beside the program, that holds the notices."""

FILE = "parts.json.gz"
"""The parts with all their texts, compressed: `NOTICES.txt` beside it has the texts once more, for people."""


def read_notices() -> Notices:
    """Return the parts of this program."""
    listed = Path(sys.executable).with_name(FOLDER) / FILE
    if getattr(sys, "frozen", False) and listed.is_file():
        return Notices.model_validate_json(gzip.decompress(listed.read_bytes()))
    packages = [part for package in needed_packages().values() for part in parts_of_package(package)]
    return in_order([*packages, python_part(Path(sysconfig.get_path("stdlib"))), *data_parts()])


def in_order(parts: list[ProgramPart]) -> Notices:
    """Order parts: Twinlens, then Python, then by name, and what is compiled into others last."""
    first = {"twinlens": 0, "Python": 1}
    return Notices(
        parts=sorted(
            parts,
            key=lambda part: (
                3 if part.purl.startswith("pkg:cargo/") else first.get(part.name, 2),
                part.name.lower(),
                part.version,
                part.within,
            ),
        )
    )


def python_part(standard_library: Path) -> ProgramPart:
    """Describe Python itself."""
    text = standard_library / "LICENSE.txt"
    own = [LicenceText(title=text.name, text=text.read_text("utf-8"))] if text.is_file() else []
    return ProgramPart(
        name="Python",
        version=platform.python_version(),
        licence="PSF-2.0",
        purl=f"pkg:generic/python@{platform.python_version()}",
        home="https://www.python.org",
        texts=own,
        standard=[] if own else ["PSF-2.0"],
    )


def data_parts() -> list[ProgramPart]:
    """Describe what the program's own files were made from: the photographs of others."""
    rows = [
        ", ".join(filter(None, (photograph.stem, photograph.author, photograph.licence))) + f" ({package.name})"
        for package in read_listing().of("debian")
        for group in package.groups
        for photograph in group.photographs
    ]
    learned = (
        "The ready-made vocabulary and the components of the ready-made network are numbers learned from these "
        "photographs, and hold no picture of them. The demo fetches them only when you ask for it.\n\n"
    )
    return [
        ProgramPart(
            name="Photographs in the guide",
            licence="CC0-1.0 OR LicenseRef-public-domain",
            within="twinlens",
            texts=[LicenceText(title="credits.txt", text=resources.read_text("guide/pictures/credits.txt"))],
        ),
        ProgramPart(
            name="Ready-made vocabulary",
            licence="MIT",
            within="twinlens",
            texts=[LicenceText(title=LISTING, text=learned + "\n".join(rows) + "\n")],
        ),
    ]
