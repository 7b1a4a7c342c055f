"""Places of photographs: the nearest town and its country, by which they are shown and found, and what lies near.

The towns of at least 5,000 people are those of GeoNames (CC BY 4.0), ``twinlens/resources/towns.npz``, which
``tools.towns`` makes. Nobody is asked over a network. A place also counts to the largest town within 20 km of its own,
so that "Bergen" finds its suburbs.
"""

from __future__ import annotations

import io
import json
import lzma
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from twinlens import resources
from twinlens.app.language.text_folding import folded
from twinlens.app.library.library import Library
from twinlens.core.arrays import BoolMask
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import expanded, shown
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.photograph_listing import Numbered

FILE = "towns.npz"
LANGUAGES = ("en", "de")
WITHIN = "1km"
"""How near is near, where nothing is said."""

FARTHEST_KM = 50.0
_EARTH_KM = 6371.0
_CELL = 100  # of a degree: places that are nearer have the same town
_COORDINATES = re.compile(r"(-?\d{1,2}(?:\.\d+)?), ?(-?\d{1,3}(?:\.\d+)?)", re.ASCII)
_DISTANCE = re.compile(r"(\d+(?:[.,]\d+)?) ?(k?m)", re.ASCII | re.IGNORECASE)


class Town(NamedTuple):
    """A town near a place.

    Attributes
    ----------
    names, countries, around : tuple of str
        Its name, its country and the largest town within 20 km, in each of :data:`LANGUAGES`.
    """

    names: tuple[str, ...]
    countries: tuple[str, ...]
    around: tuple[str, ...]

    def words(self, language: str = "en") -> str:
        """Return the town with its country, for people."""
        number = LANGUAGES.index(language) if language in LANGUAGES else 0
        return f"{self.names[number]}, {self.countries[number]}"

    @property
    def text(self) -> str:
        """The folded words by which it is found."""
        return "\n".join(dict.fromkeys(map(folded, (*self.names, *self.countries, *self.around))))


class TownTable:
    """The table of towns, by their unit vectors."""

    def __init__(self) -> None:
        from scipy.spatial import cKDTree  # here, since few photographs are asked for by their place

        with np.load(io.BytesIO(resources.read_bytes(FILE))) as file:
            texts = json.loads(lzma.decompress(file["texts"].tobytes()))
            self._country, self._largest = file["country"], file["largest"]
            self._tree = cKDTree(unit_vectors(file["degrees"] / 1e4))
        self._names, self._german = texts["towns"], texts["german"]
        self._countries = tuple(zip(*texts["countries"], strict=True))

    def nearest(self, places: npt.NDArray[Any]) -> list[Town | None]:
        """Return the town of each place, (m, 2) in degrees; None where none is near."""
        chords, numbers = self._tree.query(unit_vectors(places), distance_upper_bound=FARTHEST_KM / _EARTH_KM)
        near = np.isfinite(np.asarray(chords)).tolist()
        return [self._town(one) if near[row] else None for row, one in enumerate(np.asarray(numbers).tolist())]

    def _town(self, number: int) -> Town:
        around = self._named(int(self._largest[number]))
        return Town(self._named(number), self._countries[self._country[number]], around)

    def _named(self, number: int) -> tuple[str, ...]:
        english = self._names[number]
        return english, self._german.get(str(number), english)


@cache
def _towns() -> TownTable:
    return TownTable()


def unit_vectors(places: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return unit vectors, (n, 3), of places in degrees, (n, 2)."""
    latitude, longitude = np.radians(np.asarray(places, np.float64)).T
    across = np.cos(latitude)
    return np.stack([across * np.cos(longitude), across * np.sin(longitude), np.sin(latitude)], axis=1)


@cache
def town_near(place: str) -> Town | None:
    """Return the town near a place, such as ``60.39,5.32``; None where none is near."""
    return _towns().nearest(np.array([degrees(place)]))[0]


def degrees(place: str) -> tuple[float, float]:
    """Return latitude and longitude of a place as a library keeps it."""
    latitude, longitude = map(float, place.split(","))
    return latitude, longitude


class PlaceColumns(NamedTuple):
    """The places of photographs.

    Attributes
    ----------
    degrees : float64 (n, 2)
        Latitude and longitude; NaN where not known.
    towns : Numbered
        The folded words by which the towns are found; number 0 is none.
    """

    degrees: npt.NDArray[np.float64]
    towns: Numbered

    @classmethod
    def of(cls, count: int, places: dict[int, str]) -> PlaceColumns:
        """Make them of the places of some of so many rows."""
        where, numbers, texts = np.full((count, 2), np.nan), np.zeros(count, np.int32), {"": 0}
        if places:
            rows = np.fromiter(places, np.int64, len(places))
            where[rows] = [degrees(one) for one in places.values()]
            cells, own = np.unique(np.rint(where[rows] * _CELL).astype(np.int64), axis=0, return_inverse=True)
            found = ("" if town is None else town.text for town in _towns().nearest(cells / _CELL))
            each = np.array([texts.setdefault(text, len(texts)) for text in found], np.int32)
            numbers[rows] = each[own.ravel()]
        return cls(where, Numbered(numbers, tuple(texts)))

    def near(self, place: str, within: str) -> BoolMask:
        """Return which photographs were taken within a distance, as `1km`, of a place."""
        known = ~np.isnan(self.degrees[:, 0])
        found = np.zeros(len(known), np.bool_)
        (here,) = unit_vectors(np.array([degrees(place)]))
        apart = np.linalg.norm(unit_vectors(self.degrees[known]) - here, axis=1)  # the chord, exact where it is short
        found[known] = 2 * np.arcsin(np.minimum(apart / 2, 1)) * _EARTH_KM <= kilometres(within)
        return found


def kilometres(distance: str) -> float:
    """Read a distance.

    Raises
    ------
    TwinlensError
        If it is none.

    Examples
    --------
    >>> kilometres("500 m"), kilometres("1.5km")
    (0.5, 1.5)
    """
    found = _DISTANCE.fullmatch(distance.strip())
    if found is None:
        raise TwinlensError("“{distance}” is no distance.", "Write 500m, 1km or 20km.", distance=distance)
    return float(found[1].replace(",", ".")) / (1 if found[2].lower() == "km" else 1000)


def place_of(library: Library, r: Transaction, near: str) -> str:
    """Return the place of coordinates, or of a photograph by its path or its id, as #12.

    Raises
    ------
    TwinlensError
        If there is no such photograph, or its place is not known.
    """
    if (found := _COORDINATES.fullmatch(near.strip())) is not None and abs(float(found[1])) <= 90:
        return f"{float(found[1]):.6f},{float(found[2]):.6f}"
    picture: int | Path = int(near[1:]) if re.fullmatch(r"#\d{1,18}", near) else expanded(Path(near))
    row = library.find(r, picture)
    if row is None or row.content_hash is None:
        raise TwinlensError(
            "{name} is no photo of this library.",
            "Name one of its photos, or coordinates.",
            name=shown(near.encode("utf-8", "surrogateescape")),
        )
    from twinlens.app.notes.photo_notes import SidecarFields, counted_place

    beside, note = r.sidecar_notes.of([row.id]).get(row.id), r.camera_notes.of([row.content_hash]).get(row.content_hash)
    fields = None if beside is None else SidecarFields.of_text(beside.fields)
    place = counted_place("" if note is None else note.place, fields)
    if not place:
        (path,) = library.paths(r, [row])
        raise TwinlensError(
            "Where {name} was taken is not known.", "Name a photo with a place, or coordinates.", name=shown(path)
        )
    return place
