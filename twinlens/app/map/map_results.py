"""Results of the map of a library: places of photographs, colourings, and clusters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from pydantic import Field

from twinlens.app.map.map_settings import LayoutKind
from twinlens.app.results import PhotographPath, Result
from twinlens.core.arrays import Float32Vectors, Int64Rows
from twinlens.core.embedding import plane
from twinlens.core.message import Message

if TYPE_CHECKING:
    from twinlens.features.concepts.concept_words import Concept


@dataclass(frozen=True)
class PhotoCluster:
    """Photographs that lie together in the map.

    Attributes
    ----------
    name : Message
        What most of them show; else the word that most of their folders and no others have in their names, with a
        number where a larger cluster has the same word, or "Cluster 3".
    word : str
        The same in English, where no larger cluster has it; else empty.
    shows : Concept, optional
        What most of them show.
    x, y : float
        The place where they lie most densely.
    """

    name: Message
    word: str
    photographs: int
    x: float
    y: float
    shows: Concept | None = None

    def words(self, language: str) -> str:
        """Return its name on the map in a language; empty where it has none of its own."""
        return subject_name(self.shows, language) or self.word


def subject_name(shown: Concept | None, language: str) -> str:
    """Return what photographs show, as a name: "Bird"; empty for nothing."""
    name = "" if shown is None else shown.name(language)
    return name[:1].upper() + name[1:]


@dataclass(frozen=True)
class MapGroup:
    """Clusters that lie together, and what lies around them: one of a few groups that hold the whole map.

    Attributes
    ----------
    name : str
        What most of them show, in English; else the words that many of their folders have in their names, the most
        frequent first; empty where there are none.
    typical : int
        A photograph from its midst.
    shows : Concept, optional
        What most of them show.
    """

    name: str
    photographs: int
    typical: int
    shows: Concept | None = None

    def words(self, language: str) -> str:
        """Return its name in a language."""
        return subject_name(self.shows, language) or self.name


@dataclass(frozen=True, eq=False)
class MapFacts:
    """Facts by which the photographs of a map can be coloured, one column each, in the order of the map.

    Attributes
    ----------
    folder : ndarray of int32, (n,)
        A number of ``folders``; -1 where the photograph is not there any more.
    inner : tuple of str
        The same relative to the added folder, since the folders above it do not describe photographs.
    taken : ndarray of int64, (n,)
        As 20230514110800; 0 where it is not known.
    mark : ndarray of int8, (n,)
        1 for photographs marked similar to another, 2 different from another, 3 both, 0 neither.
    hashes : ndarray of uint8, (n, 32)
        Of contents, under which the thumbnails lie; zeros where the photograph is not there any more.
    away : ndarray of bool, (n,)
    """

    folder: npt.NDArray[np.int32]
    folders: tuple[str, ...]
    inner: tuple[str, ...]
    taken: Int64Rows
    mark: npt.NDArray[np.int8]
    hashes: npt.NDArray[np.uint8]
    away: npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class MapResult:
    """The map of a library.

    Attributes
    ----------
    key : str
        Key of its settings and vectors: equal keys mean equal maps.
    measure : Message
        The measure of similarity.
    ids : ndarray of int64, (n,)
        Photographs, ascending.
    xy : ndarray of float32, (n, 2)
        In [0, 1], x to the right and y down; one unit is the same length in both.
    shown_at : ndarray of float32, (n,)
        From which spacing on each is shown (:func:`twinlens.core.embedding.plane.spacings_of_appearance`).
    cluster : ndarray of int32, (n,)
        A number of ``clusters``; -1 for none.
    clusters : tuple of PhotoCluster
        The largest first.
    group : ndarray of int32, (n,)
        A number of ``groups``; -1 for photographs that lie alone or whose vectors are zero.
    groups : tuple of MapGroup
        The largest first; at most :data:`twinlens.app.map.map_groups.MOST`.
    silent : int
        Photographs whose vectors are zero; they lie together in the lower left corner.
    placed : int
        Photographs that came after the map was made, each placed beside its nearest.
    kept_neighbours : float
        Share of the 10 nearest by the measure that are among the 10 nearest in the map; of a sample.
    seconds : float
        Time to make it.
    of : int
        Photographs of the index, including those that a sample leaves out.
    """

    key: str
    index: str
    measure: Message
    kind: LayoutKind
    ids: Int64Rows
    xy: Float32Vectors
    shown_at: Float32Vectors
    cluster: npt.NDArray[np.int32]
    clusters: tuple[PhotoCluster, ...]
    group: npt.NDArray[np.int32]
    groups: tuple[MapGroup, ...]
    silent: int
    placed: int
    kept_neighbours: float
    seconds: float
    of: int

    @cached_property
    def rows(self) -> dict[int, int]:
        """The row of each photograph."""
        return {photograph: row for row, photograph in enumerate(self.ids.tolist())}

    def representatives(self, rect: plane.Rect, cell: float) -> Int64Rows:
        """Return the photographs of a rectangle whose thumbnails are shown where each takes a square of side ``cell``.

        No two lie within ``cell`` of each other; a shown photograph stays shown when one zooms in or pans.
        """
        return self.ids[plane.representatives(self.xy, rect, cell, self.shown_at)]

    def within(self, rect: plane.Rect) -> Int64Rows:
        """Return the photographs in a rectangle."""
        return self.ids[plane.points_in_rectangle(self.xy, rect)]

    def nearest(self, point: tuple[float, float], radius: float) -> int | None:
        """Return the photograph nearest to a place, within a radius."""
        row = plane.nearest_point(self.xy, point, radius)
        return None if row is None else int(self.ids[row])

    def inside(self, polygon: npt.ArrayLike) -> Int64Rows:
        """Return the photographs inside a polygon, such as a lasso."""
        return self.ids[plane.points_in_polygon(self.xy, polygon)]


class MapPoint(Result):
    """One photograph of ``map``."""

    id: int
    path: PhotographPath
    x: float
    y: float
    cluster: str = Field(description="its name; empty for none")
    taken: str = Field(description="2023-05-14T11:08:00; empty where it is not known")


class MapCluster(Result):
    """One cluster of ``map``."""

    name: Message
    photographs: int
    x: float
    y: float


class MapSummary(Result):
    """The result of ``map``."""

    index: str
    measure: Message = Field(description="by which photographs are alike")
    kind: str
    photographs: int
    silent: int = Field(description="photographs that the measure says nothing of, in the lower left corner")
    placed: int = Field(description="photographs put beside their nearest, since they came after the map was made")
    kept_neighbours: float = Field(description="share of the 10 nearest that are among the 10 nearest in the map")
    seconds: float = Field(description="that making it took")
    clusters: list[MapCluster]
    points: list[MapPoint]
    csv: str | None = Field(default=None, description="file that was written")
    png: str | None = Field(default=None, description="file that was written")
