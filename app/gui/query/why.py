"""Why this match: the two pictures, the codes' bits, the colours, and the photograph's facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.gui.query.code_bits import CodeBits
from app.gui.query.colours import ColourOverlay
from app.gui.query.facts import fact_lines
from app.gui.query.pair import Line, Pair
from app.gui.query.words import Heading, Sentence
from app.gui.theme import theme

if TYPE_CHECKING:
    from app.browsing import Photograph
    from app.explaining import CodeAgreement, Explanation


class WhyPanel(QScrollArea):
    """Why this photograph was found. Sections that have nothing to show are not there."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Why this match"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._body = QWidget()
        self._body.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        self._pair = Pair()
        self._nothing = Sentence(self.tr("Choose a result to see why it is there."))
        self._similarity = Sentence()
        self._joined = Sentence()
        self._code_heading = Heading()
        self._bits = CodeBits()
        self._code_words = Sentence()
        self._code_tells = Sentence()
        self._colour_heading = Heading(self.tr("Colours"))
        self._colours = ColourOverlay()
        self._colour_words = Sentence()
        self._facts_heading = Heading(self.tr("Photograph"))
        self._facts = [Sentence() for _ in range(4)]
        column = QVBoxLayout(self._body)
        column.setContentsMargins(16, 16, 14, 16)
        column.setSpacing(8)
        column.addWidget(Heading(self.tr("Why this match")))
        for first in (self._nothing, self._pair, self._joined, self._similarity):
            column.addWidget(first)
        for heading, widgets in (
            (self._code_heading, (self._bits, self._code_words, self._code_tells)),
            (self._colour_heading, (self._colours, self._colour_words)),
            (self._facts_heading, tuple(self._facts)),
        ):
            column.addSpacing(8)
            column.addWidget(heading)
            for widget in widgets:
                column.addWidget(widget)
        column.addStretch()
        self.setWidget(self._body)
        self.clear()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """As in a column at the right of the window."""
        return QSize(296, 640)

    def clear(self) -> None:
        """Nothing is chosen."""
        self.set_explanation(None, None, None)
        self.set_facts(None)

    def set_explanation(
        self, explanation: Explanation | None, query_jpeg: bytes | None, hit_jpeg: bytes | None
    ) -> None:
        """Show why; without an explanation only the pictures, without pictures a hint."""
        self._pair.set_pictures(query_jpeg, hit_jpeg)
        self._pair.setVisible(bool(query_jpeg or hit_jpeg))
        self._nothing.setVisible(explanation is None and not hit_jpeg)
        self.set_lines(())
        self._similarity.setVisible(explanation is not None)
        if explanation is not None:
            self._similarity.say(
                self.tr("Similarity **{similarity}** by the exact measure ({measure}), distance {distance}").format(
                    similarity=f"{explanation.similarity:.2f}".replace("-", "−"),
                    distance=f"{explanation.distance:.3f}",
                    measure=explanation.measure,
                )
            )
        self._show_code(explanation.code if explanation else None)
        self._show_colours(explanation)

    def set_lines(self, lines: Sequence[Line], keypoints: int | None = None) -> None:
        """Join places of both pictures that agree with one geometry, of so many keypoints."""
        self._pair.set_lines(lines)
        self._joined.setVisible(bool(lines))
        if keypoints is None:
            self._joined.say(self.tr("**{count}** keypoints agree with one geometry").format(count=f"{len(lines):,}"))
        else:
            self._joined.say(
                self.tr("**{count} of {all}** keypoints agree with one geometry").format(
                    count=f"{len(lines):,}", all=f"{keypoints:,}"
                )
            )

    def set_facts(self, photograph: Photograph | None) -> None:
        """Show a photograph's name, date, camera, size and folder."""
        lines = [] if photograph is None else [photograph.name, *fact_lines(photograph), photograph.folder]
        self._facts_heading.setVisible(bool(lines))
        for number, label in enumerate(self._facts):
            label.setVisible(number < len(lines))
            label.tell(lines[number] if number < len(lines) else "", loud=number == 0)

    def _show_code(self, code: CodeAgreement | None) -> None:
        for widget in (self._code_heading, self._bits, self._code_words, self._code_tells):
            widget.setVisible(code is not None)
        if code is None:
            return
        self._code_heading.setText(self.tr("Code, {bits} bits").format(bits=f"{code.bits:,}"))
        self._bits.set_bits(code.differ)
        if code.estimate is None:
            words = self.tr("**{count}** bits differ").format(count=f"{code.hamming:,}")
        else:
            words = self.tr("**{count}** bits differ · estimated {what} **{estimate}**").format(
                count=f"{code.hamming:,}", what=code.estimate_of, estimate=f"{code.estimate:.2f}".replace("-", "−")
            )
        self._code_words.say(words)
        self._code_tells.setVisible(code.estimate is None and bool(code.sentence))
        self._code_tells.say(code.sentence)
        self._bits.setToolTip(code.sentence)

    def _show_colours(self, explanation: Explanation | None) -> None:
        bins = explanation.colours if explanation else None
        for widget in (self._colour_heading, self._colours, self._colour_words):
            widget.setVisible(bins is not None)
        if bins is not None and explanation is not None:
            self._colours.set_colours(bins)
            overlap = explanation.overlap
            shared = self.tr("**{share} %** of the colours are shared: above what was asked, below this photograph")
            self._colour_words.say("" if overlap is None else shared.format(share=round(100 * overlap)))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Keep the width of what is shown, whether there is a scroll bar or not: nothing jumps."""
        super().resizeEvent(event)
        self._body.setFixedWidth(self.width())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paper behind it all."""
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), QColor(theme().paper))
        painter.end()
        super().paintEvent(event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint again in other colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.viewport().update()
