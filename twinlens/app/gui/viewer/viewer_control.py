"""The controller of the viewer: the photograph, its neighbours in the grid, and decoding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from twinlens.app.gui.pictures.photograph import image_of
from twinlens.app.gui.process.jobs import Failure, Jobs
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.viewer.viewer import Viewer
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.gui.viewer.slideshow import Slideshow
    from twinlens.app.library.browsing.photographs import Photograph


class PhotographSequence(Protocol):
    """A sequence of photographs for the viewer: a grid, or another view."""

    def ids(self) -> npt.ArrayLike:
        """Return the photographs to step through."""

    def set_current(self, photograph_id: int) -> object:
        """Go to the photograph that was viewed."""

    def setFocus(self) -> None:  # noqa: N802 (Qt's name)
        """Take the focus again."""


class ChosenPhotographs:
    """A selection of photographs of a grid, through which the viewer steps in a circle."""

    def __init__(self, grid: PhotographSequence, ids: Sequence[int] | npt.NDArray[np.int64]) -> None:
        self._grid, self._ids = grid, np.asarray(ids, np.int64)

    def ids(self) -> npt.NDArray[np.int64]:
        """Return the selection."""
        return self._ids

    def set_current(self, __: int) -> None:
        """Leave the grid as it is, so that the selection stays."""

    def setFocus(self) -> None:  # noqa: N802 (Qt's name)
        """Give the focus back to the grid."""
        self._grid.setFocus()


class ViewerControl(QObject):
    """Controller of the viewer over the whole window.

    Parameters
    ----------
    over : QWidget
        The widget whose window it covers.
    """

    search_wanted = Signal(int)
    part_wanted = Signal(int, object)
    removal_wanted = Signal(list)
    """Ids of photographs that are to be moved to the trash."""
    shown = Signal(int)
    """Another photograph is shown."""

    def __init__(self, over: QWidget, opened: OpenLibrary, jobs: Jobs) -> None:
        super().__init__(over)
        self._opened = opened
        self._jobs = jobs
        self._decoding = self._jobs.latest()
        self._facts = self._jobs.latest()
        self._looking = self._jobs.latest()
        self._grid: PhotographSequence | None = None
        self._shown = -1
        self._slideshow: Slideshow | None = None
        self.seconds = 0
        """How long a photograph of a slideshow stays; 0 before a person has chosen."""
        self.viewer = Viewer(over)
        self.hide()
        self.viewer.step.connect(self._on_step)
        self.viewer.closed.connect(self.close)
        self.viewer.search_wanted.connect(self._on_search)
        self.viewer.region_chosen.connect(self._on_region)
        self.viewer.slideshow_wanted.connect(self._on_slideshow)
        self.viewer.removal_wanted.connect(lambda: self.removal_wanted.emit([self._shown]))

    def is_open(self) -> bool:
        """Return whether a photograph is shown."""
        return self.viewer.isVisible()

    def show(self, grid: PhotographSequence, photograph_id: int) -> None:
        """Show a photograph of a grid."""
        self._grid = grid
        self._show(photograph_id)
        self.viewer.cover()
        self.shown.emit(photograph_id)

    def begin_slideshow(self, grid: PhotographSequence, ids: Sequence[int], first: int) -> None:
        """Begin a slideshow: of some photographs of a grid, or with fewer than two of all."""
        from twinlens.app.gui.viewer.slideshow import Slideshow

        self.show(ChosenPhotographs(grid, ids) if len(ids) > 1 else grid, first)
        self._end_slideshow()
        running = self._slideshow = Slideshow(self.viewer, self._on_step, self.seconds, self._on_seconds)
        self.viewer.pause_wanted.connect(running.pause)
        self.viewer.seconds_wanted.connect(running.change_seconds)

    def _on_slideshow(self) -> None:
        if self._grid is not None and self._slideshow is None:
            self.begin_slideshow(self._grid, [], self._shown)

    def _on_seconds(self, seconds: int) -> None:
        self.seconds = seconds

    def _end_slideshow(self) -> None:
        if self._slideshow is not None:
            self._slideshow.end()
            self._slideshow = None

    def hide(self) -> None:
        """Hide the viewer."""
        self._end_slideshow()
        self.viewer.uncover()

    def close(self) -> None:
        """Return to the grid, at the photograph that was shown last."""
        self.hide()
        self._decoding.cancel()
        if self._grid is not None:
            self._grid.set_current(self._shown)
            self._grid.setFocus()

    def _show(self, photograph_id: int) -> None:
        opened = self._opened
        self._shown = photograph_id
        if self._slideshow is not None:
            self._slideshow.await_next()

        def known(_: Progress) -> tuple[Photograph, bytes] | None:
            from twinlens.app.library.browsing.photographs import photographs
            from twinlens.app.library.pictures import thumbnails

            found = photographs(opened.library, [photograph_id])
            if not found:
                return None
            return found[0], thumbnails(opened.library, [found[0].content_hash]).get(found[0].content_hash, b"")

        def decoded(_: Progress) -> tuple[int, np.ndarray[Any, np.dtype[np.uint8]]]:
            from twinlens.app.library.pictures import large_picture

            return photograph_id, large_picture(opened.library, photograph_id)

        def on_known(told: tuple[Photograph, bytes] | None) -> None:
            if told is not None and told[0].id == self._shown:
                self.viewer.set_photograph(*told)
                self._decoding.begin(decoded).then(self._on_decoded).failed(self._on_failed)

        self._facts.begin(known).then(on_known)

    def _on_decoded(self, made: tuple[int, np.ndarray[Any, np.dtype[np.uint8]]]) -> None:
        if made[0] == self._shown:
            self.viewer.set_image(image_of(made[1]))
            self._arrive()

    def _on_failed(self, failure: Failure) -> None:
        self.viewer.set_message(failure.words())
        self._arrive()

    def _arrive(self) -> None:
        if self._slideshow is not None:
            self._slideshow.arrive()

    def refresh(self) -> None:
        """Close if the library no longer has the photograph."""
        opened, shown = self._opened, self._shown
        if not self.is_open():
            return

        def work(_: Progress) -> bool:
            from twinlens.app.library.browsing.photographs import photographs

            return bool(photographs(opened.library, [shown]))

        def then(there: bool) -> None:
            if not there and shown == self._shown and self.is_open():
                self.close()

        self._looking.begin(work).then(then)

    def photograph(self) -> int:
        """Return the id of the photograph that is shown, or was last."""
        return self._shown

    def follow_notes(self) -> None:
        """Show what was noted of the photograph."""
        opened, shown = self._opened, self._shown
        if not self.is_open():
            return

        def work(_: Progress) -> list[Photograph]:
            from twinlens.app.library.browsing.photographs import photographs

            return photographs(opened.library, [shown])

        self._looking.begin(work).then(lambda found: self.viewer.show_facts(found[0]) if found else None)

    def shows(self, grid: object) -> bool:
        """Return whether a photograph of this grid is shown."""
        return self.is_open() and self._grid is grid

    def step(self, by: int) -> None:
        """Show a neighbour in the grid, if there is one."""
        self._on_step(by)

    def _on_step(self, step: int) -> None:
        if self._slideshow is not None and not self.is_open():
            self._end_slideshow()
        elif self._grid is not None:
            self._step_in(self._grid, step)

    def _step_in(self, grid: PhotographSequence, step: int) -> None:
        ids = np.asarray(grid.ids(), np.int64)
        here = np.flatnonzero(ids == self._shown)
        place = int(here[0]) + step if len(here) else 0
        if self._slideshow is not None and len(ids):
            place %= len(ids)  # it goes round
        if 0 <= place < len(ids):
            self._show(int(ids[place]))
            grid.set_current(int(ids[place]))
            self.shown.emit(int(ids[place]))

    def _on_search(self) -> None:
        self.hide()
        self.search_wanted.emit(self._shown)

    def _on_region(self, region: object) -> None:
        self.hide()
        self.part_wanted.emit(self._shown, region)
