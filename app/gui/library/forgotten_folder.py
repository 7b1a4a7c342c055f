"""Forgotten folders leave the library at once; one click brings them back until the program closes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.gui.services.services import WorkspaceServices
from app.language.texts import _, _n
from core.progress import Progress

if TYPE_CHECKING:
    from app.library.ingest.adding import ForgottenFolder


class ForgottenFolders(QObject):
    """Forgets folders, reports the number of photographs, and brings folders back, the last one first."""

    def __init__(self, window: WorkspaceServices) -> None:
        super().__init__(window.widget)
        self._adding, self._undoing, self._jobs = window.adding, window.undoing, window.jobs
        self._opened = window.opened
        window.side.forget_wanted.connect(self.forget)
        self._look_up()

    def _look_up(self) -> None:
        """Find folders that a killed window had forgotten, which can still come back."""
        opened = self._opened

        def work(__: Progress) -> list[ForgottenFolder]:
            from app.library.ingest.adding import forgotten

            return forgotten(opened.library)

        self._jobs.begin(work).then(self._on_found)

    def _on_found(self, gone: list[ForgottenFolder]) -> None:
        for one in gone:
            self._offer(one)

    def forget(self, folder: str) -> None:
        """Remove a folder from the library."""
        opened = self._opened

        def work(__: Progress) -> ForgottenFolder:
            from app.library.ingest.adding import forget_for_now

            return forget_for_now(opened.library, Path(folder))

        self._adding.run(_("Removing {name} from the library…", name=Path(folder).name), work, self._on_forgotten)

    def _on_forgotten(self, gone: ForgottenFolder) -> None:
        self._offer(gone)

    def _offer(self, gone: ForgottenFolder) -> None:
        words = _n(
            "“{folder}” and its {count} photo are no longer in the library. The file is untouched.",
            "“{folder}” and its {count} photos are no longer in the library. The files are untouched.",
            gone.photographs,
            folder=Path(gone.folder).name,
        )
        self._undoing.offer(words, lambda: self._bring_back(gone), lambda: self.forget(gone.folder))

    def _bring_back(self, gone: ForgottenFolder) -> None:
        opened = self._opened

        def work(progress: Progress) -> int:
            from app.library.ingest.adding import bring_back

            return bring_back(opened.library, gone.number, progress)

        def then(photographs: int) -> None:
            words = _n(
                "“{folder}” is back in the library, with {count} photo.",
                "“{folder}” is back in the library, with {count} photos.",
                photographs,
                folder=Path(gone.folder).name,
            )
            self._adding.tell(words)

        self._adding.run(_("Bringing back {name}…", name=Path(gone.folder).name), work, then)
