"""Style rules of buttons and sliders, added to the style sheet of the program; roles are said by `QuietButton`."""

from __future__ import annotations

from PySide6.QtGui import QColor

from app.gui.look.theme import DARK, Theme


def button_rules(now: Theme) -> str:
    """Return the rules of a theme."""
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
