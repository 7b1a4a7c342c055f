"""The card that checks the library, and repairs what can be repaired."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout

from app.gui.look.page_parts import PageCard, button, label
from app.language.spoken import _, _n, remedy_text, text
from app.library.results import CheckResult
from core.errors import Remedy

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
