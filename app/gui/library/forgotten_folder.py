"""Folders that were forgotten: gone from the library at once, and back by one click until the program closes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.gui.frame.notice import Notice
from app.gui.frame.opened import Opened
from app.gui.frame.undo import Undoing
from app.gui.library.adding_controller import AddingControl
from app.gui.process.jobs import Jobs
from app.language.spoken import _, _n
from core.progress import Progress

if TYPE_CHECKING:
    from app.library.forgetting import Forgotten


class Forgetting(QObject):
    """Forgets folders, says how many photographs that were, and brings them back, the last one first.

    Parameters
    ----------
    adding : AddingControl
        In whose turn it happens.
    undoing : Undoing
        What the undo key asks.
    notice : Notice
        Where it is said and can be undone.
    jobs : Jobs
    parent : QObject
    """

    def __init__(self, adding: AddingControl, undoing: Undoing, notice: Notice, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._adding, self._undoing, self._notice, self._jobs = adding, undoing, notice, jobs
        self._opened: Opened | None = None
        self._gone: list[Forgotten] = []
        notice.agreed.connect(self.undo)

    def take(self, opened: Opened) -> None:
        """Forget folders of this library from now on; what a killed window had forgotten can still come back."""
        self._opened = opened
        self._gone = []
        self._show()

        def work(__: Progress) -> list[Forgotten]:
            from app.library.forgetting import forgotten

            return forgotten(opened.library)

        self._jobs.start("forgotten", work, self._on_found)

    def _on_found(self, gone: list[Forgotten]) -> None:
        self._gone = [*gone, *self._gone]
        if gone:
            self._show()

    def forget(self, folder: str) -> None:
        """Take a folder out of the library."""
        opened = self._opened
        if opened is None:
            return

        def work(__: Progress) -> Forgotten:
            from app.library.forgetting import forget_for_now

            return forget_for_now(opened.library, Path(folder))

        self._adding.run(_("Removing {name} from the library…", name=Path(folder).name), work, self._on_forgotten)

    def _on_forgotten(self, gone: Forgotten) -> None:
        self._gone.append(gone)
        self._show()

    def undo(self) -> None:
        """Bring back the folder that was forgotten last."""
        opened = self._opened
        if opened is None or not self._gone:
            return
        last = self._gone.pop()
        self._show()

        def work(progress: Progress) -> int:
            from app.library.forgetting import bring_back

            return bring_back(opened.library, last.number, progress)

        def then(photographs: int) -> None:
            words = _n(
                "“{folder}” is back in the library, with {count} photo.",
                "“{folder}” is back in the library, with {count} photos.",
                photographs,
                folder=Path(last.folder).name,
            )
            self._adding.tell(words)

        self._adding.run(_("Bringing back {name}…", name=Path(last.folder).name), work, then)

    def _show(self) -> None:
        self._undoing.offer_always(self.undo if self._gone else None)
        if not self._gone:
            self._notice.hide()
            return
        last = self._gone[-1]
        words = _n(
            "“{folder}” and its {count} photo are no longer in the library. The file is untouched.",
            "“{folder}” and its {count} photos are no longer in the library. The files are untouched.",
            last.photographs,
            folder=Path(last.folder).name,
        )
        later = _("You can undo this until you close Twinlens.")
        self._notice.ask(f"{words} {later}", _("Undo"), _("Close"), focus=False)
