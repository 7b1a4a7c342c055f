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
    """Of panels and controls."""
    ground: str
    """Behind photographs."""
    well: str
    """Of the square that a photograph lies in, and of what is chosen in a list."""
    line: str
    """Between parts."""
    ink: str
    quiet: str
    """Of what is said beside the main thing."""
    accent: str
    warn: str
    """Only for "different", "missed", "this one"."""


LIGHT = Theme("#ffffff", "#f6f6f3", "#ebebe6", "#dededa", "#1c1c1a", "#6b6b65", "#0f766e", "#c2571a")
DARK = Theme("#1c1c1e", "#151517", "#28282c", "#333338", "#ececea", "#a0a09a", "#2bb3a3", "#e8833f")


def theme() -> Theme:
    """Return the colours that hold now."""
    application = QApplication.instance()
    forced = application.property("twinlens-scheme") if application is not None else None
    if forced is not None:
        return DARK if forced == "dark" else LIGHT
    dark = QApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
    return DARK if dark else LIGHT


def apply_theme(application: QApplication, scheme: str | None = None) -> None:
    """Give the whole program its colours, and again whenever the system changes from light to dark or back.

    Parameters
    ----------
    application : QApplication
    scheme : str, optional
        ``light`` or ``dark`` whatever the system says, as pictures of the window need it.
    """
    if scheme is not None:
        application.setProperty("twinlens-scheme", scheme)
    application.setStyle("Fusion")
    _apply(application)
    if not application.property("twinlens-follows"):
        application.setProperty("twinlens-follows", True)
        application.styleHints().colorSchemeChanged.connect(lambda _: _apply(application))


def _apply(application: QApplication) -> None:
    now = theme()
    palette = QPalette()
    for role, colour in (
        (QPalette.ColorRole.Window, now.paper),
        (QPalette.ColorRole.Base, now.paper),
        (QPalette.ColorRole.AlternateBase, now.ground),
        (QPalette.ColorRole.Button, now.paper),
        (QPalette.ColorRole.ToolTipBase, now.paper),
        (QPalette.ColorRole.ToolTipText, now.ink),
        (QPalette.ColorRole.WindowText, now.ink),
        (QPalette.ColorRole.Text, now.ink),
        (QPalette.ColorRole.ButtonText, now.ink),
        (QPalette.ColorRole.PlaceholderText, now.quiet),
        (QPalette.ColorRole.Highlight, now.accent),
        (QPalette.ColorRole.HighlightedText, now.paper),
        (QPalette.ColorRole.Link, now.accent),
        (QPalette.ColorRole.LinkVisited, now.accent),
        (QPalette.ColorRole.Light, now.paper),
        (QPalette.ColorRole.Midlight, now.well),
        (QPalette.ColorRole.Mid, now.line),
        (QPalette.ColorRole.Dark, now.line),
        (QPalette.ColorRole.Shadow, now.line),
    ):
        palette.setColor(role, QColor(colour))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(now.quiet))
    application.setPalette(palette)
    from app.gui.look.outside_text import PLAIN_TEXT
    from app.gui.look.page_rules import rules
    from app.gui.look.style_sheet import style_sheet

    application.setStyleSheet(PLAIN_TEXT + style_sheet(now) + rules(now))
