"""Filters: the photographs that a search may find."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

import numpy as np

from app.library.camera_names import NO_CAMERA
from app.library.library import Library
from core.arrays import Int64Ids, OptionalMask
from core.errors import TwinlensError
from core.files.tilde import expanded
from core.message import Message, counted
from storage.database.schema import PhotographState
from storage.library.transaction import Transaction
from storage.photographs.filters import Filter, MarkFilter, PictureShape

_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?", re.ASCII)
_NAMED = 5  # cameras named in a message
_NEVER = (PhotographState.MISSING, PhotographState.UNREADABLE)


@dataclass(frozen=True)
class Filters:
    """Limits on the photographs that a search may find.

    Attributes
    ----------
    since, until : str or None
        Dates when the photograph was taken, both included: ``2023``, ``2023-05``, ``2023-05-14``.
    folder : Path or None
    camera : str or None
        Part of the camera's name, or `app.library.camera_names.NO_CAMERA`.
    orientation : str or None
        ``landscape``, ``portrait`` or ``square``.
    marked : str or None
        ``similar`` or ``different``: photographs with such a mark; ``any``: with either.
    """

    since: str | None = None
    until: str | None = None
    folder: Path | None = None
    camera: str | None = None
    orientation: str | None = None
    marked: str | None = None

    @classmethod
    def of(cls, values: Mapping[str, str | None]) -> Self:
        """Read filters by the names above; empty values do not count.

        Examples
        --------
        >>> Filters.of({"since": "2023", "camera": ""})
        Filters(since='2023', until=None, folder=None, camera=None, orientation=None, marked=None)
        """
        given: dict[str, str | None] = {name: values.get(name) or None for name in cls.__dataclass_fields__}
        folder = given.pop("folder")
        return cls(folder=None if folder is None else Path(folder), **given)

    def values(self) -> dict[str, str]:
        """Return the filters that are set, by name, as text."""
        return {name: str(value) for name, value in asdict(self).items() if value is not None}


def passing(library: Library, r: Transaction, filters: Filters, ids: Int64Ids) -> OptionalMask:
    """Return which of ascending ids may be found.

    Parameters
    ----------
    library : Library
    r : Transaction
    filters : Filters
    ids : Ids, (n,)

    Returns
    -------
    ndarray of bool, (n,), or None
        None if all may. Photographs whose files are missing or unreadable never may.

    Raises
    ------
    TwinlensError
        If a date, folder, camera, orientation or kind of mark does not exist.
    """
    if filters == Filters():
        # Hidden photographs are few, and found without looking at the others.
        hidden = r.photographs.matching(Filter(states=_NEVER))
        places = np.searchsorted(ids, hidden)
        known = places < len(ids)
        known[known] = ids[places[known]] == hidden[known]
        mask = np.ones(len(ids), np.bool_)
        mask[places[known]] = False
    else:
        mask = np.isin(ids, r.photographs.matching(_choice(library, r, filters)), assume_unique=True)
    return None if mask.all() else mask


def _choice(library: Library, r: Transaction, filters: Filters) -> Filter:
    """Return the filter of the store; refuse filters that cannot be."""
    for date in (filters.since, filters.until):
        if date is not None and not _DATE.fullmatch(date):
            raise TwinlensError(
                Message("“{date}” is not a date.", date=date),
                Message("Write a year, a month or a day: 2023, 2023-05 or 2023-05-14."),
            )
    if filters.since and filters.until and filters.since[: len(filters.until)] > filters.until[: len(filters.since)]:
        raise TwinlensError(
            Message(
                "The start {since} is later than the end {until}.",
                since=filters.since,
                until=filters.until,
            ),
            Message("Swap the two dates."),
        )
    if filters.camera not in (None, NO_CAMERA):
        _check_camera(r, filters.camera)
    folders: tuple[tuple[int, bytes], ...] = ()
    if filters.folder is not None:
        place = library.place(r, str(expanded(filters.folder).absolute()).encode("utf-8", "surrogateescape"))
        if place is None or r.photographs.count_under(*place) == 0:
            raise TwinlensError(
                Message("The library has no photos in {folder}.", folder=filters.folder),
                Message("Choose another folder, or add this one."),
            )
        folders = (place,)
    try:
        shape = None if filters.orientation is None else PictureShape(filters.orientation)
    except ValueError:
        raise TwinlensError(
            Message("There is no orientation “{orientation}”.", orientation=filters.orientation),
            Message("Choose one of {choices}.", choices=tuple(PictureShape)),
        ) from None
    if filters.marked is not None and filters.marked not in tuple(MarkFilter):
        raise TwinlensError(
            Message("There is no kind of mark “{marked}”.", marked=filters.marked),
            Message("Choose one of {choices}.", choices=tuple(MarkFilter)),
        )
    marked = None if filters.marked is None else MarkFilter(filters.marked)
    states = tuple(state for state in PhotographState if state not in _NEVER)
    camera = "" if filters.camera == NO_CAMERA else filters.camera
    return Filter(folders, filters.since, filters.until, camera, shape, states, marked)


def _check_camera(r: Transaction, name: str) -> None:
    """Refuse a camera without photographs; the error names similar ones, or the most frequent."""
    cameras = r.photographs.cameras()
    if any(name.casefold() in camera.casefold() for camera in cameras):
        return
    if not cameras:
        raise TwinlensError(
            Message("No photo was taken with a camera “{name}”: none of your photos names its camera.", name=name),
            Message("Search without a camera."),
        )
    known = {camera.casefold(): camera for camera in cameras}
    near = [known[one] for one in difflib.get_close_matches(name.casefold(), known, n=_NAMED, cutoff=0.4)]
    message = Message("No photo was taken with a camera “{name}”.", name=name)
    if near:
        raise TwinlensError(message, Message("Did you mean one of these: {cameras}?", cameras=near))
    more, named = len(cameras) - _NAMED, cameras[:_NAMED]
    there = Message("Your photos come from {cameras}.", cameras=named)
    if more > 0:
        there = counted(
            "Your photos come from {cameras} and {count} other camera.",
            "Your photos come from {cameras} and {count} other cameras.",
            more,
            cameras=named,
        )
    raise TwinlensError(message, there)
