"""The window of notices: the parts of the program at the left; version and licence texts of one at the right."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QDialog, QLabel, QPlainTextEdit, QWidget

from twinlens.app.gui.guide.guide_window import FilteredList
from twinlens.app.gui.look.page_parts import column_of, label, row_of
from twinlens.app.gui.process.jobs import Jobs
from twinlens.app.language.texts import _
from twinlens.app.notices import Notices, ProgramPart

_SIZE = QSize(1080, 760)
_MARGIN = 24


class NoticesWindow(QDialog):
    """The window of the notices; the main window stays usable.

    Parameters
    ----------
    jobs : Jobs
        Read the notices.
    """

    def __init__(self, jobs: Jobs, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(_("About Twinlens"))
        self.setAccessibleName(_("About Twinlens"))
        self.setProperty("role", "sheet")
        self._notices = Notices(parts=[])
        self._side = FilteredList(_("About Twinlens"), _("Name or licence of a part"), _("Parts"), self)
        self._side.sought.connect(lambda __: self._fill())
        self._side.chosen.connect(self._show)
        self._name = label("", "title", wrap=True)
        self._facts = label("", "quiet", wrap=True)
        self._facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text = QPlainTextEdit()
        self._text.setReadOnly(True)
        self._text.setTabChangesFocus(True)
        self._text.setAccessibleName(_("Licence texts"))
        self._text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        column = column_of(self._name, self._facts, (self._text, 1), gap=8, margins=(24, 20, 24, 24))
        row_of(self._side, (column, 1), on=self, gap=0, margins=0)
        self.resize(_SIZE.boundedTo(parent.window().size() - QSize(2 * _MARGIN, 2 * _MARGIN)))
        self._side.setFocus()
        jobs.begin(lambda __: _read()).then(self._on_read)

    def listed(self) -> list[ProgramPart]:
        """Return the listed parts."""
        return [self._notices.parts[int(name)] for name in self._side.names()]

    def _on_read(self, notices: Notices) -> None:
        self._notices = notices
        self._fill()

    def _fill(self) -> None:
        """List the parts whose name or licence contains all words."""
        words = self._side.words().casefold().split()
        self._side.fill(
            [
                (str(place), f"{part.name} {part.version}".strip())
                for place, part in enumerate(self._notices.parts)
                if all(word in f"{part.name} {part.licence} {part.within}".casefold() for word in words)
            ]
        )

    def _show(self) -> None:
        name = self._side.current()
        if not name:
            _say(self._name, _("No part has all of these words.") if self._notices.parts else "")
            _say(self._facts, "")
            self._text.clear()
            return
        part = self._notices.parts[int(name)]
        facts = [_("Licence: {licence}", licence=part.licence)]
        if part.within:
            facts.append(_("Comes with {name}", name=part.within))
        if part.home:
            facts.append(part.home)
        if part.source:
            facts.append(_("Source code: {address}", address=part.source))
        _say(self._name, f"{part.name} {part.version}".strip())
        _say(self._facts, "\n".join(facts))
        texts = [f"{text.title}\n\n{text.text.rstrip()}" for text in self._notices.texts(part)]
        self._text.setPlainText("\n\n\n".join(texts))


def _read() -> Notices:
    from twinlens.app.notices import read_notices

    return read_notices()


def _say(where: QLabel, words: str) -> None:
    where.setText(words)
    where.setVisible(bool(words))
