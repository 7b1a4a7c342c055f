"""Jobs of the explorer: drawing a sample of photographs, and measuring a setting on it.

A setting is measured approximately at once, and exactly when the knobs rest.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from twinlens.app.gui.compare.board_layout import RankedTile
from twinlens.app.gui.lab.explore.knob_row import CurvePoint
from twinlens.app.gui.process.jobs import Failure, Jobs
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.language.texts import text
from twinlens.core.message import Message
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.gui.process.jobs import Jobs
    from twinlens.app.gui.process.open_library import OpenLibrary
    from twinlens.app.lab.explore.explorer import Explorer, ExplorerReading, QueryOutcome
    from twinlens.app.lab.explore.knobs import Knob, KnobSetting
    from twinlens.app.library.browsing.photographs import Photograph


_STILL_MS = 140  # without a move, until exact figures are worth beginning
_ALONG = 13  # places of a slider that are read off when nobody moves it
Families = list[tuple[str, str, str]]


@dataclass(frozen=True, eq=False)
class ExplorerSample:
    """An explorer with the photographs of its sample, for the view.

    Attributes
    ----------
    indexes : list of str
        Names of all indexes that can be looked at.
    methods, searches : list of (key, title, about)
    """

    explorer: Explorer
    indexes: list[str]
    photographs: dict[int, Photograph]
    methods: Families
    searches: Families


@dataclass(frozen=True, eq=False)
class SettingTask:
    """A setting to measure on a sample, with one photograph as the query.

    Attributes
    ----------
    path : str
        Of the parameter that was moved last; what lies along it is read off, too. Empty while no sliders are seen.
    by_codes : bool
        Whether hits are in the order of their codes alone.
    """

    sample: ExplorerSample
    setting: KnobSetting
    path: str
    row: int
    by_codes: bool


class SettingReader(QObject):
    """Measures one setting at a time; a newer one replaces it.

    Signals
    -------
    read(Read, bool)
        What was read off, and whether it is of the setting that is wanted still.
    beside(Read)
        What lies along the slider that was moved last, one place more.
    failed(Failure)
    """

    read = Signal(object, bool)
    beside = Signal(object)
    failed = Signal(object)

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._coarse_job = self._jobs.latest()
        self._exact_job = self._jobs.latest()
        self._curve_job = self._jobs.latest()
        self._wanted: SettingTask | None = None
        self._looking, self._again = False, False
        self._still = QTimer(self)
        self._still.setSingleShot(True)
        self._still.setInterval(_STILL_MS)
        self._still.timeout.connect(self._read_exactly)

    def stop(self) -> None:
        """Measure no more, since another sample follows."""
        self._wanted = None
        for one in (self._coarse_job, self._exact_job, self._curve_job):
            one.cancel()
        self._still.stop()

    def look(self, wanted: SettingTask) -> None:
        """Measure approximately; of settings that come meanwhile, only the last one is kept."""
        self._wanted = wanted
        self._exact_job.cancel()
        self._curve_job.cancel()
        self._still.stop()
        if self._looking:
            self._again = True
        else:
            self._begin(wanted)

    def _begin(self, one: SettingTask) -> None:
        self._looking = True

        def work(progress: Progress) -> tuple[SettingTask, SettingReading]:
            return one, read_coarse(one.sample.explorer, one.setting, one.path, one.row, one.by_codes, progress)

        self._coarse_job.begin(work).then(self._on_coarse).failed(self._on_coarse_failed).stopped(self._on_no_coarse)

    def _on_coarse(self, result: tuple[SettingTask, SettingReading]) -> None:
        one, read = result
        self._looking = False
        again, self._again = self._again, False
        wanted = self._wanted
        if wanted is None:
            return
        if one.sample is not wanted.sample:
            self.look(wanted)
            return
        whole = one.setting == wanted.setting
        self.read.emit(read, whole)
        if again or not whole:
            self.look(wanted)
        elif read.reading.exact:
            self._settled()
        else:
            self._still.start()

    def _read_exactly(self) -> None:
        one = self._wanted
        if one is None:
            return

        def work(progress: Progress) -> tuple[SettingTask, SettingReading]:
            return one, read_exact(one.sample.explorer, one.setting, one.row, one.by_codes, progress)

        self._exact_job.begin(work).then(self._on_exact).failed(self.failed.emit)

    def _on_exact(self, result: tuple[SettingTask, SettingReading]) -> None:
        one, read = result
        if one is self._wanted:
            self.read.emit(read, True)
            self._settled()

    def _settled(self) -> None:
        """Measure the stops along the slider that was moved last, one after the other."""
        one = self._wanted
        if one is None or not one.path:
            return

        def work(progress: Progress) -> tuple[SettingTask, SettingReading | None]:
            return one, read_beside(one.sample.explorer, one.setting, one.path, _ALONG, progress)

        self._curve_job.begin(work).then(self._on_beside).failed(lambda __: None)

    def _on_beside(self, result: tuple[SettingTask, SettingReading | None]) -> None:
        one, read = result
        if read is None or one is not self._wanted:
            return
        self.beside.emit(read)
        self._settled()

    def _on_coarse_failed(self, failure: Failure) -> None:
        self.failed.emit(failure)
        self._on_no_coarse()

    def _on_no_coarse(self) -> None:
        self._looking = False
        again, self._again = self._again, False
        if again and self._wanted is not None:
            self.look(self._wanted)


class SampleDrawing(QObject):
    """Draws samples in jobs.

    Parameters
    ----------
    progressed : str
        What is done meanwhile.
    outdated
        The library has other photographs than when the sample was drawn, or no longer the index.
    listed : list of str
        The library's indexes now.
    """

    drawn = Signal(object)
    progressed = Signal(str)
    failed = Signal(object)
    outdated = Signal()
    listed = Signal(list)

    def __init__(self, opened: OpenLibrary, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened = opened
        self._drawing, self._looking = jobs.latest(), jobs.latest()
        self.now: ExplorerSample | None = None
        """The one that is drawn; None meanwhile."""

    @property
    def running(self) -> bool:
        """Whether one is being drawn."""
        return self._drawing.running

    def draw(self, index: str, photographs: int, included: Sequence[int]) -> None:
        """Draw a sample of an index, with some photographs in it."""
        opened, self.now = self._opened, None

        def work(progress: Progress) -> ExplorerSample:
            return open_sample(opened, index, photographs, list(included), progress)

        self._drawing.begin(work).then(self._on_drawn).failed(self._on_failed).progressed(self._on_progressed)

    def refresh(self) -> None:
        """Check whether the library has other photographs or indexes now."""
        opened, sample = self._opened, self.now
        if sample is None:
            return

        def work(__: Progress) -> tuple[int, list[str]]:
            from twinlens.app.lab.explore.sample import count_vectors, index_names

            names, own = index_names(opened.library, opened.put_away), sample.explorer.material.index
            return count_vectors(opened.library, own) if own in names else -1, names

        def then(found: tuple[int, list[str]]) -> None:
            if self.now is sample and found[0] != sample.explorer.material.library:
                self.outdated.emit()
            elif self.now is sample:
                self.listed.emit(found[1])

        self._looking.begin(work).then(then)

    def _on_drawn(self, sample: ExplorerSample) -> None:
        self.now = sample
        self.drawn.emit(sample)

    def _on_failed(self, failure: Failure) -> None:
        self.failed.emit(failure)

    def _on_progressed(self, __: float, ___: float, doing: Message) -> None:
        if self.now is None and doing:
            self.progressed.emit(f"{text(doing)}…")


@dataclass(frozen=True, eq=False)
class SettingReading:
    """The figures of a setting, ready for the view.

    Attributes
    ----------
    points : dict of str to list of CurvePoint
        What is known along sliders, by path.
    """

    reading: ExplorerReading
    knobs: tuple[Knob, ...]
    points: dict[str, list[CurvePoint]] = field(default_factory=dict)


def open_sample(
    opened: OpenLibrary, index: str, photographs: int, include: Sequence[int], progress: Progress
) -> ExplorerSample:
    """Draw a sample of an index's vectors; of the default index if there is none of this name."""
    from twinlens.app.lab.explore.explorer import Explorer
    from twinlens.app.lab.explore.sample import SampleSettings, index_names, load_material
    from twinlens.app.library.browsing.photographs import photographs as known
    from twinlens.app.library.library import AUTOMATIC
    from twinlens.app.methods import catalogue

    names = index_names(opened.library, opened.put_away)
    chosen = index if index in names else AUTOMATIC if AUTOMATIC in names or not names else names[0]
    material = load_material(opened.library, chosen, SampleSettings(photographs, include=include), progress)
    explorer = Explorer(material)
    _ = material.far_of_few, material.images
    listed = {one.id: one for one in known(opened.library, material.ids.tolist())}
    methods = []
    for option in catalogue.FAMILIES["method"]():
        why_not = explorer.why_not(explorer.begin(option.key))
        methods.append((option.key, option.title, text(why_not) or option.summary()))
    searches = [(option.key, option.title, option.summary()) for option in catalogue.FAMILIES["search"]()]
    return ExplorerSample(explorer, names, listed, methods, searches)


def first_setting(explorer: Explorer, wanted: Mapping[str, object]) -> KnobSetting:
    """Return the remembered setting; that of the index if there is none, or it is of another version."""
    from twinlens.app.lab.explore.knobs import KnobSetting
    from twinlens.app.methods import catalogue
    from twinlens.core.errors import TwinlensError

    method, search = wanted.get("method"), wanted.get("search")
    if isinstance(method, str) and isinstance(search, str):
        with contextlib.suppress(TwinlensError):
            return KnobSetting(catalogue.method(method), catalogue.search_structure(search))
    return explorer.begin()


def points_of(explorer: Explorer, setting: KnobSetting, knob: Knob) -> list[CurvePoint]:
    """Return the known points along a slider: recall of the codes, or of the search."""
    searched = knob.path.startswith("search.")
    found = []
    for place, reading in explorer.curve(setting, knob):
        value = reading.values.get("overlap@10" if searched else "recall@10")
        if value is not None:
            found.append(CurvePoint(place, value, reading.exact))
    return found


def read_coarse(
    explorer: Explorer, setting: KnobSetting, path: str, row: int, by_codes: bool, progress: Progress
) -> SettingReading:  # fmt: skip
    """Measure approximately, with the known points along one slider."""
    reading = explorer.coarse(setting, row, by_codes, progress)
    knobs = explorer.knobs(setting)
    points = {knob.path: points_of(explorer, setting, knob) for knob in knobs if knob.slides and knob.path == path}
    return SettingReading(reading, knobs, points)


def read_exact(
    explorer: Explorer, setting: KnobSetting, row: int, by_codes: bool, progress: Progress
) -> SettingReading:
    """Measure exactly, with the known points along every slider."""
    reading = explorer.exact(setting, row, by_codes, progress)
    knobs = explorer.knobs(setting)
    return SettingReading(
        reading, knobs, {knob.path: points_of(explorer, setting, knob) for knob in knobs if knob.slides}
    )


def read_beside(
    explorer: Explorer, setting: KnobSetting, path: str, some: int, progress: Progress
) -> SettingReading | None:
    """Measure the next unknown stop along a slider; None if all are known."""
    from twinlens.core.errors import TwinlensError

    knob = next((knob for knob in explorer.knobs(setting) if knob.path == path), None)
    if knob is None or not knob.slides or knob.why_not:
        return None
    for one in explorer.neighbouring(setting, knob, some):
        try:
            reading = explorer.coarse(one, progress=progress)
        except TwinlensError:
            continue
        return SettingReading(reading, (), {path: points_of(explorer, setting, knob)})
    return None


def tiles_of(
    outcome: QueryOutcome, known: Mapping[int, Photograph]
) -> tuple[RankedTile | None, list[RankedTile], list[RankedTile]]:
    """Return the pictures of a query's outcome: the query, its results, and the missed photographs."""

    def tile(photograph: int, rank: int, **about: object) -> RankedTile:
        one = known.get(photograph)
        name, content_hash = ("", b"") if one is None else (one.name, one.content_hash)
        return RankedTile(photograph, content_hash, name, rank, **about)  # type: ignore[arg-type]

    results = [
        tile(result.id, result.rank, agrees=result.agreed, true_rank=result.true_rank) for result in outcome.results
    ]
    ghosts = [tile(one.id, one.true_rank, ghost=True, true_rank=one.true_rank) for one in outcome.missed]
    return tile(outcome.id, 0, asked=True), results, ghosts
