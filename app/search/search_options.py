"""The options of a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.indexes.loaded_index import LoadedIndex
from app.search.error_rate import WRONG
from app.search.search_space import Filters
from core.errors import TwinlensError
from core.search.late_fusion import FUSIONS
from features.descriptor import Descriptor

_EVERYTHING = Filters()


@dataclass(frozen=True)
class FusionOptions:
    """The way in which results are fused.

    Attributes
    ----------
    way : str
        One of `core.search.late_fusion.FUSIONS`.
    weights : tuple of float, optional
        Weight of each index, in their order; by default all are equal.

    Raises
    ------
    TwinlensError
        If there is no such way, a weight is below 0, or none is above.
    """

    way: str = "rrf"
    weights: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if self.way not in FUSIONS:
            raise TwinlensError(
                "Results cannot be combined by “{way}”.",
                "Choose one of {fusions}.",
                way=self.way,
                fusions=tuple(FUSIONS),
            )
        if self.weights is not None and not (
            all(0 <= weight < float("inf") for weight in self.weights) and any(self.weights)
        ):
            raise TwinlensError(
                "Weights of indexes cannot be negative, and one must be above 0.", "Give weights such as 2 and 1."
            )

    def of(self, indexes: Sequence[LoadedIndex]) -> list[float]:
        """Return the weight of each index.

        Raises
        ------
        TwinlensError
            If there are not as many weights.
        """
        if self.weights is None:
            return [1.0] * len(indexes)
        if len(self.weights) != len(indexes):
            raise TwinlensError(
                "The number of weights ({weights}) differs from the number of indexes ({indexes}).",
                "Give one weight for each index.",
                indexes=len(indexes),
                weights=len(self.weights),
            )
        return list(self.weights)


@dataclass(frozen=True)
class SearchOptions:
    """The options of a search.

    Attributes
    ----------
    k : int
        How many hits.
    exact : bool
        Measure every photograph exactly instead of only the candidates.
    compare_exact : bool
        Say too which of the exact first k are among the hits and which were missed; not of fused answers.
    check : bool or None
        Whether the keypoints of the first answers are compared with those of the question's pictures, by which what
        shows the same comes first; the question is asked mirrored and in negative, too, then. By default where the
        index, or one of those that answer together, works on local features.
    confirmed_only : bool
        Leave out what was not found to show the same.
    sure : bool
        Leave out what lies beyond the distance up to which few are wrong, where marks tell that; not of fused answers.
    wrong : float
        How many are: a share.
    marks : bool
        Ask with the marks of each picture too; see :func:`app.search.search_query.with_marks`.
    fusing : FusionOptions or None
        All indexes answer together: their answers are fused into one.

    Raises
    ------
    TwinlensError
        If it contradicts itself.
    """

    k: int = 20
    exact: bool = False
    compare_exact: bool = False
    check: bool | None = None
    confirmed_only: bool = False
    sure: bool = False
    wrong: float = WRONG
    filters: Filters = _EVERYTHING
    marks: bool = False
    fusing: FusionOptions | None = None

    def __post_init__(self) -> None:
        if self.confirmed_only and self.check is False:
            raise TwinlensError("“Same picture” only cannot be combined with no check.", "Choose one of both.")
        if self.fusing is not None and (self.sure or self.compare_exact):
            raise TwinlensError(
                "Combined results of several indexes have no error rate and no exact ranking to compare with.",
                "Ask one index, or leave that out.",
            )

    def of(self, descriptor: Descriptor) -> SearchOptions:
        """Return whether answers by a descriptor are checked, where that is left open: it must look at places, too."""
        if self.check is not None:
            return self
        return replace(self, check=self.confirmed_only or bool(descriptor.caps))
