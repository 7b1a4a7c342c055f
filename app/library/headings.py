"""Headings of photographs: a month, a year or a folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from app.library.overview import MONTHS, Overview, is_in
from core.arrays import Int64Rows

_FEW = 6
"""Photographs of a month on average below which a heading for each would be more heading than photographs."""


@dataclass(frozen=True)
class ListingSection:
    """Photographs that stand together under one heading.

    Attributes
    ----------
    heading : str
        For people: "May 2023", "2023", "Without a date", "Pictures/2023 Netherlands".
    start, count : int
        Rows of the listing.
    key : str
        For programs: ``2023-05``, ``2023`` or nothing without a date; the whole path of the folder.
    """

    heading: str
    start: int
    count: int
    key: str = ""


def date_sections(taken: npt.NDArray[np.int64]) -> tuple[ListingSection, ...]:
    """Return a shelf for each month; for each year where months hold few photographs.

    Parameters
    ----------
    taken : ndarray of int64, (n,)
        Moments such as 20230514110800, newest first; 0 for none, last.
    """
    months = taken // 10**8
    dated = int(np.count_nonzero(months))
    by_year = dated < _FEW * len(np.unique(months[:dated]))
    shelves = []
    for start, end in pairwise(_starts(months // 100 if by_year else months)):
        number = int(months[start])
        key = "" if not number else f"{number // 100:04}" if by_year else f"{number // 100:04}-{number % 100:02}"
        shelves.append(ListingSection(heading_of_date(key), start, end - start, key))
    return tuple(shelves)


def heading_of_date(key: str) -> str:
    """Write the key of a shelf for people.

    Examples
    --------
    >>> heading_of_date("2023-05"), heading_of_date("2023"), heading_of_date("")
    ('May 2023', '2023', 'Without a date')
    """
    if not key:
        return "Without a date"
    number = int(key[5:7] or 0)
    return f"{MONTHS[number - 1]} {key[:4]}" if 1 <= number <= 12 else key[:4]


def folder_sections(seen: Overview, rows: Int64Rows) -> tuple[ListingSection, ...]:
    """Return a shelf for each folder; the rows are in the order of folders."""
    places = seen.places
    assert places is not None
    numbers = places.shown_numbers[places.paths.folder[rows]]
    roots = seen.located_roots
    return tuple(
        ListingSection(_heading(folder, roots), start, end - start, folder)
        for start, end in pairwise(_starts(numbers))
        for folder in [places.shown_folders[numbers[start]]]
    )


def _heading(folder: str, roots: Sequence[str]) -> str:
    """Write a folder from the one on that was added: "Pictures/2023"."""
    root = next((root for root in roots if is_in(folder, root)), "")
    return folder[len(root) - len(os.path.basename(root)) :] or folder


def _starts(numbers: npt.NDArray[Any]) -> list[int]:
    """Return where runs of equal numbers begin, and the end of the last."""
    return [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(numbers)] if len(numbers) else []
