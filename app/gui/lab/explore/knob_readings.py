"""Readings shown at the knobs: curves along the sliders, the spectrum, and the effect of a move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.gui.lab.explore.explore_jobs import SettingReading
from app.gui.lab.explore.explore_words import moved_words
from app.gui.lab.explore.knob_panel import KnobPanel
from app.language.spoken import _

if TYPE_CHECKING:
    from app.lab.explore.explorer import ExplorerReading
    from app.lab.explore.knobs import KnobSetting


class KnobReadings(QObject):
    """Shows readings in a panel of knobs.

    Parameters
    ----------
    panel : KnobPanel
    parent : QObject
    """

    def __init__(self, panel: KnobPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._panel = panel
        self.path = "method.bits"
        """Of the knob that is turned."""
        self.shown = False
        """Whether knobs are seen."""
        self._new = True  # a sample or method that was not seen before
        self._read: SettingReading | None = None  # the last with its knobs
        self._pinned: KnobSetting | None = None
        panel.made.connect(self._on_made)

    def begin(self, path: str) -> None:
        """Turn a knob of a sample or method that was not seen before."""
        self.path, self._new = path, True

    def show(self, read: SettingReading, whole: bool, pinned: ExplorerReading | None) -> None:
        """Show a reading; its knobs too, unless the person has moved on meanwhile."""
        self._pinned = None if pinned is None else pinned.setting
        if whole and read.knobs:
            self._read = read
            if self.shown:
                self._show_knobs(read)
        self.show_points(read)
        self._show_kept(read.reading)

    def come(self, setting: KnobSetting | None) -> None:
        """Have the knobs seen, at once where they are known."""
        self.shown = True
        if self._read is not None and setting == self._read.reading.setting:
            self._show_knobs(self._read)

    def say_moved(self, before: KnobSetting, was: ExplorerReading, reading: ExplorerReading) -> None:
        """Show the effect of turning a knob."""
        row = self._panel.rows().get(self.path)
        if row is not None and before != reading.setting:
            row.say(moved_words(row.knob, before, reading.setting, was, reading))

    def show_points(self, read: SettingReading) -> None:
        """Show what lies along the sliders, and where the pinned setting stands."""
        rows, pinned = self._panel.rows(), self._pinned
        for path, points in read.points.items():
            if path in rows:
                there = pinned is not None and pinned.method.key == read.reading.setting.method.key
                try:
                    value = pinned.value(path) if pinned is not None and there else None
                except AttributeError:  # of another search structure or kernel
                    value, there = None, False
                rows[path].set_points(points, value, there)

    def _show_knobs(self, read: SettingReading) -> None:
        self._panel.show_setting(read.reading.setting, read.knobs)
        if self._new and self._panel.are_rows_made():
            self._on_made()

    def _on_made(self) -> None:
        if self._read is not None:
            self.show_points(self._read)
            self._show_kept(self._read.reading)
        if self._new:
            self._new = False
            self._panel.reveal(self.path)
            self._panel.tell_about(self.path)

    def _show_kept(self, reading: ExplorerReading) -> None:
        """Show beside the rank how much of the spectrum it keeps."""
        ranked = self._panel.rows().get("method.rank")
        if ranked is not None and reading.captured is not None:
            ranked.set_beside(_("{captured} % kept", captured=f"{100 * reading.captured:.0f}"))
