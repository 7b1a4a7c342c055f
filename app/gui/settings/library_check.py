"""The check of the library and the repair of what can be repaired: its card on the page of settings.

And the job that does it.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout

from app.gui.look.page_parts import PageCard, button, label
from app.gui.process.jobs import Failure, Jobs
from app.gui.process.open_library import OpenLibrary
from app.language.texts import _, _n, remedy_text, text
from app.library.library_results import CheckResult
from core.errors import Remedy
from core.message import Message
from core.progress import Progress


class LibraryCheck(QObject):
    """Controls the card of the check.

    Parameters
    ----------
    card : CheckCard
    jobs : Jobs
    opened : Opened
    parent : QObject
    """

    def __init__(self, card: CheckCard, opened: OpenLibrary, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._card = card
        self._jobs = jobs
        self._checking = self._jobs.latest()
        self._opened = opened
        card.check_wanted.connect(lambda: self._start(repair=False))
        card.repair_wanted.connect(lambda: self._start(repair=True))
        card.stop_wanted.connect(self._checking.cancel)

    def _start(self, repair: bool) -> None:
        opened = self._opened

        def work(progress: Progress) -> CheckResult:
            from app.library.maintenance import check_library, repair_library

            return (repair_library if repair else check_library)(opened.library, progress)

        self._card.show_running(_("Repairing the library…") if repair else _("Checking the library…"))
        self._checking.begin(work).then(self._card.show_result).failed(self._on_failed).stopped(
            self._card.show_nothing
        ).progressed(self._on_progressed)

    def _on_progressed(self, done: float, total: float, doing: Message) -> None:
        if total > 0:
            self._card.show_running(_("{share:.0%} · {doing}", share=done / total, doing=doing))

    def _on_failed(self, failure: Failure) -> None:
        self._card.show_nothing()
        self._jobs.failed.emit(failure)


_SHOWN = 12  # findings; the command line lists all


class CheckCard(PageCard):
    """Shows what a check of the library has found.

    Signals
    -------
    check_wanted, repair_wanted, stop_wanted
        A button was pressed.
    """

    check_wanted = Signal()
    repair_wanted = Signal()
    stop_wanted = Signal()

    def __init__(self) -> None:
        super().__init__("")
        self.column.addWidget(label(_("Check the library"), "name"))
        self._line = label("", wrap=True)
        self._findings = label("", "help", wrap=True)
        # Names of photographs and indexes stand in it: they are text, whatever they look like.
        for one in (self._line, self._findings):
            one.setTextFormat(Qt.TextFormat.PlainText)
        self.check_button = button(_("Check"), _("Check the library"))
        self.repair_button = button(_("Repair"), _("Repair what can be repaired"))
        self.stop_button = button(_("Stop"), _("Stop checking"))
        self.check_button.clicked.connect(self.check_wanted)
        self.repair_button.clicked.connect(self.repair_wanted)
        self.stop_button.clicked.connect(self.stop_wanted)
        self.column.addWidget(self._line)
        self.column.addWidget(self._findings)
        row = QHBoxLayout()
        row.addStretch()
        for pressed in (self.stop_button, self.repair_button, self.check_button):
            row.addWidget(pressed)
        self.column.addLayout(row)
        self.show_nothing()

    def show_nothing(self) -> None:
        """Show what a check does."""
        self._show(_("Twinlens reads everything it has stored and finds what is damaged."))

    def show_running(self, line: str) -> None:
        """Show how far a check is."""
        self._show(line, running=True)

    def show_result(self, result: CheckResult) -> None:
        """Show what was found, and what was repaired."""
        if result.findings:
            line = _n("Damaged or incomplete: {count}", "Damaged or incomplete: {count}", len(result.findings))
        elif result.repaired and not result.kept:
            line = _("Repaired.")
        elif result.repaired:
            line = _("Repaired. The library as it was before is kept in {kept}.", kept=result.kept)
        else:
            line = _("The library is whole.")
        lines = [text(finding) for finding in result.findings[:_SHOWN]]
        if len(result.findings) > _SHOWN:
            lines.append("…")
        if result.repairable < len(result.findings):
            lines.append(remedy_text(Remedy("restore backup")))
        self._show(line, "\n".join(lines), repairable=result.repairable > 0)

    def said(self) -> str:
        """Return what stands on it."""
        return f"{self._line.text()}\n{self._findings.text()}"

    def _show(self, line: str, findings: str = "", repairable: bool = False, running: bool = False) -> None:
        self._line.setText(line)
        self._findings.setText(findings)
        self._findings.setVisible(bool(findings))
        self.repair_button.setVisible(repairable)
        self.stop_button.setVisible(running)
        self.check_button.setEnabled(not running)
