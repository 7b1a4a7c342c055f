"""What a search may answer with."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from app.library.camera_names import NO_CAMERA
from app.library.library import Library
from core.errors import TwinlensError
from core.message import Message
from storage.filters import Filter, Marked, Shape
from storage.schema import State
from storage.transaction import Transaction

Ids = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_] | None

_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?", re.ASCII)
_NAMED = 5  # cameras that a sentence names
_NEVER = (State.MISSING, State.UNREADABLE)


@dataclass(frozen=True)
class Filters:
    """What a search may answer with; a filter never costs a correct result.

    Attributes
    ----------
    since, until : str or None
        Dates of taking, both included: ``2023``, ``2023-05``, ``2023-05-14``.
    folder : Path or None
    camera : str or None
        Part of the camera's name, or `app.library.camera_names.NO_CAMERA`.
    orientation : str or None
        ``landscape``, ``portrait`` or ``square``.
    marked : str or None
        ``similar`` or ``different``: it has such a mark with some other photograph; ``any``: either of them.
    """

    since: str | None = None
    until: str | None = None
    folder: Path | None = None
    camera: str | None = None
    orientation: str | None = None
    marked: str | None = None

    @classmethod
    def of(cls, values: Mapping[str, str | None]) -> Self:
        """Read filters by the names above, as a window or a file gives them; what is empty is not asked for.

        Examples
        --------
        >>> Filters.of({"since": "2023", "camera": ""})
        Filters(since='2023', until=None, folder=None, camera=None, orientation=None, marked=None)
        """
        given: dict[str, str | None] = {name: values.get(name) or None for name in cls.__dataclass_fields__}
        folder = given.pop("folder")
        return cls(folder=None if folder is None else Path(folder), **given)

    def values(self) -> dict[str, str]:
        """Return what is set, by its name, as text."""
        return {name: str(value) for name, value in asdict(self).items() if value is not None}


def passing(library: Library, r: Transaction, filters: Filters, ids: Ids) -> Mask:
    """Say which of ascending ids may be found.

    Parameters
    ----------
    library : Library
    r : Transaction
    filters : Filters
    ids : Ids, (n,)

    Returns
    -------
    ndarray of bool, (n,), or None
        None where all may. A photograph whose file is missing or cannot be read any more never may.

    Raises
    ------
    TwinlensError
        If a date, a folder, a camera, an orientation or a mark is none.
    """
    if filters == Filters():
        # Those that may not are few, and found without looking at the others.
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
    """Put filters into the words of the store."""
    for date in (filters.since, filters.until):
        if date is not None and not _DATE.fullmatch(date):
            raise TwinlensError(
                Message("“{date}” is no date.", date=date),
                Message("Write a year, a month or a day: 2023, 2023-05 or 2023-05-14."),
            )
    if filters.since and filters.until and filters.since[: len(filters.until)] > filters.until[: len(filters.since)]:
        raise TwinlensError(
            Message(
                "No photograph was taken both since {since} and until {until}.",
                since=filters.since,
                until=filters.until,
            ),
            Message("Exchange the two dates."),
        )
    if filters.camera not in (None, NO_CAMERA):
        _check_camera(r, filters.camera)
    folders: tuple[tuple[int, bytes], ...] = ()
    if filters.folder is not None:
        place = library.place(r, str(filters.folder.expanduser().absolute()).encode("utf-8", "surrogateescape"))
        if place is None or r.photographs.count_under(*place) == 0:
            raise TwinlensError(
                Message("The library has no photographs in {folder}.", folder=filters.folder),
                Message("See `twinlens status` for its folders."),
            )
        folders = (place,)
    try:
        shape = None if filters.orientation is None else Shape(filters.orientation)
    except ValueError:
        raise TwinlensError(
            Message("There is no orientation “{orientation}”.", orientation=filters.orientation),
            Message("There are {shape}.", shape=", ".join(Shape)),
        ) from None
    if filters.marked is not None and filters.marked not in tuple(Marked):
        raise TwinlensError(
            Message("There is no mark “{marked}”.", marked=filters.marked),
            Message("There are {marked}.", marked=", ".join(Marked)),
        )
    marked = None if filters.marked is None else Marked(filters.marked)
    states = tuple(state for state in State if state not in _NEVER)
    camera = "" if filters.camera == NO_CAMERA else filters.camera
    return Filter(folders, filters.since, filters.until, camera, shape, states, marked)


def _check_camera(r: Transaction, name: str) -> None:
    """Refuse a camera that no photograph was taken with; names those that are like it, or the most frequent."""
    cameras = r.photographs.cameras()
    if any(name.casefold() in camera.casefold() for camera in cameras):
        return
    if not cameras:
        raise TwinlensError(
            Message("No photograph was taken with a camera “{name}”: none of them names its camera.", name=name),
            Message("Leave the camera out."),
        )
    known = {camera.casefold(): camera for camera in cameras}
    near = [known[one] for one in difflib.get_close_matches(name.casefold(), known, n=_NAMED, cutoff=0.4)]
    more = f" and {len(cameras) - _NAMED:,} more" if len(cameras) > _NAMED and not near else ""
    raise TwinlensError(
        Message("No photograph was taken with a camera “{name}”.", name=name),
        Message("Did you mean {near}?", near=" or ".join(near))
        if near
        else Message("There are {cameras}{more}.", cameras=", ".join(cameras[:_NAMED]), more=more),
    )
