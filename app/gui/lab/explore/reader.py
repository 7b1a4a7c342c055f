"""Reading off in jobs: of what comes the last is read, nearly at once and exactly when nobody moves on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.gui.lab.explore.explore_jobs import ExplorerSample, SettingReading, read_beside, read_coarse, read_exact
from app.gui.process.job import Failure
from app.gui.process.jobs import Jobs
from core.progress import Progress

if TYPE_CHECKING:
    from app.lab.explore.knobs import KnobSetting


_STILL_MS = 140  # without a move, until exact figures are worth beginning
_ALONG = 13  # places of a slider that are read off when nobody moves it


@dataclass(frozen=True, eq=False)
class SettingTask:
    """A setting on a sample to be measured, with one photograph as the query.

    Attributes
    ----------
    sample : Sample
    setting : Setting
    path : str
        Of the parameter that was moved last; what lies along it is read off, too. Empty while no sliders are seen.
    row : int
    by_codes : bool
        Whether hits are in the order of their codes alone.
    """

    sample: ExplorerSample
    setting: KnobSetting
    path: str
    row: int
    by_codes: bool


class SettingReader(QObject):
    """Reads off one thing at a time; a newer one takes the place of the older.

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
        """Read no more off: the sample is another one soon."""
        self._wanted = None
        for one in (self._coarse_job, self._exact_job, self._curve_job):
            one.cancel()
        self._still.stop()

    def look(self, wanted: SettingTask) -> None:
        """Read off nearly; while that is done, only the last of what comes is kept for the next turn."""
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
        """Read off what lies along the slider that was moved last, one place after the other."""
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
