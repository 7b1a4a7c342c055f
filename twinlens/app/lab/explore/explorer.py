"""Explorer: parameters turned one at a time on a sample of a library, with approximate figures, then exact ones.

Figures of a few queries are judged as in every experiment, without curves and times.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from twinlens.app.lab.explore.coarse_codes import CoarseCodes
from twinlens.app.lab.explore.knobs import Knob, KnobLimits, KnobSetting, knobs
from twinlens.app.lab.explore.sample import FIRST, SampleData
from twinlens.app.lab.explore.sample_codes import KernelColumns, Reduction, SampleCodes, captured, exact_codes
from twinlens.app.methods import catalogue
from twinlens.core.arrays import Float64Matrix
from twinlens.core.containers import RecentValues
from twinlens.core.errors import DeclarationError, TwinlensError
from twinlens.core.evaluation.evaluation_task import EvaluationTask, Figures, summed
from twinlens.core.evaluation.hamming_ranking import distances_from, judge_ranking
from twinlens.core.evaluation.judgement import Judgement, QueryTruth, RankedItems, judge_queries
from twinlens.core.evaluation.method_evaluation import EncodedTask, judged_codes
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.hashing.kernel_hashing import KernelMethod
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.kernels.radial_kernels import Gaussian, RadialKernel
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.search.search_structure import (
    Candidates,
    CodeQuery,
    Search,
    Structure,
    find_candidates,
    needs_projections,
)

_EXACT_CODES = 6
_READINGS = 4_000
_CURVES = 64
_QUERIES = 64


class Explorer:
    """Figures for any setting on one sample. Safe to use from several threads."""

    def __init__(self, material: SampleData) -> None:
        self.material = material
        self._columns = KernelColumns(material.images)
        self._coarse = CoarseCodes(self._columns)
        self._lock = threading.Lock()
        self._codes: RecentValues[str, SampleCodes] = RecentValues(_EXACT_CODES)
        self._readings: RecentValues[tuple[str, bool], ExplorerReading] = RecentValues(_READINGS)
        self._structures: RecentValues[tuple[str, str], Structure] = RecentValues(_EXACT_CODES)
        self._along: RecentValues[tuple[str, str, str], list[str]] = RecentValues(_CURVES)
        self._knobs: dict[tuple[str, str, int, str], tuple[Knob, ...]] = {}
        self._sample_queries: RecentValues[int, SampleQuery] = RecentValues(_QUERIES)

    def begin(self, method: str = "", search: str = "") -> KnobSetting:
        """Return the first setting: that of the index, or of a chosen method or search structure."""
        own = self.material
        chosen = catalogue.method(own.method) if not method else own.begun(catalogue.method(method))
        return KnobSetting(chosen, catalogue.search_structure(search or own.search))

    def knobs(self, setting: KnobSetting) -> tuple[Knob, ...]:
        """Return the knobs of a setting."""
        method = setting.method
        kernel = getattr(method, "kernel", None)
        wide = kernel.changed(gamma="auto") if isinstance(kernel, RadialKernel) else kernel
        key = method.key, setting.search.key, method.seed, "" if wide is None else wide.text()
        with self._lock:
            made = self._knobs.get(key)
        if made is None:
            made = self._made(setting, wide)
            with self._lock:
                self._knobs[key] = made
        return tuple(knob.with_value(setting.value(knob.path)) if knob.slides else knob for knob in made)

    def _made(self, setting: KnobSetting, wide: Kernel | None) -> tuple[Knob, ...]:
        """Make the knobs of all settings of the same declarations, without stops for their own values."""
        images, found = self.material.images, []
        if isinstance(wide, RadialKernel):
            found.append(("method.kernel.gamma", self._gamma(wide, setting)))
        elif hasattr(setting.method, "gamma"):
            found.append(("method.gamma", self._gamma(Gaussian(), setting)))
        room = KnobLimits(len(images), images.shape[1], self.material.matrix_shape, tuple(found))
        why_not = self._no_scale(setting)
        return tuple(
            replace(knob, why_not=why_not) if knob.path == "method.scale" else knob for knob in knobs(setting, room)
        )

    def _gamma(self, kernel: Kernel, setting: KnobSetting) -> float:
        resolved = self._columns.resolved(kernel, setting.method.seed)
        assert isinstance(resolved, RadialKernel)
        return float(resolved.known_gamma)

    def _no_scale(self, setting: KnobSetting) -> Message:
        """Return why kernels of these vectors cannot be transformed; empty if they can."""
        method = self.material.of_images(setting.method)
        if not isinstance(method, KernelMethod):
            return NOTHING
        try:
            method.kernel.check_unit_range(self.material.images)
        except TwinlensError as error:
            return error.message
        return NOTHING

    def why_not(self, setting: KnobSetting) -> Message:
        """Return why a method cannot be used with these vectors; empty if it can."""
        try:
            setting.method.check(self.material.images.shape[1], self.material.matrix_shape)
        except TwinlensError as error:
            return error.message
        return NOTHING

    def known(self, setting: KnobSetting) -> ExplorerReading | None:
        """Return the reading of a setting if it is known exactly, without the outcome of a query."""
        key = _key(setting)
        return self._readings.get((key, True)) or self._readings.get((key, False))

    def coarse(
        self, setting: KnobSetting, row: int = -1, by_codes: bool = True, progress: Progress = silent
    ) -> ExplorerReading:  # fmt: skip
        """Measure a setting approximately at once; exactly if it is known.

        Parameters
        ----------
        row : int
            Of the question whose answer is wanted; none below 0.
        by_codes : bool
            Whether the answer is to be in the order of its codes alone.

        Raises
        ------
        TwinlensError
            If the setting cannot be on these vectors.
        """
        material, method, search = self.material, setting.method, setting.search
        done = self._readings.get((_key(setting), True))
        codes = self._codes.get(method.identity())
        if done is not None and codes is not None:
            return self._outcome(done, codes, row, by_codes)
        method.check(material.images.shape[1], material.matrix_shape)
        if codes is None:
            codes = self._coarse.codes(material.of_images(method), progress)
        progress(0.6, 1, Message("Ranking"))
        few, structure = material.few, self._structure(method, search, codes)
        progress(0.8, 1, Message("Searching"))
        figures = figures_of_few_queries(material, codes, search, structure)
        reduced = (Reduction("questions", len(few.queries), len(material.task.queries)), *codes.reduced)
        reading = ExplorerReading(
            setting, False, len(few.queries), codes.planes.shape[1],
            {**_values(figures, codes), "bytes search": structure.bytes},
            captured(codes, material.of_images(method)), codes.eigenvalues, reduced,
        )  # fmt: skip
        self._keep(reading)
        return self._outcome(reading, codes, row, by_codes, structure)

    def exact(
        self, setting: KnobSetting, row: int = -1, by_codes: bool = True, progress: Progress = silent
    ) -> ExplorerReading:  # fmt: skip
        """Measure a setting as ``bench`` does; parameters, exceptions and result as in :meth:`coarse`."""
        material, method, search = self.material, setting.method, setting.search
        done = self._readings.get((_key(setting), True))
        method.check(material.images.shape[1], material.matrix_shape)
        codes = self._exact_codes(setting, part(progress, 0.0, 0.6))
        if done is None:
            task = material.task
            assert codes.encoder is not None
            known = EncodedTask(
                codes.encoder, codes.planes, self._queries(codes, task, search), codes.kept, Figures(note=codes.note)
            )
            (figures,) = judged_codes(known, [search], task, part(progress, 0.6, 1.0))
            seconds = codes.seconds["encode_query"] * search.uses_codes + figures.values["seconds search"]
            done = ExplorerReading(
                setting, True, len(task.queries), codes.planes.shape[1],
                {**_values(figures, codes), "bytes model": codes.bytes, "seconds query": seconds},
                captured(codes, material.of_images(method)), codes.eigenvalues, note=figures.note,
            )  # fmt: skip
            self._keep(done)
        return self._outcome(done, codes, row, by_codes)

    def neighbouring(self, setting: KnobSetting, knob: Knob, count: int) -> list[KnobSetting]:
        """Return unmeasured settings along a knob, ends and middle first, which show most of its curve."""
        last = len(knob.stops) - 1
        places = np.unique(np.linspace(0, last, min(count, last + 1)).round().astype(int)).tolist()
        order = sorted(range(len(places)), key=lambda number: _turn(number, len(places)))
        found = []
        for number in order:
            made = stopped(setting, knob, knob.stops[places[number]])
            if made is not None and self.known(made) is None:
                found.append(made)
        return found

    def curve(self, setting: KnobSetting, knob: Knob) -> list[tuple[int, ExplorerReading]]:
        """Return the known readings along a knob, with all other parameters fixed: stops and readings."""
        usual = stopped(setting, knob, knob.default)
        along = repr(knob.stops), knob.path, _key(setting if usual is None else usual)

        def of_stops() -> list[str]:
            made = (stopped(setting, knob, stop) for stop in knob.stops)
            return ["" if one is None else _key(one) for one in made]

        keys = self._along.made(along, of_stops)
        known = [self._readings.get((key, True)) or self._readings.get((key, False)) for key in keys]
        return [(place, reading) for place, reading in enumerate(known) if reading is not None]

    def _exact_codes(self, setting: KnobSetting, progress: Progress) -> SampleCodes:
        def encoded() -> SampleCodes:
            found = exact_codes(self.material, self._columns, setting.method, progress)
            self._coarse.keep(self.material.of_images(setting.method), found)
            return found

        return self._codes.made(setting.method.identity(), encoded)

    def _queries(self, codes: SampleCodes, task: EvaluationTask, search: Search) -> list[CodeQuery]:
        words = codes.planes[:, self.material.query_rows(task)].T
        projections: Sequence[npt.NDArray[np.float64] | None] = [None] * len(words)
        if needs_projections(search) and codes.encoder is not None:
            projections = list(codes.encoder.project(task.queries))
        return [CodeQuery(np.ascontiguousarray(code), own) for code, own in zip(words, projections, strict=True)]

    def _structure(self, method: HashMethod, search: Search, codes: SampleCodes) -> Structure:
        if codes.encoder is None:
            return search.build(codes.planes, codes.bits)
        key = method.identity(), search.identity()
        return self._structures.made(key, lambda: search.build(codes.planes, codes.bits))

    def _keep(self, reading: ExplorerReading) -> None:
        self._readings.keep((_key(reading.setting), reading.exact), reading)

    def _outcome(
        self, reading: ExplorerReading, codes: SampleCodes, row: int, by_codes: bool, structure: Structure | None = None
    ) -> ExplorerReading:  # fmt: skip
        if row < 0:
            return reading
        search = reading.setting.search
        projection = None
        if needs_projections(search):
            if codes.encoder is None:  # coarse codes have no projections: the scan alone is shown
                search = search.changed(asymmetric=False)
            else:
                projection = codes.encoder.project(self.material.task.base[row : row + 1])[0]
        if structure is None:
            structure = self._structure(reading.setting.method, search, codes)
        found = None
        if search.uses_codes:
            query = CodeQuery(np.ascontiguousarray(codes.planes[:, row]), projection)
            found = find_candidates(search, structure, codes.planes.shape[1], query, FIRST)
        return replace(reading, outcome=query_outcome(self.material, codes, self._query(row), found, by_codes))

    def _query(self, row: int) -> SampleQuery:
        return self._sample_queries.made(row, lambda: SampleQuery(row, self.material.far_from(row)))


def stopped(setting: KnobSetting, knob: Knob, stop: object) -> KnobSetting | None:
    """Return a setting at a stop of a knob; None if the declaration does not allow it."""
    try:
        return setting.changed(knob.path, stop)
    except (DeclarationError, TwinlensError):
        return None


def _key(setting: KnobSetting) -> str:
    return f"{setting.method.identity()} {setting.search.identity()}"


def _turn(number: int, count: int) -> tuple[int, int]:
    """Order positions so that both ends come first, then the middle of each gap."""
    if number in (0, count - 1):
        return 0, number
    step, level = count - 1, 1
    while step > 1:
        step = (step + 1) // 2
        if number % step == 0:
            return level, number
        level += 1
    return level, number


def figures_of_few_queries(material: SampleData, codes: SampleCodes, search: Search, structure: Structure) -> Figures:
    """Return recall@R, mean average precision, overlap with the true ten nearest, and the numbers compared.

    Parameters
    ----------
    material : SampleData
        Its few questions ask.
    search, structure : Search, Structure
        The structure holds all of the codes.
    """
    few, figures = material.few, Figures()
    own, n = material.query_rows(few), codes.planes.shape[1]
    words = np.ascontiguousarray(codes.planes[:, own].T)
    judge_ranking(figures, codes.planes, words, codes.bits, few, silent, codes.kept, curves=False)
    projections = None
    if needs_projections(search):
        if codes.encoder is None:  # coarse codes have no projections
            search = search.changed(asymmetric=False)
        else:
            projections = codes.encoder.project(few.queries)

    def ranked_items(number: int) -> RankedItems:
        query = CodeQuery(words[number], None if projections is None else projections[number])
        found = find_candidates(search, structure, n, query, FIRST)
        rows = found.rows if codes.kept is None else found.rows[codes.kept[found.rows]]
        rows = rows[rows != own[number]]
        far = material.far_of_few[number][rows]
        nearest = np.argpartition(far, FIRST)[:FIRST] if len(far) > FIRST else np.arange(len(far))
        return RankedItems(rows[nearest], np.sort(far[nearest]), len(rows), found.scanned, found.probed)

    truths = [QueryTruth(true=true) for true in material.first_of_few]
    figures.values |= judge_queries(ranked_items, truths, Judgement(near={FIRST: []})).values((FIRST,))
    return figures


@dataclass(frozen=True)
class RankedNeighbour:
    """One photograph in the outcome of a query.

    Attributes
    ----------
    rank : int
        In this answer, from 1; 0 where it is not found.
    true_rank : int
        By the exact measure, from 1.
    agreed : bool
        Whether it is among as many by the exact measure.
    bits : int
        In which its code differs from the question's.
    """

    id: int
    rank: int
    true_rank: int
    agreed: bool
    bits: int


@dataclass(frozen=True)
class QueryOutcome:
    """The results of one photograph as the query.

    Attributes
    ----------
    id : int
        The question.
    results : tuple of RankedNeighbour
        In order.
    missed : tuple of RankedNeighbour
        Of the true first, those that are not among the results, by true rank.
    by_codes : bool
        Whether results are in the order of their codes, and not of the exact measure among what was found.
    """

    id: int
    results: tuple[RankedNeighbour, ...]
    missed: tuple[RankedNeighbour, ...]
    by_codes: bool
    looked_at: int
    scanned: int
    probed: int


@dataclass(frozen=True, eq=False)
class ExplorerReading:
    """The figures measured at one setting.

    Attributes
    ----------
    queries, photographs : int
        How many asked, and of how many.
    values : dict of str to float
        By measure; without times where it is not exact. The bytes of a photo are those of its code.
    captured : float or None
        Share of the kernel's spectrum among the landmarks that the kept components hold.
    spectrum : ndarray of float64 or None
        Its eigenvalues, the largest first.
    reduced : tuple of Reduction
        In which way a coarse reading is coarse.
    note : Message
        What a person should know of this fit.
    outcome : QueryOutcome or None
        Of the one query that is seen.
    """

    setting: KnobSetting
    exact: bool
    queries: int
    photographs: int
    values: Mapping[str, float]
    captured: float | None = None
    spectrum: npt.NDArray[np.float64] | None = None
    reduced: tuple[Reduction, ...] = ()
    note: Message = NOTHING
    outcome: QueryOutcome | None = None


def _values(figures: Figures, codes: SampleCodes) -> dict[str, float]:
    """Return what was measured besides times, which figures of parts do not have."""
    measured = summed([figures]).values.items()
    known = {key: value for key, value in measured if key != "dropped" and not key.startswith("seconds")}
    return {**known, "bytes each": codes.code_bytes // codes.planes.shape[1]}


@dataclass(frozen=True, eq=False)
class SampleQuery:
    """A photograph of a sample as the query.

    Attributes
    ----------
    far : ndarray of float64, (n,)
        How far all are from it, exactly; itself infinitely.
    """

    row: int
    far: Float64Matrix


def query_outcome(
    material: SampleData, codes: SampleCodes, query: SampleQuery, found: Candidates | None, by_codes: bool
) -> QueryOutcome:
    """Search a sample with one of its photographs.

    Parameters
    ----------
    found : Candidates, optional
        What the search found by the question's code; None where it needs no codes.
    by_codes : bool
        Whether the order of the codes alone is wanted.
    """
    row, far, k = query.row, query.far, FIRST
    code = np.ascontiguousarray(codes.planes[:, row])
    bits = distances_from(codes.planes, code)
    true_order = np.lexsort((np.arange(len(far)), far))[: len(far) - 1]
    true_rank = np.empty(len(far), np.int64)
    true_rank[true_order] = np.arange(1, len(true_order) + 1)
    true_rank[row] = 0
    if found is None:
        rows, looked_at, scanned, probed = true_order, len(true_order), 0, 0
    else:
        near = found.rows if codes.kept is None else found.rows[codes.kept[found.rows]]
        near = near[near != row]
        looked_at, scanned, probed = len(near), found.scanned, found.probed
        rows = near[np.lexsort((near, far[near]))]
    if by_codes:
        others = np.flatnonzero(np.arange(len(far)) != row)
        if codes.kept is not None:
            others = others[codes.kept[others]]
        rows = others[np.lexsort((others, bits[others]))]
    results = [
        RankedNeighbour(int(material.ids[one]), rank, int(true_rank[one]), bool(true_rank[one] <= k), int(bits[one]))
        for rank, one in enumerate(rows[:k].tolist(), 1)
    ]
    known = set(rows[:k].tolist())
    ranks = {one: rank for rank, one in enumerate(rows.tolist(), 1)} if by_codes else {}
    missed = [
        RankedNeighbour(int(material.ids[one]), ranks.get(one, 0), rank, False, int(bits[one]))
        for rank, one in enumerate(true_order[:k].tolist(), 1)
        if one not in known
    ]
    return QueryOutcome(int(material.ids[row]), tuple(results), tuple(missed), by_codes, looked_at, scanned, probed)
