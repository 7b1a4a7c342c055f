"""Chooses the part of an example that is searched with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.gui.frame.opened import OpenLibrary
from app.gui.look.images import image_of
from app.gui.process.jobs import Jobs
from app.gui.viewer.crop import WHOLE_PICTURE, CropOverlay
from core.progress import Progress

if TYPE_CHECKING:
    from app.search.question import Example, Region


class ExampleCropping(QObject):
    """Decodes an example, and lets a part of it be chosen over the view.

    Signals
    -------
    chosen : int, object
        Place of the example, and the region; None for the whole picture.
    """

    chosen = Signal(int, object)

    def __init__(self, view: QWidget, opened: OpenLibrary, jobs: Jobs) -> None:
        super().__init__(view)
        self._opened, self._decoding = opened, jobs.latest()
        self._place = 0
        self._overlay = CropOverlay(view)
        self._overlay.region_chosen.connect(self._on_region)

    def begin(self, place: int, example: Example) -> None:
        """Let a part of the example at a place be chosen."""
        opened = self._opened

        def work(__: Progress) -> np.ndarray[Any, np.dtype[np.uint8]]:
            from app.library.pictures import picture_to_crop

            return picture_to_crop(opened.library, example.picture)

        def then(pixels: np.ndarray[Any, np.dtype[np.uint8]]) -> None:
            self._place = place
            self._overlay.ask(image_of(pixels), example.region)

        self._decoding.begin(work).then(then)

    def cancel(self) -> None:
        """Choose nothing: another question is asked."""
        self._decoding.cancel()

    def _on_region(self, region: Region) -> None:
        self.chosen.emit(self._place, None if region == WHOLE_PICTURE else region)
