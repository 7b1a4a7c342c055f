"""Colours of the window, light and dark as the system says: quiet, one accent, the photograph loudest."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication


@dataclass(frozen=True)
class Theme:
    """Colours by what they are for."""

    paper: str
    ground: str
    well: str
    line: str
    ink: str
    quiet: str
    accent: str


LIGHT = Theme("#ffffff", "#f5f5f2", "#e9e9e4", "#dededa", "#1c1c1a", "#6b6b65", "#0f766e")
DARK = Theme("#1b1b1d", "#141416", "#26262a", "#303035", "#ececea", "#9a9a94", "#2bb3a3")


def theme() -> Theme:
    """Give the colours that hold now."""
    dark = QApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
    return DARK if dark else LIGHT


def apply_theme(application: QApplication) -> None:
    """Give the whole program its colours, and again whenever the system changes from light to dark or back."""
    application.setStyle("Fusion")
    _apply(application)
    application.styleHints().colorSchemeChanged.connect(lambda _: _apply(application))


def _apply(application: QApplication) -> None:
    now = theme()
    palette = QPalette()
    for role, colour in (
        (QPalette.ColorRole.Window, now.paper),
        (QPalette.ColorRole.Base, now.ground),
        (QPalette.ColorRole.Button, now.paper),
        (QPalette.ColorRole.WindowText, now.ink),
        (QPalette.ColorRole.Text, now.ink),
        (QPalette.ColorRole.ButtonText, now.ink),
        (QPalette.ColorRole.PlaceholderText, now.quiet),
        (QPalette.ColorRole.Highlight, now.accent),
        (QPalette.ColorRole.HighlightedText, now.paper),
        (QPalette.ColorRole.Mid, now.line),
    ):
        palette.setColor(role, QColor(colour))
    application.setPalette(palette)
    application.setStyleSheet(
        f"""
        QListView {{ border: 0; background: {now.ground}; padding: 8px; }}
        QLabel#timing {{ color: {now.quiet}; }}
        QLabel#query {{ background: {now.well}; border: 2px solid {now.accent}; border-radius: 6px; }}
        QWidget#head {{ border-bottom: 1px solid {now.line}; }}
        QPushButton, QComboBox {{
            border: 1px solid {now.line}; border-radius: 13px; padding: 0 14px; min-height: 26px;
            background: {now.paper};
        }}
        QPushButton:hover, QComboBox:hover {{ border-color: {now.accent}; }}
        QPushButton:focus, QComboBox:focus {{ border: 2px solid {now.accent}; padding: 0 13px; min-height: 24px; }}
        QComboBox::drop-down {{ border: 0; width: 18px; }}
        QScrollBar:vertical {{ background: {now.ground}; width: 10px; margin: 0; }}
        QScrollBar::handle:vertical {{ background: {now.line}; border-radius: 5px; min-height: 40px; }}
        QScrollBar::handle:vertical:hover {{ background: {now.quiet}; }}
        QScrollBar::add-line, QScrollBar::sub-line {{ height: 0; }}
        QScrollBar::add-page, QScrollBar::sub-page {{ background: none; }}
        QStatusBar {{ color: {now.quiet}; }}
        """
    )
