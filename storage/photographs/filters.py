"""Filters of a search: the photographs that may be results."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import ColumnElement, func, or_, select, union

from storage.database.schema import PhotographState, mark, photograph
from storage.photographs.volumes import inside

_NO_NAME = " -_.?/"  # a name of these alone, as some programs write where they know none, is none


def is_camera(name: str) -> bool:
    """Return whether a text names a camera.

    Examples
    --------
    >>> is_camera("Canon EOS 5D"), is_camera("--"), is_camera("")
    (True, False, False)
    """
    return bool(name.strip(_NO_NAME))


class PictureShape(StrEnum):
    """Orientations of a photograph, as shown."""

    LANDSCAPE = "landscape"
    PORTRAIT = "portrait"
    SQUARE = "square"


class MarkFilter(StrEnum):
    """Filters by marks."""

    ANY = "any"
    SIMILAR = "similar"
    DIFFERENT = "different"


@dataclass(frozen=True)
class Filter:
    """A choice of photographs; everything that is said must hold.

    Attributes
    ----------
    folders : tuple of (int, bytes)
        Volume and path of folders; a photograph lies in one of them, at any depth.
    since, until : str or None
        Dates of taking, both included, as far as they are written: ``2023``, ``2023-05``, ``2023-05-14``. A photograph
        without a date is then left out.
    camera : str or None
        Part of the camera's name; case does not matter. Empty: photographs that name none.
    shape : Shape or None
    states : tuple of State
        Empty: any.
    marked : Marked or None
        It has such a mark with some other photograph.
    """

    folders: tuple[tuple[int, bytes], ...] = ()
    since: str | None = None
    until: str | None = None
    camera: str | None = None
    shape: PictureShape | None = None
    states: tuple[PhotographState, ...] = ()
    marked: MarkFilter | None = None

    def conditions(self) -> list[ColumnElement[bool]]:
        """Write the filter for SQL."""
        columns = photograph.c
        conditions: list[ColumnElement[bool]] = []
        if self.folders:
            conditions.append(or_(*(inside(photograph, *folder) for folder in self.folders)))
        if self.since is not None:
            conditions.append(columns.taken >= self.since)
        if self.until is not None:
            conditions.append(columns.taken < self.until + "~")  # "~" sorts behind every further digit
        if self.camera == "":
            conditions.append(func.trim(func.coalesce(columns.camera, ""), _NO_NAME) == "")
        elif self.camera is not None:
            conditions.append(columns.camera.icontains(self.camera, autoescape=True))
        if self.shape is not None:
            compared = {
                PictureShape.LANDSCAPE: columns.width > columns.height,
                PictureShape.PORTRAIT: columns.width < columns.height,
                PictureShape.SQUARE: columns.width == columns.height,
            }
            conditions.append(compared[self.shape])
        if self.marked is not None:
            sides = [select(mark.c.first), select(mark.c.second)]
            if self.marked is not MarkFilter.ANY:
                sides = [side.where(mark.c.similar == int(self.marked is MarkFilter.SIMILAR)) for side in sides]
            conditions.append(columns.content_hash.in_(union(*sides)))
        if self.states:
            conditions.append(columns.state.in_([state.value for state in self.states]))
        return conditions
