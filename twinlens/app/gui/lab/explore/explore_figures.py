"""Figures of a setting in words, with a sign before provisional ones, and the spectrum of a kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from twinlens.app.gui.look.labels import small, strong
from twinlens.app.gui.look.theme import grown, theme
from twinlens.app.lab.figures.figure import Axis, Figure, Marker, Series
from twinlens.app.language.texts import _, number
from twinlens.core.message import Message, joined

if TYPE_CHECKING:
    from twinlens.app.gui.compare.board_layout import RankedTile
    from twinlens.app.lab.explore.explorer import ExplorerReading
    from twinlens.app.lab.explore.knobs import Knob, KnobSetting
    from twinlens.app.lab.explore.sample_codes import Reduction


def value_words(value: Any) -> str:
    """Return a value of a parameter in words."""
    if value is None:
        return _("none")
    if isinstance(value, bool):
        return _("on") if value else _("off")
    if isinstance(value, int):
        return number(value)
    if isinstance(value, float):
        return number(value, ".4g")
    return str(value)


def share_words(value: float | None) -> str:
    """Return a share with three digits; a dash for none."""
    return "–" if value is None else number(value, ".3f")


def found_words(query: RankedTile | None, results: Sequence[RankedTile], reading: ExplorerReading) -> str:
    """Return how many of the true neighbours one query finds, with a sign while provisional."""
    if query is None:
        return ""
    right = sum(1 for result in results if result.agrees)
    words = _("**{right}** of the true {hits} · the query is {name}", right=right, hits=len(results), name=query.name)
    return words if reading.exact else _("{found} · provisional", found=words)


def reduced_words(reduced: Sequence[Reduction]) -> str:
    """Return how a reading is approximate: ``24 of 100 questions, 256 of 1,000 landmarks``."""

    def words(what: str, used: int, of: int) -> str:
        return {
            "questions": _("{used} of {of} queries", used=used, of=of),
            "landmarks": _("{used} of {of} landmarks", used=used, of=of),
            "items": _("learned from {used} of {of} photos", used=used, of=of),
            "turns": _("{used} of {of} turns", used=used, of=of),
        }[what]

    return ", ".join(words(one.what, one.used, one.of) for one in reduced)


def moved_words(knob: Knob, before: KnobSetting, after: KnobSetting, was: ExplorerReading, now: ExplorerReading) -> str:
    """Return the effect of a change: ``64 → 16: recall@10 .740 → .610, bytes unchanged``."""
    old, new = value_words(before.value(knob.path)), value_words(after.value(knob.path))
    first, then = was.values, now.values
    changes = [
        _("recall@10 {old} → {new}", old=share_words(first.get("recall@10")), new=share_words(then.get("recall@10")))
    ]
    if knob.path.startswith("search."):
        shares = {"old": share_words(first.get("overlap@10")), "new": share_words(then.get("overlap@10"))}
        changes = [
            _("overlap@10 {old} → {new}", **shares),
            _("looks at {old:,.0f} → {new:,.0f}", old=first["looked_at"], new=then["looked_at"]),
        ]
    elif first["bytes each"] != then["bytes each"]:
        changes.append(_("{old} → {new} bytes a code", old=first["bytes each"], new=then["bytes each"]))
    elif was.captured is not None and now.captured is not None and abs(was.captured - now.captured) >= 0.005:
        changes.append(_("{old:.0%} → {new:.0%} kept", old=was.captured, new=now.captured))
    else:
        changes.append(_("bytes unchanged"))
    if not now.exact:
        changes.append(_("nearly"))
    return f"{old} → {new}: {', '.join(changes)}"


def what_reading(reading: ExplorerReading, index: str, truth: str) -> str:
    """Return the data of the figures, and whether they are exact."""
    if reading.exact:
        return _(
            "**Exact**: {queries} queries among {photographs} photos of {index}, held against exact search ({truth}).",
            queries=reading.queries,
            photographs=reading.photographs,
            index=index,
            truth=truth,
        )
    return _(
        "**Provisional**, the exact figures follow: {reduced}, {photographs} photos, held against exact search "
        "({truth}).",
        reduced=reduced_words(reading.reduced),
        photographs=reading.photographs,
        truth=truth,
    )


@dataclass(frozen=True)
class ShownFigure:
    """One figure: its name, its value, that of the pinned setting, and whether it is exact."""

    name: str
    value: str
    pinned: str = ""
    exact: bool = True
    about: str = ""


class FiguresBar(QWidget):
    """A bar of figures, each in its own place."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._figures: list[ShownFigure] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_figures(self, figures: Sequence[ShownFigure]) -> None:
        """Show figures."""
        if list(figures) == self._figures:
            return
        self._figures = list(figures)
        self.setAccessibleName("; ".join(f"{one.name} {one.value}" for one in figures))
        self.updateGeometry()
        self.update()

    def figures(self) -> Sequence[ShownFigure]:
        """Return the visible figures."""
        return self._figures

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return three lines for each row of figures."""
        return QSize(480, self._row_height() * self._rows())

    def _row_height(self) -> int:
        return 20 + self._large().height() + 2 * QFontMetrics(small(self.font())).height()

    def _rows(self) -> int:
        """Return 2 where one row would be too narrow for the values."""
        widest = max((self._large().horizontalAdvance(_provisional(one)) for one in self._figures), default=0)
        return 2 if (max(widest, grown(56)) + 8) * len(self._figures) > self.width() else 1

    def _large(self) -> QFontMetrics:
        return QFontMetrics(self._large_font())

    def _large_font(self) -> QFont:
        font = strong(self.font())
        font.setPointSizeF(font.pointSizeF() * (1.5 if self.width() >= 700 else 1.2))
        return font

    def _box(self, place: int) -> QRectF:
        across = max(1, -(-len(self._figures) // self._rows()))
        width, high = self.width() / across, self._row_height()
        return QRectF(place % across * width, place // across * high + 6, width - 8, high - 12)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Adapt the height to the number of rows."""
        super().resizeEvent(event)
        self.updateGeometry()

    def event(self, event: QEvent) -> bool:
        """Show the meaning of a figure under the pointer."""
        if isinstance(event, QHelpEvent):
            for place, one in enumerate(self._figures):
                if self._box(place).contains(event.pos().toPointF()):
                    QToolTip.showText(event.globalPos(), f"{one.name}\n{one.about}".strip(), self)
                    return True
        return super().event(event)

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint name, value, and the pinned value below."""
        now = theme()
        painter = QPainter(self)
        quiet, large = small(self.font()), self._large_font()
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        for place, one in enumerate(self._figures):
            box = self._box(place)
            lines = QFontMetrics(quiet).height()
            painter.setFont(quiet)
            painter.setPen(QColor(now.quiet))
            name = QFontMetrics(quiet).elidedText(one.name, Qt.TextElideMode.ElideRight, int(box.width()))
            painter.drawText(QRectF(box.left(), box.top(), box.width(), lines), left, name)
            painter.setFont(large)
            painter.setPen(QColor(now.ink))
            value = QRectF(box.left(), box.top() + lines + 2, box.width(), QFontMetrics(large).height())
            painter.drawText(value, left, _provisional(one))
            if one.pinned:
                painter.setFont(quiet)
                painter.setPen(QColor(now.warn))
                painter.drawText(QRectF(box.left(), value.bottom() + 2, box.width(), lines), left, f"▾ {one.pinned}")
        painter.end()


def _provisional(one: ShownFigure) -> str:
    """Return a value, with a sign before a provisional one."""
    return one.value if one.exact or one.value == "–" else f"≈ {one.value}"


_POINTS = 160


def spectrum_figure(eigenvalues: npt.NDArray[np.float64], rank: int | None) -> Figure:
    """Return the cumulative share of the spectrum over the components, with a line at the rank.

    Parameters
    ----------
    eigenvalues : array, (m,)
        The largest first.
    rank : int or None
        How many are kept; None for all.
    """
    count = len(eigenvalues)
    kept = count if rank is None else min(rank, count)
    shares = np.cumsum(eigenvalues) / eigenvalues.sum()
    at = np.unique(np.geomspace(1, count, min(count, _POINTS)).round().astype(int))
    held = Message(
        "The first {rank} of {shares} components hold {held:.0%} of the kernel's spectrum.",
        rank=kept, shares=count, held=float(shares[kept - 1]),
    )  # fmt: skip
    meaning = Message(
        "A low rank keeps what the landmarks know well and leaves out what is noise, until it leaves out what tells "
        "photos apart."
    )
    ranks = at.astype(float).tolist()
    return Figure(
        "spectrum",
        Message("Spectrum of the kernel"),
        joined([held, meaning]),
        Axis(Message("components"), log=True),
        Axis(Message("share"), low=0, high=1),
        [
            Series(Message("held by the first so many"), ranks, shares[at - 1].tolist(), place=0),
            Series(Message("of the largest"), ranks, (eigenvalues[at - 1] / eigenvalues[0]).tolist(), place=-1),
        ],
        [Marker(float(kept), Message("rank {rank}", rank=kept), place=0)],
    )
