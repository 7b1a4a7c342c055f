"""A part of the program: a package, a native library, or data."""

from __future__ import annotations

from pydantic import Field

import resources
from app.results import Result


class LicenceText(Result):
    """One text that comes with a part."""

    title: str = Field(description="name of the file")
    text: str


class ProgramPart(Result):
    """A part, as its makers describe it."""

    name: str
    version: str = Field(default="", description="empty where nothing tells it")
    licence: str = Field(description="an expression of SPDX")
    within: str = Field(default="", description="the part that brings it along")
    purl: str = Field(default="", description="its name in registries, as Package URL")
    home: str = Field(default="", description="address of its makers")
    source: str = Field(default="", description="where the source code is, if the licence grants it to you")
    files: list[str] = Field(default=[], description="files of a native library")
    texts: list[LicenceText] = Field(default=[], description="what comes with it")
    standard: list[str] = Field(default=[], description="texts of its licence that lie with the program")


class Notices(Result):
    """All parts of the program."""

    parts: list[ProgramPart]

    def texts(self, part: ProgramPart) -> list[LicenceText]:
        """Return the texts of a part; those of the part that brings it along where it has none."""
        own = [*part.texts, *map(standard_text, part.standard)]
        around = next((one for one in self.parts if one.name == part.within and not one.within), None)
        return own if own or around is None else self.texts(around)


def standard_text(name: str) -> LicenceText:
    """Read a text that lies with the program, such as ``LGPL-3.0``."""
    return LicenceText(title=name, text=resources.read_text(f"notices/{name}.txt"))
