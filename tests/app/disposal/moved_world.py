"""A library of a few duplicates whose photographs may be moved away, and what must hold whatever happens to them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.app.folders import added, ids_by_name, write_scene
from twinlens.app.disposal.disposal_plan import DisposalChoice, DisposalPlan, plan_disposal
from twinlens.app.library.library import Library
from twinlens.app.machine.disk import content_of


class World:
    """A folder of photographs and a library of it; made by :func:`made`.

    ``kept.jpg`` and ``copy.jpg`` are identical, with equal companions beside both; ``other.jpg`` and ``live.jpg`` are
    other pictures.
    """

    def __init__(self, folder: Path, library: Path | None = None) -> None:
        self.photos = folder / "photos"
        self.path = library or folder / "family.twinlens"

    def make(self) -> World:
        """Write the photographs and add them."""
        write_scene(self.photos / "kept.jpg", 1)
        write_scene(self.photos / "other.jpg", 2)
        write_scene(self.photos / "live.jpg", 3)
        (self.photos / "sub").mkdir()
        shutil.copy(self.photos / "kept.jpg", self.photos / "sub" / "copy.jpg")
        for rest, content in {".xmp": b"<x/>", ".jpg.xmp": b"<y/>", ".AAE": b"a", ".MOV": b"film"}.items():
            for place in (self.photos / "kept", self.photos / "sub" / "copy"):
                place.with_name(place.name + rest).write_bytes(content)
        added(self.path, self.photos)
        return self

    @contextmanager
    def open(self) -> Iterator[Library]:
        """Open the library."""
        with Library.open(self.path) as library:
            yield library

    def ids(self) -> dict[str, int]:
        """Return the ids of the photographs by the names of their files."""
        return ids_by_name(self.path)

    def choice(self, name: str = "copy.jpg", kept: str = "kept.jpg", kind: str = "identical") -> DisposalChoice:
        """Choose a photograph to go."""
        ids = self.ids()
        return DisposalChoice(ids[name], ids[kept], kind)

    def planned(self, *choices: DisposalChoice, destination: Path | None = None) -> DisposalPlan:
        """Plan in a library of its own."""
        with self.open() as library:
            return plan_disposal(library, choices or [self.choice()], destination)

    def files(self) -> dict[str, bytes]:
        """Return the contents of the files by their names below the folder, but for companions of what is kept."""
        return {
            name: content
            for name, content in contents(self.photos).items()
            if name == "kept.jpg" or not name.startswith("kept.")
        }


def contents(*folders: Path) -> dict[str, bytes]:
    """Return the contents of all files below some folders, by their paths below them."""
    return {
        str(path.relative_to(folder)): content_of(os.fsencode(path))
        for folder in folders
        if folder.exists()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def name_of(path: bytes) -> str:
    """Return the name of a file without its folder."""
    return Path(os.fsdecode(path)).name
