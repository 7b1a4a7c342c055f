"""The tools of a sketch: small buttons in a row."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.gui.look.page_parts import bind, tip_with_key
from app.gui.look.quiet_button import QuietButton

_SIDE = 28


class SketchTool(QuietButton):
    """A tool, by its icon: ``brush``, ``eraser``, ``undo``, ``redo``, ``clear``, or a size of the brush.

    Parameters
    ----------
    sign : str
    name : str
    key : str
        Bound in the widget that ``within`` is; shown in the tooltip.
    within : QWidget
    """

    def __init__(self, sign: str, name: str, key: str, within: QWidget) -> None:
        super().__init__("", "tool", sign, parent=within)
        self.setFixedSize(_SIDE, _SIDE)
        self.setAccessibleName(name)
        self.setToolTip(tip_with_key(name, key))
        bind(within, key, self.click)
