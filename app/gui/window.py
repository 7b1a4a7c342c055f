"""The window: the library as a grid, and the ranked look-alikes of a photograph."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFileDialog,
    QLabel,
    QMainWindow,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.browsing import Photograph, photographs
from app.gui.grid import Grid, Item
from app.gui.head import Head
from app.gui.jobs import Jobs
from app.indexes import list_indexes
from app.indexing import add
from app.library import Library
from app.results import AddResult, SearchResult
from app.searching import search
from core.progress import Progress

HITS = 60
_LOAD_MS = 15  # thumbnails that come into view together are loaded together


class Window(QMainWindow):
    """One library's window.

    Parameters
    ----------
    library : Library
        Open; closed by the caller after :meth:`finish`.
    """

    def __init__(self, library: Library) -> None:
        super().__init__()
        self._library = library
        self._asked: Path | int | None = None
        self._wanted: list[bytes] = []
        self._jobs = Jobs(self)
        self._jobs.progressed.connect(self._on_progressed)
        self._jobs.failed.connect(self._on_failed)
        self._load_soon = QTimer(self)
        self._load_soon.setSingleShot(True)
        self._load_soon.setInterval(_LOAD_MS)
        self._load_soon.timeout.connect(self._load_thumbnails)
        self.setWindowTitle(f"Twinlens · {library.path.stem}")
        self.setAcceptDrops(True)
        self.resize(1180, 800)
        self._head = Head()
        self._head.back_requested.connect(self._on_back)
        self._head.add_requested.connect(self._on_add)
        self._head.index_chosen.connect(self._on_index_chosen)
        self._grid = Grid()
        self._grid.chosen.connect(self._on_chosen)
        self._grid.photographs.thumbnails_wanted.connect(self._on_thumbnail_wanted)
        self._views = QStackedWidget()
        self._views.addWidget(self._grid)
        self._views.addWidget(self._empty_view())
        self._lay_out()
        for key, slot in (
            (QKeySequence.StandardKey.Open, self._on_add),
            (QKeySequence.StandardKey.Back, self._on_back),
            (QKeySequence.StandardKey.Cancel, self._on_back),
        ):
            QShortcut(QKeySequence(key), self, slot)
        self._refresh()

    def _empty_view(self) -> QWidget:
        view = QWidget()
        column = QVBoxLayout(view)
        column.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column.setSpacing(16)
        words = QLabel("Drop a folder of photographs here. They stay where they are, and nothing leaves this machine.")
        button = QPushButton("Add a folder…")
        button.clicked.connect(self._on_add)
        column.addWidget(words, alignment=Qt.AlignmentFlag.AlignCenter)
        column.addWidget(button, alignment=Qt.AlignmentFlag.AlignCenter)
        return view

    def _lay_out(self) -> None:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(self._views, 1)
        self.setCentralWidget(body)
        self._bar = QProgressBar()
        self._bar.setRange(0, 1000)
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(160)
        self._stop = QPushButton("Stop")
        self._stop.setAccessibleName("Stop adding; what is done is kept")
        self._stop.clicked.connect(self._on_stop)
        self.statusBar().addPermanentWidget(self._bar)
        self.statusBar().addPermanentWidget(self._stop)
        self._show_busy(False)

    # --- the library -------------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        self._jobs.start("indexes", lambda _: list_indexes(self._library), self._head.show_indexes)
        if self._asked is None:
            self._jobs.start("list", lambda _: photographs(self._library), self._show_library)

    def _show_library(self, found: list[Photograph]) -> None:
        if self._asked is not None:
            return
        self._grid.photographs.show_items([Item(one) for one in found])
        self._views.setCurrentIndex(0 if found else 1)
        self._head.show_library(len(found))
        self._grid.setFocus()

    def _on_back(self) -> None:
        self._asked = None
        self._refresh()

    # --- searching ---------------------------------------------------------------------------------------------------

    def _on_chosen(self, photograph: Photograph) -> None:
        self.ask(photograph.id)

    def _on_index_chosen(self, _: str) -> None:
        if self._asked is not None:
            self.ask(self._asked)

    def ask(self, picture: Path | int) -> None:
        """Find the look-alikes of a photograph of the library, or of any file."""
        self._asked = picture
        index = self._head.index()

        def work(_: Progress) -> tuple[SearchResult, list[Photograph]]:
            result = search(self._library, [picture], [index], HITS).results[0]
            return result, photographs(self._library, [hit.id for hit in result.hits])

        self._jobs.start("search", work, self._show_result)

    def _show_result(self, answer: tuple[SearchResult, list[Photograph]]) -> None:
        result, found = answer
        by_id = {one.id: one for one in found}
        hits = [(rank, hit, by_id[hit.id]) for rank, hit in enumerate(result.hits, 1) if hit.id in by_id]
        self._grid.photographs.show_items([Item(one, rank, hit.similarity, hit.query) for rank, hit, one in hits])
        self._views.setCurrentIndex(0)
        self._head.show_query(Path(result.query).name, f"{result.timing()} {result.note}".strip())
        own = next((one for _, hit, one in hits if hit.query), None)
        self._jobs.start("query", lambda _: self._query_image(own, result.query), self._head.show_image)
        self._grid.setCurrentIndex(self._grid.photographs.index(0))
        self._grid.setFocus()

    def _query_image(self, own: Photograph | None, path: str) -> bytes:
        if own is not None:
            return self._library.thumbnails.get(own.content_hash) or b""
        return Path(path).read_bytes()

    # --- thumbnails --------------------------------------------------------------------------------------------------

    def _on_thumbnail_wanted(self, content_hash: bytes) -> None:
        self._wanted.append(content_hash)
        if not self._load_soon.isActive():
            self._load_soon.start()

    def _load_thumbnails(self) -> None:
        wanted, self._wanted = self._wanted, []
        topic = f"thumbnails {wanted[0].hex()}"  # a topic of its own: a later load must not take its place
        work = self._library.thumbnails.get_many
        self._jobs.start(topic, lambda _: work(wanted), self._grid.photographs.take_thumbnails)

    # --- adding ------------------------------------------------------------------------------------------------------

    def _on_add(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, "Add a folder of photographs")
        if folder:
            self.add_folders([Path(folder)])

    def add_folders(self, folders: list[Path]) -> None:
        """Add folders in the background."""
        self._show_busy(True)
        self._jobs.start("add", lambda progress: add(self._library, folders, progress), self._on_added)

    def _on_added(self, result: AddResult) -> None:
        self._show_busy(False)
        problems = f"; {result.problems:,} files could not be read" if result.problems else ""
        stopped = "; stopped, what is done is kept" if result.cancelled else ""
        self.statusBar().showMessage(f"{result.added:,} photographs are new{problems}{stopped}.")
        self._refresh()

    def _on_stop(self) -> None:
        self._jobs.cancel("add")

    def _on_progressed(self, topic: str, done: float, total: float, text: str) -> None:
        if topic == "add":
            self._bar.setValue(round(1000 * done / total) if total else 0)
            self.statusBar().showMessage(text)

    def _on_failed(self, topic: str, sentence: str, next_step: str) -> None:
        if topic == "add":
            self._show_busy(False)
        self.statusBar().showMessage(f"{sentence} {next_step}")

    def _show_busy(self, busy: bool) -> None:
        self._bar.setVisible(busy)
        self._stop.setVisible(busy)

    # --- Qt's events -------------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 (Qt's name)
        """Take files and folders."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 (Qt's name)
        """Add folders; search with a picture."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        folders = [path for path in paths if path.is_dir()]
        if folders:
            self.add_folders(folders)
        elif paths:
            self.ask(paths[0])

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 (Qt's name)
        """Stop what runs; what is done is kept."""
        self.finish()
        super().closeEvent(event)

    def finish(self) -> None:
        """Stop the work behind the window, and wait until it has stopped."""
        self._jobs.finish()
