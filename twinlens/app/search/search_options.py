"""Options of a search: how many results, how exactly they are found and checked, and which photographs may be found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import model_validator

from twinlens.core.declaration.declaration import parameter
from twinlens.core.declaration.request import Request
from twinlens.core.errors import TwinlensError

if TYPE_CHECKING:
    from twinlens.app.indexes.loaded_index import LoadedIndex
    from twinlens.features.descriptor import Descriptor


WRONG = 0.02
"""Default share of wrong results."""


class Filters(Request):
    """Limits on the photographs that a search may find.

    Attributes
    ----------
    since, until : str or None
        Both included.
    camera : str or None
        Part of the camera's name, or `twinlens.app.language.text_folding.NO_CAMERA`.

    Examples
    --------
    >>> Filters(since="2023").values()
    {'since': '2023'}
    """

    key = "search"

    since: str | None = parameter(None, metavar="DATE", help="Taken on or after: 2023, 2023-05 or 2023-05-14.")
    until: str | None = parameter(None, metavar="DATE", help="Taken on or before.")
    folder: Path | None = parameter(None, metavar="FOLDER", help="Only photos in this folder.")
    camera: str | None = parameter(None, metavar="TEXT", help="Part of the camera's name, or 'unknown camera'.")
    orientation: Literal["landscape", "portrait", "square"] | None = parameter(None, help="Only photos of this shape.")
    marked: Literal["any", "similar", "different"] | None = parameter(None, help="Only photos with such a mark.")
    rating: int | None = parameter(None, ge=1, le=5, metavar="STARS", help="Only photos with so many stars or more.")
    label: str | None = parameter(None, metavar="TEXT", help="Only photos with this label, such as Red.")
    pick: Literal["favourite", "picked", "rejected"] | None = parameter(
        None, help="Only your favourites, or the photos that you picked or rejected."
    )
    near: str | None = parameter(
        None,
        metavar="PICTURE",
        help="Only photos taken near this photo, a path or an id such as #12, or near 60.39,5.32.",
    )
    within: str | None = parameter(None, metavar="DISTANCE", help="With --near: how near, such as 500m; 1km otherwise.")
    shows: str | None = parameter(
        None, metavar="WORDS", help="Only photos that show this: 'dog', 'castle -water', 'cat or dog'."
    )
    album: str | None = parameter(None, metavar="NAME", help="Only photos of this album.")

    @model_validator(mode="after")
    def _measured_from(self) -> Self:
        if self.within is not None and self.near is None:
            raise TwinlensError("--within works only with --near.", "Add --near, or leave out --within.")
        return self

    @classmethod
    def of(cls, values: Mapping[str, str | None]) -> Self:
        """Read filters by the names above; empty values do not count.

        Examples
        --------
        >>> Filters.of({"since": "2023", "camera": ""}) == Filters(since="2023")
        True
        """
        given: dict[str, Any] = {name: value for name in cls.model_fields if (value := values.get(name))}
        folder = given.pop("folder", None)
        return cls(folder=None if folder is None else Path(folder), **given)

    def values(self) -> dict[str, str]:
        """Return the filters that are set, by name, as text."""
        return {name: str(value) for name, value in self if value is not None}


class FusionOptions(Request):
    """The way in which the results of several indexes are fused.

    Attributes
    ----------
    way : str
        A key of `twinlens.core.search.late_fusion.FUSIONS`.
    weights : tuple of float
        Weight of each index, in the order of the indexes; empty where all are equal.

    Raises
    ------
    TwinlensError
        If a weight is below 0, or none is above.
    """

    key = "search"

    way: Literal["rrf", "borda", "similarity"] = parameter(
        "rrf",
        option="--together",
        help="Combine the results of all indexes into one list: by reciprocal ranks, Borda count, or the sum of "
        "similarities.",
    )
    weights: tuple[float, ...] = parameter(
        (),
        option="--weight",
        metavar="NUMBER",
        help="With --together: the weight of each --index, in their order.",
    )

    @model_validator(mode="before")
    @classmethod
    def _weighted(cls, values: Mapping[str, Sequence[float]]) -> Mapping[str, Sequence[float]]:
        weights = values.get("weights", ())
        if len(weights) and not (all(0 <= weight < float("inf") for weight in weights) and any(weights)):
            raise TwinlensError(
                "Weights of indexes cannot be negative, and one must be above 0.", "Give weights such as 2 and 1."
            )
        return values

    def index_weights(self, indexes: Sequence[LoadedIndex]) -> list[float]:
        """Return the weight of each index.

        Raises
        ------
        TwinlensError
            If there are not as many weights.
        """
        if not self.weights:
            return [1.0] * len(indexes)
        if len(self.weights) != len(indexes):
            raise TwinlensError(
                "The number of weights ({weights}) differs from the number of indexes ({indexes}).",
                "Give one weight for each index.",
                indexes=len(indexes),
                weights=len(self.weights),
            )
        return list(self.weights)


class SearchOptions(Request):
    """The options of a search.

    Attributes
    ----------
    compare_exact : bool
        Also find which of the exact first k are among the results, and which were missed; not with fusion.
    check : bool or None
        Whether to compare the keypoints of the first results with those of the query's pictures and put matches first;
        the query is then searched mirrored and in negative, too. By default where the index, or one of several that
        are fused, works on local features.
    marks : bool
        Add the marks of each picture to the query; see :func:`twinlens.app.search.search_query.with_marks`.
    sure : bool
        Leave out results beyond the distance up to which few are wrong, where marks determine it; not with fusion.
    wrong : float
        The share of wrong results for that distance.
    histogram : bool
        Whether to measure a sample of all photographs, too, for the histogram of similarities.
    fusion : FusionOptions or None
        How to fuse the results of all indexes into one ranking; None for a ranking of each index.

    Raises
    ------
    TwinlensError
        If the options contradict each other.
    """

    key = "search"

    k: int = parameter(20, ge=1, le=100_000, option="-k", help="Number of results.")
    exact: bool = parameter(False, help="Compare every photo exactly, not only the candidates.")
    compare_exact: bool = parameter(False, help="Show the share of the exact first k that was found.")
    check: bool | None = parameter(
        None,
        help="Compare the first results with PICTURE point by point, and put matches first, such as edited copies. "
        "By default for indexes that compare shapes and places.",
    )
    confirmed_only: bool = parameter(False, option="--confirmed", help="Show matches only.")
    marks: bool = parameter(
        False,
        option="--with-marks",
        help="Include the photos marked similar to PICTURE, or different from it.",
    )
    sure: bool = parameter(
        False,
        help="Show certain results only: of those, your marks say that at most --wrong are wrong.",
    )
    wrong: float = parameter(WRONG, gt=0, le=0.5, help="Share of results that may be wrong.")
    filters: Filters = Filters()
    histogram: bool = True
    fusion: FusionOptions | None = None

    @model_validator(mode="after")
    def _agreeing(self) -> Self:
        if self.confirmed_only and self.check is False:
            raise TwinlensError("“Same picture” only cannot be combined with no check.", "Choose one of both.")
        if self.fusion is not None and (self.sure or self.compare_exact):
            raise TwinlensError(
                "Combined results of several indexes have no error rate and no exact ranking to compare with.",
                "Search one index, or leave that out.",
            )
        return self

    def for_descriptor(self, descriptor: Descriptor) -> SearchOptions:
        """Return the options with ``check`` decided: by default, descriptors of local features are checked."""
        if self.check is not None:
            return self
        return self.changed(check=self.confirmed_only or bool(descriptor.caps))
