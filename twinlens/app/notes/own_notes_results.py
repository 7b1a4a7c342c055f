"""The notes of photographs as a command shows them: what counts, and what their owner has noted."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pydantic import Field

from twinlens.app.library.browsing.photographs import photographs
from twinlens.app.library.browsing.places import town_near
from twinlens.app.library.library import Library
from twinlens.app.results import PhotographPath, Result
from twinlens.core.message import Message


class NotedPhotograph(Result):
    """The notes of one photograph."""

    id: int
    path: PhotographPath
    taken: str | None
    dated_by: str = Field(description="exif, xmp, iptc, text, gps, sidecar, takeout, name or file")
    subsecond: str = Field(description="digits of the fraction of the second; empty where not said")
    offset: str = Field(description="of the camera's clock from UTC; empty where not said")
    camera: str | None
    lens: str
    aperture: float = Field(description="f-number; 0 where not said, as all that follow")
    exposure_s: float
    iso: int
    focal_length_mm: float
    place: str = Field(description="latitude and longitude in degrees; empty without one")
    town: str = Field(description="the nearest one, with its country; empty where none is near")
    rating: int = Field(description="stars; -1 of a photograph that a file says is rejected")
    favourite: bool
    pick: int = Field(description="1 picked, -1 rejected, 0 neither")
    label: str
    keywords: list[str]
    title: str
    caption: str
    edits: list[str] = Field(description="programs whose edits lie beside it: AAE")
    own: list[str] = Field(description="the fields that its owner has noted")


class NotesResult(Result):
    """The result of ``note``."""

    photographs: list[NotedPhotograph]
    files: list[str] = Field(default_factory=list, description="XMP files that were written")
    refused: list[Message] = Field(default_factory=list, description="a sentence for each that was not written")


def noted(library: Library, ids: Sequence[int]) -> NotesResult:
    """Return the notes of some photographs."""
    found = []
    for one in photographs(library, ids):
        notes = one.notes
        same = {name: getattr(notes, name) for name in NotedPhotograph.model_fields.keys() & vars(notes).keys()}
        own = sorted(json.loads(one.own_text or "{}"))
        of_photograph = {name: getattr(one, name) for name in ("id", "path", "taken", "subsecond", "camera", "place")}
        edits = [] if one.beside is None else list(one.beside.edits)
        town = None if not one.place else town_near(one.place)
        of_photograph["town"] = "" if town is None else town.words()
        given = same | of_photograph | {"dated_by": str(one.dated_by), "keywords": list(notes.keywords)}
        found.append(NotedPhotograph(**given, edits=edits, own=own))
    return NotesResult(photographs=found)
