"""The panel that explains a result: both pictures, the bits of their codes, their colours, and facts of the photo."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QImage, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QToolTip, QWidget

from twinlens.app.gui.look.buttons import Link
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.labels import Heading, Sentence
from twinlens.app.gui.look.page_parts import column_of, surface
from twinlens.app.gui.look.theme import theme
from twinlens.app.gui.marks.mark_controls import MarksSection
from twinlens.app.gui.pictures.photograph import PhotographFacts
from twinlens.app.gui.search.match_pictures import Line, MatchPair, PictureBox
from twinlens.app.gui.search.search_results import match_words
from twinlens.app.language.texts import _, _n, current_language, number, text

if TYPE_CHECKING:
    from twinlens.app.library.browsing.photographs import Photograph
    from twinlens.app.library.browsing.shown_concepts import ShownConcept
    from twinlens.app.search.explanation import CodeAgreement, Explanation, MatchLines


class ExplanationPanel(QScrollArea):
    """Explanation of a result; empty sections are hidden.

    Signals
    -------
    lines_shown(bool)
        The person shows the lines between what agrees, or hides them.
    large_wanted()
        Both pictures should be shown large.
    """

    lines_shown = Signal(bool)
    large_wanted = Signal()

    _in_detail = False
    _told: tuple[Explanation | None, bytes | None, bytes | None, PictureBox | None] = (None, None, None, None)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "paper")
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(_("Why this result"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._body = QWidget()
        self._body.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        self._pair = MatchPair()
        self._nothing = Sentence(_("Choose a result to see why it was found."))
        self._similarity, self._shown = Sentence(), Sentence()
        self._pair.pressed.connect(self.large_wanted)
        self._joined = Sentence()
        self._toggle = Link("")
        self._toggle.setCheckable(True)
        self._toggle.setChecked(True)
        self._toggle.toggled.connect(self._on_toggled)
        self._large = Link(_("enlarge"))
        self._large.setToolTip(_("Enlarge both photos with the lines"))
        self._large.clicked.connect(self.large_wanted)
        links = FlowLayout(line_gap=0)
        for link in (self._toggle, self._large):
            links.addWidget(link)
        self.marks = MarksSection()
        self._code_heading = Heading()
        self._bits = CodeBits()
        self._code_words, self._code_tells = Sentence(), Sentence()
        self._colour_heading = Heading(_("Colours"))
        self._colours = ColourOverlay()
        self._colour_words = Sentence()
        self._facts = PhotographFacts()
        column = column_of(
            Heading(_("Why this result")),
            self._nothing,
            self._pair,
            self._joined,
            links,
            self._shown,
            self._similarity,
            self.marks,
            on=self._body,
            gap=8,
            margins=(16, 16, 14, 16),
        )
        for heading, widgets in (
            (self._code_heading, (self._bits, self._code_words, self._code_tells)),
            (self._colour_heading, (self._colours, self._colour_words)),
        ):
            column.addSpacing(8)
            column.addWidget(heading)
            for widget in widgets:
                column.addWidget(widget)
        column.addSpacing(8)
        column.addWidget(self._facts)
        column.addStretch()
        self.setWidget(self._body)
        self._sentence = ""
        self.show_lines(True)
        self.clear()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the usual width of the right column."""
        return QSize(296, 640)

    def clear(self) -> None:
        """Show that nothing is chosen."""
        self.set_explanation(None, None, None)
        self.set_facts(None)

    def set_explanation(
        self,
        explanation: Explanation | None,
        query_jpeg: bytes | None,
        result_jpeg: bytes | None,
        part: PictureBox | None = None,
    ) -> None:
        """Show an explanation; without one only the pictures, without pictures a hint.

        Parameters
        ----------
        query_jpeg, hit_jpeg : bytes or None
        part : PictureBox, optional
            The part of the query's picture, if not all of it.
        """
        self._told = explanation, query_jpeg, result_jpeg, part
        self._pair.set_pictures(query_jpeg, result_jpeg, part)
        self._pair.setVisible(bool(query_jpeg or result_jpeg))
        self._nothing.setVisible(explanation is None and not result_jpeg)
        self._show_match(explanation.match if explanation is not None else None)
        self._similarity.setVisible(explanation is not None and self._in_detail)
        if explanation is not None:
            self._similarity.say(
                _(
                    "Similarity **{similarity}** · distance {distance:.3f} ({measure})",
                    similarity=_signed(explanation.similarity),
                    distance=explanation.distance,
                    measure=explanation.measure,
                )
            )
        shown = [] if explanation is None else explanation.shown
        self._shown.setVisible(bool(shown))
        self._shown.say(_("It shows {concepts}.", concepts=", ".join(map(_concept_words, shown))))
        self._show_code(explanation.code if explanation and self._in_detail else None)
        self._show_colours(explanation)

    def _show_match(self, match: MatchLines | None) -> None:
        """Show the matching points of both pictures."""
        lines = [] if match is None else list(zip(match.query.tolist(), match.result.tolist(), strict=True))
        self._pair.set_lines([((a, b), (c, d)) for (a, b), (c, d) in lines])
        self._joined.setVisible(match is not None)
        self._toggle.setVisible(bool(lines))
        self._large.setVisible(bool(lines))
        self._sentence = "" if match is None else match_words(match.inliers, match.mirrored, match.inverted, loud=True)
        self._joined.say(self._sentence)

    def show_detail(self, in_detail: bool) -> None:
        """Show the similarity and the code, too."""
        self._in_detail = in_detail
        self.set_explanation(*self._told)

    def shows_lines(self) -> bool:
        """Return whether lines are shown."""
        return self._toggle.isChecked()

    def show_lines(self, shown: bool) -> None:
        """Show or hide the lines between matching points."""
        self._toggle.setChecked(shown)
        self._on_toggled(shown)

    def _on_toggled(self, shown: bool) -> None:
        words = _("hide the lines") if shown else _("show the lines")
        self._toggle.setText(words)
        self._toggle.setAccessibleName(words)
        self._pair.show_lines(shown)
        self.lines_shown.emit(shown)

    def match(self) -> tuple[tuple[QPixmap, QPixmap], tuple[Line, ...], str, bool]:
        """Return both pictures, the lines, the text, and whether lines are shown, to enlarge them."""
        return self._pair.pictures(), self._pair.all_lines(), self._sentence, self._toggle.isChecked()

    def set_facts(self, photograph: Photograph | None) -> None:
        """Show a photograph's name, date, camera, size and folder."""
        self._facts.show_photograph(photograph)

    def _show_code(self, code: CodeAgreement | None) -> None:
        for widget in (self._code_heading, self._bits, self._code_words, self._code_tells):
            widget.setVisible(code is not None)
        if code is None:
            return
        self._code_heading.setText(_n("Code, {count} bit", "Code, {count} bits", code.bits))
        self._bits.set_bits(code.differ)
        if code.estimate is None:
            words = _n("**{count}** bit differs", "**{count}** bits differ", code.hamming)
        else:
            words = _n(
                "**{count}** bit differs · estimated {what} **{estimate}**",
                "**{count}** bits differ · estimated {what} **{estimate}**",
                code.hamming,
                what=code.estimate_of,
                estimate=_signed(code.estimate),
            )
        self._code_words.say(words)
        self._code_tells.setVisible(code.estimate is None and bool(code.sentence))
        self._code_tells.say(text(code.sentence))
        self._bits.setToolTip(text(code.sentence))

    def _show_colours(self, explanation: Explanation | None) -> None:
        bins = explanation.colours if explanation else None
        for widget in (self._colour_heading, self._colours, self._colour_words):
            widget.setVisible(bins is not None)
        if bins is not None and explanation is not None:
            self._colours.set_colours(bins)
            overlap = explanation.overlap
            shared = (
                ""
                if overlap is None
                else _("**{share:.0%}** of the colours are shared (above: your photo)", share=overlap)
            )
            self._colour_words.say(shared)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Keep the width with and without a scroll bar, so that nothing jumps."""
        super().resizeEvent(event)
        self._body.setFixedWidth(self.width())


def _concept_words(shown: ShownConcept) -> str:
    """Write something that a photograph shows with its probability: "**castle** 91 %"."""
    share = number(shown.probability, ".0%")
    return f"**{shown.concept.name(current_language())}** {share}"


def _signed(value: float) -> str:
    """Write a number with two decimals and a typographic minus."""
    return number(value, ".2f").replace("-", "−")


_PITCHES = (8, 7, 6, 5, 4, 3, 2, 1)  # px from bit to bit
_HIGHEST = 128


class CodeBits(QWidget):
    """A field of squares, one per bit: accent where both codes agree, orange where they differ."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._differ: npt.NDArray[np.bool_] = np.empty(0, np.bool_)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_bits(self, differ: Sequence[bool]) -> None:
        """Show which bits differ, in the order of the code."""
        self._differ = np.asarray(differ, np.bool_)
        total = len(self._differ)
        self.setAccessibleName(_("{differing} of {total} bits differ", differing=int(self._differ.sum()), total=total))
        self.setFixedHeight(self.heightForWidth(self.width()))
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the height for the width."""
        return QSize(256, self.heightForWidth(self.width() or 256))

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        """Return the height of all rows."""
        pitch, columns = self._grid(width)
        return -(-len(self._differ) // columns) * pitch

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Take the height for the width."""
        super().resizeEvent(event)
        self.setFixedHeight(self.heightForWidth(self.width()))

    def _grid(self, width: int) -> tuple[int, int]:
        """Return the distance between bits, and their number in a row: whole bytes, if they fit."""
        for pitch in _PITCHES:
            columns = max(1, (width + (pitch > 2)) // pitch)  # no gap after the last
            columns = columns // 8 * 8 or columns
            if -(-len(self._differ) // columns) * pitch <= _HIGHEST:
                break
        return pitch, columns

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the squares."""
        now = theme()
        pitch, columns = self._grid(self.width())
        gap = 1 if pitch > 2 else 0
        same, other = QColor(now.accent), QColor(now.warn)
        painter = QPainter(self)
        if pitch > 2:
            for bit, differs in enumerate(self._differ.tolist()):
                row, column = divmod(bit, columns)
                square = QRect(column * pitch, row * pitch, pitch - gap, pitch - gap)
                painter.fillRect(square, other if differs else same)
        elif len(self._differ):
            rows = -(-len(self._differ) // columns)
            field = np.zeros(rows * columns, np.uint32)
            field[: len(self._differ)] = np.where(self._differ, other.rgba(), same.rgba())
            pixels = field.tobytes()
            image = QImage(pixels, columns, rows, 4 * columns, QImage.Format.Format_ARGB32)
            painter.drawImage(QRect(0, 0, columns * pitch, rows * pitch), image)
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Show the bit under the pointer in a tooltip."""
        if isinstance(event, QHelpEvent):
            pitch, columns = self._grid(self.width())
            column = event.pos().x() // pitch
            bit = event.pos().y() // pitch * columns + column
            if column < columns and 0 <= bit < len(self._differ):
                differs = self._differ[bit]
                words = _("Bit {bit} differs", bit=bit + 1) if differs else _("Bit {bit} agrees", bit=bit + 1)
                QToolTip.showText(event.globalPos(), words, self)
                return True
        return super().event(event)


Bin = tuple[str, float, float]
"""Colour as ``#rrggbb``, its share of the query, its share of the result."""

_HEIGHT = 88
_LEAST = 0.003  # what neither picture has more of is left out
_WIDEST = 16.0  # a column, px


class ColourOverlay(QWidget):
    """A column for each colour: upwards its share of the query, downwards its share of the result.

    What both have is full, what only one has is pale. Heights are square roots of shares, as the measure compares
    them.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bins: tuple[Bin, ...] = ()
        self.setFixedHeight(_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Colours of both pictures, over each other"))
        self.setToolTip(_("Above the line: your photo. Below: this photo. Full: both have it; pale: only one has."))

    def set_colours(self, bins: Sequence[Bin]) -> None:
        """Show the shares of the colours."""
        self._bins = tuple(one for one in bins if max(one[1], one[2]) >= _LEAST)
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the one height."""
        return QSize(256, _HEIGHT)

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the columns."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = self.height() / 2
        if self._bins:
            highest = sqrt(max(one[1] for one in self._bins))
            lowest = sqrt(max(one[2] for one in self._bins))
            scale = (self.height() - 1) / (highest + lowest)
            middle = round(highest * scale)  # the line lies where both ways have the room they need
            width = min(_WIDEST, self.width() / len(self._bins))
            for place, (rgb, of_query, of_result) in enumerate(self._bins):
                up, down = (scale * sqrt(share) for share in (of_query, of_result))
                column = QRectF(place * width, middle - up, width - (1 if width > 3 else 0), up + down)
                self._draw_column(painter, column, QColor(rgb), middle, min(up, down))
        painter.fillRect(QRectF(0, middle - 0.5, self.width(), 1), QColor(now.paper))
        painter.end()

    def _draw_column(self, painter: QPainter, column: QRectF, colour: QColor, middle: float, both: float) -> None:
        pale = QColor(colour)
        pale.setAlphaF(0.4)
        shared = QRectF(column.left(), middle - both, column.width(), 2 * both)
        painter.fillRect(QRectF(column.topLeft(), shared.topRight()), pale)
        painter.fillRect(QRectF(shared.bottomLeft(), column.bottomRight()), pale)
        painter.fillRect(shared, colour)
        if _faint(colour, QColor(theme().paper)):
            painter.setPen(QPen(QColor(theme().line), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(column.adjusted(0.5, 0.5, -0.5, -0.5))


def _faint(colour: QColor, paper: QColor) -> bool:
    """Return whether a colour is hard to see on paper."""
    return abs(colour.lightnessF() - paper.lightnessF()) < 0.15
