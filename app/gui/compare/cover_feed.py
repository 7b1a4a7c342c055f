"""Loads the visible pictures of a comparison, some at a time, decoded in a job."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage

from app.gui.compare.board import CompareBoard
from app.gui.compare.column_jobs import images
from app.gui.frame.opened import Opened
from app.gui.process.jobs import Jobs

_TOPIC = "compare pictures"
_AT_ONCE = 48


class CoverFeed(QObject):
    """Loads the pictures of one board."""

    def __init__(self, board: CompareBoard, opened: Opened, jobs: Jobs) -> None:
        super().__init__(board)
        self._opened = opened
        self._board, self._jobs = board, jobs
        self._loading = self._jobs.latest()
        self._seen: list[bytes] = []
        board.seen.connect(self._on_seen)

    def _on_seen(self, content_hashes: list[bytes]) -> None:
        self._seen = content_hashes
        self._next()

    def _next(self) -> None:
        opened = self._opened
        lacking = self._board.covers.lacking(self._seen)[:_AT_ONCE]
        if lacking and not self._loading.running:
            self._loading.begin(lambda _: images(opened, lacking)).then(self._on_images)

    def _on_images(self, made: dict[bytes, QImage]) -> None:
        self._board.covers.take(made)
        if made:
            self._next()
