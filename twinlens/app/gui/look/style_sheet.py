"""The style sheet of the whole program, in the colours and the text size of a theme.

The look of a button follows from its role (`QuietButton`), that of a surface from the property that `surface` sets.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication

from twinlens.app.gui.look.labels import PLAIN_TEXT
from twinlens.app.gui.look.theme import DARK, Theme, let_style_sheets_find_icons, theme

_SCHEMES = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
_SIZES = {"small": 0.9, "large": 1.15, "very large": 1.3}


def apply_theme(application: QApplication, scheme: str | None = None, size: str | None = None) -> None:
    """Apply the theme now, and again whenever the system changes between light and dark.

    Parameters
    ----------
    scheme : str, optional
        ``light``, ``dark``, or ``system`` for the system's preference; by default as before.
    size : str, optional
        ``small``, ``normal``, ``large`` or ``very large``, relative to the system; by default as before.
        Existing widgets may keep their size, so the window is made anew.
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
        return  # otherwise every widget would be styled again for nothing
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


def style_sheet(now: Theme) -> str:
    """Return the style sheet of a theme."""
    return f"""
        QLabel#quiet {{ color: {now.quiet}; }}
        QLabel#title {{ font-size: 16px; font-weight: 600; }}
        QWidget#rail {{ background: {now.paper}; border-right: 1px solid {now.line}; }}
        QWidget#side {{ background: {now.paper}; border-right: 1px solid {now.line}; }}
        QWidget#facts {{ background: {now.paper}; border-left: 1px solid {now.line}; }}
        QWidget#head {{ background: {now.paper}; border-bottom: 1px solid {now.line}; }}
        QWidget#status {{ background: {now.paper}; border-top: 1px solid {now.line}; }}
        QWidget#page {{ background: {now.paper}; }}

        QPushButton, QComboBox {{
            border: 1px solid {now.line}; border-radius: 14px; padding: 0 14px; min-height: 26px;
            background: {now.paper}; color: {now.ink};
        }}
        QPushButton:hover, QComboBox:hover {{ border-color: {now.accent}; }}
        QPushButton:focus, QComboBox:focus {{ border-color: {now.accent}; }}
        QPushButton:pressed {{ background: {now.well}; }}
        QPushButton:disabled {{ color: {now.quiet}; border-color: {now.line}; }}
        QPushButton#main, QPushButton:default {{
            background: {now.accent}; color: {now.paper}; border-color: {now.accent};
        }}
        QPushButton#main:hover, QPushButton#main:focus {{ border: 2px solid {now.ink}; }}
        QPushButton#link, QToolButton#link {{
            border: 0; padding: 0 2px; color: {now.accent}; background: transparent; min-height: 20px;
        }}
        QPushButton#link:hover, QPushButton#link:focus {{ text-decoration: underline; }}
        QPushButton#small {{ min-height: 20px; border-radius: 11px; padding: 0 10px; }}
        QPushButton:checked {{ background: {now.well}; border-color: {now.accent}; }}

        QLineEdit#filter {{ border-radius: 14px; min-height: 20px; padding: 3px 14px; }}

        QTreeView, QListView, QTableView {{ border: 0; background: {now.paper}; outline: 0; }}
        QTreeView#folders::item, QListView::item {{ padding: 4px 2px; border-radius: 4px; }}
        QListView[role="framed"] {{ border: 1px solid {now.line}; border-radius: 6px; }}
        QListView::indicator {{ width: 16px; height: 16px; }}
        QListView::indicator:checked {{ image: url(icons:on.svg); }}
        QListView::indicator:unchecked {{ image: url(icons:off.svg); }}
        QListView::item:selected {{
            background: {now.well}; color: {now.ink};
        }}
        QTreeView#folders {{
            show-decoration-selected: 1; selection-background-color: {now.well}; selection-color: {now.ink};
        }}
        QTreeView#folders::item:selected {{ background: {now.well}; color: {now.ink}; border-radius: 0; }}
        QTreeView#folders::branch:selected {{ background: {now.well}; }}
        QHeaderView::section {{
            background: {now.paper}; color: {now.quiet}; border: 0; border-bottom: 1px solid {now.line}; padding: 4px;
        }}

        QMenu {{ background: {now.paper}; border: 1px solid {now.line}; padding: 4px; }}
        QMenu::item {{ padding: 5px 24px 5px 16px; border-radius: 4px; }}
        QMenu::item:selected {{ background: {now.well}; color: {now.ink}; }}
        QMenu::item:disabled {{ color: {now.quiet}; }}
        QMenu::separator {{ height: 1px; background: {now.line}; margin: 4px 8px; }}

        QScrollArea {{ border: 0; background: transparent; }}
        QScrollBar:vertical {{ background: {now.ground}; width: 10px; margin: 0; }}
        QScrollBar:horizontal {{ background: {now.ground}; height: 10px; margin: 0; }}
        QScrollBar::handle {{ background: {now.line}; border-radius: 5px; min-height: 40px; min-width: 40px; }}
        QScrollBar::handle:hover {{ background: {now.quiet}; }}
        QScrollBar::add-line, QScrollBar::sub-line {{ height: 0; width: 0; }}
        QScrollBar::add-page, QScrollBar::sub-page {{ background: none; }}

        QProgressBar {{ border: 0; border-radius: 3px; background: {now.well}; max-height: 6px; }}
        QProgressBar::chunk {{ border-radius: 3px; background: {now.accent}; }}
        QSplitter::handle {{ background: {now.line}; }}
        QSplitter::handle:horizontal {{ width: 1px; }}
    """


def page_rules(now: Theme) -> str:
    """Return the rules of pages and forms in a theme, by the property ``role`` of widgets."""
    # Sizes follow the system's font.
    size = QFontInfo(QApplication.font()).pixelSize()
    title, small = round(1.25 * size), round(0.92 * size)
    loud = round(1.6 * size)
    veil = QColor(now.ground)
    veil.setAlphaF(0.86)
    badge = round(1.45 * size)  # height, twice the radius of its round ends
    return f"""
        QWidget[role="head"] {{ background: {now.paper}; border: 0; border-bottom: 1px solid {now.line}; }}
        QWidget[role="ground"] {{ background: {now.ground}; }}
        QFrame[role="popup"] {{ background: {now.paper}; border: 1px solid {now.line}; }}
        QFrame[role="panel"] {{
            background: {now.paper}; border: 0; border-left: 1px solid {now.line}; border-top: 1px solid {now.line};
        }}
        QLabel[role="chosen"] {{ color: {now.accent}; }}
        QLabel[role="well"] {{ background: {now.well}; }}
        QWidget[role="strip"] {{ background: {now.ground}; border-bottom: 1px solid {now.line}; }}
        QFrame[role="veil"] {{ background: {veil.name(QColor.NameFormat.HexArgb)}; }}
        QFrame[role="drop"] {{ border: 2px dashed {now.accent}; border-radius: 10px; }}
        QLabel[role="loud"] {{ font-weight: 600; font-size: {loud}px; }}
        QFrame[role="card"] {{ background: {now.paper}; border: 1px solid {now.line}; border-radius: 8px; }}
        QFrame[role="card"]:focus {{ border: 2px solid {now.accent}; }}
        QFrame[role="answer"] {{
            background: {now.paper}; border: 1px solid {now.line}; border-left: 3px solid {now.accent};
            border-radius: 8px;
        }}
        QFrame[role="nested"] {{ border: 0; border-left: 2px solid {now.line}; border-radius: 0; }}
        QScrollArea[role="page"] QScrollBar:vertical {{ background: {now.ground}; }}
        QLabel {{ background: transparent; border: 0; }}
        QLabel[role="title"] {{ font-weight: 600; font-size: {title}px; }}
        QLabel[role="name"] {{ font-weight: 600; }}
        QLabel[role="quiet"], QLabel[role="section"], QLabel[role="mono"] {{ color: {now.quiet}; }}
        QLabel[role="help"] {{ color: {now.quiet}; }}
        QLabel[role="error"] {{ color: {now.warn}; }}
        QLabel[role="badge"] {{
            color: {now.accent}; border: 1px solid {now.accent}; border-radius: {badge // 2}px;
            padding: 0 8px; font-size: {small}px; min-height: {badge}px; max-height: {badge}px;
        }}
        QLabel[role="nothing"] {{
            color: {now.quiet}; border: 1px dashed {now.line}; border-radius: 8px; padding: 0 40px;
        }}
        QWidget[role="pair"] {{ border: 2px solid transparent; border-radius: 8px; }}
        QWidget[role="pair"][keyed="true"] {{ border-color: {now.accent}; }}
        QLabel[role="key"] {{
            background: {now.well}; border: 1px solid {now.line}; border-radius: 4px; padding: 1px 6px;
        }}
        QDialog[role="sheet"], QDialog[role="sheet"] QScrollArea, QWidget[role="paper"] {{
            background: {now.paper}; border: 0;
        }}
        QLineEdit, QPlainTextEdit {{
            background: {now.paper}; color: {now.ink}; border: 1px solid {now.line}; border-radius: 6px;
            padding: 0 8px; min-height: 26px; selection-background-color: {now.accent}; selection-color: {now.paper};
        }}
        QPlainTextEdit {{ padding: 4px; }}
        QLineEdit:hover, QPlainTextEdit:hover {{ border-color: {now.quiet}; }}
        QLineEdit:focus, QPlainTextEdit:focus {{
            border: 2px solid {now.accent}; padding: 0 7px; min-height: 24px;
        }}
        QPlainTextEdit:focus {{ padding: 3px; }}
        QLineEdit[wrong="true"] {{ border-color: {now.warn}; }}
        QPushButton[role="primary"] {{ background: {now.accent}; color: {now.paper}; border-color: {now.accent}; }}
        QPushButton[role="primary"]:disabled {{
            background: {now.well}; color: {now.quiet}; border-color: {now.line};
        }}
        QPushButton[role="primary"]:focus {{ border: 2px solid {now.ink}; }}
        QPushButton:disabled {{ color: {now.quiet}; }}
        QPushButton[role="word"] {{ border-radius: 6px; padding: 0 10px; }}
        QPushButton[role="word"]:checked {{
            color: {now.accent}; border-color: {now.accent}; background: {now.well};
        }}
        QPushButton[role="fold"], QPushButton[role="link"] {{
            border: 0; padding: 0 4px; color: {now.accent}; background: transparent; text-align: left;
        }}
        QPushButton[role="fold"]:focus, QPushButton[role="link"]:focus {{
            border: 0; border-radius: 4px; padding: 0 4px; min-height: 26px; background: {now.well};
        }}
        QPushButton[role="tab"] {{
            border: 0; border-bottom: 2px solid transparent; border-radius: 0; padding: 0; color: {now.quiet};
            background: transparent; font-weight: 600;
        }}
        QPushButton[role="tab"][along="top"] {{ min-height: 38px; font-weight: 400; }}
        QPushButton[role="tab"][along="top"]:checked {{ font-weight: 600; }}
        QPushButton[role="tab"]:checked {{ color: {now.ink}; border-bottom-color: {now.accent}; }}
        QPushButton[role="tab"]:hover, QPushButton[role="tab"]:focus {{ color: {now.accent}; }}
        QPushButton[role="tab"]:focus {{ border: 2px solid {now.accent}; border-radius: 4px; }}
        QProgressBar[role="thin"] {{ border-radius: 0; min-height: 3px; max-height: 3px; }}
        QProgressBar[role="thin"]::chunk {{ border-radius: 0; }}
        QListView[role="cards"] {{ background: {now.ground}; }}
        QToolTip {{
            background: {now.paper}; color: {now.ink}; border: 1px solid {now.line}; padding: 4px 6px;
        }}
        QComboBox QAbstractItemView {{
            background: {now.paper}; border: 1px solid {now.line}; outline: 0; padding: 4px;
            selection-background-color: {now.well}; selection-color: {now.ink};
        }}
        QComboBox QAbstractItemView::item {{ border-radius: 4px; padding: 4px 8px; color: {now.ink}; }}
        QComboBox QAbstractItemView::item:hover, QComboBox QAbstractItemView::item:selected {{
            background: {now.well};
        }}
    """


def button_rules(now: Theme) -> str:
    """Return the rules of buttons and sliders in a theme."""
    veil, thin_veil = _thin(DARK.paper, 0.95), _thin(DARK.paper, 0.75)
    return f"""
        QPushButton[role="pill"], QPushButton[role="chip"] {{
            border-radius: 16px; padding: 0 6px; min-height: 30px; max-height: 30px;
        }}
        QPushButton[role="chip"] {{ text-align: left; padding: 0 30px 0 13px; }}
        QPushButton[role="pill"][invites="true"] {{ border-style: dashed; color: {now.quiet}; }}
        QPushButton[role="pill"][invites="true"]:hover {{ color: {now.ink}; }}
        QPushButton[role="chip"][against="true"] {{ border-color: {now.warn}; }}
        QPushButton[role="pill"]:focus {{ border: 2px solid {now.accent}; padding: 0 5px; }}
        QPushButton[role="chip"]:focus {{ border: 2px solid {now.accent}; padding: 0 29px 0 12px; }}
        QPushButton[verdict="different"]:checked, QPushButton[verdict="different"]:hover,
        QPushButton[verdict="different"]:focus, QPushButton[against="true"]:focus {{ border-color: {now.warn}; }}
        QPushButton[role="pill"]:disabled {{ color: {now.faint}; }}

        QPushButton[role="words"] {{
            border: 1px solid transparent; border-radius: 4px; padding: 2px 3px; min-height: 0;
            color: {now.accent}; background: transparent;
        }}
        QPushButton[role="words"]:hover {{ text-decoration: underline; }}
        QPushButton[role="words"]:focus {{ border-color: {now.accent}; }}
        QPushButton[role="words"]:disabled {{ color: {now.quiet}; }}

        QPushButton[role="switch"] {{
            border: 1px solid transparent; border-radius: 4px; padding: 0 5px 0 3px; min-height: 20px;
            text-align: left; background: transparent;
        }}
        QPushButton[role="switch"]:checked, QPushButton[role="switch"]:hover {{ border-color: transparent; }}
        QPushButton[role="switch"]:focus {{ border-color: {now.accent}; }}
        QPushButton[role="switch"]:disabled {{ color: {now.faint}; }}

        QPushButton[role="row"], QPushButton[role="legend"], QPushButton[role="tool"], QPushButton[role="cross"] {{
            border: 1px solid transparent; border-radius: 6px; padding: 0; min-height: 0; background: transparent;
        }}
        QPushButton[role="row"] {{ min-height: 30px; }}
        QPushButton[role="cross"] {{ border-radius: 10px; margin: 6px 5px; color: {now.quiet}; }}
        QPushButton[role="row"]:hover, QPushButton[role="legend"]:hover, QPushButton[role="tool"]:hover,
        QPushButton[role="cross"]:hover, QPushButton[role="legend"]:focus, QPushButton[role="cross"]:focus {{
            background: {now.well};
        }}
        QPushButton[role="tool"]:disabled {{ background: transparent; }}
        QPushButton[role="legend"]:checked, QPushButton[role="tool"]:checked {{
            background: {now.well}; border-color: {now.accent};
        }}
        QPushButton[role="row"]:focus, QPushButton[role="tool"]:focus {{ border: 2px solid {now.accent}; }}
        QPushButton[role="legend"]:focus, QPushButton[role="cross"]:focus {{ border: 1px solid {now.accent}; }}

        QPushButton[role="choice"] {{
            border: 1px solid transparent; border-left: 3px solid transparent; border-radius: 0; padding: 0;
            background: transparent;
        }}
        QPushButton[role="choice"]:hover {{ background: {now.ground}; }}
        QPushButton[role="choice"]:checked {{
            background: {now.well}; border-color: transparent; border-left-color: {now.accent};
        }}
        QPushButton[role="choice"]:focus {{ border: 1px solid {now.accent}; border-left: 3px solid {now.accent}; }}
        QPushButton[role="offer"] {{ border-radius: 8px; padding: 0; }}
        QPushButton[role="offer"]:hover {{ background: {now.well}; }}
        QPushButton[role="offer"]:focus {{ border: 2px solid {now.accent}; }}
        QPushButton[role="round"] {{
            border: 0; border-radius: 18px; margin: 2px; padding: 0; min-height: 36px; background: {thin_veil};
        }}
        QPushButton[role="round"]:hover {{ background: {veil}; }}
        QPushButton[role="round"]:pressed {{ background: {DARK.well}; }}

        QPushButton[role="on dark"] {{
            border: 0; border-radius: 14px; padding: 0 12px; min-height: 28px; color: {DARK.quiet};
            background: transparent;
        }}
        QPushButton[role="on dark"]:hover {{ color: {DARK.ink}; background: {DARK.well}; }}
        QPushButton[role="on dark"]:checked {{ color: {DARK.accent}; background: {DARK.well}; }}
        QPushButton[role="on dark"]:disabled {{ color: {DARK.faint}; }}
        QLabel[role="on dark"] {{ color: {DARK.quiet}; background: transparent; }}
        QWidget[role="dark"] {{ background: #0c0c0d; }}

        QToolButton[role="view"] {{
            border: 0; border-left: 3px solid transparent; padding: 7px 3px 5px 0; color: {now.quiet};
            background: transparent;
        }}
        QToolButton[role="view"]:hover {{ background: {now.well}; color: {now.ink}; }}
        QToolButton[role="view"]:checked {{ border-left-color: {now.accent}; color: {now.accent}; }}
        QToolButton[role="view"]:focus {{
            border: 2px solid {now.accent}; border-radius: 6px; padding: 5px 1px 3px 1px;
        }}

        QComboBox::drop-down {{ border: 0; width: 18px; right: 6px; }}
        QComboBox::down-arrow {{ image: url(icons:opens.svg); width: 14px; height: 14px; }}
        NumberBox {{ image: url(icons:steps.svg); image-position: right center; }}

        QSlider:horizontal {{ min-height: 18px; }}
        QSlider::groove:horizontal {{ height: 2px; margin: 0 3px; background: {now.line}; }}
        QSlider::sub-page:horizontal {{ height: 2px; margin: 0 3px; background: {now.accent}; }}
        QSlider::handle:horizontal {{
            width: 12px; height: 12px; margin: -8px 0; border: 3px solid {now.paper}; border-radius: 9px;
            background: {now.accent};
        }}
        QSlider::handle:horizontal:focus {{ border-color: {now.ink}; }}
    """


def _thin(colour: str, share: float) -> str:
    made = QColor(colour)
    made.setAlphaF(share)
    return made.name(QColor.NameFormat.HexArgb)
