"""Loads the visible thumbnails of a grid, a few at a time, and none that were scrolled past."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.gui.frame.opened import Opened
from app.gui.photo_grid.grid import PhotoGrid
from app.gui.process.jobs import Jobs
from core.progress import Progress

_AT_ONCE = 64


class ThumbnailFeed(QObject):
    """Loads the thumbnails of one grid.

    Parameters
    ----------
    grid : PhotoGrid
    opened : Opened
    jobs : Jobs
    """

    def __init__(self, grid: PhotoGrid, opened: Opened, jobs: Jobs) -> None:
        super().__init__(grid)
        self._opened = opened
        self._grid = grid
        self._loading = jobs.latest()
        self._wanted: list[bytes] = []
        grid.thumbnails_wanted.connect(self._on_wanted)

    def _on_wanted(self, content_hashes: list[bytes]) -> None:
        self._wanted = content_hashes
        self._next()

    def _next(self) -> None:
        opened = self._opened
        if not self._wanted or self._loading.running:
            return
        some = self._wanted[:_AT_ONCE]

        def work(_: Progress) -> dict[bytes, bytes]:
            from app.library.pictures import thumbnails

            return thumbnails(opened.library, some)

        self._loading.begin(work).then(self._on_come)

    def _on_come(self, jpegs: dict[bytes, bytes]) -> None:
        self._wanted = [one for one in self._wanted if one not in jpegs]
        self._grid.take_thumbnails(jpegs)
        self._next()
