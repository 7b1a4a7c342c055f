"""The look of the whole program: palette and style sheet in the colours of the theme that holds."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication

from app.gui.look.button_rules import button_rules
from app.gui.look.icons import let_style_sheets_find_icons
from app.gui.look.outside_text import PLAIN_TEXT
from app.gui.look.page_rules import page_rules
from app.gui.look.style_sheet import style_sheet
from app.gui.look.theme import theme

_SCHEMES = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
_SIZES = {"small": 0.9, "large": 1.15, "very large": 1.3}


def apply_theme(application: QApplication, scheme: str | None = None, size: str | None = None) -> None:
    """Apply the colours, and again whenever the system changes between light and dark.

    Parameters
    ----------
    application : QApplication
    scheme : str, optional
        ``light`` or ``dark``, or ``system`` for what the system says; without it, what held before.
    size : str, optional
        ``small``, ``normal``, ``large`` or ``very large``, of what the system says; without it, what held before.
        Widgets that are there already may keep their size: a window is made anew.
    """
    if not application.property("twinlens-follows"):
        application.setProperty("twinlens-follows", True)
        application.setStyle("Fusion")
        let_style_sheets_find_icons()
        application.styleHints().colorSchemeChanged.connect(lambda _: _apply(application))
    if size is not None:
        application.setFont(_sized(application, _SIZES.get(size, 1.0)))
    if scheme is not None:
        application.setProperty("twinlens-scheme", scheme)
        application.styleHints().setColorScheme(_SCHEMES.get(scheme, Qt.ColorScheme.Unknown))
    _apply(application)


def _sized(application: QApplication, times: float) -> QFont:
    """Return the system's font, larger or smaller."""
    usual = application.property("twinlens-font")
    if not isinstance(usual, QFont):
        usual = QApplication.font()
        application.setProperty("twinlens-font", usual)
    made = QFont(usual)
    if usual.pixelSize() > 0:
        made.setPixelSize(round(usual.pixelSize() * times))
    else:
        made.setPointSizeF(usual.pointSizeF() * times)
    return made


def _apply(application: QApplication) -> None:
    now = theme()
    sheet = PLAIN_TEXT + style_sheet(now) + page_rules(now) + button_rules(now)
    if sheet == application.styleSheet():
        return  # every widget would be styled again for nothing
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
    application.setStyleSheet(sheet)
