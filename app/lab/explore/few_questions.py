"""Figures of a few questions at once, by arithmetic on whole tables: what core's loops give, in a part of the time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from app.lab.explore.codes import Codes
from app.lab.explore.sample import FIRST, Material
from core.evaluation.evaluation_task import RECALLS
from core.evaluation.ranking_measures import average_precision, overlap_at
from core.search.candidate_query import Query, find, needs_projections
from core.search.linear_scan import Scan
from core.search.search_structure import Search, Structure

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class FewFigures:
    """The ranking of all photographs by their codes, for the few questions of a sample.

    Attributes
    ----------
    material : Material
    codes : Codes
    """

    material: Material
    codes: Codes

    @cached_property
    def distances(self) -> Counts:
        """Hamming distances, (q, n)."""
        planes, asked = self.codes.planes, self.material.asked(self.material.few)
        far = np.zeros((len(asked), planes.shape[1]), np.int64)
        for plane in planes:
            far += np.bitwise_count(plane[asked][:, None] ^ plane[None, :])
        return far

    @cached_property
    def _found(self) -> npt.NDArray[np.bool_]:
        """What can be found by each question, (q, n): what is kept, without the question itself."""
        there = np.ones(self.distances.shape, np.bool_)
        if self.codes.kept is not None:
            there &= self.codes.kept
        asked = self.material.asked(self.material.few)
        there[np.arange(len(asked)), asked] = False
        return there

    def _counts(self, chosen: npt.NDArray[np.bool_]) -> Counts:
        """Count by distance, (q, bits + 1)."""
        width = self.codes.bits + 1
        places = (np.arange(len(chosen)) * width)[:, None] + self.distances
        return np.bincount(places[chosen], minlength=len(chosen) * width).reshape(len(chosen), width)

    def ranking(self) -> tuple[dict[int, float], float | None]:
        """Return recall@R by R, and mean average precision, as `judge_ranking` does."""
        few = self.material.few
        counts = self._counts(self._found)
        first = [rows[:1] for rows in few.neighbours] if few.nearest is None else few.nearest
        recall = {}
        nearest, lost = self._of(first)
        for count in RECALLS:
            if count <= self.distances.shape[1]:
                recall[count] = float(overlap_at(counts, nearest, count, lost).mean())
        relevant, lost = self._of(few.relevant)
        if not relevant.any() and not lost.any():
            return recall, None
        return recall, float(np.nanmean(average_precision(counts, relevant, lost)))

    def _of(self, rows: object) -> tuple[Counts, npt.NDArray[np.int64]]:
        """Count relevant rows by distance, and those that are never found."""
        chosen = np.zeros(self.distances.shape, np.bool_)
        for number, some in enumerate(rows):  # type: ignore[arg-type, var-annotated]
            chosen[number, some] = True
        asked = self.material.asked(self.material.few)
        chosen[np.arange(len(asked)), asked] = False
        there = chosen & self._found
        return self._counts(there), chosen.sum(axis=1) - there.sum(axis=1)

    def searched(self, search: Search, structure: Structure) -> tuple[float, float, float]:
        """Return overlap with the true first ten, what was measured exactly, and what was compared, a question."""
        far = self.material.far_of_few
        last = np.partition(far, FIRST - 1, axis=1)[:, FIRST - 1] if far.shape[1] > FIRST else far.max(axis=1)
        if not search.uses_codes:
            return 1.0, float(far.shape[1] - 1), 0.0
        if isinstance(search, Scan) and not needs_projections(search):
            return self._scanned(search.depth(FIRST), far, last)
        return self._probed(search, structure, far, last)

    def _scanned(
        self, depth: int, far: npt.NDArray[np.float64], last: npt.NDArray[np.float64]
    ) -> tuple[float, float, float]:  # fmt: skip
        n = far.shape[1]
        keys = self.distances * n + np.arange(n)  # by (distance, row), as the scan orders
        if self.codes.kept is not None:
            keys = np.where(self.codes.kept, keys, np.iinfo(np.int64).max)
        within = keys <= np.partition(keys, min(depth, n) - 1, axis=1)[:, min(depth, n) - 1 : min(depth, n)]
        within &= self._found
        right = np.minimum((within & (far <= last[:, None])).sum(axis=1), FIRST)
        return float(right.mean() / min(FIRST, n - 1)), float(within.sum(axis=1).mean()), float(n)

    def _probed(
        self, search: Search, structure: Structure, far: npt.NDArray[np.float64], last: npt.NDArray[np.float64]
    ) -> tuple[float, float, float]:  # fmt: skip
        material, codes, few = self.material, self.codes, self.material.few
        projections = None
        if needs_projections(search):
            if codes.encoder is None:  # coarse codes have no projections
                search = search.changed(asymmetric=False)
            else:
                projections = codes.encoder.project(few.queries)
        right, looked_at, scanned = 0, 0, 0
        for number, row in enumerate(material.asked(few).tolist()):
            code = np.ascontiguousarray(codes.planes[:, row])
            query = Query(code, None if projections is None else projections[number])
            found = find(search, structure, codes.planes.shape[1], query, FIRST)
            near = found.rows[self._found[number][found.rows]]
            right += min(FIRST, int(np.count_nonzero(far[number][near] <= last[number])))
            looked_at, scanned = looked_at + len(near), scanned + found.scanned
        asked = max(1, len(few.queries))
        return right / (asked * min(FIRST, far.shape[1] - 1)), looked_at / asked, scanned / asked
