"""Style rules of pages and forms, added to the style sheet of the program."""

from __future__ import annotations

from PySide6.QtGui import QColor, QFontInfo
from PySide6.QtWidgets import QApplication

from app.gui.look.theme import Theme


def page_rules(now: Theme) -> str:
    """Return the rules of a theme; what they name is the property ``role`` of a widget."""
    # Sizes follow the font that the system has chosen.
    size = QFontInfo(QApplication.font()).pixelSize()
    title, small = round(1.25 * size), round(0.92 * size)
    loud = round(1.6 * size)
    veil = QColor(now.ground)
    veil.setAlphaF(0.86)
    badge = round(1.45 * size)  # high, and half of that its round ends
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
